"""One audit, five faces: the one door by which they are called. No face decides anything."""

from __future__ import annotations

from typing import Literal

from signoff_bot.audit.report import Report

AuditFace = Literal["text", "json", "markdown", "csv", "html"]

ISSUE_LIMIT = 65_536
"""What GitHub takes as the body of an issue, in characters; bytes are the strictest count."""
SUMMARY_LIMIT = 1024 * 1024
"""What GitHub takes as the summary of one step of a job, in bytes."""
PAGE_LIMIT = 10_000_000
"""The most bytes of an HTML page."""


def render_audit(
    report: Report,
    face: AuditFace,
    *,
    color: bool = False,
    width: int | None = None,
    limit: int | None = None,
    link: str | None = None,
) -> str:
    """The report as text.

    `color` and `width` (columns; None leaves lines whole) are the terminal's, for `text`. `limit`
    is the most bytes of `markdown` (default `ISSUE_LIMIT`; at least 8,192) and of `html` (default
    `PAGE_LIMIT`; at least 1,000,000); what does not fit is counted and said. `link` is the address
    of the whole report, for the two that may be cut. JSON, CSV and text are always whole.
    """
    # Each face brings libraries of its own, of which one run needs no more than one.
    match face:
        case "text":
            from signoff_bot.render.audit_text import render_text

            return render_text(report, color=color, width=width)
        case "json":
            return report.to_json()
        case "markdown":
            from signoff_bot.render.audit_markdown import render_markdown

            return render_markdown(report, limit or ISSUE_LIMIT, link)
        case "csv":
            from signoff_bot.render.audit_csv import render_csv

            return render_csv(report)
        case "html":
            from signoff_bot.render.audit_html import render_html

            return render_html(report, limit or PAGE_LIMIT, link)
