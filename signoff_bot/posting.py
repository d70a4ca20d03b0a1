"""Publishes a verdict on its pull request: comments first, then the commit status that links there.

The status speaks for the pull request over all its sign-offs; a comment speaks to one sign-off. A
status belongs to a commit, so `success` waits for every open pull request with that head. Right
before anything is written, `recheck` makes sure that what was judged is still there. No write is
repeated blindly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache, partial

from signoff_bot.errors import SignoffBotError
from signoff_bot.evidence.base import Sha
from signoff_bot.evidence.conversation import SignoffRef
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.failures import Forbidden, GitHubFailure, RateLimited, not_written
from signoff_bot.github.open_pulls import read_open_pulls
from signoff_bot.github.plan import STATES, State, StatusPlan
from signoff_bot.github.status import NotPublished, Overtaken, put_status, read_status
from signoff_bot.github.tasks import both
from signoff_bot.github.viewer import read_viewer
from signoff_bot.render.words import short, status_description
from signoff_bot.service import Judgement, Source, judge
from signoff_bot.speaking import check_relied_on, speak


@dataclass(frozen=True, slots=True)
class Desk:
    """What it takes to publish with one token.

    `us` gives the ids of our accounts, and `judge` the judgement of another pull request of the
    same repository, by its number.
    """

    client: GitHubClient
    us: Callable[[], frozenset[int]]
    judge: Callable[[int], Judgement]

    def set_status(self, repo: str, sha: Sha, plan: StatusPlan) -> None:
        """Sets a status on a commit that is no pull request's head.

        Raises:
            NotPublished: GitHub did not take it.
            RateLimited: GitHub takes nothing for now.
        """
        try:
            us = self.us()
        except RateLimited:
            raise
        except GitHubFailure:
            us = frozenset()
        standing = read_status(self.client, repo, sha, plan.context)
        put_status(self.client, repo, sha, plan, standing, us)


def desk_of(source: Source, also_ours: Iterable[int] = ()) -> Desk:
    """The desk of a source; `also_ours` are ids of accounts that posted for us earlier."""

    @cache
    def us() -> frozenset[int]:
        return frozenset({read_viewer(source.client), *also_ours})

    return Desk(source.client, us, partial(judge, source))


@dataclass(frozen=True, slots=True)
class Wishes:
    """What is to be published, as far as the rules allow."""

    asked: SignoffRef | None = None
    """The sign-off that is answered in any case; others only where there is news."""
    comment: bool = True
    status: bool = True
    welcome: bool = False
    """Whether to greet the pull request, if nobody has signed it yet."""
    yields: bool = False
    """Whether to give way when another run has set the status meanwhile."""


@dataclass(frozen=True, slots=True)
class Published:
    """What is on the pull request now."""

    comment_url: str | None = None
    """The comment about the sign-off that decides."""
    warning: str | None = None
    """Why the comment is missing."""
    refused: bool = False
    """Whether it is missing for want of a permission."""
    held_back: str | None = None
    """Why a verdict that passes is no `success`: another pull request with the same head."""


@dataclass(frozen=True, slots=True)
class _Hold:
    """Another pull request with the same head that does not pass."""

    state: State
    reason: str


def publish(desk: Desk, judgement: Judgement, wishes: Wishes) -> Published:
    """Publishes what the rules and the wishes allow.

    Raises:
        Moved: head, base or sign-off changed meanwhile, and nothing is claimed for what is there.
        Overtaken: another run has set the status meanwhile (only where the wishes yield).
        NotPublished: the status (or, where there is to be none, the comment) was not written.
        GitHubFailure: the present state could not be read; the status was not written.
    """
    whole = judgement.about(None)
    publication = whole.rules.publish
    stating = wishes.status and publication.status
    hold, (us, published) = both(
        partial(_hold, desk, whole if stating else None),
        partial(_comment, desk, whole, wishes),
    )
    if stating:
        _set_status(desk, whole, wishes, us, hold, published.comment_url)
    elif published.warning is not None:
        raise NotPublished(published.warning)
    return replace(published, held_back=None if hold is None else hold.reason)


def _comment(desk: Desk, whole: Judgement, wishes: Wishes) -> tuple[frozenset[int], Published]:
    """Writes the comments that are wanted; returns our ids as well, none if they are unknown."""
    commenting = wishes.comment and whole.rules.publish.comment
    us: frozenset[int] = frozenset()
    try:
        us = desk.us()
        url = (
            speak(desk.client, whole, us, asked=wishes.asked, welcome=wishes.welcome)
            if commenting
            else None
        )
    except RateLimited:
        raise
    except GitHubFailure as failure:
        return us, _unspoken(failure) if commenting else Published()
    return us, Published(comment_url=url)


def _unspoken(failure: GitHubFailure) -> Published:
    return Published(
        warning=not_written("the comment could not be written", failure, "pull-requests: write"),
        refused=isinstance(failure, Forbidden),
    )


def _hold(desk: Desk, whole: Judgement | None) -> _Hold | None:
    """The first other open pull request with the same head that does not pass, if there is one."""
    if whole is None or whole.verdict.verdict != "pass":
        return None
    repo, pull = whole.evidence.repository.full_name, whole.evidence.pull
    for other in read_open_pulls(desk.client, repo):
        if other.head_sha != pull.head_sha or other.number == pull.number:
            continue
        try:
            verdict = desk.judge(other.number).about(None).verdict
        except RateLimited:
            raise
        except SignoffBotError as error:
            return _Hold("error", f"#{other.number} has the same head, and is not judged: {error}")
        if verdict.verdict != "pass":
            why = status_description(verdict)
            return _Hold(STATES[verdict.verdict], f"#{other.number} has the same head: {why}")
    return None


def _set_status(
    desk: Desk,
    whole: Judgement,
    wishes: Wishes,
    us: frozenset[int],
    hold: _Hold | None,
    url: str | None,
) -> None:
    evidence, context = whole.evidence, whole.rules.publish.context
    repo, sha = evidence.repository.full_name, evidence.pull.head_sha
    state = STATES[whole.verdict.verdict] if hold is None else hold.state
    description = status_description(whole.verdict) if hold is None else short(hold.reason)
    wanted = StatusPlan(context, state, description, url)
    standing, _ = both(
        partial(read_status, desk.client, repo, sha, context),
        partial(check_relied_on, desk.client, whole, None),
    )
    later = standing is not None and standing.by in us and standing.at >= evidence.collected_at
    if wishes.yields and standing is not None and later and not wanted.is_said_by(standing):
        raise Overtaken("another run has judged this head meanwhile, so this one judges anew")
    put_status(desk.client, repo, sha, wanted, standing, us)
