"""What was changed when a sign-off was given, and what a run measured."""

from __future__ import annotations

from typing import Any

import pytest
from support.collecting import EVALS, LANES, SWEEP_NEED, collected
from support.standard import entry
from support.wire_inferencex import AMD, AUTHOR, CORE, REPO, SIGNER, SWEEP, sweep_run
from support.world import ChangedFile, Comment, Edit, PullRequest, Push, Repository, sha
from wire.loopback.server import Loopback

from signoff_bot.checks.due_lanes import DueRules, ScenarioLanes
from signoff_bot.checks.needs import ContentNeed, WorkflowNeed
from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.model import Evidence
from signoff_bot.reading.lanes import LaneRules

THEN, BETWEEN = sha("2001 then"), sha("2001 between")
SIGNED = "2026-06-24T10:00:00Z"


@pytest.fixture
def moved(repo: Repository, pull: PullRequest) -> PullRequest:
    """The pull request, pushed once before and once after its sign-off."""
    ref = f"refs/heads/{pull.head_ref}"
    repo.activity = [
        Push(ref, BETWEEN, pull.head_sha, "2026-06-24T12:00:00Z", AUTHOR),
        Push(ref, THEN, BETWEEN, "2026-06-24T11:00:00Z", AUTHOR),
        Push(ref, sha("0"), THEN, "2026-06-24T09:00:00Z", AUTHOR),
        Push("refs/heads/other", sha("0"), sha("1"), "2026-06-24T09:30:00Z", AUTHOR),
    ]
    pull.earlier = {
        THEN: [ChangedFile("a"), ChangedFile("b", "added", content="B")],
        BETWEEN: [ChangedFile("a")],
    }
    return pull


def earlier(github: Loopback, **needs: Any) -> Evidence:
    return collected(github, **({"files": True, "earlier_changes": True} | needs))


def test_pushes_are_told_in_their_order_with_the_last(github: Loopback, moved: PullRequest) -> None:
    evidence = earlier(github)
    assert not isinstance(evidence.pushes, Unread)
    assert [push.sha for push in evidence.pushes] == [THEN, BETWEEN, moved.head_sha]
    assert not isinstance(evidence.push, Unread)
    assert evidence.push.at == "2026-06-24T12:00:00Z"


def test_the_change_at_the_signed_head_is_compared(github: Loopback, moved: PullRequest) -> None:
    (change,) = earlier(github).earlier_changes
    assert change.sha == THEN
    assert not isinstance(change.files, Unread)
    assert [(file.path, file.status) for file in change.files] == [
        ("a", "modified"),
        ("b", "added"),
    ]
    assert all(file.sha for file in change.files)


def test_a_fresh_signoff_needs_no_comparison(github: Loopback, moved: PullRequest) -> None:
    moved.comments[-1].created_at = "2026-06-24T12:00:01Z"
    assert earlier(github).earlier_changes == ()
    assert not any("/compare/" in seen.path for seen in github.seen)


def test_an_own_edit_moves_the_signed_head(github: Loopback, moved: PullRequest) -> None:
    moved.comments[-1].edits.append(Edit("2026-06-24T11:30:00Z", SIGNER))
    (change,) = earlier(github).earlier_changes
    assert change.sha == BETWEEN


def test_each_signed_head_is_compared_once(github: Loopback, moved: PullRequest) -> None:
    first = moved.comments[-1]
    for number, at in enumerate(("2026-06-24T10:30:00Z", "2026-06-24T11:30:00Z")):
        moved.comments.append(Comment(77 + number, CORE, first.body, created_at=at))
    assert {change.sha for change in earlier(github).earlier_changes} == {THEN, BETWEEN}


def test_what_rules_do_not_need_is_not_compared(github: Loopback, moved: PullRequest) -> None:
    evidence = collected(github, push=True)
    assert isinstance(evidence.pushes, Unread)
    assert evidence.earlier_changes == ()
    assert not isinstance(evidence.push, Unread)


@pytest.mark.parametrize("kind", ["403", "404", "500", "null", "wrong type"])
def test_a_comparison_that_fails_says_so(github: Loopback, moved: PullRequest, kind: Any) -> None:
    github.fail(kind, f"GET /repos/{REPO}/compare/")
    (change,) = earlier(github).earlier_changes
    assert isinstance(change.files, Unread)
    assert f"compare/main...{THEN}" in change.files.unread


