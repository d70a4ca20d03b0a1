"""Workflow runs, their jobs and their artifacts."""

from __future__ import annotations

from support.world import Artifact, Run
from wire.loopback.request import Answer, Refusal, Request, not_found, route
from wire.loopback.routes_pulls import REPO
from wire.loopback.shapes import hash_id

RUN = REPO + "/actions/runs/{run_id}"
SEARCH_LIMIT = 1000
_FILTERS = ("actor", "branch", "check_suite_id", "created", "event", "head_sha", "status")


@route("GET", REPO + "/actions/runs", "actions")
def runs(request: Request) -> Answer:
    return _search(request, request.repo.runs)


@route("GET", REPO + "/actions/workflows/{workflow_id}/runs", "actions")
def workflow_runs(request: Request) -> Answer:
    wanted, repo = request.names["workflow_id"], request.repo
    paths = {run.workflow_path for run in repo.runs}
    for tree in repo.trees.values():
        paths |= {path for path in tree if path.startswith(".github/workflows/")}
    fitting = {
        path
        for path in paths
        if wanted in (path.rsplit("/", 1)[-1], str(hash_id(f"{repo.full_name} {path}")))
    }
    if not fitting:
        raise not_found()
    return _search(request, [run for run in repo.runs if run.workflow_path in fitting])


def _search(request: Request, runs: list[Run]) -> Answer:
    """Newest first; with a filter GitHub shows the newest thousand, and still counts them all."""
    query = request.query
    found = sorted(runs, key=lambda run: (run.created_at, run.id), reverse=True)
    found = [
        run
        for run in found
        if query.get("head_sha") in (None, run.head_sha)
        and query.get("branch") in (None, run.head_branch)
        and query.get("event") in (None, run.event)
        and query.get("status") in (None, run.status, run.conclusion)
        and query.get("actor") in (None, run.actor.login)
    ]
    filtered = any(name in query for name in _FILTERS)
    return request.page(
        found,
        lambda run: request.shapes.run(request.repo, run),
        wrap="workflow_runs",
        cap=SEARCH_LIMIT if filtered else None,
    )


@route("GET", RUN, "actions")
def run(request: Request) -> Answer:
    return Answer(200, request.shapes.run(request.repo, request.run))


@route("GET", RUN + "/jobs", "actions")
def jobs(request: Request) -> Answer:
    run = request.run
    every = request.query.get("filter", "latest") == "all"
    found = [job for job in run.jobs if every or job.attempt == run.attempt]
    return request.page(found, lambda job: request.shapes.job(request.repo, run, job), wrap="jobs")


@route("GET", RUN + "/artifacts", "actions")
def artifacts(request: Request) -> Answer:
    run, name = request.run, request.query.get("name")
    found = [artifact for artifact in run.artifacts if name in (None, artifact.name)]
    return request.page(
        found, lambda a: request.shapes.artifact(request.repo, run, a), wrap="artifacts"
    )


@route("GET", REPO + "/actions/artifacts/{artifact_id}/{archive_format}", "actions")
def download(request: Request) -> Answer:
    """Where the archive lies: another place, that takes a signature and no token."""
    _ = request.account
    for run in request.repo.runs:
        for artifact in run.artifacts:
            if str(artifact.id) == request.names["artifact_id"]:
                return _location(request, artifact)
    raise not_found()


def _location(request: Request, artifact: Artifact) -> Answer:
    if artifact.expired:
        raise Refusal(410, "Artifact has expired")
    return Answer(302, headers={"Location": request.sign(artifact.zipped())})
