"""An audit as one HTML page that stands alone, at most so many bytes large.

Works as a plain table; its script adds filters and sorting. Everything is escaped by the template
engine, hidden characters are spelt out, only plain http(s) addresses become links, and a content
security policy admits the page's own style sheet and script by their hashes and nothing else.
"""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from signoff_bot.audit.report import PullRow, Report
from signoff_bot.render.audit_charts import HEIGHT, WIDTH, audits, courses
from signoff_bot.render.audit_words import (
    CHANGES,
    MEANINGS,
    OUTCOMES,
    WORST_FIRST,
    by_check,
    by_owner,
    explanations,
    remarkable,
    repository_remark,
    totals,
    worst_first,
)
from signoff_bot.render.budget import size
from signoff_bot.render.page import source, source_hash, template

_RESERVE = 2_000
"""Bytes for what the page says of rows that are not in it."""
_SHOWN = {"max_remarks": 20, "max_bars": 10, "max_links": 5, "max_details": 10}
"""How much of a list the page shows before it only counts."""


def render_html(report: Report, limit: int, whole: str | None = None) -> str:
    """The page in at most `limit` bytes, at least 1,000,000; `whole` is the full report's address.

    Every row comes first, then, from the worst row on, the checks of as many as there is room for.
    """
    shell = size(_page(report, [Markup()], whole))
    rows = _fitting(worst_first(report.pulls), limit - shell - _RESERVE, whole)
    return _page(report, rows, whole)


def _page(report: Report, rows: list[Markup], whole: str | None) -> str:
    style, script = source("style.css", "audit.css"), source("audit.js")
    return template("audit.html.j2").render(
        report=report,
        totals=totals(report),
        remarkable=remarkable(report),
        remark=repository_remark,
        courses=courses(report),
        chart=(WIDTH, HEIGHT),
        audits=audits(report),
        classes=WORST_FIRST,
        meanings=MEANINGS,
        outcomes=OUTCOMES,
        tallies=(
            ("Failing checks", "Check", by_check(report)),
            ("Who can fix it", "Person or team", by_owner(report)),
        ),
        owners=sorted(dict(by_owner(report)), key=str.casefold),
        rows=rows,
        left_out=len(report.pulls) - len(rows),
        whole=whole,
        style=style,
        style_hash=source_hash(style),
        script=script,
        script_hash=source_hash(script),
        **_SHOWN,
    )


def _fitting(pulls: list[PullRow], budget: int, whole: str | None) -> list[Markup]:
    """The rows that fit into so many bytes; those whose checks fit too carry them."""
    words = {
        "explanations": explanations,
        "changes": CHANGES,
        "meanings": MEANINGS,
        "outcomes": OUTCOMES,
        "rank": {name: rank for rank, name in enumerate(WORST_FIRST)},
        "whole": whole,
    }
    part: Any = template("audit_row.html.j2").make_module(words | _SHOWN)
    rows: list[Markup] = []
    for pull in pulls:
        row = part.row(pull, None)
        budget -= size(row, "\n")
        if budget < 0:
            return rows
        rows.append(row)
    for rank, pull in enumerate(pulls):
        row = part.row(pull, part.checks(pull) if pull.checks else None)
        budget -= size(row) - size(rows[rank])
        if budget < 0:
            break
        rows[rank] = row
    return rows
