"""The audit itself: many repositories, many pull requests at once, each row kept as it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from signoff_bot import __version__
from signoff_bot.audit.basis import basis_of
from signoff_bot.audit.budget import Budget
from signoff_bot.audit.changes import differs
from signoff_bot.audit.judge import Judge, Judged, days_between
from signoff_bot.audit.one_repo import RepositoryAudit, Task
from signoff_bot.audit.post import Poster
from signoff_bot.audit.redact import redacted
from signoff_bot.audit.report import PullRow, Report, RepositoryRow, ShardStamp, counted
from signoff_bot.audit.scope import Scope, Shard
from signoff_bot.audit.store import Run, Store
from signoff_bot.evidence.base import Timestamp
from signoff_bot.evidence.model import Evidence
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.gate import Stopped
from signoff_bot.packs.model import Rules
from signoff_bot.reading.wording import count

WIDTH = 8
"""Pull requests that are collected at once; the client bounds the requests under way."""
EACH = 25
"""Requests that one pull request may take; few take as many."""
TEAMS_NOW = "team members are those of today: GitHub does not tell who was in a team at a merge"
KEEP_DAYS = 90
"""Days for which bundles are kept that no audit uses any more."""

Progress = Callable[[str, int, int], None]
"""Told of the repository that is being read, and how many pull requests are done of how many."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be done, and with what."""

    scope: Scope
    rules: Rules | None
    """Rules for all; None where each base has its own."""
    shard: Shard | None
    secret: str
    """The token, to keep it out of the evidence."""
    most_posts: int | None = None
    """On how many open pull requests to post, where that is needed; None posts on none."""


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
    store: str | None = None,
    resume: bool = False,
    progress: Progress = lambda *_: None,
) -> Report:
    """Audits everything in scope, as of a time, as far as the budget allows.

    `store` is the file that remembers earlier audits; None remembers nothing. With `resume`, an
    audit of the same scope that was cut off goes on, with its own time. The `client` should be a
    `SharingClient` whose gate is the `budget`.

    Raises:
        InvalidInput: the store cannot be used.
    """
    with Store(store) as opened:
        run = opened.begin(_scope_of(order), as_of, resume=resume)
        return Audit(client, budget, opened, run, order, progress).run()


def _scope_of(order: Order) -> str:
    """What the store tells audits apart by."""
    shard = order.shard
    return order.scope.digest + (f" {shard.index}/{shard.of}" if shard else "")


class Audit:
    """One audit; `run` makes its report."""

    def __init__(
        self,
        client: GitHubClient,
        budget: Budget,
        store: Store,
        run: Run,
        order: Order,
        progress: Progress,
    ) -> None:
        self._client, self._budget, self._store = client, budget, store
        self._run, self._order, self._progress = run, order, progress
        self._poster = (
            None
            if order.most_posts is None
            else Poster(client, order.rules, order.secret, order.most_posts)
        )
        self._trend = store.trend(run, order.scope.digest)
        self._rows: dict[tuple[int, int], PullRow] = {}
        self._pending: dict[Future[_Outcome], Task] = {}
        self._listed = self._drafts = self._moved = 0

    def run(self) -> Report:
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
                for _ in self._done(0):
                    pass
        if self._poster is not None and self._budget.stopped is None:
            self._poster.post()
        self._drafts = sum(audit.drafts for audit in audits)
        return self._finish(audits)

    def _audit_of(self, asked: str) -> RepositoryAudit:
        order = self._order
        judge = Judge(self._client, order.secret, self._run.as_of)
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
        for _ in self._done(self._room()):
            pass
        self._pending[pool.submit(self._judged, task.judge)] = task
        self._progress(task.repo.full_name, len(self._rows), self._listed)

    def _room(self) -> int:
        """How many may be under way when one more begins.

        Near the end of a budget few are: else many would begin, none end, and all of it be lost.
        """
        left = self._budget.left
        most = 2 * WIDTH if left is None else min(2 * WIDTH, left // EACH)
        return max(most - 1, 0)

    def _judged(self, judge: Callable[[], Judged]) -> _Outcome:
        judged = judge()
        return _Outcome(judged, tainted=self._budget.stopped is not None)

    def _done(self, most: int) -> Iterator[None]:
        """Takes in what is done, until at most so many are under way."""
        while len(self._pending) > most:
            done, _ = wait(self._pending, return_when=FIRST_COMPLETED)
            for future in done:
                self._take(self._pending.pop(future), future.result())
            yield

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
                own_rules=self._order.rules is None,
            )
        row = self._with_change(task, judged.row)
        bundle = judged.bundle if self._store.path is not None else None
        self._store.put(self._run, task.repo.id, row, basis, bundle)
        self._add(task, row)

    def _add(self, task: Task, row: PullRow) -> None:
        self._rows[task.repo.id, row.pr] = row
        if self._poster is not None:
            self._poster.consider(task, row)

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

    def _finish(self, audits: list[RepositoryAudit]) -> Report:
        numbers: dict[int | None, int] = {}
        for repository, _ in self._rows:
            numbers[repository] = numbers.get(repository, 0) + 1
        repos = [audit.row(numbers.get(audit.id, 0)) for audit in audits]
        rows = sorted(self._rows.values(), key=lambda row: (row.repo.lower(), row.pr))
        left = self._listed - self._moved - len(rows)
        stopped = self._budget.stopped
        counts = counted(rows)
        complete = (
            stopped is None
            and left == 0
            and not counts["not-judged"]
            and not (self._poster and (self._poster.failures or self._poster.left))
            and all(repo.status in ("ok", "renamed", "empty") for repo in repos)
        )
        if stopped is None:
            self._store.finish(self._run, counts, keep_days=KEEP_DAYS)
        order = self._order
        report = Report(
            tool_version=__version__,
            as_of=self._run.as_of,
            scope=order.scope.digest,
            shard=_stamp(order.shard),
            complete=complete,
            notes=self._notes(left),
            counts=counts,
            repos=tuple(sorted(repos, key=_by_name)),
            pulls=tuple(rows),
            trend=self._trend,
        )
        return redacted(report) if order.scope.redact else report

    def _notes(self, left: int) -> tuple[str, ...]:
        notes = []
        stopped = self._budget.stopped
        if stopped is not None:
            more = f"; {count(left, 'listed pull request')} had to wait" if left else ""
            notes.append(f"cut off: {stopped}{more}; go on with --store and --resume")
        if self._drafts:
            notes.append(f"{count(self._drafts, 'draft')} left out; --drafts includes them")
        if self._moved:
            moved = count(self._moved, "pull request")
            notes.append(f"{moved} left out, closed or merged while the audit ran")
        if self._order.scope.state != "open":
            notes.append(TEAMS_NOW)
        return (*notes, *(self._poster.notes if self._poster else ()))


def _by_name(row: RepositoryRow) -> str:
    return row.repo.lower()


def _stamp(shard: Shard | None) -> ShardStamp | None:
    return None if shard is None else ShardStamp(index=shard.index, of=shard.of)
