"""What is shown on the page of a run without anybody opening its log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from signoff_bot.audit.report import PullRow
from signoff_bot.render.log import Level, annotation
from signoff_bot.render.words import check_name
from signoff_bot.verdict import Verdict

MOST = 10
"""GitHub shows no more of a step."""


def annotated(
    failures: Iterable[str], judged: Iterable[Verdict | PullRow], level: Level
) -> list[str]:
    """Commands that show on the page of the run what went wrong.

    First the failures of the run itself, then what keeps pull requests from passing, at `level`.
    """
    found = [annotation("error", "signoff-bot", failure) for failure in failures]
    for one in judged:
        found += [annotation(level, title, message) for title, message in _findings(one)]
    if len(found) <= MOST:
        return found
    left_out = len(found) - MOST + 1
    more = annotation(level, "signoff-bot", f"and {left_out} more findings; see the job's summary")
    return [*found[: MOST - 1], more]


def _findings(judged: Verdict | PullRow) -> Sequence[tuple[str, str]]:
    """Titles and messages."""
    if judged.verdict is None:
        return [(f"#{judged.pr}", reason) for reason in judged.reasons]
    if judged.verdict not in ("fail", "error"):
        return []
    return [
        (f"#{judged.pr}: {check_name(check)}", check.summary)
        for check in judged.checks
        if check.status in ("fail", "error", "review")
    ]
