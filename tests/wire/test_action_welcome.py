"""The welcome: once, when a pull request becomes ready, and kept up to date in place."""

from __future__ import annotations

from typing import Any

import pytest
from action import events
from support.wire_default import REPO, signed_form
from support.wire_inferencex import BOT, SIGNER
from support.world import Comment, user
from wire.workflow import CONTEXT, Ran, Stage

MARKER = f"<!-- {CONTEXT} welcome -->"


@pytest.fixture(autouse=True)
def _unsigned(stage: Stage) -> None:
    del stage.pull.comments[1]


def welcomes(stage: Stage) -> list[Comment]:
    return [comment for comment in stage.pull.comments if comment.body.startswith(MARKER)]


def pulled(stage: Stage, action: str = "opened", **inputs: str) -> Ran:
    payload = events.pull_request(stage.repo, stage.pull, action)
    return stage.run("pull_request_target", payload, **inputs)


def ran_on(stage: Stage) -> Ran:
    payload = events.workflow_run(stage.repo, stage.pull, stage.repo.runs[0])
    return stage.run("workflow_run", payload)


@pytest.mark.parametrize("action", ["opened", "reopened", "ready_for_review"])
def test_a_pull_request_that_becomes_ready_is_greeted(stage: Stage, action: str) -> None:
    ran = pulled(stage, action)
    assert (ran.status, ran.outputs["verdict"]) == (0, "pending")
    (welcome,) = welcomes(stage)
    assert welcome.author == BOT
    assert "`src/hammer.py`: `@octavia-chen`" in welcome.body
    assert "- [ ] Verified that tests cover the change." in welcome.body
    assert "[x]" not in welcome.body
    assert (stage.heads, stage.states) == ([], ["pending"])


def test_it_is_greeted_once(stage: Stage) -> None:
    for action in ("opened", "reopened", "ready_for_review", "synchronize"):
        pulled(stage, action)
    assert len(welcomes(stage)) == 1
    assert not welcomes(stage)[0].edits


def test_other_events_greet_nobody(stage: Stage) -> None:
    pulled(stage, "synchronize")
    ran_on(stage)
    stage.run("schedule", events.schedule(stage.repo))
    assert not welcomes(stage)


def test_what_was_said_is_kept_up_to_date(stage: Stage) -> None:
    stage.repo.check_runs[0].conclusion = stage.repo.runs[0].jobs[0].conclusion = "failure"
    pulled(stage)
    (welcome,) = welcomes(stage)
    assert "Evidence found" not in welcome.body
    stage.repo.check_runs[0].conclusion = stage.repo.runs[0].jobs[0].conclusion = "success"
    stage.repo.put(".github/CODEOWNERS", "* @bram-ito\n")
    ran_on(stage)
    assert [comment.id for comment in welcomes(stage)] == [welcome.id]
    assert "`src/hammer.py`: `@bram-ito`" in welcome.body
    assert "Evidence found so far" in welcome.body
    assert f"https://github.com/{REPO}/actions/runs/" in welcome.body
    stage.github.forget()
    ran_on(stage)
    assert not stage.writes


def test_a_welcome_changes_no_verdict(stage: Stage) -> None:
    (before,) = pulled(stage, "synchronize").verdicts
    pulled(stage)
    (after,) = pulled(stage, "synchronize").verdicts
    assert before == after


def test_a_signoff_makes_it_neither_go_nor_come(stage: Stage) -> None:
    pulled(stage)
    signed = Comment(4_780_000_050, SIGNER, signed_form(), created_at="2026-06-24T10:00:00Z")
    stage.pull.comments.append(signed)
    stage.run("issue_comment", events.issue_comment(stage.repo, stage.pull, signed))
    assert (stage.heads, len(welcomes(stage))) == (["PASS"], 1)
    stage.pull.comments.remove(welcomes(stage)[0])
    pulled(stage, "reopened")
    assert not welcomes(stage)


def test_doubles_are_removed_and_others_left_alone(stage: Stage) -> None:
    forged = Comment(5, user("marlow-quist"), f"{MARKER}\nSign here")
    stage.pull.comments.insert(0, forged)
    pulled(stage)
    (_, ours) = welcomes(stage)
    stage.pull.comments.append(Comment(ours.id + 9, BOT, ours.body))
    pulled(stage, "reopened")
    assert [comment.id for comment in welcomes(stage)] == [5, ours.id]
    assert forged.body == f"{MARKER}\nSign here"


@pytest.mark.parametrize(
    ("publish", "inputs"),
    [
        ("{welcome: {enabled: false}}", {}),
        ("{comment: false}", {}),
        ("{}", {"post_comment": "false"}),
    ],
)
def test_it_can_be_switched_off(stage: Stage, publish: str, inputs: dict[str, str]) -> None:
    stage.repo.put(".github/signoff.yml", f"name: quiet\nextends: default\npublish: {publish}\n")
    assert pulled(stage, **inputs).status == 0
    assert (welcomes(stage), stage.states) == ([], ["pending"])


def test_its_words_are_the_packs(stage: Stage) -> None:
    stage.repo.put(
        ".github/signoff.yml",
        "name: wordy\nextends: default\npublish:\n  welcome:\n    text: Read [this](docs/x.md).\n"
        "    languages: { 中文: 请签名。 }\n",
    )
    pulled(stage)
    body = welcomes(stage)[0].body
    assert "Read [this](docs/x.md)." in body
    assert "<summary>中文</summary>\n\n请签名。" in body


def test_where_no_signoff_is_needed_nobody_is_greeted_and_what_was_said_is_mended(
    stage: Stage,
) -> None:
    conditional = "name: c\nextends: default\napplies_when: {labels: [release]}\n"
    stage.repo.put(".github/signoff.yml", conditional)
    pulled(stage)
    assert (welcomes(stage), stage.states) == ([], ["success"])
    stage.pull.labels = ["release"]
    pulled(stage, "reopened")
    assert "needs a sign-off" in welcomes(stage)[0].body
    stage.pull.labels = []
    pulled(stage, "unlabeled")
    assert "needs no sign-off" in welcomes(stage)[0].body
    assert stage.states == ["success", "pending", "success"]


def test_a_welcome_deleted_by_hand_wakes_and_stays_away(stage: Stage) -> None:
    pulled(stage)
    (welcome,) = welcomes(stage)
    stage.pull.comments.remove(welcome)
    payload: dict[str, Any] = events.issue_comment(
        stage.repo, stage.pull, welcome, action="deleted", sender=SIGNER
    )
    assert stage.run("issue_comment", payload).outputs["verdict"] == "pending"
    assert not welcomes(stage)
