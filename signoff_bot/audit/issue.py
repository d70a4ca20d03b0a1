"""What the summary issue of an audit says, and when it has news."""

from __future__ import annotations

from signoff_bot.audit.report import Report
from signoff_bot.evidence.strict_json import digest
from signoff_bot.github.own_issue import IssuePlan
from signoff_bot.render.audit_face import ISSUE_LIMIT, render_audit

TITLE = "Audit of sign-offs"
MARKER = "signoff-bot-audit"
_HEAD = 200
"""Room for the marker."""


def plan_issue(report: Report, link: str | None) -> IssuePlan:
    """The issue for a report; `link` is where the whole report can be had."""
    text = render_audit(report, "markdown", limit=ISSUE_LIMIT - _HEAD, link=link)
    return IssuePlan(TITLE, MARKER, _stamp(report), text)


def _stamp(report: Report) -> str:
    """Stands for what was found; that a day went by is no news."""
    kept = ("repo", "pr", "class_", "head_sha", "signer", "failing", "reasons", "fixable_by")
    rows = [row.model_dump(mode="json", include=set(kept)) for row in report.pulls]
    repos = [[row.repo, row.status] for row in report.repos]
    return digest([rows, repos, report.complete])
