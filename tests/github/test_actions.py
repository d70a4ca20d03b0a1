"""Runs, jobs, artifacts and check runs as GitHub tells them."""

from __future__ import annotations

from typing import Any

import pytest
from support.collecting import client_of, collected
from support.http_stub import Reply, Stub
from support.wire_inferencex import BASE, REPO, SWEEP
from support.world import Artifact, CheckRun, Job, PullRequest, Repository, Run, sha
from wire.loopback.server import Loopback

from signoff_bot.evidence.actions import Job as FoundJob
from signoff_bot.evidence.actions import Run as FoundRun
from signoff_bot.evidence.base import Unread
from signoff_bot.github import actions
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.failures import Incomplete, OddAnswer

RUN = 28_200_000_001
JOBS = f"/repos/o/r/actions/runs/{RUN}/jobs"


def test_a_run_is_told_as_github_tells_it(github: Loopback, repo: Repository) -> None:
    made = next(run for run in repo.runs if run.id == RUN)
    made.attempt, made.event, made.conclusion = 3, "workflow_dispatch", None
    made.status, made.workflow_path = "in_progress", f"{SWEEP}@refs/heads/main"
    with client_of(github) as client:
        run = actions.read_run(client, REPO, RUN)
    assert run is not None
    assert (run.id, run.attempt, run.repository_id) == (RUN, 3, repo.id)
    assert (run.workflow_path, run.event) == (SWEEP, "workflow_dispatch")
    assert (run.head_sha, run.head_branch) == (made.head_sha, made.head_branch)
    assert (run.status, run.conclusion, run.created_at) == ("in_progress", None, made.created_at)
    assert run.url == f"https://github.com/{REPO}/actions/runs/{RUN}"


def test_a_run_that_github_does_not_know_is_none(github: Loopback) -> None:
    with client_of(github) as client:
        assert actions.read_run(client, REPO, 5) is None


def test_jobs_are_those_of_the_latest_attempt(github: Loopback, repo: Repository) -> None:
    made = repo.runs[1]
    made.attempt = 2
    made.jobs = [
        Job(1, "eval / / a", "failure", attempt=1),
        Job(2, "eval / / a", "success", attempt=2, runner="r9"),
        Job(3, "eval /", "skipped", runner=None, attempt=2),
        Job(4, "eval / / b", "success", runner="", attempt=2),
        Job(5, "eval / / c", None, "queued", None, None, None, attempt=2),
    ]
    with client_of(github) as client:
        run = actions.read_run(client, REPO, made.id)
        assert run is not None
        jobs = {job.id: job for job in actions.read_jobs(client, REPO, run)}
    assert set(jobs) == {2, 3, 4, 5}
    assert jobs[2] == FoundJob(
        id=2,
        name="eval / / a",
        status="completed",
        conclusion="success",
        started_at="2026-06-24T08:00:00Z",
        completed_at="2026-06-24T09:00:00Z",
        runner="r9",
        url=f"https://github.com/{REPO}/actions/runs/{made.id}/job/2",
    )
    assert jobs[2].green
    assert not jobs[3].executed
    assert not jobs[4].executed, "a runner without a name is none"
    assert (jobs[5].status, jobs[5].conclusion, jobs[5].completed_at) == ("queued", None, None)


def test_hundreds_of_jobs_are_read(github: Loopback, repo: Repository) -> None:
    repo.runs[1].jobs = [Job(n, f"job {n}") for n in range(1, 731)]
    with client_of(github) as client:
        run = actions.read_run(client, REPO, repo.runs[1].id)
        assert run is not None
        assert len(actions.read_jobs(client, REPO, run)) == 730


@pytest.mark.parametrize("change", [{"run_id": 5}, {"head_sha": "c" * 40}, {"runner_name": 7}])
def test_a_job_of_another_run_is_odd(
    stub: Stub, client: GitHubClient, change: dict[str, Any]
) -> None:
    job = {
        "id": 1,
        "run_id": RUN,
        "head_sha": BASE,
        "name": "x",
        "status": "completed",
        "conclusion": "success",
        "started_at": None,
        "completed_at": None,
        "runner_name": None,
        "html_url": None,
    }
    run = found_run(head_sha=BASE)
    stub.says(JOBS, Reply({"total_count": 1, "jobs": [job]}))
    assert actions.read_jobs(client, "o/r", run)[0].url == run.url
    stub.says(JOBS, Reply({"total_count": 1, "jobs": [job | change]}))
    with pytest.raises(OddAnswer, match="jobs: "):
        actions.read_jobs(client, "o/r", run)


