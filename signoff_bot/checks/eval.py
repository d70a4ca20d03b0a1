"""Whether the evals of the accepted run reach the accuracy that the rules demand.

**What it checks.** The run that the sweep check accepted has uploaded its eval results, of a
re-run after the last of its eval lanes was over (it keeps those of attempts before it); every row
reaches the threshold of its model and task (equal is enough), and every model that an eval lane of
that run evaluated, or that the sweep check found due, has a row. Where the rules name the
configurations, each entry that the pull request adds or changes has the same image at the run's
commit as at the head. Where no eval is due by what is submitted, the check does not apply.

**Why it exists.** A green eval job says that it ended, and a collecting job is green over an empty
set. A benchmark number without accuracy is worth nothing, and one with the accuracy of another
image is worth no more.

**What it reads.** One file of one artifact of that very run, and the names of its eval lanes; the
configurations at the head and at the run's commit. The thresholds stand in the rule pack: those of
the model, else those for every model.

**When a person must look.** Never: results are there and sufficient, or they are not.

**How to fix a failure.** Run the evals again until their results are complete and good, on a commit
of this pull request. An expired artifact needs a new run. A task without a threshold needs one in
the rule pack.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import ROUND_DOWN, Decimal
from typing import Annotated

from pydantic import Field

from signoff_bot.checks.base import Case, CheckKind, Finding, Parameters, Reference
from signoff_bot.checks.configs import content_needs
from signoff_bot.checks.needs import ArtifactNeed, Needs
from signoff_bot.checks.run_images import image_issues
from signoff_bot.evidence.actions import Artifact, Job, Run
from signoff_bot.evidence.base import MissingEvidence, known
from signoff_bot.reading.eval_results import EvalResults, read_eval_results
from signoff_bot.reading.globs import Glob
from signoff_bot.reading.lanes import model_of
from signoff_bot.reading.runs import newest_artifact
from signoff_bot.reading.settings import Beginning, WorkflowPath
from signoff_bot.reading.wording import count, some

MOST_ISSUES = 10
"""Issues listed one by one; the summary tells how many there are."""

Accuracy = Annotated[float, Field(ge=0, le=1)]


class EvalParameters(Parameters):
    """Where the results are, and how good they must be."""

    run_of: str = Field(
        default="sweep", description="Id of the check whose accepted run holds the results."
    )
    workflow: WorkflowPath = Field(description="Path of the workflow file that the run is of.")
    lanes: tuple[Beginning, ...] = Field(
        min_length=1, description="Beginnings of the names of the run's eval jobs."
    )
    artifact: str = Field(description="Name of the artifact that holds the collected results.")
    member: str = Field(description="Name of the results file in that artifact.")
    configs: tuple[Glob, ...] = Field(
        default=(),
        description="The configuration files, whose changed entries must have had the same image "
        "in the run; none: images are not compared.",
    )
    default: dict[str, Accuracy] = Field(
        default_factory=dict, description="Accuracy that every model must reach, by task."
    )
    models: dict[str, dict[str, Accuracy]] = Field(
        default_factory=dict,
        description="Accuracy that a model must reach instead, by model prefix and task.",
    )

    def threshold(self, model: str, task: str) -> float | None:
        """What the model must reach in the task, or None when the rules do not say."""
        return self.models.get(model, {}).get(task, self.default.get(task))


def needs(parameters: EvalParameters) -> Needs:
    """The results file of the accepted run, and the configurations there and here."""
    return Needs(
        files=bool(parameters.configs),
        artifacts=frozenset(
            {ArtifactNeed(parameters.workflow, parameters.artifact, parameters.member)}
        ),
        contents=content_needs(parameters.configs, "merge base", "head", "run"),
    )


def judge(case: Case, parameters: EvalParameters) -> Finding:
    """Holds the accepted run's results against the thresholds."""
    accepted = case.earlier.get(parameters.run_of)
    runs = {run.id: run for run in known(case.evidence.runs)}
    run = runs.get(accepted.run_id) if accepted and accepted.run_id else None
    if accepted is None or run is None:
        return Finding("blocked", f"the check {parameters.run_of} accepted no run")
    due = accepted.lanes.due if accepted.lanes else ()
    if due and not any(lane.evals for lane in due):
        return Finding("na", "no eval is due by what the pull request submits")
    try:
        results = _results(run, parameters)
    except ValueError as unusable:
        return _failed(run, [str(unusable)])
    issues = [
        *(f"{parameters.member}: {problem}" for problem in results.problems),
        *image_issues(case, run, parameters.configs),
        *_uncovered(run, results, parameters, [lane.model for lane in due if lane.evals]),
        *_too_low(results, parameters),
    ]
    return _failed(run, issues) if issues else _passed(run, results, parameters)


