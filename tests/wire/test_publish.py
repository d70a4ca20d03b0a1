"""The publisher against a served GitHub: one comment, one status, nothing claimed for a move."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest
from support import build
from support.posting import Told
from support.verdicts import signoff, verdict
from support.world import Comment, PullRequest, Repository, Review, Token, World, sha, user
from wire.loopback.faults import Fault, Kind
from wire.loopback.server import Loopback

from signoff_bot.evidence.conversation import SignoffRef
from signoff_bot.evidence.model import Evidence
from signoff_bot.evidence.secrets import without_secrets
from signoff_bot.github.client import connect
from signoff_bot.github.failures import GitHubFailure
from signoff_bot.github.recheck import Moved
from signoff_bot.github.retry import Patience
from signoff_bot.github.status import NotPublished, Overtaken
from signoff_bot.github.viewer import read_viewer
from signoff_bot.packs.load import load_named
from signoff_bot.packs.model import Publication, Rules
from signoff_bot.posting import Desk, Published, Wishes, publish
from signoff_bot.render.comment import marker
from signoff_bot.service import Judgement, comment_of
from signoff_bot.verdict import Verdict

Serve = Callable[[World], Loopback]
REPO, NUMBER, CONTEXT, TOKEN = "octo-works/anvil", 7, "signoff-bot", "ghs_token"
BOT, SIGNER = user("github-actions[bot]"), user("octavia-chen")
HEAD, BASE = sha("head"), sha("base")
SIGNED = 4_000_000_001
COMMENTS, STATUSES = f"POST /repos/{REPO}/issues/7/comments", f"POST /repos/{REPO}/statuses/"


def served_world() -> tuple[World, PullRequest]:
    pull = PullRequest(NUMBER, "Add a hammer", SIGNER, HEAD, "hammer", REPO, "main", BASE)
    pull.comments = [Comment(SIGNED, SIGNER, "I have reviewed this")]
    pull.reviews = [Review(SIGNED + 1, SIGNER, "I too", commit_sha=HEAD)]
    world = World(users={SIGNER.login: SIGNER}, tokens={TOKEN: Token(BOT, installation=True)})
    world.add(Repository(REPO, 11, branches={"main": BASE, "hammer": HEAD}, pulls={NUMBER: pull}))
    return world, pull


def facts(body: str = "I have reviewed this") -> Evidence:
    signer = build.account(SIGNER.login, id=SIGNER.id)
    comment = build.comment(body, signer, id=SIGNED)
    review = build.comment(
        "I too", signer, id=SIGNED + 1, kind="review", review_state="APPROVED", commit_sha=HEAD
    )
    return build.evidence(
        repository=build.evidence().repository.model_copy(update={"full_name": REPO}),
        pull=build.pull(number=NUMBER, head_sha=HEAD, base_sha=BASE),
        comments=(comment, review),
    )


def judged(outcome: str = "pass", **fields: object) -> Verdict:
    by = signoff(id=SIGNED, author=SIGNER.login, url=f"https://github.com/{REPO}/pull/7")
    return verdict(outcome, **{"repo": REPO, "pr": 7, "head_sha": HEAD, "signoff": by} | fields)


def rules(**publication: object) -> Rules:
    return replace(load_named("default"), publish=Publication(context=CONTEXT, **publication))


def judgement(found: Verdict, evidence: Evidence | None = None, **others: Verdict) -> Told:
    return Told(evidence or facts(), rules(), found, others)


def body_of(found: Verdict) -> str:
    return comment_of(judgement(found))


class Scene:
    """A pull request on a served GitHub, and publishers."""

    def __init__(self, serve: Serve) -> None:
        world, self.pull = served_world()
        self.github = serve(world)
        repository = world.repository(REPO)
        assert repository is not None
        self.repository = repository
        self.us: frozenset[int] = frozenset()
        self.others: dict[int, Verdict | Exception] = {}

    def post(
        self, what: Verdict | Judgement, signed: SignoffRef | None = None, **wishes: object
    ) -> Published:
        """Publishes as if the whole pull request were judged so, asked about its sign-off."""
        told = what if isinstance(what, Judgement) else judgement(what)
        patience = Patience(tries=2, first_delay=0.0)
        with connect(self.github.url, TOKEN, patience=patience) as client:
            desk = Desk(client, lambda: self.us | {read_viewer(client)}, self.siblings)
            return publish(desk, told, Wishes(**{"asked": signed or told.signoff, **wishes}))

    def siblings(self, number: int) -> Judgement:
        """The judgement of another pull request."""
        found = self.others[number]
        if isinstance(found, Exception):
            raise found
        return judgement(found)

    @property
    def comments(self) -> list[Comment]:
        return [comment for comment in self.pull.comments if comment.body.startswith("<!--")]

    @property
    def states(self) -> list[str]:
        return [status.state for status in self.repository.statuses]

    @property
    def writes(self) -> list[str]:
        found = [seen for seen in self.github.seen if seen.method != "GET"]
        return [f"{seen.method} {seen.path}" for seen in found if seen.path != "/graphql"]


@pytest.fixture
def scene(serve: Serve) -> Scene:
    return Scene(serve)


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


@pytest.mark.parametrize("kind", ["403", "404", "500", "dropped"])
def test_a_failed_comment_leaves_the_status_true_and_without_link(scene: Scene, kind: Kind) -> None:
    scene.github.fail(kind, COMMENTS)
    published = scene.post(judged())
    assert published.comment_url is None
    assert published.warning is not None
    assert "pull-requests: write" in published.warning
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


@pytest.mark.parametrize("kind", ["403", "404", "500", "dropped"])
def test_a_failed_status_is_an_error_that_names_the_permission(scene: Scene, kind: Kind) -> None:
    scene.github.fail(kind, STATUSES)
    with pytest.raises(NotPublished, match="statuses: write") as failed:
        scene.post(judged())
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


OTHER = "pullrequestreview-4000000002"
REVIEW = SignoffRef(kind="review", id=SIGNED + 1)


def by_review(outcome: str, **fields: object) -> Verdict:
    return judged(outcome, signoff=signoff(kind="review", id=SIGNED + 1, **fields))


def heads(scene: Scene) -> list[str]:
    """What our comments say, oldest first."""
    return [comment.body.split("**")[1] for comment in scene.comments]


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