def found_run(**fields: Any) -> FoundRun:
    given = {
        "id": RUN,
        "attempt": 1,
        "repository_id": 1,
        "workflow_path": SWEEP,
        "event": "push",
        "head_sha": BASE,
        "head_branch": None,
        "status": "completed",
        "conclusion": "success",
        "created_at": "2026-06-24T08:00:00Z",
        "url": "https://github.com/o/r/actions/runs/1",
        "jobs": Unread(unread="-"),
        "artifacts": Unread(unread="-"),
    }
    return FoundRun(**(given | fields))


def test_another_run_than_asked_for_is_odd(stub: Stub, client: GitHubClient) -> None:
    wire = {
        "id": 6,
        "run_attempt": 1,
        "path": SWEEP,
        "event": "push",
        "head_sha": BASE,
        "head_branch": None,
        "status": None,
        "conclusion": None,
        "created_at": "2026-06-24T08:00:00Z",
        "html_url": "https://github.com/o/r/actions/runs/6",
        "repository": {"id": 1},
    }
    stub.says("/repos/o/r/actions/runs/5", Reply(wire))
    with pytest.raises(OddAnswer, match="id is 6"):
        actions.read_run(client, "o/r", 5)
    stub.says("/repos/o/r/actions/runs/6", Reply(wire))
    run = actions.read_run(client, "o/r", 6)
    assert run is not None
    assert run.status == "unknown"


def test_runs_of_another_commit_are_dropped(github: Loopback, repo: Repository) -> None:
    """GitHub's redirect of a renamed repository may lose the query."""
    with client_of(github) as client:
        listed = actions._runs

        def without_query(client: GitHubClient, name: str, workflow: Any, events: Any, **_: Any):
            return listed(client, name, workflow, events)

        actions._runs = without_query
        try:
            runs = actions.read_commit_runs(client, REPO, repo.runs[0].head_sha, SWEEP)
        finally:
            actions._runs = listed
    assert {run.head_sha for run in runs} == {repo.runs[0].head_sha}


def test_more_runs_than_github_lists_are_incomplete(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    repo.runs = [Run(n, SWEEP, sha(str(n)), pull.head_ref) for n in range(1, 1002)]
    with client_of(github) as client, pytest.raises(Incomplete, match="1,001"):
        actions.read_branch_runs(client, REPO, SWEEP, pull.head_ref, ("pull_request",))


def read_evals(github: Loopback, artifact: Artifact) -> Any:
    with client_of(github) as client:
        run = actions.read_run(client, REPO, RUN)
        assert run is not None
        found = {a.id: a for a in actions.read_artifacts(client, REPO, run)}
        return actions.read_artifact_files(client, REPO, found[artifact.id], {"agg_eval_all.json"})


@pytest.fixture
def evals(repo: Repository) -> Artifact:
    run = next(run for run in repo.runs if run.id == RUN)
    return next(artifact for artifact in run.artifacts if artifact.name == "eval_results_all")


def test_the_file_of_an_artifact_is_read(github: Loopback, evals: Artifact) -> None:
    (file,) = read_evals(github, evals)
    assert file.text.encode() == evals.files["agg_eval_all.json"]


def test_an_artifact_without_the_file_has_none(github: Loopback, evals: Artifact) -> None:
    evals.files = {"other.json": b"[]"}
    assert read_evals(github, evals) == ()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"expired": True}, "expired"),
        ({"archive": b"no zip"}, "broken"),
        ({"files": {"../x": b"", "agg_eval_all.json": b"[]"}}, "leads out"),
    ],
)
def test_an_artifact_that_cannot_be_read_is_unread(
    github: Loopback, evals: Artifact, change: dict[str, Any], words: str
) -> None:
    for name, value in change.items():
        setattr(evals, name, value)
    found = read_evals(github, evals)
    assert isinstance(found, Unread)
    assert words in found.unread


