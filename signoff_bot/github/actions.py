"""Reads what GitHub Actions ran: runs, their jobs, their artifacts; and check runs."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import PurePosixPath
from typing import Any

from pydantic import Field

from signoff_bot.evidence.actions import Artifact, ArtifactFile, CheckRun, Job, Run, Step
from signoff_bot.evidence.base import Sha, Timestamp, Unread
from signoff_bot.github.archive import MOST_BYTES, UnsafeArchive, read_members
from signoff_bot.github.client import GitHubClient, segment
from signoff_bot.github.decode import Wire, decode, decode_all
from signoff_bot.github.failures import NotFound, OddAnswer
from signoff_bot.github.paging import pages

MOST_RUNS = 1000
"""GitHub lists no more runs of one search."""
MOST_CHECK_RUNS = 1000
"""GitHub lists the check runs of the newest thousand check suites only."""


class _WireRepository(Wire):
    id: int


class _WireRun(Wire):
    id: int
    run_attempt: int
    path: str
    event: str
    head_sha: Sha
    head_branch: str | None
    status: str | None
    conclusion: str | None
    created_at: Timestamp
    html_url: str
    repository: _WireRepository


class _WireStep(Wire):
    number: int
    name: str
    conclusion: str | None


class _WireJob(Wire):
    id: int
    run_id: int
    head_sha: str
    name: str
    status: str
    conclusion: str | None
    started_at: Timestamp | None
    completed_at: Timestamp | None
    runner_name: str | None
    html_url: str | None
    steps: list[_WireStep] = Field(default_factory=list)


class _WireArtifact(Wire):
    id: int
    name: str
    size_in_bytes: int
    expired: bool
    expires_at: Timestamp | None = None
    created_at: Timestamp | None = None


class _WireApp(Wire):
    id: int


class _WireCheckRun(Wire):
    id: int
    name: str
    head_sha: str
    app: _WireApp
    status: str
    conclusion: str | None
    url: str
    html_url: str | None
    completed_at: Timestamp | None = None


def read_branch_runs(
    client: GitHubClient, repo: str, workflow: str, branch: str, events: Collection[str]
) -> list[Run]:
    """The runs of a workflow file (by its path) on a branch name, of whatever repository.

    Raises:
        Incomplete: there are more than GitHub lists; ask for each commit instead.
    """
    return _runs(client, repo, workflow, events, branch=branch)


def read_commit_runs(
    client: GitHubClient, repo: str, sha: str, workflow: str | None, events: Collection[str] = ()
) -> list[Run]:
    """The runs on a commit: of one workflow file, or of all for None."""
    runs = _runs(client, repo, workflow, events, head_sha=sha)
    return [run for run in runs if run.head_sha == sha]


def _runs(
    client: GitHubClient, repo: str, workflow: str | None, events: Collection[str], **search: Any
) -> list[Run]:
    path = f"/repos/{repo}/actions/runs"
    if workflow is not None:
        name = segment(PurePosixPath(workflow).name)
        path = f"/repos/{repo}/actions/workflows/{name}/runs"
    if len(events) == 1:
        search["event"] = next(iter(events))
    found = pages(client, path, "workflow_runs", reach=MOST_RUNS, **search)
    return [_run(wire) for wire in decode_all(_WireRun, found, f"GET {path}")]


def read_run(client: GitHubClient, repo: str, run_id: int) -> Run | None:
    """One run, or None when the repository has none of that id."""
    try:
        answer = client.get(f"/repos/{repo}/actions/runs/{run_id}")
    except NotFound:
        return None
    wire = decode(_WireRun, answer.data, answer.request)
    if wire.id != run_id:
        raise OddAnswer(answer.request, f"odd answer from GitHub: id is {wire.id}")
    return _run(wire)


def _run(wire: _WireRun) -> Run:
    return Run(
        id=wire.id,
        attempt=wire.run_attempt,
        repository_id=wire.repository.id,
        workflow_path=wire.path.partition("@")[0],
        event=wire.event,
        head_sha=wire.head_sha,
        head_branch=wire.head_branch,
        status=wire.status or "unknown",
        conclusion=wire.conclusion,
        created_at=wire.created_at,
        url=wire.html_url,
        jobs=Unread(unread=f"the jobs of run {wire.id} were not asked for"),
        artifacts=Unread(unread=f"the artifacts of run {wire.id} were not asked for"),
    )


def read_jobs(
    client: GitHubClient, repo: str, run: Run, steps: Collection[str] = ()
) -> tuple[Job, ...]:
    """The jobs of a run's latest attempt, with those of their steps that are named."""
    path = f"/repos/{repo}/actions/runs/{run.id}/jobs"
    found = pages(client, path, "jobs", filter="latest")
    jobs = decode_all(_WireJob, found, f"GET {path}")
    if any((job.run_id, job.head_sha) != (run.id, run.head_sha) for job in jobs):
        raise OddAnswer(f"GET {path}", "odd answer from GitHub: it holds a job of another run")
    return tuple(
        Job(
            id=job.id,
            name=job.name,
            status=job.status,
            conclusion=job.conclusion,
            started_at=job.started_at,
            completed_at=job.completed_at,
            runner=job.runner_name or None,
            url=job.html_url or run.url,
            steps=_steps(job, steps) if steps else None,
        )
        for job in jobs
    )


