"""Whether the checks of the head commit were executed and are green.

**What it checks.** The checks that the rules name, else those that the base branch requires before
a merge, else (where it requires none, or the token may not read that) every job of every workflow
that ran on the head. Each must have been executed and have ended in success; of several runs of a
workflow the newest counts. A skipped job proves nothing: it fails a demanded check, and otherwise
at least one job must have been executed.

**Why it exists.** A green tick also stands beside checks that were skipped, that ran on an older
commit, or that somebody with push access wrote by hand.

**What it reads.** The Actions runs on the head with their jobs, the base branch's rules, and, for a
check that those rules take from another app, that app's reports. A commit status never counts,
since anybody with push access can write one.

**When a person must look.** A required check has neither a job nor a report of the app it is
required from, so only a commit status or an app that the branch rules do not name could vouch for
it; or the pull request changes a workflow that ran or may have been called by one (or a local
action), so that its jobs prove what the pull request wanted them to. An owner of those very files
who signs has looked.

**How to fix a failure.** Let the named jobs run on the head, re-run the failed ones, then verify
again. In the branch rules, name the app that a check must come from.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from pydantic import Field

from signoff_bot.checks.base import Case, CheckKind, Finding, Parameters, Reference
from signoff_bot.checks.needs import Needs
from signoff_bot.evidence.actions import CheckRun, RequiredCheck, Run
from signoff_bot.evidence.base import known
from signoff_bot.reading.head_checks import (
    ACTIONS_APP,
    Outcome,
    State,
    demanded,
    every_job,
    newest_runs,
)
from signoff_bot.reading.ownership import changed_paths, not_owned
from signoff_bot.reading.wording import count, short, some

MOST_OUTCOMES = 10
"""Checks spoken of one by one."""

WORKFLOWS = ".github/workflows/"
LOCAL_ACTIONS = ".github/actions/"
ACTION_FILES = frozenset({"action.yml", "action.yaml"})
"""What makes any other directory a local action."""

_FAILING: tuple[State, ...] = ("failed", "absent", "skipped", "unfinished")


class StatusChecksParameters(Parameters):
    """Which checks must be green on the head."""

    names: tuple[str, ...] = Field(
        default=(),
        description="Names of Actions jobs that must be executed and green, in place of the checks "
        "that the base branch requires.",
    )
    ignore: tuple[str, ...] = Field(
        default=(),
        description="What never counts, such as this verification itself: names of checks, and "
        "paths of workflow files.",
    )


def needs(_: StatusChecksParameters) -> Needs:
    """What ran on the head, what the branch demands, and whether a workflow is changed by whom."""
    return Needs(head_checks=True, files=True, codeowners=True)


def judge(case: Case, parameters: StatusChecksParameters) -> Finding:
    """Judges the demanded checks on the head, or every job there."""
    evidence, head = case.evidence, case.evidence.pull.head_sha
    runs = [
        run
        for run in newest_runs(known(evidence.head_runs), parameters.ignore)
        if (run.repository_id, run.head_sha) == (evidence.repository.id, head)
    ]
    required, remarks = _demands(case, parameters)
    if required:
        reports = _reports(case, required)
        outcomes = [o for check in required for o in demanded(check, runs, reports)]
        what = count(len(required), "demanded check")
    else:
        outcomes = [o for o in every_job(runs, parameters.ignore) if o.state != "skipped"]
        what = count(len(outcomes), "job")
    return _finding(case, outcomes, what, remarks)


def _demands(
    case: Case, parameters: StatusChecksParameters
) -> tuple[tuple[RequiredCheck, ...], tuple[str, ...]]:
    """The checks that must be green, and a remark where the branch's rules do not tell."""
    if parameters.names:
        named = (RequiredCheck(context=name, app_id=ACTIONS_APP) for name in parameters.names)
        return tuple(named), ()
    required = known(case.evidence.required_checks)
    if required is None:
        return (), ("every job counts, since the token may not read the base branch's rules",)
    return tuple(check for check in required if check.context not in parameters.ignore), ()