def _results(run: Run, parameters: EvalParameters) -> EvalResults:
    """The run's results; a ValueError says why there are none to judge."""
    artifact = newest_artifact(known(run.artifacts), parameters.artifact)
    if artifact is None:
        raise ValueError(f"run {run.id} has no artifact {parameters.artifact}")
    if artifact.expired:
        raise ValueError(f"the artifact {artifact.name} of run {run.id} has expired")
    _must_be_of_this_attempt(run, artifact, parameters)
    texts = [file.text for file in known(artifact.files) if file.name == parameters.member]
    if len(texts) != 1:
        holds = "holds two files" if texts else "holds no file"
        raise ValueError(
            f"the artifact {artifact.name} of run {run.id} {holds} {parameters.member}"
        )
    try:
        return read_eval_results(texts[0])
    except ValueError as error:
        raise ValueError(f"{parameters.member} of run {run.id} {error}") from None


def _must_be_of_this_attempt(run: Run, artifact: Artifact, parameters: EvalParameters) -> None:
    """A ValueError where the results were collected before an eval lane was over.

    A re-run keeps the artifacts of earlier attempts, and its collecting job may have failed. A run
    that was never run again has only its own.
    """
    if run.attempt == 1:
        return
    ends = [job.completed_at or "" for job in _eval_lanes(run, parameters)]
    if ends and artifact.created_at is None:
        raise MissingEvidence(
            f"when the artifact {artifact.name} of run {run.id} was uploaded is not known; collect "
            "the evidence again"
        )
    if ends and (artifact.created_at or "") < max(ends):
        raise ValueError(
            f"the artifact {artifact.name} of run {run.id} is of {artifact.created_at}, from "
            f"before its last eval lane was over at {max(ends)}"
        )


def _eval_lanes(run: Run, parameters: EvalParameters) -> tuple[Job, ...]:
    jobs = (job for job in known(run.jobs) if job.name.startswith(parameters.lanes))
    return tuple(job for job in jobs if job.executed)


def _uncovered(
    run: Run, results: EvalResults, parameters: EvalParameters, due: Sequence[str]
) -> Iterator[str]:
    """The models that the run evaluated, or had to, and that have no result."""
    evaluated = {model_of(job.name): job.name for job in _eval_lanes(run, parameters)}
    if not evaluated:
        yield f"run {run.id} executed no eval lane"
    if not results.rows and not results.problems:
        yield f"{parameters.member} of run {run.id} holds no accuracy"
        return
    measured = {row.model for row in results.rows}
    for model, lane in sorted(evaluated.items(), key=str):
        if model is None:
            yield f"the eval lane {lane} names no model, so its result cannot be told"
        elif model not in measured:
            yield f"no result for {model}, which the lane {lane} evaluated"
    for model in sorted(set(due) - measured - evaluated.keys()):
        yield f"no result for {model}, whose evals are due by what is submitted"


def _too_low(results: EvalResults, parameters: EvalParameters) -> Iterator[str]:
    for (model, task), lowest in _lowest(results).items():
        threshold = parameters.threshold(model, task)
        if threshold is None:
            yield f"no threshold for {task} (model {model}); add one to the rule pack"
        elif lowest < threshold:
            yield f"{model} reaches {_shown(lowest)} in {task}, below its threshold {threshold}"


def _lowest(results: EvalResults) -> dict[tuple[str, str], float]:
    """The lowest score of each model in each task, in alphabetical order."""
    lowest: dict[tuple[str, str], float] = {}
    for row in sorted(results.rows, key=lambda row: (row.model, row.task, -row.score)):
        lowest[row.model, row.task] = row.score
    return lowest


def _shown(score: float) -> str:
    """Four digits, cut off rather than rounded: what falls short must not look as if it did not."""
    return str(Decimal(str(score)).quantize(Decimal("0.0001"), ROUND_DOWN))


def _passed(run: Run, results: EvalResults, parameters: EvalParameters) -> Finding:
    lines = tuple(
        f"{model}: {task} at least {_shown(lowest)}, threshold {parameters.threshold(model, task)}"
        for (model, task), lowest in _lowest(results).items()
    )
    number = count(len(results.rows), "eval result")
    verb = "reaches its threshold" if len(results.rows) == 1 else "reach their thresholds"
    return Finding(
        "pass", f"{number} of run {run.id} {verb}: {some(lines, 1)}", lines, links=(_link(run),)
    )


def _failed(run: Run, issues: Sequence[str]) -> Finding:
    more = f" (and {count(len(issues) - 1, 'more issue')})" if len(issues) > 1 else ""
    return Finding(
        "fail",
        issues[0] + more,
        details=tuple(issues[:MOST_ISSUES]) if more else (),
        fix="run the evals again on a commit of this pull request until all results are good",
        links=(_link(run),),
    )


def _link(run: Run) -> Reference:
    return Reference(f"run {run.id}", run.url)


KIND = CheckKind(
    name="eval",
    doc=__doc__,
    parameters=EvalParameters,
    needs=needs,
    judge=judge,
    needs_signoff=False,
)