def _steps(job: _WireJob, names: Collection[str]) -> tuple[Step, ...]:
    return tuple(
        Step(number=step.number, name=step.name, conclusion=step.conclusion)
        for step in job.steps
        if step.name in names
    )


def read_artifacts(client: GitHubClient, repo: str, run: Run) -> tuple[Artifact, ...]:
    """The artifacts of a run, without their content."""
    path = f"/repos/{repo}/actions/runs/{run.id}/artifacts"
    found = pages(client, path, "artifacts")
    return tuple(
        Artifact(
            id=artifact.id,
            name=artifact.name,
            size=artifact.size_in_bytes,
            expired=artifact.expired,
            expires_at=artifact.expires_at,
            created_at=artifact.created_at,
            files=Unread(unread=f"the content of artifact {artifact.name} was not asked for"),
        )
        for artifact in decode_all(_WireArtifact, found, f"GET {path}")
    )


def read_artifact_files(
    client: GitHubClient, repo: str, artifact: Artifact, names: Collection[str]
) -> tuple[ArtifactFile, ...] | Unread:
    """Those of the named files that the artifact holds."""
    if artifact.expired:
        return Unread(unread=f"the artifact {artifact.name} has expired; run the workflow again")
    if artifact.size > MOST_BYTES:
        return Unread(unread=f"the artifact {artifact.name} is over {MOST_BYTES:,} bytes large")
    path = f"/repos/{repo}/actions/artifacts/{artifact.id}/zip"
    try:
        return read_members(client.archive(path, MOST_BYTES), names)
    except UnsafeArchive as problem:
        return Unread(unread=f"GET {path}: the archive is not read: {problem}")


def read_check_runs(client: GitHubClient, repo: str, sha: str) -> tuple[CheckRun, ...]:
    """The newest check runs of each name on a commit."""
    path = f"/repos/{repo}/commits/{sha}/check-runs"
    found = pages(client, path, "check_runs", reach=MOST_CHECK_RUNS, filter="latest")
    checks = decode_all(_WireCheckRun, found, f"GET {path}")
    if any(check.head_sha != sha for check in checks):
        raise OddAnswer(f"GET {path}", "odd answer from GitHub: a check run of another commit")
    return tuple(
        CheckRun(
            id=check.id,
            name=check.name,
            app_id=check.app.id,
            status=check.status,
            conclusion=check.conclusion,
            url=check.html_url or check.url,
            completed_at=check.completed_at,
        )
        for check in checks
    )
