import dataclasses

import pytest
from support.build import HEAD, job, pull, run

from signoff_bot.evidence.actions import Artifact
from signoff_bot.evidence.base import MissingEvidence, Unread
from signoff_bot.reading.lanes import LaneRules, read_lanes
from signoff_bot.reading.runs import (
    RunIdentity,
    green_lanes,
    is_good,
    newest_artifact,
    newest_first,
    shortcoming,
)

LANES = LaneRules((("bench /", "bench"), ("eval /", "eval")), (("bench",), ("eval",)))
OLD = "d" * 40
IDENTITY = RunIdentity(
    repository_id=1,
    workflow=".github/workflows/run-sweep.yml",
    events=("pull_request",),
    shas=frozenset({HEAD, OLD}),
    head_only=False,
)
BENCH, EVAL = job("bench / / m fp8"), job("eval / / m fp8")


def test_runs_are_judged_newest_first_with_ties_by_id():
    old = run(1, created_at="2026-06-24T08:00:00Z")
    twins = run(3), run(2)
    assert [r.id for r in newest_first([twins[1], old, twins[0]])] == [3, 2, 1]


def test_a_run_on_any_commit_of_the_pull_request_counts():
    assert IDENTITY.objection(run(1), pull()) is None
    assert IDENTITY.objection(run(1, head_sha=OLD), pull()) is None


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"repository_id": 2}, "belongs to another repository"),
        (
            {"workflow_path": ".github/workflows/e2e-tests.yml"},
            "is one of .github/workflows/e2e-tests.yml, not of .github/workflows/run-sweep.yml",
        ),
        (
            {"event": "workflow_dispatch"},
            "was started by workflow_dispatch; only pull_request counts",
        ),
        ({"head_sha": "c" * 40}, "does not count: its commit is no longer in this pull request"),
        (
            {"head_sha": "c" * 40, "head_branch": "main"},
            "does not count: its commit is not in this pull request",
        ),
    ],
)
def test_each_part_of_a_runs_identity_counts(fields, words):
    assert IDENTITY.objection(run(1, **fields), pull()) == words


def test_several_events_may_count():
    both = dataclasses.replace(IDENTITY, events=("push", "pull_request"))
    assert both.objection(run(1), pull()) is None
    words = "was started by schedule; only push or pull_request counts"
    assert both.objection(run(1, event="schedule"), pull()) == words


def test_where_only_the_head_counts_an_older_commit_does_not():
    head_only = RunIdentity(1, IDENTITY.workflow, IDENTITY.events, IDENTITY.shas, head_only=True)
    assert head_only.objection(run(1), pull()) is None
    words = "does not count: only a run on the head does"
    assert head_only.objection(run(1, head_sha=OLD), pull()) == words


def test_a_run_that_is_over_and_green_is_good():
    assert is_good(run(1, BENCH, EVAL), LANES)
    assert shortcoming(run(1, BENCH, EVAL), LANES) is None


@pytest.mark.parametrize(
    ("good", "words"),
    [
        (run(1, BENCH, EVAL, status="in_progress"), "is not over yet (in_progress)"),
        (
            run(1, BENCH, job("eval / / x", None)),
            "is not over yet, 1 lane to go: eval / / x (queued)",
        ),
        (run(1, BENCH, job("eval / / x", "failure")), "has 1 lane not green: eval / / x (failure)"),
        (
            run(1, BENCH, job("eval / / x", runner=None)),
            "has 1 lane not green: eval / / x (no runner took it up)",
        ),
        (
            run(1, job("eval /", "skipped")),
            "executed nothing: its lanes are all skipped placeholders",
        ),
        (run(1), "executed nothing: its lanes are all skipped placeholders"),
        (run(1, BENCH), "has no green eval lane"),
    ],
)
def test_what_keeps_a_run_from_being_good_is_said(good, words):
    assert not is_good(good, LANES)
    assert shortcoming(good, LANES) == words


def test_all_missing_groups_are_told():
    lanes = LaneRules(
        (("bench /", "bench"), ("multi /", "multi"), ("eval /", "eval"), ("x /", "x")),
        (("bench", "multi"), ("eval",)),
    )
    other = run(1, job("x / / y"))
    assert shortcoming(other, lanes) == "has no green bench or multi lane and no green eval lane"


def test_a_failed_lane_is_said_before_one_still_to_go():
    going = run(1, job("bench / / x", "failure"), job("eval / / x", None), status="in_progress")
    assert "not green" in shortcoming(going, LANES)


def test_many_lanes_are_counted_rather_than_listed():
    red = run(1, *(job(f"bench / / m c{n}", "failure") for n in range(9)))
    assert "9 lanes not green" in shortcoming(red, LANES)
    assert shortcoming(red, LANES).endswith("and 6 more")
    assert shortcoming(red, LANES, most=1).endswith("and 8 more")


def test_a_run_with_unread_jobs_is_neither_good_nor_bad():
    unread = run(1, jobs=Unread(unread="no jobs"))
    assert not is_good(unread, LANES)
    with pytest.raises(MissingEvidence, match="no jobs"):
        shortcoming(unread, LANES)


def test_green_lanes_are_told_by_group():
    assert green_lanes(read_lanes([BENCH, EVAL], LANES)) == "1 bench and 1 eval lanes"
    assert green_lanes(read_lanes([BENCH], LANES)) == "1 bench lane"
    two = [job("bench / / a"), job("bench / / b")]
    assert green_lanes(read_lanes(two, LANES)) == "2 bench lanes"


def test_the_artifact_uploaded_last_counts():
    def artifact(id, name):
        return Artifact(id=id, name=name, size=1, expired=False, files=())

    uploads = [artifact(5, "results"), artifact(9, "results"), artifact(11, "logs")]
    assert newest_artifact(uploads, "results").id == 9
    assert newest_artifact(uploads, "other") is None
