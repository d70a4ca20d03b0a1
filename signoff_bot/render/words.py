"""What the faces say in common: the words for outcomes and statuses, and the one-line summary.

All texts are plain; each face makes them inert in its own way.
"""

from __future__ import annotations

from collections.abc import Iterable

from signoff_bot.render.inert import visible
from signoff_bot.verdict import CheckReport, Verdict

STATUS_LABELS = {
    "pass": "PASS",
    "fail": "FAIL",
    "warn": "WARN",
    "na": "N/A",
    "blocked": "BLOCKED",
    "review": "REVIEW",
    "error": "ERROR",
}
MARKS = {
    "pass": "✓",
    "fail": "✗",
    "warn": "!",
    "na": "-",
    "blocked": "·",
    "review": "?",
    "error": "!",
    "pending": "…",
}
EMOJI = {
    "pass": "✅",
    "fail": "❌",
    "warn": "⚠️",
    "na": "⚪",
    "blocked": "⏸️",
    "review": "👀",
    "error": "❗",
    "pending": "⏳",
}
MAX_DESCRIPTION = 140
"""Characters that GitHub allows in the description of a commit status."""

# What is said of the checks of each status that keeps a verdict from passing, one and several.
_HOLDING = {
    "fail": ("fails", "fail"),
    "review": ("needs a person to look", "need a person to look"),
    "error": ("could not be judged", "could not be judged"),
    "blocked": ("is blocked", "are blocked"),
}
_HARMLESS = {
    "pass": ("passes", "pass"),
    "warn": ("warns", "warn"),
    "na": ("does not apply", "do not apply"),
}


def check_name(check: CheckReport) -> str:
    """Such as `Check 1 (sweep)`."""
    return f"Check {_name(check)}"


def _name(check: CheckReport) -> str:
    return f"{check.number} ({check.title})"


def summary(verdict: Verdict) -> str:
    """The verdict in a sentence without a full stop: what blocks, or that nothing does."""
    if verdict.verdict == "pass":
        if verdict.signoff is None and verdict.checks:
            return f"No sign-off needed: the rule pack {verdict.checks[0].summary}"
        return _counted(verdict.checks)
    if verdict.verdict == "pending":
        return "Nobody has signed off yet"
    reasons = [
        f"{_enumerated([_name(check) for check in found])} {words[len(found) > 1]}"
        for status, words in _HOLDING.items()
        if (found := [check for check in verdict.checks if check.status == status])
    ]
    if verdict.signoff is not None and not verdict.signoff.completed:
        reasons.insert(0, "the comment is no completed sign-off")
    lead = "Not decided" if verdict.verdict == "error" else "Not ready to merge"
    return f"{lead}: {'; '.join(reasons)}"


def status_description(verdict: Verdict) -> str:
    """The summary as the description of a commit status: one visible line of 140 characters."""
    return short(summary(verdict))


def short(text: str) -> str:
    """Any text as the description of a commit status."""
    text = visible(text, limit=10_000)
    return text if len(text) <= MAX_DESCRIPTION else f"{text[: MAX_DESCRIPTION - 1]}…"


def _counted(checks: Iterable[CheckReport]) -> str:
    statuses: list[str] = [check.status for check in checks]
    parts: list[str] = []
    for status, words in (_HARMLESS | _HOLDING).items():
        if count := statuses.count(status):
            noun = "" if parts else " check" if count == 1 else " checks"
            parts.append(f"{count}{noun} {words[count > 1]}")
    return ", ".join(parts)


def _enumerated(names: list[str]) -> str:
    *others, last = names
    return f"checks {', '.join(others)} and {last}" if others else f"check {last}"