def _reports(case: Case, required: Sequence[RequiredCheck]) -> tuple[CheckRun, ...]:
    """The check runs on the head, where a demanded check may rest on one."""
    if all(check.app_id == ACTIONS_APP for check in required):
        return ()
    return known(case.evidence.check_runs)


def _finding(
    case: Case, outcomes: Sequence[Outcome], what: str, remarks: tuple[str, ...]
) -> Finding:
    head = short(case.evidence.pull.head_sha)
    bad = sorted((o for o in outcomes if o.state in _FAILING), key=_gravity)
    unproven = [o for o in outcomes if o.state == "unproven"]
    told = [f"{o.name} {o.remark}" for o in (*bad, *unproven)]
    more = [f"and {len(told) - MOST_OUTCOMES} more"] if len(told) > MOST_OUTCOMES else []
    details = (*told[:MOST_OUTCOMES], *more, *remarks)
    if not outcomes:
        return Finding(
            "fail",
            f"nothing executed on the head {head}",
            remarks,
            fix="let the checks run on the head, then verify again",
        )
    if bad:
        others = f", and {len(bad) - 1} more not green" if len(bad) > 1 else ""
        summary = f"{bad[0].name} {bad[0].remark} on the head {head}{others}"
        return Finding("fail", summary, details, _fix(bad), _links(bad))
    proof = f"{what} executed and green on the head {head}"
    if unproven:
        return Finding(
            "review",
            f"{unproven[0].name} {unproven[0].remark}",
            details,
            "name the app that this check must come from in the rules of the base branch",
        )
    touched = _unowned_sources(case, [o.run for o in outcomes if o.run is not None])
    if touched:
        return Finding(
            "review",
            f"the pull request changes what its own checks run: {some(touched)}",
            (proof, *details),
            "an owner of these files must look at the change, and sign off",
            _links(outcomes),
        )
    return Finding("pass", proof, details, links=_links(outcomes))


def _gravity(outcome: Outcome) -> tuple[int, str]:
    return _FAILING.index(outcome.state), outcome.name


def _fix(bad: Sequence[Outcome]) -> str:
    if all(outcome.state == "unfinished" for outcome in bad):
        return "wait until these checks are over, then verify again"
    return "let these checks run to a green end on the head, then verify again"


def _unowned_sources(case: Case, runs: Iterable[Run]) -> tuple[str, ...]:
    """The workflows that ran and the local actions, changed here and owned by no signer."""
    runs = tuple(runs)
    ran = {run.workflow_path for run in runs}
    # Which workflow was called is not on record; that one was shows in the names of its jobs.
    called = any(" / " in job.name for run in runs for job in known(run.jobs))
    touched = [
        path
        for path in changed_paths(known(case.evidence.files))
        if path in ran
        or (called and path.startswith(WORKFLOWS))
        or path.startswith(LOCAL_ACTIONS)
        or PurePosixPath(path).name in ACTION_FILES
    ]
    if not touched or case.codeowners is None:
        return tuple(touched)
    return not_owned(case.codeowners, touched, case.signers, case.evidence.team)


def _links(outcomes: Sequence[Outcome]) -> tuple[Reference, ...]:
    """The failing jobs themselves, else the runs behind the outcomes."""
    if all(outcome.state in _FAILING for outcome in outcomes):
        pages = {o.name: o.url or (o.run.url if o.run else None) for o in outcomes}
    else:
        pages = {f"run {o.run.id}": o.run.url for o in outcomes if o.run is not None}
    found = [Reference(label, url) for label, url in pages.items() if url is not None]
    return tuple(found[:MOST_OUTCOMES])


KIND = CheckKind(
    name="checks",
    doc=__doc__,
    parameters=StatusChecksParameters,
    needs=needs,
    judge=judge,
    needs_signoff=False,
)
