"""Which comments are written, kept true, withdrawn and folded away."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.posting import Told
from support.verdicts import signoff
from support.world import Comment, sha, user
from wire.loopback.faults import Fault
from wire.publishing import (
    BOT,
    CONTEXT,
    HEAD,
    SIGNED,
    Scene,
    body_of,
    facts,
    heads,
    judged,
    judgement,
)

from signoff_bot.evidence.conversation import SignoffRef
from signoff_bot.posting import Published
from signoff_bot.render.comment import marker
from signoff_bot.service import Judgement
from signoff_bot.verdict import Verdict

OTHER = "pullrequestreview-4000000002"
REVIEW = SignoffRef(kind="review", id=SIGNED + 1)


def by_review(outcome: str, **fields: object) -> Verdict:
    return judged(outcome, signoff=signoff(kind="review", id=SIGNED + 1, **fields))


def test_an_outsiders_failing_signoff_is_answered_and_turns_nothing_red(scene: Scene) -> None:
    scene.post(judged())
    told = judgement(judged(), **{OTHER: by_review("fail")})
    published = scene.post(told, REVIEW)
    assert heads(scene) == ["PASS", "FAIL"]
    assert scene.states == ["success"]
    assert published.comment_url is not None
    assert published.comment_url.endswith(f"-{scene.comments[0].id}")


def test_the_deciding_signoff_is_answered_beside_the_one_asked_about(scene: Scene) -> None:
    scene.post(judgement(judged(), **{OTHER: by_review("fail")}), REVIEW)
    assert sorted(heads(scene)) == ["FAIL", "PASS"]


@pytest.mark.parametrize("asked", [None, REVIEW])
def test_a_signoff_that_decides_nothing_and_was_not_asked_about_gets_no_answer(
    scene: Scene, asked: SignoffRef | None
) -> None:
    told = judgement(judged("fail"), **{OTHER: by_review("error")})
    scene.post(told, asked)
    assert heads(scene) == ["FAIL"]


def pushed(scene: Scene, found: Verdict, name: str = "pushed") -> Told:
    """The judgement of a new head."""
    scene.pull.head_sha = scene.repository.branches["hammer"] = sha(name)
    at_head = facts().pull.model_copy(update={"head_sha": sha(name)})
    evidence = facts().model_copy(update={"pull": at_head})
    return judgement(found.model_copy(update={"head_sha": sha(name)}), evidence)


def quietly(scene: Scene, told: Verdict | Judgement) -> Published:
    """As an event that asks about no sign-off."""
    return scene.post(told, asked=None)


def test_a_push_that_changes_no_verdict_sets_the_status_alone(scene: Scene) -> None:
    scene.post(judged())
    published = quietly(scene, pushed(scene, judged()))
    assert heads(scene) == ["PASS"]
    assert [(status.sha, status.state) for status in scene.repository.statuses] == [
        (HEAD, "success"),
        (sha("pushed"), "success"),
    ]
    assert published.comment_url is not None
    assert published.comment_url == scene.repository.statuses[-1].target_url
    assert published.comment_url.endswith(f"-{scene.comments[0].id}")
    assert scene.comments[0].minimized is None


def test_a_push_that_changes_the_verdict_is_told_and_folds_the_older_comments(
    scene: Scene,
) -> None:
    scene.post(judgement(judged(), **{OTHER: by_review("fail")}), REVIEW)
    told = pushed(scene, judged("fail"))
    quietly(scene, replace(told, others={OTHER: by_review("fail")}))
    assert heads(scene)[-1] == "FAIL"
    assert [comment.minimized for comment in scene.comments] == ["outdated", "outdated", None]
    scene.github.forget()
    quietly(scene, told)
    assert not any("minimizeComment(" in seen.key for seen in scene.github.seen)


def test_what_cannot_be_folded_does_no_harm(scene: Scene) -> None:
    scene.post(judged())
    scene.github.faults.append(Fault("graphql errors", lambda seen: "imize" in seen.key))
    published = scene.post(pushed(scene, judged("fail")))
    assert (published.warning, scene.states) == (None, ["success", "failure"])


def test_a_signoff_that_nobody_answered_yet_is_answered_by_any_event(scene: Scene) -> None:
    quietly(scene, judged("fail"))
    assert heads(scene) == ["FAIL"]


def test_late_evidence_keeps_the_comment_on_its_head_true(scene: Scene) -> None:
    scene.post(judged("fail"))
    quietly(scene, judged("pass"))
    assert heads(scene) == ["PASS"]
    assert scene.states == ["failure", "success"]


@pytest.mark.parametrize("outcome", ["pass", "fail"])
@pytest.mark.parametrize("push", [False, True])
def test_a_verdict_whose_signoff_is_gone_is_withdrawn(
    scene: Scene, outcome: str, push: bool
) -> None:
    scene.post(judged(outcome))
    pending = judged("pending", signoff=None)
    told = pushed(scene, pending) if push else judgement(pending)
    scene.pull.comments = [c for c in scene.pull.comments if c.author == BOT]
    quietly(scene, told)
    (comment,) = scene.comments
    assert heads(scene) == ["WITHDRAWN"]
    assert comment.body.startswith(f"{marker(judged(), CONTEXT)}\n")
    assert scene.states[-1] == "pending"
    scene.github.forget()
    quietly(scene, told)
    assert not scene.writes


def test_a_spoilt_signoff_loses_its_pass(scene: Scene) -> None:
    scene.post(judgement(by_review("pass"), **{f"issuecomment-{SIGNED}": judged()}))
    scene.post(judged())
    spoilt = by_review("fail", completed=False)
    quietly(scene, judgement(judged(), **{OTHER: spoilt}))
    assert heads(scene) == ["FAIL", "PASS"]


def near_miss(**fields: object) -> Verdict:
    return judged("fail", signoff=signoff(id=SIGNED, completed=False, **fields))


def test_a_near_miss_is_answered_once_whatever_is_pushed(scene: Scene) -> None:
    scene.post(near_miss())
    scene.post(pushed(scene, near_miss(problems=("line 1: no box is ticked",))))
    (comment,) = scene.comments
    assert f"sha={sha('pushed')}" in comment.body
    assert "no box is ticked" in comment.body
    assert comment.minimized is None


def test_an_undecided_verdict_leaves_what_was_said(scene: Scene) -> None:
    scene.post(judged())
    quietly(scene, judged("error"))
    assert heads(scene) == ["PASS"]
    assert scene.states == ["success", "error"]


def test_a_verdict_of_an_earlier_account_of_ours_is_taken_over(scene: Scene) -> None:
    old = user("former-bot[bot]")
    scene.pull.comments.append(Comment(5, old, body_of(judged("fail"))))
    scene.us = frozenset({old.id})
    scene.repository.roles[BOT.login] = "write"
    scene.post(judged())
    assert [(comment.id, comment.author) for comment in scene.comments] == [(5, old)]
    assert heads(scene) == ["PASS"]


def test_another_verifiers_marker_is_not_ours(scene: Scene) -> None:
    theirs = Comment(5, BOT, f"<!-- {CONTEXT} sha={HEAD} -->\n**Verdict: PASS**")
    scene.pull.comments.append(theirs)
    scene.post(pushed(scene, judged("fail")))
    assert (theirs.edits, theirs.minimized) == ([], None)


def test_a_signoff_that_is_none_but_needed_by_no_rule_is_a_success(scene: Scene) -> None:
    assert scene.post(judged(signoff=None)).comment_url is None
    assert (scene.comments, scene.states) == ([], ["success"])


def test_of_many_older_comments_the_newest_hundred_are_folded(scene: Scene) -> None:
    for number in range(1, 131):
        text = f"{marker(judged(head_sha=sha(str(number))), CONTEXT)}\n### **PASS**"
        scene.pull.comments.append(Comment(number, BOT, text))
    scene.post(judged())
    folded = [comment.id for comment in scene.comments if comment.minimized]
    assert folded == list(range(31, 131))
