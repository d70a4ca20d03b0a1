"""An audit as GitHub Markdown, for an issue or a job summary: worst first, within a limit.

All text of repositories and people goes through `inert`; nobody is mentioned, however long the
list, for a nightly report that notifies is one that people mute.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from signoff_bot.audit.report import PullRow, Report
from signoff_bot.reading.wording import count
from signoff_bot.render.audit_words import (
    CHANGES,
    MEANINGS,
    OUTCOMES,
    WORST_FIRST,
    explanations,
    remarkable,
    repository_remark,
    totals,
    worst_first,
)
from signoff_bot.render.budget import fit, size
from signoff_bot.render.inert import cell, code, link, prose
from signoff_bot.render.words import EMOJI

_MOST_REASONS = 4
_MOST_OWNERS = 5
_RESERVE = 3_000
"""Bytes for the lines that say what is missing, each with a link."""


def render_markdown(report: Report, limit: int, whole: str | None = None) -> str:
    """The report in at most `limit` bytes, at least 8,192; `whole` is the full report's address."""
    top = "\n".join(_top(report))
    budget = limit - size(top) - _RESERVE
    notes, left = fit(_notes(report), budget // 3, _more("note", whole))
    budget -= budget // 3 - left
    repositories, left = fit(_repositories(report), budget // 3, _more("remark", whole))
    budget -= budget // 3 - left
    pulls = ""
    if report.pulls:
        rows, _ = fit(map(_row, worst_first(report.pulls)), budget, _more("pull request", whole))
        pulls = f"{_HEADING}\n{rows}"
    return "\n\n".join(part for part in (top, notes, repositories, pulls) if part) + "\n"


_HEADING = """\
| | Pull request | Signed by | Age | Why | Who can fix it |
|---|---|---|--:|---|---|"""


def _top(report: Report) -> Iterator[str]:
    yield f"### Sign-off audit as of {code(report.as_of)}"
    yield ""
    incomplete = "" if report.complete else "❗ **Incomplete.** "
    yield f"{incomplete}{prose(totals(report), 600)}."
    yield ""
    yield "| | Class | Pull requests | |"
    yield "|---|---|--:|---|"
    for name in WORST_FIRST:
        number = report.counts.get(name, 0)
        yield f"| {EMOJI[OUTCOMES[name]]} | {name} | {number} | {MEANINGS[name]} |"


def _notes(report: Report) -> Iterator[str]:
    return (f"- {prose(note, 600)}" for note in report.notes)


def _repositories(report: Report) -> Iterator[str]:
    return (f"- {code(row.repo)} {prose(repository_remark(row))}" for row in remarkable(report))


def _row(row: PullRow) -> str:
    label = f"{row.repo}#{row.pr}"
    name = link(label, row.url) if row.url else code(label)
    changed = "" if row.changed is None else f" ({CHANGES[row.changed]})"
    signer = code(row.signer, 40) if row.signer else "nobody"
    why = _some([prose(line, 200) for line in explanations(row)], _MOST_REASONS, "<br>")
    owners = _some([code(who, 80) for who in row.fixable_by], _MOST_OWNERS, ", ")
    what = f"{name} {prose(row.title, 80)}{changed}"
    mark = EMOJI[OUTCOMES[row.class_]]
    return (
        f"| {mark} {row.class_} | {cell(what)} | {cell(signer)} | {row.age_days} d "
        f"| {cell(why)} | {cell(owners)} |"
    )


def _some(parts: list[str], most: int, between: str) -> str:
    left_out = len(parts) - most
    more = [f"and {left_out} more"] if left_out > 0 else []
    return between.join([*parts[:most], *more])


def _more(what: str, whole: str | None) -> Callable[[int], str]:
    """The line after what did not fit; the blank line keeps it out of a table."""
    where = "the JSON report has them all" if whole is None else f"see {link('report', whole)}"
    return lambda n: f"\nThere is no room here for {count(n, f'more {what}')}; {where}"
