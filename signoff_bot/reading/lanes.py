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

from signoff_bot.evidence.actions import Job

_PRIORITY = re.compile(r"^p[0-9]+ \| ")


@dataclass(frozen=True, slots=True)
class LaneRules:
    """What makes a run good evidence.

    `prefixes` maps the beginning of a job's name to its group, the longest prefix winning, letter
    case included. `required` lists alternatives: of each inner tuple, one group must have a green
    lane. `tolerate_cancelled` cancelled lanes are forgiven.
    """

    prefixes: tuple[tuple[str, str], ...]
    required: tuple[tuple[str, ...], ...]
    tolerate_cancelled: int = 0

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
    missing: tuple[tuple[str, ...], ...]
    """The required alternatives of which no lane is green."""

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

    The benchmark templates name their jobs `[pN | ]MODEL PRECISION RUNNER ...`.
    """
    _, separator, called = job_name.partition(" / ")
    words = _PRIORITY.sub("", called.removeprefix("/ "), count=1).split()
    return words[0] if separator and words else None


def read_lanes(jobs: Iterable[Job], rules: LaneRules) -> LaneReport:
    """Sorts the jobs of one run into lanes and counts what is green."""
    green: dict[str, int] = {}
    unfinished: list[Job] = []
    failed: list[Job] = []
    tolerated: list[Job] = []
    for job in sorted(jobs, key=lambda job: (job.name, job.id)):
        group = rules.group_of(job.name)
        if group is None or is_placeholder(job):
            continue
        if job.status != "completed":
            unfinished.append(job)
        elif job.green:
            green[group] = green.get(group, 0) + 1
        elif job.conclusion == "cancelled" and len(tolerated) < rules.tolerate_cancelled:
            tolerated.append(job)
        else:
            failed.append(job)
    return LaneReport(
        green=tuple(sorted(green.items())),
        unfinished=tuple(unfinished),
        failed=tuple(failed),
        tolerated=tuple(tolerated),
        missing=tuple(any_of for any_of in rules.required if not any(g in green for g in any_of)),
    )
