"""The Action on every event: what it judges, what it writes, and what it leaves alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from action import events
from support.wire_default import CI, signed_form
from support.wire_inferencex import BOT, SIGNER
from support.world import Comment, sha, user
from wire.workflow import CONTEXT, EVENTS, Stage, commented, on, pulled, pushed, ran_on

STRANGER = user("marlow-quist")


@pytest.mark.parametrize("what", EVENTS)
def test_every_trusted_event_ends_with_one_true_comment_and_a_true_status(
    stage: Stage, what: str
) -> None:
    ran = on(stage, what)
    assert (ran.status, ran.err) == (0, "")
    assert stage.heads == ["PASS"]
    (status,) = stage.repo.statuses
    assert (status.sha, status.context, status.state) == (stage.pull.head_sha, CONTEXT, "success")
    assert status.target_url == ran.outputs["comment-url"]
    assert ran.outputs["comment-url"].endswith(f"#issuecomment-{stage.ours[0].id}")
    assert ran.outputs["verdict"] == "pass"
    (verdict,) = ran.verdicts
    assert (verdict["pr"], verdict["verdict"]) == (31, "pass")
    assert "**PASS**" in ran.summary


@pytest.mark.parametrize("what", EVENTS)
def test_a_second_run_writes_nothing(stage: Stage, what: str) -> None:
    on(stage, "comment")
    stage.github.forget()
    ran = on(stage, what)
    assert (ran.status, ran.outputs["verdict"]) == (0, "pass")
    assert not stage.writes
    assert ran.outputs["comment-url"].endswith(f"#issuecomment-{stage.ours[0].id}")


def test_a_dispatch_judges_what_its_input_names(stage: Stage) -> None:
    ran = stage.run("workflow_dispatch", events.workflow_dispatch(stage.repo, "31"), pr="31")
    assert (ran.status, stage.heads, stage.states) == (0, ["PASS"], ["success"])


def test_a_dispatch_that_names_no_pull_request_is_asked_for_one(stage: Stage) -> None:
    ran = stage.run("workflow_dispatch", {}, pr=" ")
    assert (ran.status, ran.outputs) == (2, {"verdict": "error"})
    assert "Give its number with the input pr" in "".join(ran.annotations)
    assert not stage.writes


@pytest.mark.parametrize("change", [{"state": "closed"}, {"draft": True}])
def test_a_dispatch_judges_closed_ones_and_drafts_and_other_events_do_not(
    stage: Stage, change: dict[str, Any]
) -> None:
    payload = commented(stage)
    for name, value in change.items():
        setattr(stage.pull, name, value)
    ran = on(stage, "run")
    assert (ran.status, ran.outputs) == (0, {"verdict": ""})
    # It was open when the event happened, and is not any more.
    ran = stage.run("issue_comment", payload)
    assert (ran.status, ran.outputs) == (0, {"verdict": ""})
    assert "nothing to do" in ran.log
    assert not stage.writes
    stage.run("workflow_dispatch", {}, pr="31")
    assert stage.states == ["success"]


@pytest.mark.parametrize(
    ("name", "payload"),
    [
        ("issue_comment", lambda s: commented(s, Comment(9, SIGNER, "Thanks!"))),
        ("issue_comment", lambda s: commented(s, replace(s.signed, author=BOT), sender=BOT)),
        ("pull_request_target", lambda s: pulled(s, "assigned")),
        ("push", lambda s: {}),
    ],
)
def test_nothing_to_do_costs_no_request(stage: Stage, name: str, payload: Any) -> None:
    ran = stage.run(name, payload(stage), github_token="")
    assert (ran.status, ran.outputs, ran.summary) == (0, {"verdict": ""}, "")
    assert not stage.github.seen


@pytest.mark.parametrize(
    ("name", "payload"),
    [
        ("pull_request_review", lambda s: events.review(s.repo, s.pull, signed_form())),
        ("pull_request", lambda s: pulled(s, "opened")),
    ],
)
def test_an_untrusted_event_writes_nothing_and_shows_the_verdict(
    stage: Stage, name: str, payload: Any
) -> None:
    stage.pull.comments[1].body = "Not signed."
    ran = stage.run(name, payload(stage))
    assert (ran.status, ran.outputs["verdict"]) == (0, "pending")
    assert "comment-url" not in ran.outputs
    assert "Nothing was written" in ran.summary
    assert not stage.writes
    assert stage.run(name, payload(stage), fail_on="pending").status == 1


def test_late_evidence_and_pushes_write_the_status_alone_unless_the_verdict_changed(
    stage: Stage,
) -> None:
    on(stage, "comment")
    stage.github.forget()
    stage.repo.runs[0].jobs[0].conclusion = "failure"
    stage.repo.check_runs[0].conclusion = "failure"
    ran = on(stage, "run")
    assert (stage.heads, stage.states) == (["FAIL"], ["success", "failure"])
    assert ran.outputs["verdict"] == "fail"
    assert len(stage.ours[0].edits) == 1


def test_a_push_that_voids_the_signoff_is_told_and_folds_what_was_said_before(
    stage: Stage,
) -> None:
    on(stage, "comment")
    pushed(stage, at="2026-06-24T11:00:00Z")
    on(stage, "push")
    assert stage.heads == ["PASS", "FAIL"]
    assert [comment.minimized for comment in stage.ours] == ["outdated", None]
    assert [(status.sha, status.state) for status in stage.repo.statuses] == [
        (sha("31 head"), "success"),
        (sha("31 pushed"), "failure"),
    ]


def test_a_run_on_an_older_commit_of_the_pull_request_wakes_too(stage: Stage) -> None:
    payload = ran_on(stage)
    pushed(stage)
    ran = stage.run("workflow_run", payload)
    assert ran.outputs["verdict"] == "pass"
    assert [status.sha for status in stage.repo.statuses] == [sha("31 pushed")]


@pytest.mark.parametrize(
    "change",
    [
        {"head_sha": sha("elsewhere")},
        {"head_branch": "other"},
        {"head_repository": {"full_name": "octo-works/anvil", "owner": {"login": "octo-works"}}},
        {
            "head_repository": {
                "full_name": "wren-dalgaard/another",
                "owner": {"login": "wren-dalgaard"},
            }
        },
    ],
)
def test_a_run_for_no_open_pull_request_does_nothing(stage: Stage, change: dict[str, Any]) -> None:
    payload = ran_on(stage)
    payload["workflow_run"] |= change
    payload["workflow_run"]["pull_requests"] = [{"number": 31}]
    ran = stage.run("workflow_run", payload)
    assert (ran.status, ran.outputs) == (0, {"verdict": ""})
    assert not stage.writes


def test_a_run_by_others_makes_no_difference_to_what_is_judged(stage: Stage) -> None:
    """The waking run's conclusion never matters."""
    payload = ran_on(stage)
    payload["workflow_run"]["conclusion"] = "failure"
    assert stage.run("workflow_run", payload).outputs["verdict"] == "pass"