def test_an_artifact_that_is_too_large_is_not_fetched(
    github: Loopback, evals: Artifact, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(actions, "MOST_BYTES", 10)
    found = read_evals(github, evals)
    assert isinstance(found, Unread)
    assert "over 10 bytes" in found.unread
    assert not any("/zip" in seen.path for seen in github.seen)


def test_check_runs_of_the_head_are_read(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    repo.check_runs = [
        CheckRun(1, "build", pull.head_sha, "failure"),
        CheckRun(2, "build", pull.head_sha, "success"),
        CheckRun(3, "lint", pull.head_sha, None, "in_progress", app_id=7),
        CheckRun(4, "build", sha("another")),
    ]
    with client_of(github) as client:
        found = {c.id: c for c in actions.read_check_runs(client, REPO, pull.head_sha)}
    assert set(found) == {2, 3}
    assert (found[2].name, found[2].conclusion, found[2].app_id) == ("build", "success", 15368)
    assert (found[3].status, found[3].conclusion, found[3].app_id) == ("in_progress", None, 7)


@pytest.mark.parametrize("change", [{"head_sha": "c" * 40}, {"app": None}, {"app": {"id": "1"}}])
def test_an_odd_check_run_is_odd(stub: Stub, client: GitHubClient, change: dict[str, Any]) -> None:
    check = {
        "id": 1,
        "name": "build",
        "head_sha": BASE,
        "app": {"id": 1},
        "status": "completed",
        "conclusion": "success",
        "url": "https://api.test/1",
        "html_url": None,
    }
    path = f"/repos/o/r/commits/{BASE}/check-runs"
    stub.says(path, Reply({"total_count": 1, "check_runs": [check]}))
    assert actions.read_check_runs(client, "o/r", BASE)[0].url == "https://api.test/1"
    stub.says(path, Reply({"total_count": 1, "check_runs": [check | change]}))
    with pytest.raises(OddAnswer):
        actions.read_check_runs(client, "o/r", BASE)


def test_what_ran_on_the_head_is_collected(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    repo.required_checks = {"main": [("build", 15368)]}
    repo.check_runs = [CheckRun(1, "build", pull.head_sha)]
    ci = Run(77, ".github/workflows/ci.yml", pull.head_sha, None, event="push", jobs=[Job(1, "b")])
    repo.runs.append(ci)
    evidence = collected(github, head_checks=True)
    assert not isinstance(evidence.head_runs, Unread), evidence.head_runs
    on_head = {run.id for run in repo.runs if run.head_sha == pull.head_sha}
    assert {run.id for run in evidence.head_runs} == on_head
    jobs = {run.id: run.jobs for run in evidence.head_runs}[77]
    assert not isinstance(jobs, Unread)
    assert [job.name for job in jobs] == ["b"]
    assert not isinstance(evidence.check_runs, Unread)
    assert [check.name for check in evidence.check_runs] == ["build"]
    assert not isinstance(evidence.required_checks, Unread)
    assert [(c.context, c.app_id) for c in evidence.required_checks] == [("build", 15368)]


@pytest.mark.parametrize(
    ("path", "fact"),
    [
        ("actions/runs?", "head_runs"),
        ("commits/", "check_runs"),
        ("rules/", "required_checks"),
        ("branches/", "required_checks"),
    ],
)
def test_each_fact_of_the_head_fails_alone(github: Loopback, path: str, fact: str) -> None:
    github.fail("500", f"GET /repos/{REPO}/{path}")
    evidence = collected(github, head_checks=True)
    unread = {
        name
        for name in ("head_runs", "check_runs", "required_checks")
        if isinstance(getattr(evidence, name), Unread)
    }
    assert unread == {fact}


@pytest.mark.parametrize("path", ["rules/", "branches/"])
@pytest.mark.parametrize("refusal", ["403", "404"])
def test_branch_rules_that_the_token_may_not_read_are_none(
    github: Loopback, path: str, refusal: str
) -> None:
    github.fail(refusal, f"GET /repos/{REPO}/{path}")
    assert collected(github, head_checks=True).required_checks is None


def test_jobs_that_fail_leave_the_run(github: Loopback, repo: Repository) -> None:
    github.fail("500", f"GET /repos/{REPO}/actions/runs/{repo.runs[0].id}/jobs")
    evidence = collected(github, head_checks=True)
    assert not isinstance(evidence.head_runs, Unread)
    jobs = {run.id: run.jobs for run in evidence.head_runs}[repo.runs[0].id]
    assert isinstance(jobs, Unread)
    assert str(repo.runs[0].id) in jobs.unread
