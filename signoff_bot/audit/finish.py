"""The report of an audit, from what became of its repositories and pull requests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from signoff_bot import __version__
from signoff_bot.audit.one_repo import RepositoryAudit
from signoff_bot.audit.post import Poster
from signoff_bot.audit.report import (
    PullRow,
    Report,
    RepositoryRow,
    ShardStamp,
    TrendPoint,
    counted,
)
from signoff_bot.audit.scope import Scope, Shard
from signoff_bot.audit.store import Run
from signoff_bot.reading.wording import count, listed

TODAYS = (
    "of merged pull requests, team members, required checks, labels, title, description and "
    "resolved threads are those of today: GitHub does not tell how they were at the merge"
)


@dataclass(frozen=True, slots=True)
class Tally:
    """How an audit went."""

    audits: Sequence[RepositoryAudit]
    """Of the repositories that were reached."""
    rows: Mapping[tuple[int, int], PullRow]
    """By repository id and number."""
    left: int
    """Pull requests that were listed and not judged, for want of budget."""
    moved: int
    """Pull requests that were closed or merged while the audit ran."""
    stopped: str | None
    """Why it was cut off; None where it was not."""
    poster: Poster | None


def make_report(
    run: Run, scope: Scope, shard: Shard | None, tally: Tally, trend: tuple[TrendPoint, ...]
) -> Report:
    """The report, with rows and repositories in their order."""
    rows = sorted(tally.rows.values(), key=lambda row: (row.repo.lower(), row.pr))
    counts = counted(rows)
    repos = _repositories(tally)
    return Report(
        tool_version=__version__,
        as_of=run.as_of,
        scope=scope.digest,
        shard=None if shard is None else ShardStamp(index=shard.index, of=shard.of),
        complete=not counts["not-judged"] and not troubles(tally, repos),
        notes=tuple(_notes(scope, tally)),
        counts=counts,
        repos=tuple(repos),
        pulls=tuple(rows),
        trend=trend,
    )


def troubles(tally: Tally, repos: Sequence[RepositoryRow]) -> tuple[str, ...]:
    """Why a report is not complete, besides pull requests that could not be judged."""
    found = [] if tally.stopped is None else [tally.stopped]
    found += [
        f"{repo.repo}: {repo.message}"
        for repo in repos
        if repo.status not in ("ok", "renamed", "empty")
    ]
    return (*found, *(tally.poster.troubles if tally.poster else ()))


def _repositories(tally: Tally) -> list[RepositoryRow]:
    numbers: dict[int | None, int] = {}
    for repository, _ in tally.rows:
        numbers[repository] = numbers.get(repository, 0) + 1
    rows = [audit.row(numbers.get(audit.id, 0)) for audit in tally.audits]
    return sorted(rows, key=lambda row: row.repo.lower())


def _notes(scope: Scope, tally: Tally) -> list[str]:
    notes = []
    if tally.stopped is not None:
        more = f"; {count(tally.left, 'listed pull request')} had to wait" if tally.left else ""
        if len(tally.audits) < len(scope.repos):
            more += f"; {len(tally.audits)} of {len(scope.repos)} repositories were reached"
        notes.append(f"cut off: {tally.stopped}{more}; go on with --store and --resume")
    drafts = sum(audit.drafts for audit in tally.audits)
    if drafts:
        notes.append(f"{count(drafts, 'draft')} left out; --drafts includes them")
    if tally.moved:
        moved = count(tally.moved, "pull request")
        notes.append(f"{moved} left out, closed or merged while the audit ran")
    if scope.state != "open":
        notes.append(TODAYS)
    if scope.orgs:
        notes.append(
            f"of {listed(scope.orgs)} only the repositories that the token may see: a workflow's "
            "own sees no other private one, an app's those that it is installed on"
        )
    return [*notes, *(tally.poster.notes if tally.poster else ())]
