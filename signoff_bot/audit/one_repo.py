"""The audit of one repository: lists its pull requests, and says what is to be done for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from signoff_bot.audit.changes import Look
from signoff_bot.audit.judge import Judge, Judged, not_judged
from signoff_bot.audit.report import Change, RepositoryRow, Status
from signoff_bot.audit.reuse import Known, Reuse
from signoff_bot.audit.rules_at import NoRules, RulesAt
from signoff_bot.audit.scope import Scope, Shard
from signoff_bot.audit.store import Run, Store, StoredRow
from signoff_bot.evidence.model import Evidence
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.failures import GitHubFailure
from signoff_bot.github.gate import Stopped
from signoff_bot.github.listing import ListedPull, ListedRepository, list_pulls
from signoff_bot.packs.model import Publication, Rules


@dataclass(frozen=True, slots=True)
class Task:
    """A pull request, and what is to be done for its row."""

    repo: ListedRepository
    pull: ListedPull
    stored: StoredRow | None
    suites: str | None
    publication: Publication | None
    """How the rules publish; None where there are none, or nothing is published."""
    change: Change | None
    """What has changed since the stored row."""
    judge: Callable[[], Judged] | None
    """Collects and judges; None where the stored row holds."""


class RepositoryAudit:
    """One repository. Iterating gives the tasks; then `row` says how it went."""

    def __init__(
        self,
        client: GitHubClient,
        asked: str,
        scope: Scope,
        given: Rules | str | None,
        run: Run,
        store: Store,
        judge: Judge,
        shard: Shard | None,
    ) -> None:
        self._client, self._scope, self._given = client, scope, given
        self._run, self._store, self._judge, self._shard = run, store, judge, shard
        self._asked = asked
        self._repo: ListedRepository | None = None
        self._failure: GitHubFailure | None = None
        self._broken: str | None = None
        self._seen: set[int] = set()
        self.drafts = 0
        """Drafts that were left out, of all shares."""

    @property
    def id(self) -> int | None:
        """The repository's id, once it was listed."""
        return None if self._repo is None else self._repo.id

    def tasks(self, known_ids: set[int]) -> Iterator[Task]:
        """What is to be done for each pull request; `known_ids` are repositories audited before.

        Raises:
            Stopped: the budget is used up.
        """
        self._rules = RulesAt(self._client, self._asked, self._given)
        look = Look(self._client, self._asked, self._judge.members)
        self._reuse = Reuse(self._client, self._asked, self._rules, self._run.as_of, look)
        try:
            for state in self._scope.states:
                merged = state == "MERGED"
                since = self._scope.merged_since(self._run.as_of) if merged else None
                for repo, page in list_pulls(self._client, self._asked, state, since):
                    if self._repo is None and repo.id in known_ids:
                        self._repo = repo
                        return
                    self._repo = repo
                    if repo.archived and not merged:
                        break
                    yield from self._page(repo, [pull for pull in page if self._counts(pull)])
        except Stopped as stopped:
            self._failure = stopped
            raise
        except GitHubFailure as failure:
            self._failure = failure

    def _counts(self, pull: ListedPull) -> bool:
        if (pull.merged_at or pull.created_at) > self._run.as_of or pull.number in self._seen:
            return False
        self._seen.add(pull.number)
        if pull.draft and pull.merged_at is None and not self._scope.drafts:
            self.drafts += 1
            return False
        repo = self._repo
        return self._shard is None or repo is None or self._shard.holds(repo.id, pull.number)

    def _page(self, repo: ListedRepository, page: Sequence[ListedPull]) -> Iterator[Task]:
        stored = {
            pull.number: row
            for pull in page
            if (row := self._store.get(repo.id, pull.number)) is not None
        }
        left = [pull for pull in page if not self._is_done(stored.get(pull.number))]
        known = self._reuse.known(left, stored) if self._store.path is not None else Known()
        for pull in page:
            row, suites = stored.get(pull.number), known.suites.get(pull.number)
            change = known.changes.get(pull.number)
            holds = pull not in left or (row is not None and change is None)
            judge = None if holds else self._work(repo, pull, row)
            yield Task(repo, pull, row, suites, self._publication(pull), change, judge)

    def _publication(self, pull: ListedPull) -> Publication | None:
        if pull.merged_at is not None or pull.draft:
            return None
        rules = self._rules(pull.base_ref)
        return None if isinstance(rules, NoRules) else rules.publish

    def _is_done(self, row: StoredRow | None) -> bool:
        """Whether this audit has judged it already, before it was cut off."""
        return row is not None and row.audit == self._run.id and row.row.class_ != "not-judged"

    def _work(
        self, repo: ListedRepository, pull: ListedPull, row: StoredRow | None
    ) -> Callable[[], Judged]:
        rules: Rules | str | NoRules | None = self._given
        earlier: Evidence | None = None
        if pull.merged_at is None:
            rules = self._rules(pull.base_ref)
        else:
            earlier = self._store.evidence(row)
        if isinstance(rules, NoRules):
            if rules.broken:
                self._broken = rules.reason
            reason = rules.reason
            return lambda: not_judged(repo, pull, reason, self._run.as_of)
        in_force = rules
        return lambda: self._judge(repo, pull, in_force, earlier)

    def row(self, pulls: int) -> RepositoryRow:
        """How it went, with so many pull requests in the report."""
        repo, failure = self._repo, self._failure
        if repo is None:
            return RepositoryRow(
                repo=self._asked,
                id=None,
                status="unreadable",
                message=None if failure is None else str(failure),
                private=False,
                pulls=0,
            )
        status, message = self._status(repo)
        return RepositoryRow(
            repo=repo.full_name,
            id=repo.id,
            status=status,
            message=message,
            private=repo.private,
            pulls=pulls,
        )

    def _status(self, repo: ListedRepository) -> tuple[Status, str | None]:
        if self._failure is not None:
            return "incomplete", f"not all pull requests could be listed: {self._failure}"
        if self._broken is not None:
            return "broken-rules", self._broken
        if repo.full_name.lower() != self._asked.lower():
            return "renamed", f"{self._asked} is called {repo.full_name} now; ask for that name"
        if repo.empty:
            return "empty", "the repository holds no commit yet"
        if repo.archived:
            return "ok", "archived: only its merged pull requests are audited"
        return "ok", None
