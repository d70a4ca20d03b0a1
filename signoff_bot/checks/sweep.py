"""Whether the benchmarks and their evals ran, green, on a commit of this pull request.

**What it checks.** Some run of the evidence workflow, on a commit that the pull request still
lists, is over, has every executed lane green and at least one green lane in each required group.
Where the rules say which lanes are due, these follow the points that the pull request submits: each
kind of point needs a green lane of its model, and of its evals where they are scheduled; a pull
request that submits and touches no benchmark needs none. Runs are judged newest first. A run is
known by its repository, workflow file, event, head commit and attempt, never by the names of its
jobs; aggregators and gates are no lanes, and a skipped placeholder proves nothing.

**Why it exists.** "CI passed" is the claim that goes wrong most often: the run was on a commit that
was rebased away, executed nothing because it reused another, or was red in one lane of forty.

**What it reads.** The workflow's runs on the pull request's branch and those that the sign-off
links (pages of a run, a job or an attempt, and results pages that name a run), with their jobs; the
pull request's commits; its changed files, for changes to the workflow itself; and, where lanes are
due, its configurations before and after and what it adds to the change log.

**When a person must look.** The pull request changes the evidence workflow or something it runs, so
its runs prove what the pull request wanted them to. An owner of those very files who signs has
looked.

**How to fix a failure.** Run the full sweep on a commit that is in the pull request now, wait until
it is over, and link it in the sign-off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Annotated, Self

from pydantic import Field, model_validator

from signoff_bot.checks.base import Case, CheckKind, Finding, Parameters, Reference
from signoff_bot.checks.due_lanes import DueRules, lanes_for
from signoff_bot.checks.needs import CountingCommit, Needs, WorkflowNeed
from signoff_bot.evidence.actions import Run
from signoff_bot.evidence.base import known
from signoff_bot.reading.globs import Glob, matching
from signoff_bot.reading.lanes import LaneRules
from signoff_bot.reading.ownership import changed_paths, not_owned
from signoff_bot.reading.run_search import RunSearch, run_title
from signoff_bot.reading.runs import RunIdentity, green_lanes
from signoff_bot.reading.same_change import changes_since
from signoff_bot.reading.settings import Beginning, WorkflowPath
from signoff_bot.reading.wording import short, some

MOST_DUE = 10
"""Due lanes spoken of one by one."""


class SweepParameters(Parameters):
    """Which workflow is the evidence, and what makes a run of it good."""

    workflow: WorkflowPath = Field(description="Path of the workflow file whose runs are evidence.")
    events: tuple[str, ...] = Field(
        min_length=1, description="Events whose runs count, such as `pull_request`."
    )
    lanes: dict[str, Annotated[tuple[Beginning, ...], Field(min_length=1)]] = Field(
        min_length=1,
        description="Lane groups, each with the beginnings of its jobs' names; the longest wins.",
    )
    required: tuple[Annotated[tuple[str, ...], Field(min_length=1)], ...] = Field(
        min_length=1,
        description="Groups that must have a green lane; of a list in the list, any one will do.",
    )
    tolerate_cancelled: int = Field(
        default=0, ge=0, description="How many cancelled lanes a run may have and still be good."
    )
    min_seconds: int = Field(
        default=1, ge=0, description="A lane over in less time did nothing, and is not green."
    )
    key_steps: tuple[str, ...] = Field(
        default=(),
        description="Names of steps of which every lane must have run one to success, and failed "
        "none.",
    )
    due: DueRules | None = Field(
        default=None,
        description="How the lanes that a pull request needs follow what it submits; without, "
        "`required` holds for all.",
    )
    commit: CountingCommit = Field(
        default="any",
        description="Which commit of the pull request the run must be on: any that it lists now; "
        "its head; or, with `no-later-change`, one at which the same files were changed in the "
        "same way as now, as before a clean merge of the base branch.",
    )
    workflow_sources: tuple[Glob, ...] = Field(
        default=(),
        description="Files that decide what the workflow does. A pull request that changes one "
        "needs a person's look, unless a signer owns it.",
    )

    @model_validator(mode="after")
    def _groups_exist(self) -> Self:
        due = self.due.scenarios if self.due else ()
        named = [*self.required, *(g for s in due for g in (s.lanes, s.single_point, s.evals))]
        unknown = {group for any_of in named for group in any_of} - set(self.lanes)
        if unknown:
            raise ValueError(
                f"required: {', '.join(sorted(unknown))}: no such group under lanes; "
                f"there are {', '.join(sorted(self.lanes))}"
            )
        return self

    @model_validator(mode="after")
    def _prefixes_differ(self) -> Self:
        groups: dict[str, str] = {}
        for prefix, group in self.lane_rules.prefixes:
            if groups.setdefault(prefix, group) != group:
                raise ValueError(
                    f"lanes: {prefix!r} is of {groups[prefix]} and of {group}; name it once"
                )
        return self

    @property
    def lane_rules(self) -> LaneRules:
        """The parameters as the readers of runs take them."""
        return LaneRules(
            prefixes=tuple((p, group) for group, names in self.lanes.items() for p in names),
            required=self.required,
            tolerate_cancelled=self.tolerate_cancelled,
            min_seconds=self.min_seconds,
            key_steps=self.key_steps,
        )


def needs(parameters: SweepParameters) -> Needs:
    """The runs of the workflow, the commits they may be on, and the changes to what they run."""
    runs = Needs(
        files=bool(parameters.workflow_sources) or parameters.commit == "no-later-change",
        codeowners=bool(parameters.workflow_sources),
        commits=True,
        workflows=frozenset(
            {
                WorkflowNeed(
                    path=parameters.workflow,
                    events=parameters.events,
                    lanes=parameters.lane_rules,
                    commit=parameters.commit,
                    due=parameters.due,
                )
            }
        ),
    )
    return runs | parameters.due.needs if parameters.due else runs


def judge(case: Case, parameters: SweepParameters) -> Finding:
    """Takes the newest good run on a commit of the pull request, or says why there is none."""
    lanes = lanes_for(case, parameters.lane_rules, parameters.due)
    if lanes is None:
        return Finding("na", "the pull request submits no benchmark point and touches no benchmark")
    search = _search(case, parameters, lanes)
    if search.accepted is None:
        return replace(_rejected(search), lanes=lanes)
    found = _accepted(search, search.accepted, _unowned_sources(case, parameters))
    return replace(found, lanes=lanes)


def _search(case: Case, parameters: SweepParameters, lanes: LaneRules) -> RunSearch:
    evidence = case.evidence
    identity = RunIdentity(
        repository_id=evidence.repository.id,
        workflow=parameters.workflow,
        events=parameters.events,
        shas=frozenset(commit.sha for commit in known(evidence.commits)),
        head_only=parameters.commit == "head",
    )
    if parameters.commit == "no-later-change":
        older = {run.head_sha for run in known(evidence.runs)} - {evidence.pull.head_sha}
        doubts = changes_since(older & identity.shas, evidence.earlier, evidence.files)
        identity = replace(identity, changed_since=doubts)
    written = case.signoff.form.links if case.signoff else ()
    return RunSearch(
        evidence=evidence,
        identity=identity,
        lanes=lanes,
        written=tuple(link.url for link in written),
        pages=case.rules.run_pages,
    )


def _unowned_sources(case: Case, parameters: SweepParameters) -> tuple[str, ...]:
    """What the workflow runs, changed here, and owned by none of the signers."""
    if not parameters.workflow_sources:
        return ()
    touched = matching(changed_paths(known(case.evidence.files)), parameters.workflow_sources)
    if not touched or case.codeowners is None:
        return touched
    return not_owned(case.codeowners, touched, case.signers, case.evidence.team)


def _accepted(search: RunSearch, run: Run, touched: Sequence[str]) -> Finding:
    report = search.report(run)
    head = run.head_sha == search.evidence.pull.head_sha
    proof = (
        f"run {run.id}: {green_lanes(report)} green on {short(run.head_sha)}, "
        f"{'the head' if head else 'an earlier commit of this pull request'}"
    )
    tolerated = [f"tolerated: {job.name} ({job.conclusion})" for job in report.tolerated]
    found = Finding(
        "pass",
        proof,
        details=(*_due(search), *tolerated, *search.remarks()),
        links=(_link(run),),
        run_id=run.id,
    )
    if not touched:
        return found
    return replace(
        found,
        status="review",
        summary=f"the pull request changes what its own evidence runs: {some(touched)}",
        details=(proof, *found.details, *(f"decides what the workflow runs: {p}" for p in touched)),
        fix="an owner of these files must look at the change, and sign off",
    )


def _rejected(search: RunSearch) -> Finding:
    aside = f"; linked {search.stray}" if search.stray else ""
    return Finding(
        "fail",
        _root_issue(search) + aside,
        details=(*_due(search), *search.account()),
        fix=_fix(search),
        links=tuple(map(_link, search.at_hand)),
    )


def _due(search: RunSearch) -> tuple[str, ...]:
    due = list(map(str, search.lanes.due))
    return (f"due by what is submitted: {some(due, MOST_DUE)}",) if due else ()


def _root_issue(search: RunSearch) -> str:
    if search.executed:
        run = search.executed[0]
        why = search.shortcoming(run, most=1)
        return f"no green run on {search.where}: {run_title(run, short)} {why}"
    ids = [str(run.id) for run in search.counting]
    if ids:
        runs = f"run {ids[0]} holds" if len(ids) == 1 else f"runs {some(ids, 2)} hold"
        return f"nothing executed on {search.where} ({runs} skipped placeholders only)"
    return f"no run of {PurePosixPath(search.identity.workflow).name} on {search.where}"


def _fix(search: RunSearch) -> str:
    if search.executed:
        run = search.executed[0]
        if search.report(run).failed:
            return f"re-run the failed jobs of run {run.id}, or run the full sweep again"
        if run.status != "completed":
            return f"wait until run {run.id} is over, then verify again"
    return (
        "run the full sweep on a commit that is in this pull request now, and link that run in "
        "the sign-off"
    )


def _link(run: Run) -> Reference:
    return Reference(f"run {run.id}", run.url)


KIND = CheckKind(
    name="sweep",
    doc=__doc__,
    parameters=SweepParameters,
    needs=needs,
    judge=judge,
    needs_signoff=False,
)
