"""The audit itself: many repositories, many pull requests at once, each row kept as it is done."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from signoff_bot.audit.basis import basis_of
from signoff_bot.audit.budget import Budget
from signoff_bot.audit.changes import differs
from signoff_bot.audit.finish import Tally, make_report, troubles
from signoff_bot.audit.judge import Judge, Judged, days_between
from signoff_bot.audit.one_repo import RepositoryAudit, Task
from signoff_bot.audit.post import Poster, Posting
from signoff_bot.audit.redact import redacted
from signoff_bot.audit.report import PullRow, Report
from signoff_bot.audit.scope import Scope, Shard
from signoff_bot.audit.store import Run, Store
from signoff_bot.evidence.base import Timestamp
from signoff_bot.evidence.model import Evidence
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.gate import Stopped
from signoff_bot.packs.model import Rules
from signoff_bot.verdict import CheckReport

WIDTH = 8
"""Pull requests that are collected at once, and the most that a killed audit has to collect again;
the client bounds the requests under way."""
EACH = 25
"""Requests that one pull request may take; few take as many."""
KEEP_DAYS = 90
"""Days for which bundles are kept that no audit uses any more."""

Save = Callable[[PullRow, bytes], None]
Progress = Callable[[str, int, int], None]
"""Told of the repository that is being read, and how many pull requests are done of how many."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be done, and with what."""

    scope: Scope
    rules: Rules | str | None
    """Rules for all, or the path of a file at each base; None where each base has its own."""
    shard: Shard | None
    token: str
    members_token: str | None = None
    """A token that may read teams, where the other may not."""
    posting: Posting | None = None
    """What to post on open pull requests, where that is needed; None posts nothing."""
    save: Save | None = None
    """Is handed every bundle of evidence that is collected."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """The tokens, to keep them out of the evidence."""
        return tuple(token for token in (self.token, self.members_token) if token)


@dataclass(frozen=True, slots=True)
class Audited:
    """What came of an audit."""

    report: Report
    troubles: tuple[str, ...]
    """Why the report is not complete, besides pull requests that could not be judged."""
    budget: Budget
    """The gate for whatever else is asked on this audit's account."""


@dataclass(frozen=True, slots=True)
class _Outcome:
    """A judged pull request; `tainted` where the budget ended before all of it was read."""

    judged: Judged
    tainted: bool


def audit(
    client: GitHubClient,
    budget: Budget,
    order: Order,
    as_of: Timestamp,
    *,
    members: GitHubClient | None = None,
    store: str | None = None,
    resume: bool = False,
    progress: Progress = lambda *_: None,
) -> Audited:
    """Audits everything in scope, as of a time, as far as the budget allows.

    `store` is the file that remembers earlier audits; None remembers nothing. With `resume`, an
    audit of the same scope that was cut off goes on, with its own time; so does one as of the same
    time, which then only reports what it found. The `client` should be a
    `SharingClient` whose gate is the `budget`, and `members`, which reads teams instead, too.

    Raises:
        InvalidInput: the store cannot be used.
    """
    with Store(store) as opened:
        run = opened.begin(_scope_of(order), as_of, resume=resume)
        return Audit(client, members, budget, opened, run, order, progress).run()


def _scope_of(order: Order) -> str:
    """What the store tells audits apart by."""
    whole = order.scope.digest
    return whole if order.shard is None else order.shard.scope(whole)


