"""The Action and sign-offs that come, fail, are taken back, or were only meant as such."""

from __future__ import annotations

from typing import Any

import pytest
from support.wire_default import signed_form
from support.wire_inferencex import SIGNER
from support.world import Comment, LineComment, Review, user
from wire.workflow import Stage, commented, on, pushed

STRANGER = user("marlow-quist")


def by_review(stage: Stage, signer: Any = SIGNER, body: str | None = None) -> Review:
    form = (body or signed_form()).replace(f"Signed: {SIGNER.login}", f"Signed: {signer.login}")
    review = Review(
        3_900_000_007,
        signer,
        form,
        created_at="2026-06-24T12:00:00Z",
        commit_sha=stage.pull.head_sha,
    )
    stage.pull.reviews.append(review)
    return review


def test_a_signoff_by_a_review_is_found_by_the_run_that_it_wakes(stage: Stage) -> None:
    del stage.pull.comments[1]
    review = by_review(stage)
    on(stage, "review")
    assert stage.states == ["success"]
    assert f"signoff=pullrequestreview-{review.id}" in stage.ours[0].body


def alone(stage: Stage) -> None:
    """Lets nobody sign together with others."""
    stage.repo.put(
        ".github/signoff.yml", "name: alone\nextends: default\nsignoff: {combine: false}\n"
    )


def test_an_outsiders_review_is_answered_and_turns_nothing_red(stage: Stage) -> None:
    alone(stage)
    on(stage, "comment")
    by_review(stage, STRANGER)
    ran = on(stage, "review")
    assert stage.heads == ["PASS", "FAIL"]
    assert stage.states == ["success"]
    assert ran.outputs["verdict"] == "pass"
    assert ran.outputs["comment-url"].endswith(str(stage.ours[0].id))


def test_a_signoff_on_a_line_is_answered_too(stage: Stage) -> None:
    alone(stage)
    stage.pull.line_comments.append(
        LineComment(
            2_900_000_001,
            STRANGER,
            signed_form().replace(SIGNER.login, STRANGER.login),
            created_at="2026-06-24T12:00:00Z",
            commit_sha=stage.pull.head_sha,
        )
    )
    on(stage, "review")
    assert sorted(stage.heads) == ["FAIL", "PASS"]


def test_a_dismissed_review_loses_its_pass(stage: Stage) -> None:
    del stage.pull.comments[1]
    by_review(stage)
    on(stage, "review")
    stage.pull.reviews[-1].state = "DISMISSED"
    on(stage, "review")
    assert (stage.heads, stage.states) == (["WITHDRAWN"], ["success", "pending"])


@pytest.mark.parametrize("how", ["deleted", "edited"])
def test_a_signoff_that_is_taken_back_loses_its_pass(stage: Stage, how: str) -> None:
    on(stage, "comment")
    before = stage.signed.body
    payload = commented(stage, action="deleted")
    if how == "edited":
        stage.signed.body = "Never mind."
        payload = commented(stage, action="edited", before=before)
    else:
        del stage.pull.comments[1]
    ran = stage.run("issue_comment", payload)
    assert ran.outputs["verdict"] == "pending"
    assert (stage.heads, stage.states) == (["WITHDRAWN"], ["success", "pending"])


def test_a_spoilt_signoff_is_told_what_is_wrong_in_place(stage: Stage) -> None:
    on(stage, "comment")
    before = stage.signed.body
    stage.signed.body = before.replace("[x]", "[ ]")
    stage.run("issue_comment", commented(stage, action="edited", before=before))
    assert (stage.heads, stage.states) == (["FAIL"], ["success", "failure"])
    stage.signed.body = before
    stage.run("issue_comment", commented(stage, action="edited", before=before))
    assert (stage.heads, stage.states) == (["PASS"], ["success", "failure", "success"])


def test_a_near_miss_is_answered_once_and_never_beats_a_pass(stage: Stage) -> None:
    on(stage, "comment")
    miss = Comment(
        4_780_000_009,
        STRANGER,
        "I have reviewed this as a PR reviewer and codeowner, and have\n- [ ] x\n- [ ] y\n- [ ] z",
        created_at="2026-06-24T12:00:00Z",
    )
    miss.body = signed_form().replace("[x]", "[ ]")
    stage.pull.comments.append(miss)
    for number in range(2):
        stage.run("issue_comment", commented(stage, miss))
        pushed(stage, f"31 push {number}")
        stage.run("issue_comment", commented(stage, miss, action="edited", before=miss.body))
    about = [c for c in stage.ours if f"signoff=issuecomment-{miss.id}" in c.body]
    assert len(about) == 1
    assert f"sha={stage.pull.head_sha}" in about[0].body
    assert set(stage.states) == {"success"}
