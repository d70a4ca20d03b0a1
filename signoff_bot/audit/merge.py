"""Joins the reports of all shares into the one that a single audit would have made.

Reports are input: each is checked, and shares that are missing, double or of another audit are
refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pydantic import ValidationError

from signoff_bot.audit.report import PullRow, Report, RepositoryRow, Status, counted
from signoff_bot.audit.scope import Shard
from signoff_bot.errors import InvalidInput

MOST_BYTES = 256 * 1024 * 1024
_GRAVITY: tuple[Status, ...] = (
    "ok",
    "empty",
    "renamed",
    "broken-rules",
    "incomplete",
    "unreadable",
)


def read_report(content: bytes, source: str) -> Report:
    """The report of one share; `source` names its file.

    Raises:
        InvalidInput: it is none.
    """
    try:
        report = Report.model_validate_json(content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InvalidInput(
            f"{source}: no report of an audit: {where + ': ' if where else ''}{first['msg']}; "
            "merge takes what `audit --shard I/N --format json` wrote"
        ) from None
    if report.shard is None:
        raise InvalidInput(f"{source}: covers everything, so there is nothing to merge it with")
    return report


def merge(reports: Mapping[str, Report]) -> Report:
    """The whole report, from those of all shares by the names of their files.

    Raises:
        InvalidInput: they do not belong together, or not all are there.
    """
    first = next(iter(reports.values()))
    _check_kinship(reports)
    _check_shares(reports)
    rows = [row for report in reports.values() for row in report.pulls]
    _check_rows(reports, rows)
    rows.sort(key=lambda row: (row.repo.lower(), row.pr))
    return first.model_copy(
        update={
            "shard": None,
            "complete": all(report.complete for report in reports.values()),
            "notes": tuple(dict.fromkeys(n for r in reports.values() for n in r.notes)),
            "counts": counted(rows),
            "repos": _repositories(reports.values()),
            "pulls": tuple(rows),
        }
    )


def _check_kinship(reports: Mapping[str, Report]) -> None:
    (name, first), *others = reports.items()
    for other, report in others:
        for what in ("tool_version", "as_of", "scope", "trend"):
            if getattr(report, what) != getattr(first, what):
                raise InvalidInput(
                    f"{name} and {other} are of different audits ({what} differs); merge the "
                    "shares of one"
                )


def _check_shares(reports: Mapping[str, Report]) -> None:
    files: dict[int, str] = {}
    of = max(report.shard.of for report in reports.values() if report.shard)
    for name, report in reports.items():
        share = report.shard
        if share is None or share.of != of or not 1 <= share.index <= of:
            raise InvalidInput(f"{name} is not one of {of} shares; merge the shares of one audit")
        if share.index in files:
            raise InvalidInput(f"{files[share.index]} and {name} are both share {share.index}/{of}")
        files[share.index] = name
    missing = [str(index) for index in range(1, of + 1) if index not in files]
    if missing:
        raise InvalidInput(
            f"of {of} shares these are missing: {', '.join(missing)}; run their audits (again) "
            "with the same --as-of"
        )


def _check_rows(reports: Mapping[str, Report], rows: Sequence[PullRow]) -> None:
    if len({(row.repo.lower(), row.pr) for row in rows}) != len(rows):
        raise InvalidInput("a pull request is in two shares; merge the shares of one audit")
    for name, report in reports.items():
        ids = {repo.repo: repo.id for repo in report.repos}
        share = report.shard and Shard(report.shard.index, report.shard.of)
        for row in report.pulls:
            repository = ids.get(row.repo)
            if share and repository is not None and not share.holds(repository, row.pr):
                raise InvalidInput(f"{name} holds {row.repo}#{row.pr}, which is of another share")


def _repositories(reports: Iterable[Report]) -> tuple[RepositoryRow, ...]:
    found: dict[str, RepositoryRow] = {}
    for report in reports:
        for row in report.repos:
            other = found.get(row.repo.lower())
            if other is None:
                found[row.repo.lower()] = row
                continue
            worse = max(other, row, key=lambda one: _GRAVITY.index(one.status))
            pulls = other.pulls + row.pulls
            found[row.repo.lower()] = worse.model_copy(update={"pulls": pulls})
    return tuple(found[name] for name in sorted(found))
