"""Collects the evidence of one pull request: what the rules need, each fact once, side by side.

Only a pull request or rules that cannot be read stop it. Any other fact that GitHub does not give
becomes an `Unread` with the reason, and the checks that rest on it an `error`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from signoff_bot.errors import InvalidInput
from signoff_bot.evidence.actions import Run
from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.conversation import Comment, SignoffRef
from signoff_bot.evidence.model import Evidence
from signoff_bot.evidence.pull import ChangedFile, Commit
from signoff_bot.evidence.repository import RepositoryFile, Team
from signoff_bot.evidence.upstream import UpstreamPull
from signoff_bot.github.actions import read_check_runs
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.contents import ContentReader, base_ref
from signoff_bot.github.conversation import Written, read_written, without_verdicts
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
T = TypeVar("T")


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
        start = partial(_start_early, tasks, rules)
        pull = tasks.start(lambda: read_pull(client, repo, number))
        files = start("files", lambda: read_files(client, repo, number, lambda: pull().pull))
        commits = start("commits", lambda: read_commits(client, repo, number, lambda: pull().pull))
        everything = tasks.start(lambda: read_written(client, repo, number, pull))
        described = pull()
        contents = ContentReader(client, described)
        codeowners = start("codeowners", contents.codeowners)
        in_force = rules or _read_rules(client, described)
        context = in_force.publish.context
        written = tasks.fact(lambda: without_verdicts(everything(), context))
        forms = tasks.start(lambda: _read_forms(written(), in_force, signoff))
        collection = _Collection(
            client, tasks, described, in_force, written, files, commits, codeowners, forms, contents
        )
        return collection.evidence(signoff), in_force


def _start_early(
    tasks: Tasks, rules: Rules | None, need: str, read: Callable[[], T | Unread]
) -> Callable[[], T | Unread]:
    """Starts to read what practically all rules need, before the rules themselves are read."""
    if rules is None or getattr(rules.needs, need):
        return tasks.fact(read)
    return lambda: Unread(unread=f"{need}: not needed by the rules")


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


def _read_forms(
    written: list[Written] | Unread, rules: Rules, asked: SignoffRef | None
) -> list[SignoffForm]:
    if isinstance(written, Unread):
        return []
    return signoff_forms(written, rules.signoff.phrase, asked)


@dataclass(frozen=True, slots=True)
class _Collection:
    """What is being read of one pull request; calling a fact waits for it."""

    client: GitHubClient
    tasks: Tasks
    described: Described
    rules: Rules
    written: Callable[[], list[Written] | Unread]
    files: Callable[[], tuple[ChangedFile, ...] | Unread]
    commits: Callable[[], tuple[Commit, ...] | Unread]
    codeowners: Callable[[], RepositoryFile | Unread]
    forms: Callable[[], list[SignoffForm]]
    contents: ContentReader

    @property
    def _repo(self) -> str:
        return self.described.repository.full_name

    @property
    def _server(self) -> str:
        return server_of(self.described.pull.url)

    def evidence(self, signoff: SignoffRef | None) -> Evidence:
        """Everything that the rules need; `signoff` is the one asked about."""
        facts = self._start()
        return Evidence(
            collected_at=self.described.at,
            signoff=signoff,
            repository=self.described.repository,
            pull=self.described.pull,
            **{name: fact() for name, fact in facts.items()},
        )

    def _start(self) -> dict[str, Callable[[], Any]]:
        """Starts to read all facts that the rules need; by the names that evidence gives them."""
        start, fact = self.tasks.start, self.tasks.fact
        client, described, needs = self.client, self.described, self.rules.needs
        facts: dict[str, Callable[[], Any]] = {"comments": fact(self._comments)}
        if needs.files:
            facts["files"] = self.files
        if needs.commits:
            facts["commits"] = self.commits
        if needs.codeowners:
            facts["codeowners"] = self.codeowners
            facts["teams"] = start(self._teams)
        if needs.template or needs.contents:
            facts["contents"] = start(self._files_at_refs)
        if needs.workflows:
            facts["runs"] = fact(self._runs)
        if needs.upstream_repos:
            facts["upstream"] = start(self._upstream)
        if needs.push:
            facts["push"] = fact(lambda: read_push(client, described.pull))
        if needs.head_checks:
            head = described.pull.head_sha
            facts["head_runs"] = fact(lambda: read_head_runs(client, described))
            facts["check_runs"] = fact(lambda: read_check_runs(client, self._repo, head))
            facts["required_checks"] = fact(lambda: read_required_checks(client, described))
        return facts

    def _comments(self) -> tuple[Comment, ...] | Unread:
        """Everything written, with the histories of what might be sign-offs."""
        written = self.written()
        if isinstance(written, Unread):
            return written
        nodes = [one.written.node for one in self.forms()]
        histories = read_histories(self.client, nodes)
        return tuple(
            changed(one.comment, history=histories[one.node])
            if one.node in histories
            else one.comment
            for one in written
        )

    def _teams(self) -> tuple[Team, ...]:
        logins = {one.login for one in self.forms()}
        return read_owning_teams(self.client, self.codeowners(), self.files(), logins)

    def _files_at_refs(self) -> tuple[RepositoryFile, ...]:
        template, needs = self.rules.signoff.template_file, self.rules.needs
        paths = [template] if template is not None and needs.template else []
        return self.contents.read(paths, needs.contents, self.files)

    def _runs(self) -> tuple[Run, ...]:
        reader = RunReader(self.client, self.described, self.rules.needs)
        return reader.read(self.commits(), self._linked_runs)

    def _linked_runs(self) -> tuple[int, ...]:
        pages = self.rules.signoff.run_pages
        return run_ids(urls_in(self.forms()), self._repo, self._server, pages)

    def _upstream(self) -> tuple[UpstreamPull, ...]:
        repos = self.rules.needs.upstream_repos
        linked = linked_pulls(urls_in(self.forms()), repos, self._server)
        return read_upstreams(self.client, linked)
