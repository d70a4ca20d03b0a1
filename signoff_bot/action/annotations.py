"""What is shown on the page of a run without anybody opening its log."""

from __future__ import annotations

from collections.abc import Iterable

from signoff_bot.render.log import Level, annotation
from signoff_bot.render.words import check_name
from signoff_bot.verdict import Verdict

MOST = 10
"""GitHub shows no more of a step."""


def annotated(verdicts: Iterable[Verdict], level: Level) -> list[str]:
    """Commands that show what keeps pull requests from passing, on the page of the run."""
    found = [
        annotation(level, f"#{verdict.pr}: {check_name(check)}", check.summary)
        for verdict in verdicts
        if verdict.verdict in ("fail", "error")
        for check in verdict.checks
        if check.status in ("fail", "error", "review")
    ]
    if len(found) <= MOST:
        return found
    left_out = len(found) - MOST + 1
    more = annotation(level, "signoff-bot", f"and {left_out} more findings; see the job's summary")
    return [*found[: MOST - 1], more]
