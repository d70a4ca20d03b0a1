"""Reads the facts of one pull request that its rules need, each as soon as it can be asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from signoff_bot.checks.acks import ACK
from signoff_bot.checks.base import Case
from signoff_bot.checks.due_lanes import lanes_for
from signoff_bot.checks.needs import WorkflowNeed
from signoff_bot.evidence.actions import Run
from signoff_bot.evidence.base import MissingEvidence, Unread, not_collected
from signoff_bot.evidence.conversation import Comment, SignoffRef
from signoff_bot.evidence.model import Evidence
from signoff_bot.evidence.pull import ChangedFile, Commit, EarlierChange, Push
from signoff_bot.evidence.repository import Access, RepositoryFile, Team
from signoff_bot.evidence.upstream import UpstreamPull
from signoff_bot.github.actions import read_check_runs
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.contents import ContentReader
from signoff_bot.github.conversation import Written
from signoff_bot.github.decode import changed
from signoff_bot.github.earlier import EarlierChanges, signed_heads
from signoff_bot.github.given_commands import GivenCommands, read_access_of
from signoff_bot.github.head_checks import read_head_runs, read_required_checks
from signoff_bot.github.histories import read_histories
from signoff_bot.github.owning_teams import read_owning_teams
from signoff_bot.github.pulls import Described
from signoff_bot.github.pushes import last_push, read_pushes
from signoff_bot.github.run_evidence import FoundRuns, RunReader
from signoff_bot.github.signoff_forms import SignoffForm, signoff_forms, urls_in
from signoff_bot.github.tasks import Tasks
from signoff_bot.github.threads import read_threads
from signoff_bot.github.upstream import read_upstreams
from signoff_bot.packs.model import Rules
from signoff_bot.reading.lanes import LaneRules
from signoff_bot.reading.links import linked_pulls, run_ids, server_of


@dataclass(frozen=True, slots=True)
class Early:
    """What is being read before the rules are known; calling a fact waits for it."""

    written: Callable[[], list[Written] | Unread]
    files: Callable[[], tuple[ChangedFile, ...] | Unread]
    commits: Callable[[], tuple[Commit, ...] | Unread]
    codeowners: Callable[[], RepositoryFile | Unread]
    contents: ContentReader


class Collection:
    """Starts all reading at once; each part waits only for those that it rests on."""

    def __init__(
        self,
        client: GitHubClient,
        tasks: Tasks,
        described: Described,
        rules: Rules,
        early: Early,
        signoff: SignoffRef | None,
        members: GitHubClient,
    ) -> None:
        self._client = client
        self._members = members
        self._described = described
        self._rules = rules
        self._early = early
        self._signoff = signoff
        self._repo = described.repository.full_name
        self._server = server_of(described.pull.url)
        self._earlier = EarlierChanges(client, described)
        # Each of these may wait for those above it, never for one below.
        self._forms = tasks.start(self._find_forms)
        self._commands = tasks.start(self._find_commands)
        self._pushes = tasks.fact(self._read_pushes)
        self._comments = tasks.fact(self._read_comments)
        self._contents = tasks.start(self._read_contents)
        self._runs = tasks.fact(self._read_runs)
        self._facts = self._start(tasks)

    def evidence(self) -> Evidence:
        """Everything that the rules need."""
        return Evidence(
            collected_at=self._described.at,
            signoff=self._signoff,
            repository=self._described.repository,
            pull=self._described.pull,
            **{name: fact() for name, fact in self._facts.items()},
        )

    def _start(self, tasks: Tasks) -> dict[str, Callable[[], Any]]:
        """The facts that the rules need, by the names that evidence gives them."""
        client, described, needs = self._client, self._described, self._rules.needs
        facts: dict[str, Callable[[], Any]] = {
            "comments": self._comments,
            "push": self._last_push,
            "access": tasks.start(self._read_access),
        }
        if needs.files:
            facts["files"] = self._early.files
        if needs.commits:
            facts["commits"] = self._early.commits
        if needs.codeowners:
            facts["codeowners"] = self._early.codeowners
            facts["teams"] = tasks.start(self._read_teams)
        if needs.template or needs.contents:
            facts["contents"] = tasks.start(self._all_contents)
        if needs.workflows:
            facts["runs"] = self._all_runs
        if needs.upstream_repos:
            facts["upstream"] = tasks.start(self._read_upstream)
        if needs.earlier_changes:
            facts["pushes"] = self._pushes
        if needs.earlier_changes or any(w.commit == "no-later-change" for w in needs.workflows):
            facts["earlier_changes"] = tasks.start(self._read_earlier)
        if needs.threads:
            number, url = described.pull.number, described.pull.url
            facts["threads"] = tasks.fact(lambda: read_threads(client, self._repo, number, url))
        if needs.head_checks:
            head = described.pull.head_sha
            facts["head_runs"] = tasks.fact(lambda: read_head_runs(client, described))
            facts["check_runs"] = tasks.fact(lambda: read_check_runs(client, self._repo, head))
            facts["required_checks"] = tasks.fact(lambda: read_required_checks(client, described))
        return facts

    def _find_forms(self) -> list[SignoffForm]:
        written = self._early.written()
        if isinstance(written, Unread):
            return []
        return signoff_forms(written, self._rules.signoff.phrase, self._signoff)

    def _find_commands(self) -> GivenCommands:
        written, needs = self._early.written(), self._rules.needs
        return GivenCommands([] if isinstance(written, Unread) else written, needs.commands)

    def _read_comments(self) -> tuple[Comment, ...] | Unread:
        """Everything written, with the histories of what might be sign-offs or commands."""
        written = self._early.written()
        if isinstance(written, Unread):
            return written
        nodes = [one.written.node for one in self._forms()] + self._commands().nodes
        histories = read_histories(self._client, list(dict.fromkeys(nodes)))
        return tuple(
            changed(one.comment, history=histories[one.node])
            if one.node in histories
            else one.comment
            for one in written
        )

    def _read_pushes(self) -> tuple[Push, ...] | Unread:
        needs = self._rules.needs
        if not (needs.push or needs.earlier_changes or self._commands().of(ACK)):
            unread: Unread = not_collected("the time of the last push")
            return unread
        return read_pushes(self._client, self._described.pull)

    def _last_push(self) -> Push | Unread:
        pushes = self._pushes()
        if isinstance(pushes, Unread):
            return pushes
        return last_push(pushes, self._described.pull.head_sha)

    def _read_access(self) -> tuple[Access, ...]:
        return read_access_of(self._client, self._repo, self._commands().of(ACK))

    def _read_earlier(self) -> tuple[EarlierChange, ...]:
        """The change at each head that was signed, and at those of the runs that were read."""
        if self._rules.needs.earlier_changes:
            self._earlier.at(signed_heads(self._comments(), self._pushes(), self._rules.signoff))
        self._runs()
        return self._earlier.known

    def _read_teams(self) -> tuple[Team, ...]:
        logins = {one.login for one in self._forms()}
        early = self._early
        return read_owning_teams(self._members, early.codeowners(), early.files(), logins)

    def _read_contents(self) -> tuple[RepositoryFile, ...]:
        template, needs = self._rules.signoff.template_file, self._rules.needs
        paths = [template] if template is not None and needs.template else []
        return self._early.contents.read(paths, needs.contents, self._early.files)

    def _all_contents(self) -> tuple[RepositoryFile, ...]:
        """The files read early, and those at the runs that were accepted."""
        found, runs = self._contents(), self._runs()
        if isinstance(runs, Unread):
            return found
        needs, files = self._rules.needs.contents, self._early.files()
        at_runs = {
            file.path: file
            for sha in sorted({run.head_sha for run in runs.accepted})
            for file in self._early.contents.read_at_run(needs, files, sha)
        }
        return (*found, *at_runs.values())

    def _read_runs(self) -> FoundRuns:
        if not self._rules.needs.workflows:
            return FoundRuns((), ())
        reader = RunReader(
            self._client,
            self._described,
            self._rules.needs,
            self._lanes,
            self._early.files,
            self._earlier,
        )
        pinned = self._commands().run_ids(self._rules.needs.run_commands)
        return reader.read(self._early.commits(), self._linked_runs, pinned)

    def _all_runs(self) -> tuple[Run, ...] | Unread:
        runs = self._runs()
        return runs if isinstance(runs, Unread) else runs.runs

    def _lanes(self, need: WorkflowNeed) -> LaneRules | Unread | None:
        """The lanes that a run must have green here; None where nothing is to be measured."""
        so_far = Evidence(
            collected_at=self._described.at,
            signoff=None,
            repository=self._described.repository,
            pull=self._described.pull,
            comments=(),
            files=self._early.files(),
            contents=self._contents(),
        )
        case = Case(so_far, self._rules.signoff, signoff=None, signers=())
        try:
            return lanes_for(case, need.lanes, need.due)
        except MissingEvidence as missing:
            return Unread(unread=str(missing))

    def _linked_runs(self) -> tuple[int, ...]:
        pages = self._rules.signoff.run_pages
        return run_ids(urls_in(self._forms()), self._repo, self._server, pages)

    def _read_upstream(self) -> tuple[UpstreamPull, ...]:
        needs = self._rules.needs
        linked = linked_pulls(urls_in(self._forms()), needs.upstream_repos, self._server)
        return read_upstreams(self._client, linked, files=needs.upstream_files)
