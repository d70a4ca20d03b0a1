"""An audit for a terminal: totals, remarks, and a table for each repository, worst first."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from signoff_bot.audit.report import PullRow, Report
from signoff_bot.reading.wording import count
from signoff_bot.render.audit_words import (
    CHANGES,
    OUTCOMES,
    explanations,
    remarkable,
    repository_remark,
    totals,
    worst_first,
)
from signoff_bot.render.inert import visible
from signoff_bot.render.text import STYLES, console
from signoff_bot.render.words import MARKS

_NARROW = 76
"""Below this many columns, age and signer move below the title."""
_UNWRAPPED = 5_000
"""Columns that no line needs."""


def render_text(report: Report, *, color: bool = False, width: int | None = None) -> str:
    """The audit as text; `width` is the terminal's, None leaves every line whole."""
    terminal = console(color=color, width=width or _UNWRAPPED)
    narrow = width is not None and width < _NARROW
    with terminal.capture() as capture:
        for part in (*_top(report), *_repositories(report.pulls, narrow=narrow)):
            terminal.print(part)
    return "".join(f"{line.rstrip()}\n" for line in capture.get().split("\n")[:-1])


def _top(report: Report) -> list[RenderableType]:
    state = ("complete", "bold green") if report.complete else ("INCOMPLETE", "bold yellow")
    lines: list[RenderableType] = [
        Text.assemble(("Sign-off audit", "bold"), f" as of {report.as_of}, ", state),
        Text(f"{totals(report)}."),
    ]
    lines += [_hanging(("Note: ", "bold"), note) for note in report.notes]
    lines += [
        _hanging((f"{visible(row.repo)} ", "bold yellow"), repository_remark(row))
        for row in remarkable(report)
    ]
    return lines


def _hanging(lead: tuple[str, str], text: str) -> RenderableType:
    return Text.assemble(lead, visible(text, 1000))


def _repositories(rows: tuple[PullRow, ...], *, narrow: bool) -> list[RenderableType]:
    """A heading and a table for each repository, the one with the worst row first."""
    grouped: dict[str, list[PullRow]] = {}
    for row in worst_first(rows):
        grouped.setdefault(row.repo, []).append(row)
    return [
        Group(
            Text(),
            Text.assemble((visible(repo), "bold"), f" ({count(len(group), 'pull request')})"),
            _table(group, narrow=narrow),
        )
        for repo, group in grouped.items()
    ]


def _table(rows: list[PullRow], *, narrow: bool) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    table.add_column("PR", no_wrap=True)
    table.add_column("Class", no_wrap=True)
    if not narrow:
        table.add_column("Age", no_wrap=True, justify="right")
        table.add_column("Signed by", overflow="fold", max_width=20)
    table.add_column("Pull request", overflow="fold")
    for row in rows:
        outcome = OUTCOMES[row.class_]
        named = Text(f"{MARKS[outcome]} {row.class_}", STYLES[outcome])
        age, signer = Text(f"{row.age_days} d"), Text(visible(row.signer or "-", 40))
        beside = () if narrow else (age, signer)
        table.add_row(Text(f"#{row.pr}"), named, *beside, _about(row, narrow=narrow))
    return table


def _about(row: PullRow, *, narrow: bool) -> RenderableType:
    lines = [Text(visible(row.title, 200))]
    lines += [Text(visible(line, 500), "dim") for line in explanations(row)]
    facts = []
    if narrow:
        signed = f", signed by {visible(row.signer, 40)}" if row.signer else ""
        facts.append(f"{count(row.age_days, 'day')}{signed}")
    if row.changed is not None:
        facts.append(CHANGES[row.changed])
    if row.fixable_by and explanations(row):
        facts.append(f"can be fixed by {', '.join(visible(who, 80) for who in row.fixable_by)}")
    if facts:
        lines.append(Text("; ".join(facts), "cyan"))
    return Group(*lines)