def test_a_comparison_without_any_file_proves_nothing(github: Loopback, moved: PullRequest) -> None:
    moved.earlier[THEN] = []
    (change,) = earlier(github).earlier_changes
    assert isinstance(change.files, Unread)
    assert "shows no changed file" in change.files.unread


def test_a_comparison_that_github_cuts_off_is_unread(github: Loopback, moved: PullRequest) -> None:
    moved.earlier[THEN] = [ChangedFile(f"f{number}") for number in range(299)]
    assert not isinstance(earlier(github).earlier_changes[0].files, Unread)
    moved.earlier[THEN].append(ChangedFile("one more"))
    (change,) = earlier(github).earlier_changes
    assert isinstance(change.files, Unread)
    assert "only 300 files" in change.files.unread


def test_a_closed_pull_request_is_compared_with_the_base_it_had(
    github: Loopback, moved: PullRequest
) -> None:
    moved.state = "closed"
    earlier(github)
    assert any(f"/compare/{moved.base_sha}..." in seen.path for seen in github.seen)


def test_without_the_pushes_only_reviews_tell_their_head(
    github: Loopback, repo: Repository, moved: PullRequest
) -> None:
    repo.activity = []
    evidence = earlier(github)
    assert isinstance(evidence.pushes, Unread)
    assert isinstance(evidence.push, Unread)
    assert evidence.earlier_changes == ()


UNCHANGED = WorkflowNeed(SWEEP, ("pull_request",), LANES, commit="no-later-change")


def measured(github: Loopback, **needs: Any) -> Evidence:
    return collected(
        github, **({"files": True, "commits": True, "workflows": frozenset({UNCHANGED})} | needs)
    )


