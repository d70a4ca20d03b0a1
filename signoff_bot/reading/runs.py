"""Reads workflow runs as evidence: which count, in which order, and which is good.

The collector and the checks both decide by these functions, so that the run whose artifacts were
collected is the run that is judged.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from signoff_bot.evidence.actions import Run
from signoff_bot.evidence.base import Unread
from signoff_bot.reading.lanes import LaneRules, read_lanes


def newest_first(runs: Iterable[Run]) -> tuple[Run, ...]:
    """The runs in the order in which they are judged: newest first, ties by id."""
    return tuple(sorted(runs, key=lambda run: (run.created_at, run.id), reverse=True))


def counts(
    run: Run, *, repository_id: int, workflow: str, events: Collection[str], shas: Collection[str]
) -> bool:
    """Whether a run is evidence at all, whatever came of it: never by the names of its jobs."""
    return (
        run.repository_id == repository_id
        and run.workflow_path == workflow
        and run.event in events
        and run.head_sha in shas
    )


def is_good(run: Run, lanes: LaneRules) -> bool:
    """Whether a run is over and every lane that the rules demand is green.

    A run still going on is not: jobs may yet be added to it. A run whose jobs were not read is not.
    """
    if run.status != "completed" or isinstance(run.jobs, Unread):
        return False
    return read_lanes(run.jobs, lanes).satisfied