class Audit:
    """One audit; `run` makes its report."""

    def __init__(
        self,
        client: GitHubClient,
        members: GitHubClient | None,
        budget: Budget,
        store: Store,
        run: Run,
        order: Order,
        progress: Progress,
    ) -> None:
        self._client, self._members = client, members
        self._budget, self._store = budget, store
        self._run, self._order, self._progress = run, order, progress
        self._poster = (
            None
            if order.posting is None
            else Poster(order.posting, client, order.rules, order.secrets, members)
        )
        self._trend = store.trend(run, order.scope.digest)
        self._rows: dict[tuple[int, int], PullRow] = {}
        self._checks: dict[CheckReport, CheckReport] = {}
        self._pending: dict[Future[_Outcome], Task] = {}
        self._listed = self._moved = 0

    def run(self) -> Audited:
        """Audits everything, as far as the budget allows.

        Raises:
            InvalidInput: the store is damaged.
        """
        audits: list[RepositoryAudit] = []
        known: set[int] = set()
        with ThreadPoolExecutor(WIDTH, thread_name_prefix="audit") as pool:
            try:
                for asked in self._order.scope.repos:
                    audit = self._audit_of(asked)
                    audits.append(audit)
                    for task in audit.tasks(known):
                        self._start(pool, task)
                    if audit.id in known:
                        audits.pop()
                    elif audit.id is not None:
                        known.add(audit.id)
            except Stopped:
                pass
            finally:
                self._settle(0)
        return self._finish(audits)

    def _audit_of(self, asked: str) -> RepositoryAudit:
        order = self._order
        judge = Judge(self._client, order.secrets, self._run.as_of, self._members)
        return RepositoryAudit(
            self._client,
            asked,
            order.scope,
            order.rules,
            self._run,
            self._store,
            judge,
            order.shard,
        )

    def _start(self, pool: ThreadPoolExecutor, task: Task) -> None:
        self._listed += 1
        if task.judge is None:
            self._keep(task)
            return
        self._settle(self._room())
        self._pending[pool.submit(self._judged, task.judge)] = task
        self._progress(task.repo.full_name, len(self._rows), self._listed)

    def _room(self) -> int:
        """How many may be under way when one more begins.

        Near the end of a budget few are: else many would begin, none end, and all of it be lost.
        """
        left = self._budget.left
        most = WIDTH if left is None else min(WIDTH, left // EACH)
        return max(most - 1, 0)

    def _judged(self, judge: Callable[[], Judged]) -> _Outcome:
        judged = judge()
        return _Outcome(judged, tainted=self._budget.stopped is not None)

    def _settle(self, most: int) -> None:
        """Takes in what is done, until at most so many are under way."""
        while len(self._pending) > most:
            done, _ = wait(self._pending, return_when=FIRST_COMPLETED)
            for future in done:
                self._take(self._pending.pop(future), future.result())

    def _take(self, task: Task, outcome: _Outcome) -> None:
        judged = outcome.judged
        if outcome.tainted:
            return
        evidence, rules = judged.evidence, judged.rules
        if evidence is not None and not self._still_asked(task, evidence):
            self._moved += 1
            return
        basis = None
        if evidence is not None and rules is not None:
            basis = basis_of(
                task.pull,
                task.suites,
                rules,
                evidence,
                judged.at,
                own_rules=not isinstance(self._order.rules, Rules),
            )
        row = self._with_change(task, judged.row)
        save = self._order.save
        wanted = save is not None or self._store.path is not None
        bundle = judged.bundle if wanted else None
        if save is not None and bundle is not None:
            save(row, bundle)
        self._store.put(self._run, task.repo.id, row, basis, bundle)
        self._add(task, row)

    def _add(self, task: Task, row: PullRow) -> None:
        # Many rows hold equal checks; each is kept once, so that memory stays small.
        checks = tuple(self._checks.setdefault(check, check) for check in row.checks)
        row = row.model_copy(update={"checks": checks})
        self._rows[task.repo.id, row.pr] = row
        if self._poster is not None:
            self._poster.post(task, row)

    def _still_asked(self, task: Task, evidence: Evidence) -> bool:
        """Whether it was neither closed nor merged between the list and the look."""
        if evidence.pull.merged_at is not None:
            return task.pull.merged_at is not None
        return evidence.pull.state == "open"

    def _with_change(self, task: Task, row: PullRow) -> PullRow:
        stored = task.stored
        if stored is None:
            return row.model_copy(update={"changed": "new"}) if self._trend else row
        if not differs(row, stored.row):
            return row
        if stored.row.merged_at is None and row.merged_at is not None:
            return row.model_copy(update={"changed": "other"})
        return row.model_copy(update={"changed": task.change or "other"})

    def _keep(self, task: Task) -> None:
        """Takes a row over from the store; only its age, and how things are called, may differ."""
        stored = task.stored
        if stored is None:
            raise AssertionError("nothing is stored that could be kept")
        old = stored.row
        if stored.audit == self._run.id:
            self._add(task, old)
            return
        since = old.signed_at or task.pull.created_at
        row = old.model_copy(
            update={
                "repo": task.repo.full_name,
                "title": task.pull.title,
                "url": task.pull.url,
                "changed": None,
                "age_days": days_between(since, self._run.as_of),
            }
        )
        if stored.basis is not None:
            self._store.keep(self._run, task.repo.id, row, stored, stored.basis)
        self._add(task, row)

    def _finish(self, audits: list[RepositoryAudit]) -> Audited:
        stopped = self._budget.stopped
        tally = Tally(
            audits=audits,
            rows=self._rows,
            left=self._listed - self._moved - len(self._rows),
            moved=self._moved,
            stopped=stopped,
            poster=self._poster,
        )
        report = make_report(self._run, self._order.scope, self._order.shard, tally, self._trend)
        if stopped is None:
            self._store.finish(self._run, report.counts, keep_days=KEEP_DAYS)
        shown = redacted(report) if self._order.scope.redact else report
        return Audited(shown, troubles(tally, report.repos), self._budget)
