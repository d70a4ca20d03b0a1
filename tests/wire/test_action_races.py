"""What happens between reading and writing, and what others do to our comments: the end is true."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from action import events
from support.wire_default import FORK, REPO
from support.wire_grown import GROWN_RULES, grown_default
from support.wire_inferencex import BOT, SIGNER
from support.world import Comment, CommitStatus, Edit, Push, World, sha, user
from wire.command import InProcess
from wire.loopback.meter import Seen
from wire.loopback.server import Loopback
from wire.workflow import CONTEXT, Ran, Stage, commented

from signoff_bot.reading.marker import verdict_marker

STRANGER = user("marlow-quist")
COMMENTS = f"/repos/{REPO}/issues/31/comments"


def sign(stage: Stage, **inputs: str) -> Ran:
    return stage.run("issue_comment", commented(stage), **inputs)


def once(stage: Stage, when: str, do: Any, nth: int = 1) -> None:
    """Does something right before the nth request of that method and path is answered."""
    met: list[Seen] = []

    def look(seen: Seen) -> None:
        if f"{seen.method} {seen.path}".startswith(when):
            met.append(seen)
            if len(met) == nth:
                do()

    stage.github.watch(look)


def push(stage: Stage) -> None:
    """A new head, younger than the sign-off, on which nothing ran yet."""
    head = sha("pushed")
    stage.pull.commits.append(replace(stage.pull.commits[-1], sha=head))
    fork = stage.world.repositories[FORK]
    fork.activity.insert(
        0,
        Push("refs/heads/hammer", stage.pull.head_sha, head, "2026-06-25T11:00:00Z", SIGNER),
    )
    fork.branches["hammer"] = stage.pull.head_sha = head


@pytest.mark.parametrize(
    "when", [f"GET {COMMENTS}", f"POST {COMMENTS}", f"GET /repos/{REPO}/commits/"]
)
def test_a_push_between_reading_and_writing_is_judged_anew(stage: Stage, when: str) -> None:
    once(stage, when, lambda: push(stage))
    ran = sign(stage)
    assert (ran.status, ran.outputs["verdict"]) == (0, "fail")
    by_head = {status.sha: status.state for status in stage.repo.statuses}
    assert by_head == {sha("pushed"): "failure"}
    current = [c for c in stage.ours if sha("pushed") in c.body and c.minimized is None]
    assert [c.body.split("**")[1] for c in current] == ["FAIL"]


def test_a_pull_request_that_never_stands_still_is_given_up(stage: Stage) -> None:
    heads = iter(range(100))

    def look(seen: Seen) -> None:
        if seen.path.endswith("/issues/31/comments") and seen.method == "GET":
            stage.pull.head_sha = sha(f"push {next(heads)}")
            stage.pull.commits[-1] = replace(stage.pull.commits[-1], sha=stage.pull.head_sha)

    stage.github.watch(look)
    ran = sign(stage)
    assert ran.status == 3
    assert "nothing is claimed" in ran.log
    assert not stage.states


def test_a_signoff_that_is_deleted_while_it_is_judged_passes_nothing(stage: Stage) -> None:
    payload = commented(stage)

    def delete() -> None:
        stage.pull.comments[:] = [c for c in stage.pull.comments if c.author != SIGNER]

    once(stage, f"POST {COMMENTS}", delete)
    ran = stage.run("issue_comment", payload)
    assert ran.outputs["verdict"] == "pending"
    assert (stage.heads, stage.states) == (["WITHDRAWN"], ["pending"])


def test_events_at_once_end_with_one_comment(stage: Stage) -> None:
    """Another run posts the same while this one is about to."""

    def other_posts() -> None:
        marker = verdict_marker(CONTEXT, stage.pull.head_sha, f"issuecomment-{stage.signed.id}")
        body = f"{marker}\nby the other run"
        stage.pull.comments.append(Comment(4_790_000_000, BOT, body, stage.world.now))

    once(stage, f"POST {COMMENTS}", other_posts)
    sign(stage)
    assert stage.heads == ["PASS"]
    assert stage.ours[0].id == 4_790_000_000
    assert stage.repo.statuses[-1].target_url is not None
    assert stage.repo.statuses[-1].target_url.endswith("#issuecomment-4790000000")


def test_the_run_that_read_first_does_not_overwrite_the_one_that_read_later(
    stage: Stage,
) -> None:
    """The evidence arrives while this run judges without it, and another run sees it first."""
    stage.repo.check_runs[0].conclusion = "failure"
    stage.repo.runs[0].jobs[0].conclusion = "failure"

    def other_run() -> None:
        stage.repo.check_runs[0].conclusion = "success"
        stage.repo.runs[0].jobs[0].conclusion = "success"
        stage.repo.statuses.append(
            CommitStatus(
                *(stage.pull.head_sha, "success", CONTEXT, "5 checks pass", None, BOT),
                created_at=stage.world.now,
                id=stage.world.new_id(),
            )
        )

    once(stage, f"GET /repos/{REPO}/commits/{stage.pull.head_sha}/statuses", other_run)
    ran = sign(stage)
    assert ran.outputs["verdict"] == "pass"
    assert "another run has judged this head meanwhile" in ran.log
    assert "failure" not in stage.states
    assert (stage.heads, stage.states[-1]) == (["PASS"], "success")


def test_a_verdict_on_a_signoff_that_this_run_has_not_seen_is_left_alone(stage: Stage) -> None:
    """Another run answers a sign-off that came after this one had read the conversation."""
    marker = verdict_marker(CONTEXT, stage.pull.head_sha, "issuecomment-4780000099")
    later = Comment(4_790_000_001, BOT, f"{marker}\n### **FAIL**", "2026-06-25T12:00:01Z")

    once(stage, f"GET {COMMENTS}", lambda: stage.pull.comments.append(later), nth=2)
    sign(stage)
    stage.github.watchers.clear()
    assert later.body == f"{marker}\n### **FAIL**"
    stage.world.now = "2026-06-25T12:01:00Z"
    sign(stage)
    assert "WITHDRAWN" in later.body


def test_a_rerun_of_an_old_event_changes_nothing(stage: Stage) -> None:
    payload = commented(stage)
    stage.run("issue_comment", payload)
    push(stage)
    stage.run("pull_request_target", events.pull_request(stage.repo, stage.pull, "synchronize"))
    before = (stage.heads, stage.states)
    stage.run("issue_comment", payload)
    assert (stage.heads, stage.states) == before


@pytest.mark.parametrize("impostor", [STRANGER, user("helper[bot]"), None])
def test_an_outsider_with_our_marker_and_a_pass_of_their_own_achieves_nothing(
    stage: Stage, impostor: Any
) -> None:
    anchor = f"issuecomment-{stage.signed.id}"
    forged = f"{verdict_marker(CONTEXT, stage.pull.head_sha, anchor)}\n### **PASS**"
    stage.pull.comments.insert(0, Comment(9, impostor, forged, association="NONE"))
    status = CommitStatus(stage.pull.head_sha, "success", CONTEXT, "well", None, STRANGER, id=1)
    stage.repo.statuses.append(status)
    stage.repo.check_runs[0].conclusion = stage.repo.runs[0].jobs[0].conclusion = "failure"
    signed = next(c for c in stage.pull.comments if c.author == SIGNER)
    ran = stage.run("issue_comment", commented(stage, signed))
    assert ran.outputs["verdict"] == "fail"
    theirs, ours = stage.ours
    assert (theirs.body, theirs.edits, theirs.minimized) == (forged, [], None)
    assert (ours.author, stage.heads[1]) == (BOT, "FAIL")
    newest = stage.repo.statuses[-1]
    assert (newest.state, newest.creator) == ("failure", BOT)


def test_our_comment_deleted_by_hand_comes_back(stage: Stage) -> None:
    sign(stage)
    (ours,) = stage.ours
    stage.pull.comments.remove(ours)
    ran = stage.run("issue_comment", commented(stage, ours, action="deleted", sender=STRANGER))
    assert ran.status == 0
    assert stage.heads == ["PASS"]
    newest = stage.repo.statuses[-1]
    assert newest.target_url is not None
    assert newest.target_url.endswith(f"#issuecomment-{stage.ours[0].id}")


@pytest.mark.parametrize("rest", ["", "\nAll is well.\n### **FAIL**"])
def test_our_comment_edited_by_hand_is_put_right(stage: Stage, rest: str) -> None:
    sign(stage)
    (ours,) = stage.ours
    before = ours.body
    ours.body = before.split("\n")[0] + rest
    ours.edits.append(Edit(stage.world.now, STRANGER))
    stage.run(
        "issue_comment",
        commented(stage, ours, action="edited", before=before, sender=STRANGER),
    )
    assert ours.body == before
    assert stage.states == ["success"]


def test_a_comment_whose_marker_was_edited_away_is_left_and_another_posted(stage: Stage) -> None:
    sign(stage)
    (ours,) = stage.ours
    before = ours.body
    ours.body = "Nothing to see."
    stage.run(
        "issue_comment",
        commented(stage, ours, action="edited", before=before, sender=STRANGER),
    )
    assert ours.body == "Nothing to see."
    assert stage.heads == ["PASS"]


def test_three_runs_at_once_end_with_one_comment_and_a_true_status(stage: Stage) -> None:
    payloads = [
        ("issue_comment", commented(stage)),
        ("pull_request_target", events.pull_request(stage.repo, stage.pull, "synchronize")),
        ("workflow_run", events.workflow_run(stage.repo, stage.pull, stage.repo.runs[0])),
    ]
    gate = threading.Barrier(len(payloads))
    results: list[int] = []

    def run(name: str, payload: dict[str, Any]) -> None:
        gate.wait()
        results.append(stage.run_installed(name, payload).status)

    threads = [threading.Thread(target=run, args=pair) for pair in payloads]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [0, 0, 0]
    assert stage.heads == ["PASS"]
    assert set(stage.states) == {"success"}


def test_a_command_that_is_taken_back_while_it_is_judged_clears_nothing(
    serve: Callable[[World], Loopback], command: InProcess, tmp_path: Path
) -> None:
    stage = Stage(serve(grown_default()), command, tmp_path)
    stage.repo.put(".github/signoff.yml", GROWN_RULES)
    assert sign(stage, post_comment="false", set_status="false").outputs["verdict"] == "pass"
    (given,) = (c for c in stage.pull.comments if c.body.startswith("/signoff-ack"))
    once(stage, f"GET {COMMENTS}", lambda: stage.pull.comments.remove(given), nth=2)
    sign(stage)
    assert stage.states == ["failure"]
