"""The command `audit`: every pull request of many repositories."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

import click

from signoff_bot.errors import InvalidInput

if TYPE_CHECKING:
    from signoff_bot.audit.budget import Limits
    from signoff_bot.audit.orgs import Orgs
    from signoff_bot.audit.report import Class, Report
    from signoff_bot.audit.run import Audited, Order, Progress
    from signoff_bot.github.gate import Gate
    from signoff_bot.render.audit_face import AuditFace

FACES = ["text", "json", "markdown", "csv", "html"]


def _shown(function: Callable[..., int]) -> Callable[..., int]:
    """The options that say where and how the report is shown, and what it is worth."""
    options = [
        click.option(
            "--format",
            "face",
            type=click.Choice(FACES),
            default="text",
            show_default=True,
            help="How to show the report.",
        ),
        click.option("--output", metavar="FILE", help="Write it there instead of to stdout."),
        click.option(
            "--fail-on",
            metavar="CLASS",
            multiple=True,
            help="Classes that exit with 1 (many, or with commas), `none`, or `any`. Default: "
            "rejected, stale, merged-unsigned, merged-rejected.",
        ),
        click.option(
            "--issue-repo",
            metavar="OWNER/REPO",
            help="Keep one issue there that sums up the report.",
        ),
    ]
    for option in reversed(options):
        function = option(function)
    return function


@click.group("audit", invoke_without_command=True)
@click.option("--repo", "repos", metavar="OWNER/REPO", multiple=True, help="May be given often.")
@click.option("--repos-file", metavar="FILE", help="One OWNER/REPO a line; # begins a remark.")
@click.option(
    "--org",
    "orgs",
    metavar="ORG",
    multiple=True,
    help="All of an organization that the token (an app's) may see; forks are left out.",
)
@click.option("--include", metavar="GLOB", multiple=True, help="Of --org: only these names.")
@click.option("--exclude", metavar="GLOB", multiple=True, help="Of --org: not these names.")
@click.option(
    "--state",
    type=click.Choice(["open", "merged", "all"]),
    default="open",
    show_default=True,
    help="Which pull requests; those closed unmerged are never listed.",
)
@click.option(
    "--since", metavar="DATE|90d", help="Leaves out what was merged earlier. Default: 90d."
)
@click.option("--drafts", is_flag=True, help="Audit drafts too.")
@click.option("--rules", metavar="NAME|PATH", help="Default: those of each base branch.")
@click.option("--as-of", metavar="TIME", help="The audit's one now, in UTC. Default: now.")
@click.option("--redact", is_flag=True, help="Show of private repositories only the numbers.")
@click.option("--store", metavar="FILE", help="What audits remember; made when it is missing.")
@click.option("--resume", is_flag=True, help="Go on with the last audit, if it was cut off.")
@click.option("--shard", "share", metavar="I/N", help="Audit one of N shares; see `audit merge`.")
@click.option("--max-requests", type=click.IntRange(0), metavar="N", help="HTTP requests in all.")
@click.option(
    "--reserve",
    metavar="N|P%",
    default="10%",
    show_default=True,
    help="Units of the token's hourly limit to leave to others.",
)
@click.option(
    "--max-wait",
    type=click.IntRange(0),
    metavar="SECONDS",
    help="To wait for limits, in all. Default: 0 in GitHub Actions, 600 on a terminal.",
)
@click.option(
    "--pace",
    type=click.Choice(["on", "off"]),
    default="on",
    show_default=True,
    help="Keep to GitHub's points a minute; off for a GitHub Enterprise Server without limits.",
)
@click.option("--post", is_flag=True, help="Post verdicts where they are missing or untrue.")
@click.option(
    "--max-posts",
    type=click.IntRange(1, 250),  # a comment and a status each; GitHub takes 500 writes an hour
    default=100,
    show_default=True,
    help="On how many pull requests one run posts.",
)
@_shown
@click.pass_context
def command(
    context: click.Context,
    repos: tuple[str, ...],
    repos_file: str | None,
    orgs: tuple[str, ...],
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    state: Literal["open", "merged", "all"],
    since: str | None,
    drafts: bool,
    rules: str | None,
    as_of: str | None,
    redact: bool,
    store: str | None,
    resume: bool,
    share: str | None,
    max_requests: int | None,
    reserve: str,
    max_wait: int | None,
    pace: str,
    post: bool,
    max_posts: int,
    face: AuditFace,
    output: str | None,
    fail_on: tuple[str, ...],
    issue_repo: str | None,
) -> int:
    """Judge every pull request of repositories, as verify would, and say what each needs.

    GitHub is asked with the token in GITHUB_TOKEN or GH_TOKEN. Exit status: 1 if a class of
    --fail-on was found, else 3 if anything was not judged, else 0.
    """
    if context.invoked_subcommand is not None:
        return 0
    from signoff_bot.audit.budget import Limits
    from signoff_bot.audit.orgs import Orgs
    from signoff_bot.audit.outcome import FINDINGS, read_classes
    from signoff_bot.audit.post import Posting
    from signoff_bot.audit.run import Order
    from signoff_bot.audit.scope import Scope, read_shard
    from signoff_bot.cli.audit_input import read_reserve, repositories, waiting
    from signoff_bot.cli.environment import token
    from signoff_bot.cli.files import refuse_same
    from signoff_bot.packs.load import load

    refuse_same(("--repos-file", repos_file), ("--store", store), ("--output", output))
    if (include or exclude) and not orgs:
        raise InvalidInput("--include and --exclude choose among the repositories of --org")
    if resume and store is None:
        raise InvalidInput("--resume goes on with what --store remembers; give --store FILE too")
    if since is not None and state == "open":
        raise InvalidInput("--since filters merged pull requests; give --state merged or all too")
    chosen = None if rules is None else load(rules)
    scope = Scope(
        repos=repositories(repos, repos_file, alone=not orgs),
        state=state,
        since=since,
        rules=None if chosen is None else chosen.digest,
        drafts=drafts,
        redact=redact,
    )
    failing = read_classes(fail_on) if fail_on else frozenset(FINDINGS)
    limits = Limits(max_requests, read_reserve(reserve), waiting(max_wait), pace == "on")
    shard = None if share is None else read_shard(share)
    posting = Posting(max_posts) if post else None
    order = Order(scope, chosen, shard, token(), posting=posting)
    listed = Orgs(orgs, include, exclude) if orgs else None
    audited = _audit(order, listed, limits, as_of, store, resume=resume)
    return _finish(audited.report, failing, face, output, issue_repo, audited.budget)


def _audit(
    order: Order,
    orgs: Orgs | None,
    limits: Limits,
    as_of: str | None,
    store: str | None,
    *,
    resume: bool,
) -> Audited:
    from functools import partial

    from signoff_bot.audit.scope import now, read_as_of
    from signoff_bot.audit.start import start
    from signoff_bot.cli.environment import connection
    from signoff_bot.cli.progress import say

    at = now() if as_of is None else read_as_of(as_of)
    order.scope.merged_since(at)  # refuses a wrong date before anything is asked
    connect = partial(connection, say)
    with _progress() as progress:
        return start(
            *(connect, say, order, limits, at),
            orgs=orgs,
            store=store,
            resume=resume,
            progress=progress,
        )


@contextmanager
def _progress() -> Iterator[Progress]:
    """A moving bar on stderr, if a person watches."""
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    from signoff_bot.render.inert import visible

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Listing", total=None)
        yield lambda repo, done, listed: bar.update(
            task, description=visible(repo, 60), completed=done, total=listed
        )


def _finish(
    report: Report,
    failing: frozenset[Class],
    face: AuditFace,
    output: str | None,
    issue_repo: str | None,
    gate: Gate | None = None,
) -> int:
    from signoff_bot.audit.outcome import exit_status
    from signoff_bot.cli.audit_issue import page_of_run, write_issue
    from signoff_bot.cli.files import write_result
    from signoff_bot.render.audit_face import render_audit

    watched = output is None and sys.stdout.isatty()
    color = watched and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    width = shutil.get_terminal_size().columns if watched else None
    link = page_of_run() if face == "markdown" else None
    write_result(render_audit(report, face, color=color, width=width, link=link), output)
    if issue_repo is not None:
        write_issue(report, issue_repo, gate)
    return exit_status(report, failing)


@command.command("merge")
@click.argument("files", metavar="REPORT...", nargs=-1, required=True)
@click.option(
    "--from-store",
    "stores",
    metavar="FILE",
    multiple=True,
    help="The store of a share, in the order of the reports.",
)
@click.option("--store", metavar="FILE", help="The new store to write from those of the shares.")
@_shown
def merge_command(
    files: tuple[str, ...],
    stores: tuple[str, ...],
    store: str | None,
    face: AuditFace,
    output: str | None,
    fail_on: tuple[str, ...],
    issue_repo: str | None,
) -> int:
    """Join the JSON reports of all shares of an audit into one.

    Shares that are missing, double or of different audits are refused. With --store and a
    --from-store for each report, the stores are joined too. Exit status as of the audit.
    """
    from signoff_bot.audit.merge import MOST_BYTES, merge, read_report
    from signoff_bot.audit.merge_stores import merge_stores
    from signoff_bot.audit.outcome import FINDINGS, read_classes
    from signoff_bot.cli.files import read_file, refuse_same

    refuse_same(
        *(("REPORT", name) for name in files),
        *(("--from-store", name) for name in stores),
        ("--store", store),
        ("--output", output),
    )
    if (store is None) != (not stores) or (stores and len(stores) != len(files)):
        raise InvalidInput("--store takes one --from-store for each report, and needs them")
    failing = read_classes(fail_on) if fail_on else frozenset(FINDINGS)
    reports = {name: read_report(read_file(name, MOST_BYTES), name) for name in files}
    whole = merge(reports)
    if store is not None:
        indexes = [report.shard.index for report in reports.values() if report.shard]
        merge_stores(store, dict(zip(indexes, stores, strict=True)), whole)
    return _finish(whole, failing, face, output, issue_repo)


@command.command("age")
@click.option("--store", metavar="FILE", required=True, help="What audits remember.")
@click.option(
    "--max-age", metavar="HOURS", type=click.IntRange(1), required=True, help="Such as 36."
)
def age_command(store: str, max_age: int) -> int:
    """Fail if the last audit in a store is too old: a schedule can die without a word.

    Exit status: 1 if no audit was completed within so many hours, else 0.
    """
    from datetime import UTC, datetime, timedelta

    from signoff_bot.audit.store import Store
    from signoff_bot.cli.progress import say
    from signoff_bot.reading.wording import count

    with Store(store, existing=True) as opened:
        last = opened.last()
    if last is None:
        say("no audit was ever completed; look at the workflow that runs it")
        return 1
    age = datetime.now(UTC) - datetime.fromisoformat(last)
    if age > timedelta(hours=max_age):
        ago = count(round(age.total_seconds() / 3600), "hour")
        say(f"the last audit is of {last}, {ago} ago; look at the workflow that runs it")
        return 1
    click.echo(f"the last audit is of {last}")
    return 0
