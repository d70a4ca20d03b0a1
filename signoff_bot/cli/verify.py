"""The command `verify`: judges the sign-offs on one pull request."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

import click

from signoff_bot.errors import InvalidInput

if TYPE_CHECKING:
    from signoff_bot.service import Face, Judgement, Source
    from signoff_bot.target import Target


@click.command("verify")
@click.argument("pull", metavar="[PR]", required=False)
@click.option("--repo", metavar="OWNER/REPO", help="Default: $GITHUB_REPOSITORY, then git remotes.")
@click.option(
    "--rules",
    metavar="NAME|PATH",
    help="Rule pack. Default: .github/signoff.yml on the base branch, then the pack `default`.",
)
@click.option("--evidence", metavar="FILE", help="Judge a saved bundle: no network, no token.")
@click.option("--save-evidence", metavar="FILE", help="Write the bundle that the verdict rests on.")
@click.option(
    "--format",
    "face",
    type=click.Choice(["text", "json", "markdown", "html"]),
    default="text",
    show_default=True,
    help="How to show the verdict.",
)
@click.option("--output", metavar="FILE", help="Write the verdict there instead of to stdout.")
@click.option(
    "--post/--no-post",
    default=False,
    show_default=True,
    help="Publish the verdict: a comment and a commit status.",
)
def command(
    pull: str | None,
    repo: str | None,
    rules: str | None,
    evidence: str | None,
    save_evidence: str | None,
    face: Face,
    output: str | None,
    post: bool,
) -> int:
    """Judge the sign-offs on a pull request.

    PR is a number, OWNER/REPO#NUMBER, the address of a pull request, or the address of one sign-off
    on it (#issuecomment-N, #pullrequestreview-N, #discussion_rN). With --evidence it may be left
    out.

    GitHub is asked with the token in GITHUB_TOKEN or GH_TOKEN.
    """
    from signoff_bot.cli.files import refuse_same
    from signoff_bot.service import EXIT_STATUS

    refuse_same(("--evidence", evidence), ("--save-evidence", save_evidence), ("--output", output))
    target = _target(pull)
    if evidence is not None:
        if post:
            raise InvalidInput("--post needs what GitHub says now; leave --evidence out")
        judgement = _replay(evidence, target, repo, rules)
        _warn(judgement, evidence, rules)
        _write(judgement, save_evidence, face, output)
    elif target is None:
        raise InvalidInput("which pull request? Give its number or address, or --evidence FILE")
    else:
        source = source_of(target, repo, rules)
        with source.client:
            judgement = _verify(source, target)
            _write(judgement, save_evidence, face, output)
            if post:
                _post(source, judgement)
    return EXIT_STATUS[judgement.verdict.verdict]


def _target(pull: str | None) -> Target | None:
    from signoff_bot.cli.environment import server_url
    from signoff_bot.target import parse_target

    return None if pull is None else parse_target(pull, server_url())


def source_of(target: Target, repo: str | None, rules: str | None) -> Source:
    """Where the evidence about a target comes from, by a command's options.

    What the user got wrong is said before a token is asked for.
    """
    from signoff_bot.cli.environment import connection, repository, token
    from signoff_bot.cli.progress import say
    from signoff_bot.packs.load import load
    from signoff_bot.service import Source

    name, own = repository(repo, target.repo), None if rules is None else load(rules)
    return Source(connection(say), name, own, (token(),))


def _verify(source: Source, target: Target) -> Judgement:
    from signoff_bot.cli.progress import progress
    from signoff_bot.service import verify

    with progress(f"Reading {source.repo}#{target.number} from GitHub"):
        return verify(source, target)


def _replay(evidence: str, target: Target | None, repo: str | None, rules: str | None) -> Judgement:
    from dataclasses import replace

    from signoff_bot.cli.environment import repository
    from signoff_bot.cli.files import read_file
    from signoff_bot.evidence.bundle import MAX_BYTES
    from signoff_bot.service import replay

    if target is not None and repo is not None:
        target = replace(target, repo=repository(repo, target.repo))
    return replay(read_file(evidence, MAX_BYTES), evidence, target, rules)


def _warn(judgement: Judgement, evidence: str, rules: str | None) -> None:
    """Says how to get the evidence that other rules need and a saved bundle may lack."""
    if judgement.collected_for is None:
        return
    from signoff_bot.cli.progress import say

    repo, number = judgement.evidence.repository.full_name, judgement.evidence.pull.number
    say(
        f"warning: {evidence} was collected for the rules {judgement.collected_for}, so other "
        f"rules may lack evidence; collect it again with `signoff-bot verify {repo}#{number} "
        f"--rules {rules} --save-evidence FILE`"
    )


def _write(judgement: Judgement, save_evidence: str | None, face: Face, output: str | None) -> None:
    from signoff_bot.cli.files import write_file, write_result
    from signoff_bot.service import show

    if save_evidence is not None:
        write_file(save_evidence, judgement.bundle)
    watched = output is None and sys.stdout is not None and sys.stdout.isatty()
    color = watched and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    width = shutil.get_terminal_size().columns if watched else None
    write_result(show(judgement, face, color=color, width=width), output)


def _post(source: Source, judgement: Judgement) -> None:
    from signoff_bot.cli.progress import progress, say
    from signoff_bot.posting import Wishes, desk_of, publish

    with progress("Posting the verdict"):
        published = publish(desk_of(source), judgement, Wishes(asked=judgement.signoff))
    if published.warning is not None:
        say(f"warning: {published.warning}")
    if published.held_back is not None:
        say(f"warning: the status is no success: {published.held_back}")
    if published.comment_url is not None:
        say(f"posted {published.comment_url}")
