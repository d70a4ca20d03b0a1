"""Reads workflow runs as evidence: which count, in which order, and which is good.

The collector and the checks both decide by these functions, so that the run whose artifacts were
collected is the run that is judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from signoff_bot.evidence.actions import Artifact, Run
from signoff_bot.evidence.base import Sha, Unread, known
from signoff_bot.evidence.pull import Pull
from signoff_bot.reading.lanes import LaneReport, LaneRules, flaw, read_lanes
from signoff_bot.reading.wording import count, listed, some


@dataclass(frozen=True, slots=True)
class RunIdentity:
    """Which runs are evidence for a pull request, whatever came of them.

    `shas` are the commits that the pull request lists now; where `head_only` is set, only its head
    counts. `changed_since` are commits whose runs no longer count, each with the reason. The names
    of jobs never make a run count.
    """

    repository_id: int
    workflow: str
    events: tuple[str, ...]
    shas: frozenset[str]
    head_only: bool
    changed_since: Mapping[Sha, str] = field(default_factory=dict)

    def objection(self, run: Run, pull: Pull) -> str | None:
        """Why a run is no evidence, in words that complete "run N on SHA ..."; else None."""
        if run.repository_id != self.repository_id:
            return "belongs to another repository"
        if run.workflow_path != self.workflow:
            return f"is one of {run.workflow_path}, not of {self.workflow}"
        if run.event not in self.events:
            return f"was started by {run.event}; only {' or '.join(self.events)} counts"
        if run.head_sha not in self.shas:
            gone = "no longer" if run.head_branch == pull.head_ref else "not"
            return f"does not count: its commit is {gone} in this pull request"
        if self.head_only and run.head_sha != pull.head_sha:
            return "does not count: only a run on the head does"
        if run.head_sha in self.changed_since:
            return f"does not count: {self.changed_since[run.head_sha]}"
        return None


def newest_first(runs: Iterable[Run]) -> tuple[Run, ...]:
    """The runs in the order in which they are judged: newest first, ties by id."""
    return tuple(sorted(runs, key=lambda run: (run.created_at, run.id), reverse=True))


def is_good(run: Run, lanes: LaneRules) -> bool:
    """Whether a run is known to be over, with every lane green that the rules demand."""
    return not isinstance(run.jobs, Unread) and shortcoming(run, lanes) is None


def shortcoming(
    run: Run, lanes: LaneRules, most: int = 3, *, report: LaneReport | None = None
) -> str | None:
    """What keeps a run from being good, in words that complete "run N on SHA ..."; else None.

    A run still going on is never good: jobs may yet be added to it. At most `most` lanes are named.
    `report` is that of its lanes, where the caller has read them.

    Raises:
        MissingEvidence: the run's jobs could not be read.
    """
    report = report or read_lanes(known(run.jobs), lanes)
    if report.failed:
        named = [f"{job.name} ({flaw(job, lanes)})" for job in report.failed]
        return f"has {count(len(named), 'lane')} not green: {some(named, most)}"
    if report.unfinished:
        named = [f"{job.name} ({job.status})" for job in report.unfinished]
        return f"is not over yet, {count(len(named), 'lane')} to go: {some(named, most)}"
    if run.status != "completed":
        return f"is not over yet ({run.status})"
    if report.executed_nothing:
        return "executed nothing: its lanes are all skipped placeholders"
    if report.missing:
        return "has " + " and ".join(f"no green {lane}" for lane in report.missing)
    return None


def newest_artifact(artifacts: Iterable[Artifact], name: str) -> Artifact | None:
    """The artifact of that name; re-runs upload it anew, and the latest counts."""
    named = (artifact for artifact in artifacts if artifact.name == name)
    return max(named, key=lambda artifact: artifact.id, default=None)


def green_lanes(report: LaneReport) -> str:
    """The green lanes in words: `4 eval and 12 single-node lanes`."""
    groups = listed([f"{number} {group}" for group, number in report.green])
    return f"{groups} {'lane' if groups.startswith('1 ') and len(report.green) == 1 else 'lanes'}"
