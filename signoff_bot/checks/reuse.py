"""Whether somebody entitled to it has said that the measured sweep is to be reused.

**What it checks.** The newest reuse command on record by an owner, member or collaborator, such as
`/reuse-sweep-run` or `/reuse-sweep-run 123456`. A run that it pins must be one of the evidence
workflow on a commit of this pull request, be over, have a green lane of every kind that is due, and
have results that have not expired; it may be red or cancelled otherwise.

**Why it exists.** After the merge the sweep is not run again if somebody said so. Without that
word on record, or with a run that holds no results, what is published is not what was reviewed.

**What it reads.** Visible lines of comments that are nothing but the command (none in quotes or
code), the pinned run with its jobs and the names of its artifacts, and the labels. Whether there
is a green run at all is for the sweep check to say.

**When a person must look.** Never. Labels under which the project's tooling refuses to reuse are
told, and do not fail the check.

**How to fix a failure.** Let an owner, member or collaborator comment the command, with the number
of a run that holds results if it shall be a particular one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from pydantic import Field

from signoff_bot.checks.base import Case, CheckKind, Finding, Parameters, Reference
from signoff_bot.checks.needs import Needs
from signoff_bot.evidence.actions import Run
from signoff_bot.evidence.base import MissingEvidence, known
from signoff_bot.reading.commands import AUTHORIZED, Command, find_commands
from signoff_bot.reading.globs import Glob, matching
from signoff_bot.reading.lanes import LaneRules, flaw, read_lanes
from signoff_bot.reading.runs import RunIdentity
from signoff_bot.reading.settings import WorkflowPath
from signoff_bot.reading.wording import count, short, shorten, some

MOST_REMARKS = 5
"""Commands that do not count, spoken of one by one."""


class ReuseParameters(Parameters):
    """What the command is, and what a pinned run must be."""

    run_of: str = Field(
        default="sweep",
        description="Id of the check that says which lanes are due; where it does not apply, "
        "nothing is reused.",
    )
    workflow: WorkflowPath = Field(
        description="Path of the workflow file whose runs may be reused."
    )
    events: tuple[str, ...] = Field(
        min_length=1, description="Events whose runs may be reused, such as `pull_request`."
    )
    commands: tuple[str, ...] = Field(
        default=("/reuse-sweep-run",), min_length=1, description="The command, in any of its names."
    )
    demanded: Literal["always", "reused"] = Field(
        default="always",
        description="Whether the command must be on record always, or only where the accepted run "
        "is on an older commit.",
    )
    results: tuple[Glob, ...] = Field(
        min_length=1,
        description="Names of artifacts that hold results, `*` for any text; a pinned run must "
        "have one that has not expired.",
    )
    labels: tuple[str, ...] = Field(
        default=(),
        description="Labels of which a pull request carries one where a sweep can be reused.",
    )
    barring_labels: tuple[str, ...] = Field(
        default=(), description="Labels under which no sweep can be reused."
    )


def needs(parameters: ReuseParameters) -> Needs:
    """The commands with their histories, and the runs that they pin."""
    commands = frozenset(parameters.commands)
    return Needs(commits=True, commands=commands, run_commands=commands)


def judge(case: Case, parameters: ReuseParameters) -> Finding:
    """Looks for the newest command that counts, and at the run that it pins."""
    sweep = case.earlier.get(parameters.run_of)
    if sweep is not None and sweep.status == "na":
        return Finding("na", "nothing is measured, so nothing is reused")
    if parameters.demanded == "reused" and _is_on_head(case, sweep):
        return Finding("na", "nothing is reused: the sweep was executed on the head itself")
    given = find_commands(known(case.evidence.comments), parameters.commands)
    counting = [c for c in given if c.authorized and (not c.argument or c.run_id is not None)]
    if not counting:
        return _nothing(parameters, given)
    command = counting[-1]
    if command.unread is not None:
        raise MissingEvidence(f"the newest {command.name}, {command.comment.url}: {command.unread}")
    labels = tuple(_label_remarks(case, parameters))
    if not command.argument:
        summary = f"{_who(command)} asked for the newest good run to be reused"
        return Finding("pass", summary, labels, links=(_link(command),))
    return _pinned(case, parameters, command, sweep.lanes if sweep else None, labels)


def _is_on_head(case: Case, sweep: Finding | None) -> bool:
    """Whether the run that the sweep check accepted is on the head."""
    accepted = sweep.run_id if sweep else None
    head = case.evidence.pull.head_sha
    return accepted is not None and any(
        run.id == accepted and run.head_sha == head for run in known(case.evidence.runs)
    )


def _identity(case: Case, parameters: ReuseParameters) -> RunIdentity:
    return RunIdentity(
        repository_id=case.evidence.repository.id,
        workflow=parameters.workflow,
        events=parameters.events,
        shas=frozenset(commit.sha for commit in known(case.evidence.commits)),
        head_only=False,
    )


def _nothing(parameters: ReuseParameters, given: Sequence[Command]) -> Finding:
    wanted = " or ".join(parameters.commands)
    return Finding(
        "fail",
        f"no authorized {wanted} is on record",
        details=tuple(_why_not(command) for command in given[-MOST_REMARKS:]),
        fix=f"an {' or '.join(word.lower() for word in AUTHORIZED)} must comment {wanted}",
    )


def _why_not(command: Command) -> str:
    if not command.authorized:
        said = command.comment.association
        return f"{command.name} by {_who(command)} does not count: GitHub calls them {said}"
    return f"{shorten(str(command), 60)} by {_who(command)} does not count: it names no run"


def _pinned(
    case: Case,
    parameters: ReuseParameters,
    command: Command,
    lanes: LaneRules | None,
    labels: tuple[str, ...],
) -> Finding:
    run = next((r for r in known(case.evidence.runs) if r.id == command.run_id), None)
    title = f"run {command.run_id}, pinned by {_who(command)},"
    if run is None:
        return _failed(f"{title} is unknown to GitHub in this repository", labels, command, None)
    objection = _identity(case, parameters).objection(run, case.evidence.pull)
    if objection is not None:
        return _failed(f"{title} {objection}", labels, command, run)
    if lanes is None:
        return Finding("blocked", f"the check {parameters.run_of} does not say which lanes are due")
    lacks = _lacks(run, lanes, parameters)
    remarks = (*_red_lanes(run, lanes), *labels)
    if lacks is not None:
        return _failed(f"{title} {lacks}", remarks, command, run)
    return Finding(
        "pass",
        f"{title} holds what is due on {short(run.head_sha)}",
        remarks,
        links=(_link(command), Reference(f"run {run.id}", run.url)),
    )


def _lacks(run: Run, lanes: LaneRules, parameters: ReuseParameters) -> str | None:
    """What keeps a pinned run from being worth reusing, or None."""
    if run.status != "completed":
        return f"is not over yet ({run.status})"
    report = read_lanes(known(run.jobs), lanes)
    if report.missing:
        return "has " + " and ".join(f"no green {lane}" for lane in report.missing)
    results = [a for a in known(run.artifacts) if matching([a.name], parameters.results)]
    if not results:
        return f"has no results: no artifact {' or '.join(parameters.results)}"
    if all(artifact.expired for artifact in results):
        return f"has no results any more: {some([a.name for a in results])} expired"
    return None


def _red_lanes(run: Run, lanes: LaneRules) -> Iterator[str]:
    failed = read_lanes(known(run.jobs), lanes).failed
    if failed:
        named = [f"{job.name} ({flaw(job, lanes)})" for job in failed]
        yield f"run {run.id} has {count(len(failed), 'lane')} not green: {some(named)}"


def _label_remarks(case: Case, parameters: ReuseParameters) -> Iterator[str]:
    carried = {label.casefold(): label for label in case.evidence.pull.labels}
    wanted = {label.casefold() for label in parameters.labels}
    if wanted and wanted.isdisjoint(carried):
        yield f"none of the labels is there that ask for a sweep: {', '.join(parameters.labels)}"
    for label in parameters.barring_labels:
        if label.casefold() in carried:
            yield f"the label {label} keeps the project's tooling from reusing a sweep"


def _failed(summary: str, details: Sequence[str], command: Command, run: Run | None) -> Finding:
    links = [_link(command), *([Reference(f"run {run.id}", run.url)] if run else [])]
    return Finding(
        "fail",
        summary,
        tuple(details),
        f"comment {command.name} with the number of a run on a commit of this pull request that "
        "holds what is due",
        tuple(links),
    )


def _who(command: Command) -> str:
    return f"{command.author.login} at {command.at}"


def _link(command: Command) -> Reference:
    return Reference(f"command by {command.author.login}", command.comment.url)


KIND = CheckKind(
    name="reuse",
    doc=__doc__,
    parameters=ReuseParameters,
    needs=needs,
    judge=judge,
    needs_signoff=False,
)