def test_a_twin_with_the_same_head_withholds_the_success_from_both(stage: Stage) -> None:
    """Somebody opens a second one onto a branch whose owners they control."""
    theirs = sha("theirs")
    stage.repo.branches["theirs"] = theirs
    stage.repo.trees[theirs] = {".github/CODEOWNERS": b"* @marlow-quist\n", CI: b"name: CI\n"}
    form = signed_form().replace(SIGNER.login, STRANGER.login)
    signed = Comment(4_780_000_020, STRANGER, form, created_at="2026-06-24T13:00:00Z")
    twin = replace(stage.pull, number=40, base_ref="theirs", base_sha=theirs, comments=[signed])
    stage.repo.pulls[40] = twin
    stage.repo.required_checks["theirs"] = stage.repo.required_checks["main"]
    stage.pull.comments[1].body = "Not signed."
    ran = stage.run("issue_comment", events.issue_comment(stage.repo, twin, signed))
    assert ran.outputs["verdict"] == "pass"
    assert stage.states == ["pending"]
    assert "#31 has the same head" in (stage.repo.statuses[0].description or "")
    assert "#31 has the same head" in ran.log
    stage.pull.comments[1].body = signed_form()
    stage.run("issue_comment", commented(stage))
    assert stage.states == ["pending", "success"]


def test_what_the_pack_does_not_cover_is_a_success_without_comment(stage: Stage) -> None:
    stage.repo.put(
        ".github/signoff.yml",
        "name: docs-only\nextends: default\napplies_when: {paths: [/docs/]}\n",
    )
    ran = on(stage, "opened")
    assert (ran.status, ran.outputs["verdict"]) == (0, "pass")
    assert (stage.heads, stage.states) == ([], ["success"])
    assert stage.repo.statuses[0].description == (
        "No sign-off needed: the rule pack applies to changes of /docs/ only"
    )
    assert len(stage.pull.comments) == 2
