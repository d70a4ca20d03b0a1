"""Which runs are looked at, and how few: the one that proves it first, the others only at need."""

from __future__ import annotations

import pytest
from support.collecting import EVALS, SWEEP_NEED, collected
from support.wire_inferencex import (
    BOT,
    RECIPE,
    REPO,
    SIGNER,
    STRANGER,
    SWEEP,
    gate_run,
    run_url,
    signed_form,
    sweep_run,
)
from support.world import Comment, PullRequest, Repository, Run, sha
from wire.loopback.server import Loopback

from signoff_bot.checks.needs import WorkflowNeed
from signoff_bot.evidence.actions import Run as Found
from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.conversation import SignoffRef
from signoff_bot.reading.lanes import LaneRules

NEEDS = {"commits": True, "workflows": frozenset({SWEEP_NEED}), "artifacts": frozenset({EVALS})}
DAYS = [f"2026-06-{day:02}T08:00:00Z" for day in range(1, 31)]


def runs_of(github: Loopback, signoff: SignoffRef | None = None) -> dict[int, Found]:
    found = collected(github, signoff=signoff, **NEEDS).runs
    assert not isinstance(found, Unread), found
    return {run.id: run for run in found}


def with_jobs(runs: dict[int, Found]) -> set[int]:
    return {run.id for run in runs.values() if not isinstance(run.jobs, Unread)}


def link(pull: PullRequest, *run_ids: int) -> None:
    """Makes the sign-off link these runs."""
    urls = " ".join(map(run_url, run_ids))
    pull.comments = [Comment(1, SIGNER, signed_form(SIGNER.login, urls, "", f"see {RECIPE}"))]


def sweeps(pull: PullRequest, number: int, good: set[int]) -> list[Run]:
    """So many runs on the head, numbered from the oldest; those not good have a failed lane."""
    runs = [sweep_run(n, pull.head_sha, pull.head_ref, DAYS[n - 1]) for n in range(1, number + 1)]
    for run in runs:
        if run.id not in good:
            run.jobs[4].conclusion = run.conclusion = "failure"
    return runs