def test_the_change_at_a_runs_commit_is_compared(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    old = next(run for run in repo.runs if run.id == OLD_RUN).head_sha
    pull.earlier = {old: [ChangedFile("a")]}
    evidence = measured(github)
    assert {change.sha for change in evidence.earlier_changes} >= {old}
    assert not isinstance(evidence.runs, Unread)
    assert len([run for run in evidence.runs if not isinstance(run.jobs, Unread)]) < 2


def test_a_run_that_measured_something_else_keeps_no_other_from_being_read(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    old = next(run for run in repo.runs if run.id == OLD_RUN).head_sha
    pull.earlier = {old: [ChangedFile("a")]}
    new = sweep_run(9, pull.head_sha, pull.head_ref, "2026-06-20T00:00:00Z")
    repo.runs = [run for run in repo.runs if run.id == OLD_RUN] + [new]
    runs = measured(github).runs
    assert not isinstance(runs, Unread)
    assert {run.id for run in runs if not isinstance(run.jobs, Unread)} == {9}


def test_a_commit_that_was_signed_and_measured_is_compared_once(
    github: Loopback, repo: Repository, moved: PullRequest
) -> None:
    old = next(run for run in repo.runs if run.id == OLD_RUN)
    old.head_sha = THEN
    moved.commits[0].sha = THEN
    evidence = measured(github, earlier_changes=True)
    assert THEN in {change.sha for change in evidence.earlier_changes}
    asked = [seen.path for seen in github.seen if f"...{THEN}" in seen.path]
    assert len(asked) == 1


OLD_RUN = 28_200_000_001
AT_RUN = frozenset({ContentNeed("*-master.yaml", "run"), ContentNeed("*.sh", "run")})
RUN_NEEDS = {
    "files": True,
    "commits": True,
    "workflows": frozenset({SWEEP_NEED}),
    "artifacts": frozenset({EVALS}),
    "contents": AT_RUN,
}


def at_run(evidence: Evidence) -> dict[str, Any]:
    return {file.path: file.text for file in evidence.contents if file.at == "run"}


def test_changed_files_are_read_at_the_accepted_run(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    run = next(run for run in repo.runs if run.id == OLD_RUN)
    repo.trees[run.head_sha] = {AMD: b"then\n", "other-master.yaml": b"x\n"}
    evidence = collected(github, **RUN_NEEDS)
    script = "benchmarks/multi_node/minimaxm3_fp8_mi355x_atom-disagg.sh"
    assert at_run(evidence) == {AMD: "then\n", script: None}
    assert {file.ref for file in evidence.contents} == {run.head_sha}


def test_of_a_renamed_file_both_names_are_read_there(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    pull.files = [ChangedFile("new-master.yaml", "renamed", previous_path="old-master.yaml")]
    run = next(run for run in repo.runs if run.id == OLD_RUN)
    repo.trees[run.head_sha] = {"old-master.yaml": b"then\n"}
    texts = at_run(collected(github, **RUN_NEEDS))
    assert texts == {"old-master.yaml": "then\n", "new-master.yaml": None}


def test_at_a_run_on_the_head_nothing_is_read_twice(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    repo.runs[-1].head_sha = pull.head_sha
    evidence = collected(github, **RUN_NEEDS)
    assert evidence.contents == ()


def test_without_a_good_run_there_is_nothing_to_read_at(github: Loopback, repo: Repository) -> None:
    repo.runs.clear()
    assert at_run(collected(github, **RUN_NEEDS)) == {}


DUE = DueRules(
    configs=("*-master.yaml",),
    changelog="perf-changelog.yaml",
    benchmarks=("benchmarks/**",),
    scenarios=(ScenarioLanes(scenario="fixed-seq-len", multinode=True, lanes=("multi-node",)),),
)
DUE_NEED = WorkflowNeed(SWEEP, ("pull_request",), LANES, due=DUE)


def with_jobs(github: Loopback) -> set[int]:
    runs = collected(
        github,
        files=True,
        commits=True,
        workflows=frozenset({DUE_NEED}),
        contents=DUE.needs.contents,
    ).runs
    assert not isinstance(runs, Unread)
    return {run.id for run in runs if not isinstance(run.jobs, Unread)}


def submit(repo: Repository, pull: PullRequest, model: str) -> None:
    pull.files = [ChangedFile("n-master.yaml", "added")]
    text = entry(prefix=model, multinode="true")
    repo.trees[pull.head_sha] = {"n-master.yaml": text.encode()}


def test_a_run_of_the_submitted_model_is_enough(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    submit(repo, pull, "minimaxm3")
    assert with_jobs(github) == {OLD_RUN}


def test_a_run_of_another_model_makes_the_others_worth_reading(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    submit(repo, pull, "kimik3")
    shas = [commit.sha for commit in pull.commits]
    repo.runs.append(sweep_run(9, shas[0], pull.head_ref, "2026-06-20T00:00:00Z", model="kimik3"))
    assert 9 in with_jobs(github)


def test_where_nothing_is_submitted_one_run_is_enough(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    pull.files = [ChangedFile("README.md")]
    repo.runs[-1].jobs[4].conclusion = "failure"
    assert with_jobs(github) == {OLD_RUN}


def test_where_a_configuration_is_unreadable_one_run_is_enough(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    submit(repo, pull, "minimaxm3")
    repo.trees[pull.head_sha] = {"n-master.yaml": b"\xff\n"}
    assert with_jobs(github) == {OLD_RUN}


def test_only_the_steps_that_the_rules_name_are_kept(github: Loopback, repo: Repository) -> None:
    for job in repo.runs[-1].jobs:
        job.steps = [("Set up job", "success"), ("Launch job script", "success")]
    lanes = LaneRules(LANES.prefixes, LANES.required, key_steps=("Launch job script",))
    need = WorkflowNeed(SWEEP, ("pull_request",), lanes)
    runs = collected(github, commits=True, workflows=frozenset({need})).runs
    assert not isinstance(runs, Unread)
    jobs = next(run.jobs for run in runs if run.id == OLD_RUN)
    assert not isinstance(jobs, Unread)
    assert all(job.steps is not None for job in jobs)
    assert {step.name for job in jobs for step in job.steps or ()} == {"Launch job script"}
    plain = collected(github, commits=True, workflows=frozenset({SWEEP_NEED})).runs
    assert not isinstance(plain, Unread)
    assert all(
        job.steps is None for run in plain if not isinstance(run.jobs, Unread) for job in run.jobs
    )
