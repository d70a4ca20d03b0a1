"""The course of an audit's totals over the stored audits, as lines small enough for a card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from signoff_bot.audit.report import Class, Report, TrendPoint
from signoff_bot.render.audit_words import WORST_FIRST

WIDTH, HEIGHT = 120, 28
"""The size of a line's drawing, in its own units."""
MAX_AUDITS = 400
"""Earlier audits that are shown: a year of nights and some more."""
_EDGE = 3


@dataclass(frozen=True, slots=True)
class Course:
    """One class over time. `points` is a polyline, `end` its last point."""

    name: Class
    count: int
    points: str
    end: tuple[float, float]
    since_last: int | None
    """The difference to the audit before; None where there was none."""
    words: str
    """What the line shows, for those who do not see it."""


def audits(report: Report) -> tuple[TrendPoint, ...]:
    """The stored audits and this one, oldest first."""
    now = TrendPoint(as_of=report.as_of, counts=report.counts)
    return (*report.trend[-MAX_AUDITS:], now)


def courses(report: Report) -> tuple[Course, ...]:
    """The course of every class, worst first."""
    points = audits(report)
    return tuple(_course(name, points) for name in WORST_FIRST)


def _course(name: Class, points: Sequence[TrendPoint]) -> Course:
    counts = [point.counts.get(name, 0) for point in points]
    drawn = list(zip(_across([point.as_of for point in points]), _up(counts), strict=True))
    first, last = points[0].as_of[:10], points[-1].as_of[:10]
    return Course(
        name=name,
        count=counts[-1],
        points=" ".join(f"{x:g},{y:g}" for x, y in drawn),
        end=drawn[-1],
        since_last=counts[-1] - counts[-2] if len(counts) > 1 else None,
        words=f"{name}: {counts[0]} on {first}, {counts[-1]} on {last}, "
        f"between {min(counts)} and {max(counts)}",
    )


def _across(times: Sequence[str]) -> list[float]:
    """Where the times stand, in proportion to the time between them."""
    seconds = [datetime.fromisoformat(time).timestamp() for time in times]
    first, span = seconds[0], seconds[-1] - seconds[0]
    if span <= 0:
        return [WIDTH - _EDGE] * len(times)
    return [round(_EDGE + (at - first) / span * (WIDTH - 2 * _EDGE), 1) for at in seconds]


def _up(counts: Sequence[int]) -> list[float]:
    """How high the counts stand over zero; SVG counts from the top."""
    most = max(*counts, 1)
    return [round(HEIGHT - _EDGE - number / most * (HEIGHT - 2 * _EDGE), 1) for number in counts]
