"""What the faces of an audit say in common: names, marks and order of classes, totals, tallies.

Nothing is judged here; what a report says is put in words, in order, or counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from signoff_bot.audit.report import Change, Class, PullRow, Report, RepositoryRow
from signoff_bot.reading.wording import count

WORST_FIRST: tuple[Class, ...] = (
    "merged-unsigned",
    "merged-rejected",
    "rejected",
    "stale",
    "not-judged",
    "pending",
    "ready",
    "merged-ok",
)
MEANINGS: dict[Class, str] = {
    "merged-unsigned": "merged without an owner's sign-off",
    "merged-rejected": "merged though a check did not pass",
    "rejected": "signed, but a check does not pass",
    "stale": "changed since the sign-off",
    "not-judged": "could not be decided",
    "pending": "nobody has signed off yet",
    "ready": "signed, and every check passes",
    "merged-ok": "merged with everything in order",
}
OUTCOMES: dict[Class, str] = {
    "merged-unsigned": "fail",
    "merged-rejected": "fail",
    "rejected": "fail",
    "stale": "warn",
    "not-judged": "error",
    "pending": "pending",
    "ready": "pass",
    "merged-ok": "pass",
}
"""The outcome or status with whose mark and colour a class is shown."""
CHANGES: dict[Change, str] = {
    "new": "new here",
    "signoff-edited": "sign-off edited",
    "upstream-merged": "upstream merged",
    "evidence-expired": "evidence expired",
    "owner-left": "an owner left",
    "head-moved": "new commits",
    "rules-changed": "rules changed",
    "tool-changed": "other tool version",
    "other": "changed",
}
_RANK = {name: rank for rank, name in enumerate(WORST_FIRST)}


def worst_first(rows: Iterable[PullRow]) -> list[PullRow]:
    """The rows by class, worst first; within a class the oldest first."""
    return sorted(
        rows, key=lambda row: (_RANK[row.class_], -row.age_days, row.repo.casefold(), row.pr)
    )


def totals(report: Report) -> str:
    """Such as `34 pull requests in 2 repositories: 3 rejected, 31 ready`; no full stop."""
    repositories = "repository" if len(report.repos) == 1 else "repositories"
    pulls = count(sum(report.counts.values()), "pull request")
    whole = f"{pulls} in {len(report.repos)} {repositories}"
    if report.shard is not None:
        whole += f" (shard {report.shard.index} of {report.shard.of})"
    parts = [f"{report.counts[name]} {name}" for name in WORST_FIRST if report.counts.get(name)]
    return f"{whole}: {', '.join(parts)}" if parts else whole


def remarkable(report: Report) -> tuple[RepositoryRow, ...]:
    """The repositories of which there is something to say."""
    return tuple(row for row in report.repos if row.status != "ok")


def repository_remark(row: RepositoryRow) -> str:
    """Such as `unreadable: HTTP 403; grant the App access`."""
    status = row.status.replace("-", " ")
    return status if row.message is None else f"{status}: {row.message}"


def explanations(row: PullRow) -> tuple[str, ...]:
    """Why the row is not in order: `sweep: no run`, a line for each check that blocks."""
    if len(row.failing) == len(row.reasons):
        return tuple(f"{name}: {why}" for name, why in zip(row.failing, row.reasons, strict=True))
    return row.reasons or row.failing


def by_check(report: Report) -> list[tuple[str, int]]:
    """For each check that blocks, how many pull requests it blocks, the most first."""
    return _tally(name for row in report.pulls for name in row.failing)


def by_owner(report: Report) -> list[tuple[str, int]]:
    """For each person or team, how many pull requests they can fix, the most first."""
    return _tally(name for row in report.pulls for name in dict.fromkeys(row.fixable_by))


def _tally(names: Iterable[str]) -> list[tuple[str, int]]:
    return sorted(Counter(names).items(), key=lambda item: (-item[1], item[0].casefold(), item[0]))
