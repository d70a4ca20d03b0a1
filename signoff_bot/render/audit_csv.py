"""An audit as CSV, for spreadsheets and scripts: one row a pull request, in the report's order.

Spreadsheets run a cell that begins like a formula, and whoever opens a pull request chooses its
title. Such a cell gets an apostrophe in front, which spreadsheets take for "this is text".
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from io import StringIO

from signoff_bot.audit.report import PullRow, Report
from signoff_bot.render.inert import visible

_BETWEEN = "; "
_LONGEST = 10_000
# What begins a formula, in the full-width form too; tabs and line ends are spelt out before.
_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")

COLUMNS: dict[str, Callable[[PullRow], str | int | None]] = {
    "repo": lambda row: row.repo,
    "pr": lambda row: row.pr,
    "class": lambda row: row.class_,
    "verdict": lambda row: row.verdict,
    "title": lambda row: row.title,
    "author": lambda row: row.author,
    "head_sha": lambda row: row.head_sha,
    "signer": lambda row: row.signer,
    "signed_at": lambda row: row.signed_at,
    "signoff_url": lambda row: row.signoff_url,
    "merged_at": lambda row: row.merged_at,
    "age_days": lambda row: row.age_days,
    "failing": lambda row: _BETWEEN.join(row.failing),
    "reasons": lambda row: _BETWEEN.join(row.reasons),
    "fixable_by": lambda row: _BETWEEN.join(row.fixable_by),
    "changed": lambda row: row.changed,
    "url": lambda row: row.url,
    "evidence_digest": lambda row: row.evidence_digest,
}
"""The columns in their order; each is the key of the JSON report of the same name."""


def render_csv(report: Report) -> str:
    """The pull requests with a line of headings; lists are joined by `; `, null is empty."""
    file = StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([_cell(value(row)) for value in COLUMNS.values()] for row in report.pulls)
    return file.getvalue()


def _cell(value: str | int | None) -> str | int | None:
    if not isinstance(value, str):
        return value
    shown = visible(value, _LONGEST)
    return f"'{shown}" if shown.lstrip().startswith(_FORMULA) else shown
