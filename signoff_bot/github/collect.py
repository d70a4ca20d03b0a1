"""Collects the evidence of one pull request: what the rules need, each fact once, side by side.

Only a pull request or rules that cannot be read stop it. Any other fact that GitHub does not give
becomes an `Unread` with the reason, and the checks that rest on it an `error`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from signoff_bot.errors import InvalidInput
from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.conversation import Comment, SignoffRef
from signoff_bot.evidence.model import Evidence
from signoff_bot.github.actions import read_check_runs
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.contents import ContentReader, base_ref
from signoff_bot.github.conversation import Written, read_written
from signoff_bot.github.decode import changed
from signoff_bot.github.head_checks import read_head_runs, read_required_checks
from signoff_bot.github.histories import read_histories
from signoff_bot.github.owning_teams import read_owning_teams
from signoff_bot.github.pulls import Described, read_commits, read_files, read_pull, read_push
from signoff_bot.github.repository import read_file
from signoff_bot.github.run_evidence import RunReader
from signoff_bot.github.signoff_forms import SignoffForm, signoff_forms, urls_in
from signoff_bot.github.tasks import Tasks
from signoff_bot.github.upstream import read_upstreams
from signoff_bot.packs.load import REPOSITORY_PACK, load_named, load_text
from signoff_bot.packs.model import Rules
from signoff_bot.reading.links import linked_pulls, run_ids, server_of

DEFAULT_PACK = "default"

Fact = Callable[[], Any]
"""A fact being read: calling it waits for the fact, or its `Unread`."""


def collect(
    client: GitHubClient, repo: str, number: int, signoff: SignoffRef | None, rules: Rules | None
) -> tuple[Evidence, Rules]:
    """The evidence of pull request `number` of `repo`, and the rules it was collected for.

    `signoff` is the one asked about; None asks about all. Without `rules`, those of the repository
    at the base are taken, else the pack `default`.

    Raises:
        GitHubFailure: the pull request or its rules could not be read.
        InvalidInput: the repository's rules are invalid.
    """
    with Tasks() as tasks:
        pull = tasks.start(lambda: read_pull(client, repo, number))
        # Practically all rules need these; they are not made to wait for the rules.
        files = tasks.fact(lambda: read_files(client, repo, number, lambda: pull().pull))
        commits = tasks.fact(lambda: read_commits(client, repo, number, lambda: pull().pull))
        written = tasks.fact(lambda: read_written(client, tasks, repo, number, pull))
        described = pull()
        in_force = rules or _read_rules(client, described)
        forms = tasks.start(lambda: _forms(written(), in_force, signoff))
        comments = tasks.fact(lambda: _comments(client, tasks, written(), forms()))
        facts = _start(client, tasks, described, in_force, files, commits, forms)
        evidence = Evidence(
            collected_at=described.at,
            signoff=signoff,
            repository=described.repository,
            pull=described.pull,
            comments=comments(),
            **{name: fact() for name, fact in facts.items()},
        )
        return evidence, in_force


def _read_rules(client: GitHubClient, described: Described) -> Rules:
    repo, ref = described.repository.full_name, base_ref(described)
    content = read_file(client, repo, REPOSITORY_PACK, ref)
    if content is None:
        return load_named(DEFAULT_PACK)
    source = f"{REPOSITORY_PACK} of {repo}"
    try:
        return load_text(content.decode(), source)
    except UnicodeDecodeError:
        raise InvalidInput(f"{source} at {ref} is not UTF-8 text; save it as UTF-8") from None


def _forms(
    written: list[Written] | Unread, rules: Rules, asked: SignoffRef | None
) -> list[SignoffForm]:
    if isinstance(written, Unread):
        return []
    return signoff_forms(written, rules.signoff.phrase, asked)


def _comments(
    client: GitHubClient, tasks: Tasks, written: list[Written] | Unread, forms: list[SignoffForm]
) -> tuple[Comment, ...] | Unread:
    """Everything written, with the histories of what might be sign-offs."""
    if isinstance(written, Unread):
        return written
    histories = read_histories(client, tasks, [one.written.node for one in forms])
    return tuple(
        changed(one.comment, history=histories[one.node]) if one.node in histories else one.comment
        for one in written
    )


def _start(
    client: GitHubClient,
    tasks: Tasks,
    described: Described,
    rules: Rules,
    files: Fact,
    commits: Fact,
    forms: Callable[[], list[SignoffForm]],
) -> dict[str, Fact]:
    """Starts to read what the rules need, by the names of the facts."""
    needs, pull, repo = rules.needs, described.pull, described.repository.full_name
    server = server_of(pull.url)
    reader = ContentReader(client, tasks, described)
    facts: dict[str, Fact] = {}
    if needs.files:
        facts["files"] = files
    if needs.commits:
        facts["commits"] = commits
    if needs.workflows:
        runs = RunReader(client, tasks, described, needs)
        pages = rules.signoff.run_pages
        facts["runs"] = tasks.fact(
            lambda: runs.read(commits(), lambda: run_ids(urls_in(forms()), repo, server, pages))
        )
    if needs.codeowners:
        facts["codeowners"] = codeowners = tasks.fact(reader.codeowners)
        facts["teams"] = tasks.start(
            lambda: read_owning_teams(
                client, tasks, codeowners(), files(), {one.login for one in forms()}
            )
        )
    form = {rules.signoff.template_file} if needs.template else set()
    if needs.contents or form - {None}:
        paths = [path for path in form if path is not None]
        facts["contents"] = tasks.start(lambda: reader.contents(paths, needs.contents, files))
    if needs.upstream_repos:
        facts["upstream"] = tasks.start(
            lambda: read_upstreams(
                client, tasks, linked_pulls(urls_in(forms()), needs.upstream_repos, server)
            )
        )
    if needs.push:
        facts["push"] = tasks.fact(lambda: read_push(client, pull))
    if needs.head_checks:
        facts["head_runs"] = tasks.fact(lambda: read_head_runs(client, tasks, described))
        facts["check_runs"] = tasks.fact(lambda: read_check_runs(client, repo, pull.head_sha))
        facts["required_checks"] = tasks.fact(
            lambda: read_required_checks(client, tasks, described)
        )
    return facts
