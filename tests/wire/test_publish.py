"""The publisher against a served GitHub: one comment, one status, nothing claimed for a move."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from support import build
from support.verdicts import check, signoff, verdict
from support.world import Comment, PullRequest, Repository, Review, Token, World, sha, user
from wire.loopback.faults import Kind
from wire.loopback.server import Loopback

from signoff_bot.evidence.conversation import SignoffRef
from signoff_bot.evidence.model import Evidence
from signoff_bot.evidence.secrets import without_secrets
from signoff_bot.github.client import GitHubClient, connect
from signoff_bot.github.failures import GitHubFailure
from signoff_bot.github.plan import CommentPlan, Plan, StatusPlan, plan
from signoff_bot.github.publish import NotPublished, Published, publish
from signoff_bot.github.recheck import Moved
from signoff_bot.github.retry import Patience
from signoff_bot.packs.model import Publication
from signoff_bot.render.comment import marker, render_comment
from signoff_bot.render.words import status_description
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


def planned(found: Verdict, **publication: bool) -> Plan:
    comment = CommentPlan(marker(found, CONTEXT), render_comment(found, facts(), CONTEXT))
    settings = Publication(context=CONTEXT, **publication)
    return plan(found, settings, comment=comment, description=status_description(found))


class Scene:
    """A pull request on a served GitHub, and publishers."""

    def __init__(self, serve: Serve) -> None:
        world, self.pull = served_world()
        self.github = serve(world)
        repository = world.repository(REPO)
        assert repository is not None
        self.repository = repository

    @contextmanager
    def client(self) -> Iterator[GitHubClient]:
        patience = Patience(tries=2, first_delay=0.0)
        with connect(self.github.url, TOKEN, patience=patience) as client:
            yield client

    def post(self, what: Verdict | Plan, signed: SignoffRef | None = None) -> Published:
        signed = signed or SignoffRef(kind="comment", id=SIGNED)
        with self.client() as client:
            todo = what if isinstance(what, Plan) else planned(what)
            return publish(client, facts(), signed, todo)

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
    assert comment.body == render_comment(judged(outcome), facts(), CONTEXT)
    assert (status.sha, status.context, status.state) == (HEAD, CONTEXT, state)
    assert status.target_url == published.comment_url
    assert status.target_url is not None
    assert status.target_url.endswith(f"#issuecomment-{comment.id}")
    assert published.warning is None


@pytest.mark.parametrize("outcome", ["pending", "error"])
def test_what_decided_nothing_sets_its_status_and_posts_nothing(scene: Scene, outcome: str) -> None:
    assert scene.post(judged(outcome)) == Published(None, None)
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
    body = render_comment(judged(), facts(), CONTEXT).replace("\n", "\r\n").strip()
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
            scene.pull.comments.append(Comment(4_700_000_000, BOT, other))

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
    with scene.client() as client:
        publish(client, saved, SignoffRef(kind="comment", id=SIGNED), planned(judged()))
    assert scene.states == ["success"]


def test_a_dismissed_review_is_no_signoff_any_more(scene: Scene) -> None:
    review = SignoffRef(kind="review", id=SIGNED + 1)
    scene.post(judged(), review)
    scene.pull.reviews[0].state = "DISMISSED"
    scene.github.forget()
    with pytest.raises(Moved, match="review"):
        scene.post(judged("fail"), review)
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
    scene.github.fail("graphql errors", "POST /graphql")
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


def test_a_pack_can_switch_the_comment_or_the_status_off(scene: Scene) -> None:
    scene.post(planned(judged(), comment=False))
    assert (scene.comments, scene.states) == ([], ["success"])
    scene.post(planned(judged("fail"), status=False))
    assert (len(scene.comments), scene.states) == (1, ["success"])


def test_without_a_status_a_failed_comment_is_an_error(scene: Scene) -> None:
    scene.github.fail("403", COMMENTS)
    with pytest.raises(NotPublished, match="comment could not be written"):
        scene.post(planned(judged(), status=False))


def test_the_plan_is_made_without_asking_anybody() -> None:
    assert planned(judged("fail", checks=(check(1, "fail", title="sweep"),))) == Plan(
        CommentPlan(
            f"<!-- {CONTEXT} sha={HEAD} signoff=issuecomment-{SIGNED} -->",
            render_comment(
                judged("fail", checks=(check(1, "fail", title="sweep"),)), facts(), CONTEXT
            ),
        ),
        StatusPlan(CONTEXT, "failure", "Not ready to merge: check 1 (sweep) fails"),
    )