def test_the_linked_run_is_enough_when_it_is_good(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    repo.runs = sweeps(pull, 3, {1, 2, 3})
    link(pull, 1)
    runs = runs_of(github)
    assert set(runs) == {1, 2, 3}
    assert with_jobs(runs) == {1}
    jobs = runs[3].jobs
    assert isinstance(jobs, Unread)
    assert "run 1 proves" in jobs.unread


def test_without_a_link_the_newest_success_is_looked_at_first(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    repo.runs = sweeps(pull, 4, {1, 2})
    link(pull)
    assert with_jobs(runs_of(github)) == {2}


def test_when_the_first_is_not_good_all_others_are_read(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    repo.runs = sweeps(pull, 4, {2})
    link(pull, 3)
    runs = runs_of(github)
    assert with_jobs(runs) == {1, 2, 3, 4}
    assert 2 in files_read(runs), "the results of the run that is accepted"


def files_read(runs: dict[int, Found]) -> set[int]:
    """The runs whose eval results were read."""
    return {
        run.id
        for run in runs.values()
        if not isinstance(run.artifacts, Unread)
        and any(a.name == EVALS.artifact and not isinstance(a.files, Unread) for a in run.artifacts)
    }


def test_of_the_good_run_only_the_needed_artifact_is_read(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    repo.runs = sweeps(pull, 1, {1})
    runs = runs_of(github)
    assert files_read(runs) == {1}
    assert sum("/zip" in seen.path for seen in github.seen) == 1


def test_the_newest_artifact_of_a_name_counts(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    repo.runs = sweeps(pull, 1, {1})
    old = repo.runs[0].artifacts[-1]
    repo.runs[0].artifacts.append(type(old)(old.id + 5, old.name, {EVALS.member: b"[1]"}))
    artifacts = runs_of(github)[1].artifacts
    assert not isinstance(artifacts, Unread)
    read = [a for a in artifacts if not isinstance(a.files, Unread)]
    assert [artifact.id for artifact in read] == [old.id + 5]


@pytest.mark.parametrize("status", ["in_progress", "queued"])
def test_a_run_that_is_not_over_is_read_after_those_that_are(
    github: Loopback, repo: Repository, pull: PullRequest, status: str
) -> None:
    repo.runs = sweeps(pull, 2, {1, 2})
    repo.runs[1].status, repo.runs[1].conclusion = status, None
    link(pull, 2)
    assert with_jobs(runs_of(github)) == {1}
    repo.runs = repo.runs[1:]
    assert with_jobs(runs_of(github)) == {2}, "but it is read, so that its state can be told"


def test_runs_that_do_not_count_are_listed_without_jobs(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    repo.runs = [
        sweep_run(1, sha("pushed away"), pull.head_ref, DAYS[0]),
        sweep_run(2, pull.head_sha, pull.head_ref, DAYS[1]),
        sweep_run(3, sha("elsewhere"), "another-branch", DAYS[2]),
    ]
    runs = runs_of(github)
    assert set(runs) == {1, 2}
    assert with_jobs(runs) == {2}


def test_a_linked_run_of_another_branch_is_looked_up(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    repo.runs = [sweep_run(n, sha("x"), "other", DAYS[n]) for n in (1, 2)]
    repo.runs[1].workflow_path = ".github/workflows/e2e-tests.yml"
    link(pull, 1, 2, 404)
    runs = runs_of(github)
    assert set(runs) == {1, 2}, "what GitHub does not know is left out"
    assert with_jobs(runs) == set()


def test_a_linked_run_on_a_commit_of_the_pull_request_counts_whatever_its_branch(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    repo.runs = [sweep_run(1, pull.head_sha, "renamed-since", DAYS[0])]
    link(pull, 1)
    assert with_jobs(runs_of(github)) == {1}


def test_a_linked_run_that_cannot_be_looked_up_is_no_missing_run(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    link(pull, 5)
    github.fail("500", f"GET /repos/{REPO}/actions/runs/5")
    found = collected(github, **NEEDS).runs
    assert isinstance(found, Unread)
    assert "/actions/runs/5" in found.unread


def test_the_signoff_asked_about_leads(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    repo.runs = sweeps(pull, 3, {1, 2, 3})
    forms = [signed_form(SIGNER.login, run_url(n), "", "") for n in (1, 2)]
    pull.comments = [Comment(n + 1, SIGNER, form) for n, form in enumerate(forms)]
    assert with_jobs(runs_of(github, SignoffRef(kind="comment", id=1))) == {1}
    assert with_jobs(runs_of(github)) == {2}, "else the newest completed one"


def test_a_completed_signoff_leads_a_mention(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    repo.runs = sweeps(pull, 2, {1, 2})
    link(pull, 1)
    words = (
        f"Please write: As a PR reviewer and CODEOWNER, I have reviewed this and have {run_url(2)}"
    )
    pull.comments.append(Comment(9, STRANGER, words, created_at="2026-06-24T20:00:00Z"))
    assert with_jobs(runs_of(github)) == {1}


def test_links_of_bots_are_not_followed(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    repo.runs = []
    pull.comments = [Comment(1, BOT, signed_form("x", run_url(5), "", ""))]
    collected(github, **NEEDS)
    assert not any("/actions/runs/5" in seen.path for seen in github.seen)


def test_a_flood_of_links_is_no_complete_answer(github: Loopback, pull: PullRequest) -> None:
    link(pull, *range(1, 102))
    found = collected(github, **NEEDS).runs
    assert isinstance(found, Unread)
    assert "101 runs" in found.unread


def test_beyond_thirty_runs_the_older_ones_are_unread(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    repo.runs = [
        gate_run(n, pull.head_sha, pull.head_ref, f"2026-06-01T08:00:{n:02}Z") for n in range(1, 34)
    ]
    link(pull)
    runs = runs_of(github)
    assert len(runs) == 33
    assert set(runs) - with_jobs(runs) == {1, 2}, "the newest was read before the thirty"
    jobs = runs[1].jobs
    assert isinstance(jobs, Unread)
    assert "link the one that counts" in jobs.unread


@pytest.mark.parametrize("on", ["head", "earlier"])
def test_only_runs_on_the_head_are_read_where_only_they_count(
    github: Loopback, repo: Repository, pull: PullRequest, on: str
) -> None:
    at = pull.head_sha if on == "head" else pull.commits[0].sha
    repo.runs = [sweep_run(1, at, pull.head_ref, DAYS[0])]
    need = WorkflowNeed(SWEEP, ("pull_request",), SWEEP_NEED.lanes, commit="head")
    found = collected(github, commits=True, workflows=frozenset({need})).runs
    assert not isinstance(found, Unread)
    assert with_jobs({run.id: run for run in found}) == ({1} if on == "head" else set())


def test_two_needs_of_one_workflow_share_what_is_read(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    repo.runs = sweeps(pull, 2, {1, 2})
    other = WorkflowNeed(
        SWEEP, ("push", "pull_request"), LaneRules((("canary /", "c"),), (("c",),))
    )
    found = collected(github, commits=True, workflows=frozenset({SWEEP_NEED, other})).runs
    assert not isinstance(found, Unread)
    asked = [seen.key for seen in github.seen if "/jobs" in seen.path]
    assert len(asked) == len(set(asked))
    listed = [seen.query for seen in github.seen if seen.path.endswith("/run-sweep.yml/runs")]
    assert len(listed) == 1
    assert "event=" not in listed[0]


def test_a_branch_with_too_many_runs_is_asked_commit_by_commit(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    noise = [Run(n, SWEEP, sha(str(n)), pull.head_ref) for n in range(1000, 2100)]
    repo.runs = [*noise, *sweeps(pull, 1, {1})]
    runs = runs_of(github)
    assert set(runs) == {1}
    assert with_jobs(runs) == {1}


def test_without_the_commits_the_runs_are_listed_and_no_jobs_read(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    github.fail("500", f"GET /repos/{REPO}/pulls/2001/commits")
    runs = runs_of(github)
    assert set(runs) == {run.id for run in repo.runs}
    assert with_jobs(runs) == set()
    assert all(isinstance(r.jobs, Unread) and "/commits" in r.jobs.unread for r in runs.values())


def test_runs_of_a_namesake_workflow_or_a_fork_are_dropped(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    namesake = sweep_run(1, pull.head_sha, pull.head_ref, DAYS[0])
    namesake.workflow_path = "elsewhere/run-sweep.yml"
    repo.runs = [namesake]
    assert runs_of(github) == {}


def test_jobs_that_cannot_be_read_are_said_and_the_others_looked_at(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    repo.runs = sweeps(pull, 2, {1, 2})
    link(pull, 2)
    github.fail("500", f"GET /repos/{REPO}/actions/runs/2/jobs")
    runs = runs_of(github)
    assert with_jobs(runs) == {1}
    jobs = runs[2].jobs
    assert isinstance(jobs, Unread)
    assert "/actions/runs/2/jobs" in jobs.unread


def test_artifacts_that_cannot_be_listed_are_said(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    repo.runs = sweeps(pull, 1, {1})
    github.fail("403", f"GET /repos/{REPO}/actions/runs/1/artifacts")
    artifacts = runs_of(github)[1].artifacts
    assert isinstance(artifacts, Unread)
    assert "/runs/1/artifacts" in artifacts.unread
