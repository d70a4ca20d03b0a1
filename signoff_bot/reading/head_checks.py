"""Reads what ran on the head commit: which checks executed there, and how each ended."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from signoff_bot.evidence.actions import CheckRun, Job, RequiredCheck, Run
from signoff_bot.evidence.base import known

ACTIONS_APP = 15368
"""The id of the app that GitHub Actions reports its jobs with."""

State = Literal["green", "failed", "unfinished", "skipped", "absent", "unproven"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one check ended; `unproven` is one that a person has to vouch for."""

    name: str
    state: State
    remark: str
    run: Run | None = None
    """The Actions run that shows it."""
    url: str | None = None


def newest_runs(runs: Iterable[Run], ignored: Sequence[str]) -> tuple[Run, ...]:
    """The newest run of each workflow and event; an older one has been superseded by it.

    Left out are workflows whose path is in `ignored`.
    """
    newest: dict[tuple[str, str], Run] = {}
    for run in sorted(runs, key=lambda run: (run.created_at, run.id, run.attempt)):
        if run.workflow_path not in ignored:
            newest[run.workflow_path, run.event] = run
    return tuple(sorted(newest.values(), key=lambda run: (run.workflow_path, run.event)))


def every_job(runs: Sequence[Run], ignored: Sequence[str]) -> tuple[Outcome, ...]:
    """The outcome of every job, and of every run that has none to show."""
    outcomes = []
    for run in runs:
        jobs = known(run.jobs)
        outcomes += [_job(run, job) for job in jobs if job.name not in ignored]
        if run.status != "completed":
            outcomes.append(Outcome(run.workflow_path, "unfinished", f"is {run.status}", run))
        elif not jobs and run.conclusion != "skipped":
            remark = f"ended as {run.conclusion} without any job"
            outcomes.append(Outcome(run.workflow_path, "failed", remark, run))
    return tuple(outcomes)


def demanded(
    check: RequiredCheck, runs: Sequence[Run], check_runs: Sequence[CheckRun]
) -> tuple[Outcome, ...]:
    """The outcomes of one demanded check: of each job of that name, or of its app's report."""
    if check.app_id not in (None, ACTIONS_APP):
        return (_reported(check, [c for c in check_runs if c.app_id == check.app_id]),)
    jobs = [(run, job) for run in runs for job in known(run.jobs) if job.name == check.context]
    if jobs:
        outcomes = [_job(run, job) for run, job in jobs]
        ran = [outcome for outcome in outcomes if outcome.state != "skipped"]
        return tuple(ran or outcomes)
    if check.app_id is not None:
        return (Outcome(check.context, "absent", "has no job"),)
    foreign = [c for c in check_runs if c.name == check.context and c.app_id != ACTIONS_APP]
    remark = "has no job on the head; a commit status of that name would prove nothing"
    if foreign:
        app = foreign[-1].app_id
        remark = f"was reported by app {app}, which the branch rules do not name"
    return (Outcome(check.context, "unproven", remark),)


def _job(run: Run, job: Job) -> Outcome:
    if job.status != "completed":
        return Outcome(job.name, "unfinished", f"is {job.status}", run, job.url)
    if job.green:
        return Outcome(job.name, "green", "executed and green", run, job.url)
    if job.conclusion == "skipped":
        return Outcome(job.name, "skipped", "was skipped, so it did not run", run, job.url)
    remark = f"ended as {job.conclusion}"
    if job.conclusion == "success":
        remark = "is called a success, but no runner executed it"
    return Outcome(job.name, "failed", remark, run, job.url)


def _reported(check: RequiredCheck, reports: Sequence[CheckRun]) -> Outcome:
    """What an app last reported under the check's name."""
    name, by = check.context, f"app {check.app_id}"
    last = max((c for c in reports if c.name == name), key=lambda c: c.id, default=None)
    if last is None:
        return Outcome(name, "absent", f"has no report by {by}")
    if last.status != "completed":
        return Outcome(name, "unfinished", f"is {last.status}, says {by}", url=last.url)
    state: State = "green" if last.conclusion == "success" else "failed"
    return Outcome(name, state, f"ended as {last.conclusion}, says {by}", url=last.url)
