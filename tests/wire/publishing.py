"""A served pull request, and judgements of it to be published."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from support import build
from support.posting import Told
from support.verdicts import signoff, verdict
from support.world import Comment, PullRequest, Repository, Review, Token, World, sha, user
from wire.loopback.server import Loopback

from signoff_bot.evidence.conversation import SignoffRef
from signoff_bot.evidence.model import Evidence
from signoff_bot.github.client import connect
from signoff_bot.github.retry import Patience
from signoff_bot.github.viewer import read_viewer
from signoff_bot.packs.load import load_named
from signoff_bot.packs.model import Publication, Rules
from signoff_bot.posting import Desk, Published, Wishes, publish
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
    return Told(evidence or facts(), rules(), found, others=others)


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


def heads(scene: Scene) -> list[str]:
    """What our comments say, oldest first."""
    return [comment.body.split("**")[1] for comment in scene.comments]
