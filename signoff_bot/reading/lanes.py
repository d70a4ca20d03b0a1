"""Reads a run's jobs as lanes: which benchmark and eval jobs executed, and how they ended.

A *lane* is a job that a reusable workflow ran for its caller. GitHub names it
`CALLER / CALLED JOB`; a caller whose condition was false leaves one job with the bare caller's
name, skipped: a *placeholder*, which says nothing. A skipped job that names what was called was
meant to run, and did not. Jobs of no group are bookkeeping and ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from signoff_bot.evidence.actions import Job
from signoff_bot.evidence.base import MissingEvidence

_TAGS = re.compile(r"(?:[^\s|]+ \| )*")


_TIME = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True, slots=True)
class DueLane:
    """A green lane that a change makes necessary: of one of the groups, for one model."""

    groups: tuple[str, ...]
    model: str
    """The model as lanes name it."""
    evals: bool
    """Whether the lane evaluates accuracy."""

    def __str__(self) -> str:
        return f"{' or '.join(self.groups)} lane of {self.model}"


@dataclass(frozen=True, slots=True)
class LaneRules:
    """What makes a run good evidence.

    `prefixes` maps the beginning of a job's name to its group, the longest prefix winning, letter
    case included. `required` lists alternatives: of each inner tuple, one group must have a green
    lane; `due` are further lanes that must be green. `tolerate_cancelled` cancelled lanes are
    forgiven. A lane over in less than `min_seconds`, or of which none of the `key_steps` (if any
    are given) succeeded, is not green.
    """

    prefixes: tuple[tuple[str, str], ...]
    required: tuple[tuple[str, ...], ...]
    tolerate_cancelled: int = 0
    due: tuple[DueLane, ...] = ()
    min_seconds: int = 1
    key_steps: tuple[str, ...] = ()

    def group_of(self, job_name: str) -> str | None:
        """The group of a job, or None for bookkeeping."""
        matching = [(len(p), group) for p, group in self.prefixes if job_name.startswith(p)]
        return max(matching)[1] if matching else None


@dataclass(frozen=True, slots=True)
class LaneReport:
    """How the lanes of one run ended."""

    green: tuple[tuple[str, int], ...]
    """Green lanes by group, groups in alphabetical order."""
    unfinished: tuple[Job, ...]
    """Lanes that are still queued or running."""
    failed: tuple[Job, ...]
    """Lanes that ended in anything but an executed success (tolerated ones left out)."""
    tolerated: tuple[Job, ...]
    missing: tuple[str, ...]
    """The required lanes of which none is green, in words that complete "no green ..."."""

    @property
    def satisfied(self) -> bool:
        """Whether every lane is green and every required group has one."""
        return not (self.unfinished or self.failed or self.missing)

    @property
    def executed_nothing(self) -> bool:
        """Whether the run has no lane at all but placeholders: a reuse, or a skipped sweep."""
        return not (self.green or self.unfinished or self.failed or self.tolerated)


def is_placeholder(job: Job) -> bool:
    """Whether the job is the bare, skipped stand-in of a caller that did not run."""
    return job.conclusion == "skipped" and " / " not in job.name.rstrip()


def model_of(job_name: str) -> str | None:
    """The model that a lane ran, or None where its name holds none.

    The benchmark templates name their jobs `[TAG | ...]MODEL PRECISION RUNNER ...`; the tags are
    single words, such as the priority `p1`.
    """
    _, separator, called = job_name.partition(" / ")
    words = _TAGS.sub("", called.removeprefix("/ "), count=1).split()
    return words[0] if separator and words else None


def flaw(job: Job, rules: LaneRules) -> str | None:
    """What keeps a completed job from being a green lane, in a few words; else None.

    Raises:
        MissingEvidence: its steps matter and could not be read.
    """
    if job.conclusion != "success":
        return str(job.conclusion)
    if job.runner is None:
        return "no runner took it up"
    if not job.executed or job.started_at is None or job.completed_at is None:
        return "GitHub tells no start and end of it"
    lasted = datetime.strptime(job.completed_at, _TIME) - datetime.strptime(job.started_at, _TIME)
    if lasted.total_seconds() < rules.min_seconds:
        return f"over after {lasted.total_seconds():.0f} s"
    if rules.key_steps:
        if job.steps is None:
            raise MissingEvidence(f"the steps of {job.name} were not collected; collect them again")
        ended = {step.conclusion for step in job.steps if step.name in rules.key_steps}
        if "success" not in ended or ended - {"success", "skipped"}:
            return f"its step {' or '.join(rules.key_steps)} did not succeed"
    return None


def read_lanes(jobs: Iterable[Job], rules: LaneRules) -> LaneReport:
    """Sorts the jobs of one run into lanes and counts what is green.

    Raises:
        MissingEvidence: as `flaw`.
    """
    green: dict[str, int] = {}
    models: set[tuple[str, str | None]] = set()
    unfinished: list[Job] = []
    failed: list[Job] = []
    tolerated: list[Job] = []
    for job in sorted(jobs, key=lambda job: (job.name, job.id)):
        group = rules.group_of(job.name)
        if group is None or is_placeholder(job):
            continue
        if job.status != "completed":
            unfinished.append(job)
        elif flaw(job, rules) is None:
            green[group] = green.get(group, 0) + 1
            models.add((group, model_of(job.name)))
        elif job.conclusion == "cancelled" and len(tolerated) < rules.tolerate_cancelled:
            tolerated.append(job)
        else:
            failed.append(job)
    return LaneReport(
        green=tuple(sorted(green.items())),
        unfinished=tuple(unfinished),
        failed=tuple(failed),
        tolerated=tuple(tolerated),
        missing=(
            *(
                f"{' or '.join(any_of)} lane"
                for any_of in rules.required
                if not any(group in green for group in any_of)
            ),
            *(
                str(lane)
                for lane in rules.due
                if models.isdisjoint((group, lane.model) for group in lane.groups)
            ),
        ),
    )
