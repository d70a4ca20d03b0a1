"""A status belongs to a commit: no success unless every open pull request with it passes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.world import PullRequest, sha
from wire.loopback.faults import Fault, Kind
from wire.publishing import (
    BASE,
    HEAD,
    SIGNER,
    Scene,
    heads,
    judged,
)

from signoff_bot.github.failures import GitHubFailure
from signoff_bot.github.status import NotPublished, Overtaken
from signoff_bot.verdict import Verdict


def second_pull(scene: Scene, **fields: object) -> None:
    """Another pull request with the same head, onto a branch of its author's choice."""
    twin = PullRequest(8, "Same", SIGNER, HEAD, "hammer", "bram-ito/anvil", "theirs", BASE)
    scene.repository.pulls[8] = replace(twin, **fields)


@pytest.mark.parametrize(
    ("other", "state"),
    [
        (judged("fail", pr=8), "failure"),
        (judged("pending", pr=8, signoff=None), "pending"),
        (judged("error", pr=8), "error"),
        (NotPublished("its rules are broken"), "error"),
    ],
)
@pytest.mark.parametrize("draft", [False, True])
def test_no_success_unless_every_open_pull_request_of_the_head_passes(
    scene: Scene, other: Verdict | Exception, state: str, draft: bool
) -> None:
    second_pull(scene, draft=draft)
    scene.others[8] = other
    published = scene.post(judged())
    assert scene.states == [state]
    assert published.held_back is not None
    assert "#8 has the same head" in published.held_back
    assert scene.repository.statuses[0].description in (
        published.held_back,
        published.held_back[:139] + "…",
    )
    assert heads(scene) == ["PASS"]


def test_a_twin_is_found_among_hundreds_of_open_pull_requests(scene: Scene) -> None:
    second_pull(scene)
    twin = scene.repository.pulls.pop(8)
    for number in range(100, 350):
        scene.repository.pulls[number] = replace(twin, number=number, head_sha=sha(str(number)))
    scene.repository.pulls[349].head_sha = HEAD
    scene.others[349] = judged("fail", pr=349)
    scene.post(judged())
    assert scene.states == ["failure"]
    assert "#349 has the same head" in (scene.repository.statuses[0].description or "")


@pytest.mark.parametrize("how", ["passes", "closed", "another head"])
def test_other_pull_requests_are_no_hindrance(scene: Scene, how: str) -> None:
    state = "closed" if how == "closed" else "open"
    second_pull(scene, state=state, head_sha=sha("x") if how == "another head" else HEAD)
    scene.others[8] = judged(pr=8)
    assert scene.post(judged()).held_back is None
    assert scene.states == ["success"]


@pytest.mark.parametrize("kind", ["graphql errors", "wrong type", "500"])
def test_unless_all_open_pull_requests_are_known_nothing_is_claimed(
    scene: Scene, kind: Kind
) -> None:
    scene.github.faults.append(Fault(kind, lambda seen: "pullRequests" in seen.key))
    with pytest.raises(GitHubFailure):
        scene.post(judged())
    assert not scene.states


def test_a_run_that_another_one_overtook_gives_way(scene: Scene) -> None:
    """The other wrote after this one began to read, and found something else."""
    scene.post(judged("fail"))
    scene.repository.statuses[-1].created_at = "2026-06-25T12:00:01Z"
    with pytest.raises(Overtaken):
        scene.post(judged(), yields=True)
    assert scene.states == ["failure"]
    scene.post(judged("fail"), yields=True)
    scene.post(judged())
    assert scene.states == ["failure", "success"]


def test_an_earlier_run_is_overwritten(scene: Scene) -> None:
    scene.post(judged("fail"))
    scene.repository.statuses[-1].created_at = "2026-06-25T11:59:59Z"
    scene.post(judged(), yields=True)
    assert scene.states == ["failure", "success"]
