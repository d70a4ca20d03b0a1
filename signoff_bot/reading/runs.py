"""Reads workflow runs as evidence: which count, in which order, and which is good.

The collector and the checks both decide by these functions, so that the run whose artifacts were
collected is the run that is judged.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from signoff_bot.evidence.actions import Job, Run
from signoff_bot.evidence.base import Unread, known
from signoff_bot.reading.lanes import LaneReport, LaneRules, read_lanes
from signoff_bot.reading.wording import count, some


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
    """Whether a run is known to be over, with every lane green that the rules demand."""
    return not isinstance(run.jobs, Unread) and shortcoming(run, lanes) is None


def shortcoming(run: Run, lanes: LaneRules) -> str | None:
    """What keeps a run from being good, in a few words that complete "run N ..."; else None.

    A run still going on is never good: jobs may yet be added to it.

    Raises:
        MissingEvidence: the run's jobs could not be read.
    """
    jobs = known(run.jobs)
    report = read_lanes(jobs, lanes)
    if report.failed:
        return f"has {_not_green(report.failed)}"
    if report.unfinished or run.status != "completed":
        return f"is not over yet{_waiting(report.unfinished)}"
    if report.executed_nothing:
        return "executed nothing: its lanes are all skipped placeholders"
    if report.missing:
        wanted = " and ".join(f"no green {' or '.join(groups)} lane" for groups in report.missing)
        return f"has {wanted}"
    return None


def green_lanes(report: LaneReport) -> str:
    """The green lanes in words: `4 eval and 12 single-node lanes`."""
    groups = [f"{number} {group}" for group, number in report.green]
    total = sum(number for _, number in report.green)
    return f"{' and '.join(groups)} {'lane' if total == 1 else 'lanes'}"


def _not_green(jobs: Sequence[Job]) -> str:
    named = [f"{job.name} ({_ending(job)})" for job in jobs]
    return f"{count(len(jobs), 'lane')} not green: {some(named)}"


def _ending(job: Job) -> str:
    """How a lane ended, in GitHub's word, unless it claims a success that no runner achieved."""
    return "no runner took it up" if job.conclusion == "success" else str(job.conclusion)


def _waiting(jobs: Sequence[Job]) -> str:
    if not jobs:
        return ""
    named = [f"{job.name} ({job.status})" for job in jobs]
    return f": {count(len(jobs), 'lane')} to go: {some(named)}"
