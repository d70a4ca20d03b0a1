"""The publisher against a served GitHub: one comment, one status, nothing claimed for a move."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from support import build
from support.verdicts import signoff
from support.world import Comment, sha, user
from wire.loopback.faults import Fault, Kind
from wire.publishing import (
    BASE,
    BOT,
    COMMENTS,
    CONTEXT,
    HEAD,
    REPO,
    SIGNED,
    SIGNER,
    STATUSES,
    Scene,
    body_of,
    facts,
    judged,
    judgement,
    rules,
)

from signoff_bot.evidence.secrets import without_secrets
from signoff_bot.github.failures import GitHubFailure
from signoff_bot.github.recheck import Moved
from signoff_bot.github.status import NotPublished
from signoff_bot.posting import Published
from signoff_bot.render.comment import marker


@pytest.mark.parametrize(("outcome", "state"), [("pass", "success"), ("fail", "failure")])
def test_the_status_links_to_the_comment(scene: Scene, outcome: str, state: str) -> None:
    published = scene.post(judged(outcome))
    (comment,) = scene.comments
    (status,) = scene.repository.statuses
    assert comment.body == body_of(judged(outcome))
    assert (status.sha, status.context, status.state) == (HEAD, CONTEXT, state)
    assert status.target_url == published.comment_url
    assert status.target_url is not None
    assert status.target_url.endswith(f"#issuecomment-{comment.id}")
    assert published.warning is None


@pytest.mark.parametrize("outcome", ["pending", "error"])
def test_what_decided_nothing_sets_its_status_and_posts_nothing(scene: Scene, outcome: str) -> None:
    assert scene.post(judged(outcome, signoff=None)) == Published()
    assert scene.states == [outcome]
    assert not scene.comments
    assert scene.repository.statuses[0].target_url is None


def test_publishing_the_same_again_writes_nothing(scene: Scene) -> None:
    first = scene.post(judged())
    scene.github.forget()
    assert scene.post(judged()) == first
    assert not scene.writes


def test_another_verdict_edits_the_comment_and_adds_a_status(scene: Scene) -> None:
    scene.post(judged("fail"))
    scene.post(judged("pass"))
    (comment,) = scene.comments
    assert "**PASS**" in comment.body
    assert len(comment.edits) == 1
    assert scene.states == ["failure", "success"]


def test_another_signoff_and_another_head_get_comments_of_their_own(scene: Scene) -> None:
    scene.post(judged())
    scene.post(judged(signoff=signoff(kind="review", id=SIGNED + 1)))
    assert len({comment.body.splitlines()[0] for comment in scene.comments}) == 2


@pytest.mark.parametrize("author", [SIGNER, user("helper[bot]"), None], ids=["user", "app", "gone"])
def test_a_marker_by_anybody_else_is_not_ours(scene: Scene, author: object) -> None:
    forged = f"{marker(judged(), CONTEXT)}\n**PASS**"
    scene.pull.comments.insert(0, Comment(5, author, forged))  # type: ignore[arg-type]
    scene.post(judged("fail"))
    theirs, ours = scene.comments
    assert (theirs.body, theirs.edits) == (forged, [])
    assert ours.author == BOT


def test_our_comment_that_only_quotes_the_marker_is_not_taken(scene: Scene) -> None:
    scene.pull.comments.append(Comment(5, BOT, f"> {marker(judged(), CONTEXT)}\n"))
    scene.pull.comments.append(Comment(6, BOT, f"Hello\n{marker(judged(), CONTEXT)}"))
    scene.post(judged())
    assert len(scene.comments) == 1
    assert scene.comments[0].id not in (5, 6)


def test_line_ends_that_github_changed_are_no_difference(scene: Scene) -> None:
    body = body_of(judged()).replace("\n", "\r\n").strip()
    scene.pull.comments.append(Comment(5, BOT, body))
    scene.post(judged())
    assert [comment.id for comment in scene.comments] == [5]
    assert not scene.comments[0].edits


def test_doubles_are_healed_and_the_oldest_stays(scene: Scene) -> None:
    first = f"{marker(judged(), CONTEXT)}\nold"
    for number in (9, 5, 7):
        scene.pull.comments.append(Comment(number, BOT, first))
    scene.post(judged())
    assert [comment.id for comment in scene.comments] == [5]
    assert "**PASS**" in scene.comments[0].body


def test_runs_at_once_end_with_one_comment(scene: Scene) -> None:
    gate = threading.Barrier(4)

    def one() -> None:
        gate.wait()
        scene.post(judged("fail"))

    runs = [threading.Thread(target=one) for _ in range(4)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    assert len(scene.comments) == 1
    assert set(scene.states) == {"failure"}


def test_a_run_that_loses_the_race_takes_its_comment_back(scene: Scene) -> None:
    other = f"{marker(judged(), CONTEXT)}\nby the other run"

    def race(seen: object) -> None:
        if getattr(seen, "key", "").startswith(COMMENTS) and not scene.comments:
            scene.pull.comments.append(Comment(4_700_000_000, BOT, other, build.NOW))

    scene.github.watch(race)
    published = scene.post(judged())
    (comment,) = scene.comments
    assert comment.id == 4_700_000_000
    assert "**PASS**" in comment.body
    assert published.comment_url is not None
    assert published.comment_url.endswith("#issuecomment-4700000000")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"head_sha": sha("pushed")}, "the head moved"),
        ({"base_sha": sha("main moved")}, "the base moved"),
        ({"base_ref": "release"}, "the base branch moved"),
        ({"comments": []}, "was deleted"),
        ({"comments": [Comment(SIGNED, SIGNER, "Not reviewed")]}, "was changed"),
        ({"comments": [Comment(SIGNED, BOT, "I have reviewed this")]}, "was changed"),
        ({"comments": [Comment(SIGNED, None, "I have reviewed this")]}, "was changed"),
    ],
)
@pytest.mark.parametrize("outcome", ["pass", "error"])
def test_nothing_is_written_when_something_moved(
    scene: Scene, change: dict[str, object], says: str, outcome: str
) -> None:
    for name, value in change.items():
        setattr(scene.pull, name, value)
    scene.repository.branches["release"] = BASE
    with pytest.raises(Moved, match=says) as moved:
        scene.post(judged(outcome))
    assert moved.value.exit_status == 3
    assert "run verify again" in str(moved.value)
    assert not scene.writes


def test_a_token_in_the_signoff_is_no_change(scene: Scene) -> None:
    text = "I have reviewed this"
    scene.pull.comments[0].body = f"{text} ghp_{'a1' * 18}"
    saved = without_secrets(facts(f"{text} ghp_{'a1' * 18}"), [])
    scene.post(judgement(judged(), saved))
    assert scene.states == ["success"]


def test_a_dismissed_review_is_no_signoff_any_more(scene: Scene) -> None:
    by_review = signoff(kind="review", id=SIGNED + 1)
    scene.post(judged(signoff=by_review))
    scene.pull.reviews[0].state = "DISMISSED"
    scene.github.forget()
    with pytest.raises(Moved, match="review"):
        scene.post(judged("fail", signoff=by_review))
    assert not scene.writes


def test_a_push_between_comment_and_status_claims_nothing_for_it(scene: Scene) -> None:
    def push(seen: object) -> None:
        if getattr(seen, "key", "").startswith(COMMENTS):
            scene.pull.head_sha = sha("pushed")

    scene.github.watch(push)
    with pytest.raises(Moved, match="the head moved"):
        scene.post(judged())
    assert not scene.states


_NOT_WRITTEN = [
    ("403", "the token needs the permission"),
    ("404", "the token needs the permission"),
    ("500", "try again later"),
    ("dropped", "try again later"),
]
"""Faults of a write, and the one advice that fits each."""


def _assert_advice(message: str, advice: str, permission: str) -> None:
    assert message.count(advice) == 1
    assert (permission in message) == ("permission" in advice)
    assert ("try again" in message) == ("try again" in advice)


@pytest.mark.parametrize(("kind", "advice"), _NOT_WRITTEN)
def test_a_failed_comment_leaves_the_status_true_and_without_link(
    scene: Scene, kind: Kind, advice: str
) -> None:
    scene.github.fail(kind, COMMENTS)
    published = scene.post(judged())
    assert published.comment_url is None
    assert published.warning is not None
    _assert_advice(published.warning, advice, "pull-requests: write")
    assert scene.states == ["success"]
    assert scene.repository.statuses[0].target_url is None
    assert sum(write.startswith(COMMENTS) for write in scene.writes) == 1


@pytest.mark.parametrize("kind", ["cut off", "answer lost"])
def test_a_comment_that_arrived_without_an_answer_is_found_again(scene: Scene, kind: Kind) -> None:
    scene.github.fail(kind, COMMENTS)
    published = scene.post(judged())
    assert published.warning is None
    assert len(scene.comments) == 1
    assert sum(write.startswith(COMMENTS) for write in scene.writes) == 1


def test_who_we_are_must_be_known_to_touch_comments(scene: Scene) -> None:
    scene.github.faults.append(Fault("graphql errors", lambda seen: "viewer" in seen.key))
    published = scene.post(judged())
    assert published.warning is not None
    assert not scene.comments
    assert scene.states == ["success"]


@pytest.mark.parametrize(("kind", "advice"), _NOT_WRITTEN)
def test_a_failed_status_is_an_error_that_says_what_to_do(
    scene: Scene, kind: Kind, advice: str
) -> None:
    scene.github.fail(kind, STATUSES)
    with pytest.raises(NotPublished) as failed:
        scene.post(judged())
    _assert_advice(str(failed.value), advice, "statuses: write")
    assert failed.value.exit_status == 3
    assert CONTEXT in str(failed.value)
    assert sum(write.startswith(STATUSES) for write in scene.writes) == 1


@pytest.mark.parametrize("kind", ["500", "wrong type", "null", "html", "dropped"])
def test_what_cannot_be_read_again_is_not_claimed(scene: Scene, kind: Kind) -> None:
    scene.github.fail(kind, f"GET /repos/{REPO}/pulls/7")
    with pytest.raises(GitHubFailure):
        scene.post(judged())
    assert not scene.writes


def test_an_unreadable_list_of_statuses_does_no_harm(scene: Scene) -> None:
    scene.post(judged())
    scene.github.fail("wrong type", f"GET /repos/{REPO}/commits/{HEAD}/statuses")
    scene.post(judged())
    assert scene.states == ["success", "success"]


def test_a_status_of_our_name_by_another_is_overruled(scene: Scene) -> None:
    scene.post(judged("fail"))
    ours = scene.repository.statuses[0]
    forged = replace(ours, state="success", creator=SIGNER, id=ours.id + 1)
    scene.repository.statuses.append(forged)
    scene.post(judged("fail"))
    newest = scene.repository.statuses[-1]
    assert (newest.state, newest.creator) == ("failure", BOT)


def test_a_pack_or_a_wish_can_switch_the_comment_or_the_status_off(scene: Scene) -> None:
    without_comment = replace(judgement(judged()), rules=rules(comment=False))
    for told, wishes in ((without_comment, {}), (judged(), {"comment": False})):
        scene.post(told, **wishes)
        assert (scene.comments, scene.states) == ([], ["success"])
    without_status = replace(judgement(judged("fail")), rules=rules(status=False))
    for told, wishes in ((without_status, {}), (judged("fail"), {"status": False})):
        scene.post(told, **wishes)
        assert (len(scene.comments), scene.states) == (1, ["success"])


def test_without_a_status_a_failed_comment_is_an_error(scene: Scene) -> None:
    scene.github.fail("403", COMMENTS)
    with pytest.raises(NotPublished, match="comment could not be written"):
        scene.post(judged(), status=False)
