"""A workflow's run that several pull requests have: each is judged, and told by itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support.wire_default import REPO
from support.world import PullRequest
from wire.workflow import Stage, on


def sibling(stage: Stage, number: int) -> PullRequest:
    """The same branch, proposed for another branch of the repository, and not signed there."""
    stage.repo.branches["stable"] = stage.pull.base_sha
    stage.repo.required_checks["stable"] = stage.repo.required_checks["main"]
    stage.repo.pulls[number] = replace(stage.pull, number=number, base_ref="stable", comments=[])
    return stage.repo.pulls[number]


def test_every_open_pull_request_with_the_head_is_judged(stage: Stage) -> None:
    sibling(stage, 32)
    ran = on(stage, "run", save_evidence=str(stage.folder / "e.json"))
    assert (ran.status, ran.outputs["verdict"]) == (0, "pending")
    assert [(v["pr"], v["verdict"]) for v in ran.verdicts] == [(31, "pass"), (32, "pending")]
    files = [Path(file) for file in ran.outputs["evidence-path"].split("\n")]
    assert [file.name for file in files] == ["e-31.json", "e-32.json"]
    assert all(file.is_file() for file in files)
    assert set(stage.states) == {"pending"}
    assert "#32 has the same head" in ran.log


def test_drafts_and_closed_ones_with_the_head_are_left_alone(stage: Stage) -> None:
    sibling(stage, 32).state = "closed"
    sibling(stage, 33).draft = True
    assert [verdict["pr"] for verdict in on(stage, "run").verdicts] == [31]


@pytest.mark.parametrize("fail_on", ["", "never"])
def test_one_that_cannot_be_judged_keeps_no_other_from_it(stage: Stage, fail_on: str) -> None:
    sibling(stage, 30)
    stage.github.fail("500", f"GET /repos/{REPO}/pulls/30")
    ran = on(stage, "run", fail_on=fail_on)
    assert (ran.status, ran.outputs["verdict"]) == (3, "error")
    assert [verdict["pr"] for verdict in ran.verdicts] == [31]
    assert stage.states == ["error"]
    assert "#30: it could not be judged" in ran.log
    for told in (ran.log, ran.summary, "".join(ran.annotations)):
        assert "HTTP 500" in told


def test_a_rate_limit_ends_it(stage: Stage) -> None:
    sibling(stage, 30)
    stage.github.fail("403 rate limit", f"GET /repos/{REPO}/pulls/30")
    ran = on(stage, "run")
    assert (ran.status, ran.outputs) == (3, {"verdict": "error"})
    assert "until 1970-01-01 00:00:01 UTC" in ran.log
    assert not stage.writes
    assert f"/repos/{REPO}/pulls/31" not in {seen.path for seen in stage.github.seen}
