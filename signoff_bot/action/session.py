"""Judges pull requests and publishes what was found, as one run of the Action may."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from signoff_bot.action.inputs import Inputs
from signoff_bot.errors import SignoffBotError
from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.conversation import SignoffRef
from signoff_bot.github.failures import GitHubFailure, Headers, RateLimited
from signoff_bot.github.recheck import Moved
from signoff_bot.github.status import Overtaken
from signoff_bot.posting import Desk, Published, Wishes, publish
from signoff_bot.reading.candidates import find_signoffs
from signoff_bot.service import Judgement, Source, judge
from signoff_bot.verdict import Outcome, Verdict

WORST_LAST: tuple[Outcome, ...] = ("pass", "pending", "fail", "error")
ATTEMPTS = 3
"""How often a pull request is judged that keeps moving while it is judged."""

Asked = SignoffRef | None
Choose = Callable[[Judgement], Asked]
"""Which sign-off a run is about, once everything is known."""


@dataclass
class Limits:
    """The gate of the run's clients: remembers the rate limits that they met."""

    met: list[RateLimited] = field(default_factory=list)

    def enter(self, request: str, verb: str, resource: str) -> None:
        """Lets everything through."""

    def heard(self, headers: Headers) -> None:
        """Ignores what is left: GitHub says when nothing is."""

    def failed(self, failure: GitHubFailure) -> None:
        """Keeps it in mind, if it is a rate limit."""
        if isinstance(failure, RateLimited):
            self.met.append(failure)

    def judge(self, source: Source, number: int, signoff: Asked = None) -> Judgement:
        """Judges a pull request, unless a rate limit keeps it from being judged.

        Raises:
            RateLimited: the limit.
            SignoffBotError: it could not be read, or its rules are invalid.
        """
        judgement = judge(source, number, signoff)
        for limit in self.met if judgement.verdict.verdict == "error" else ():
            if any(limit.reason in check.summary for check in judgement.verdict.checks):
                raise limit
        return judgement


@dataclass(frozen=True, slots=True)
class Result:
    """A judged pull request; `published` is None where nothing was to be written."""

    judgement: Judgement
    published: Published | None = None


@dataclass
class Outcomes:
    """What came of a run: results, and why other pull requests could not be judged."""

    results: list[Result] = field(default_factory=list)
    failures: list[SignoffBotError] = field(default_factory=list)

    @property
    def verdicts(self) -> list[Verdict]:
        """The verdicts on whole pull requests, in the order they were made."""
        return [result.judgement.verdict for result in self.results]

    @property
    def worst(self) -> Result | None:
        """The result with the worst verdict; of several, the first."""

        def badness(result: Result) -> int:
            return WORST_LAST.index(result.judgement.verdict.verdict)

        return max(self.results, key=badness, default=None)


@dataclass(frozen=True, slots=True)
class Session:
    """What a run judges with, and what it may write."""

    source: Source
    desk: Desk
    inputs: Inputs
    limits: Limits
    writes: bool
    """Whether it may write to pull requests."""
    say: Callable[[str], None]

    def judge(self, number: int, signoff: Asked = None) -> Judgement:
        """Judges a pull request.

        Raises:
            RateLimited: a limit kept it from being judged.
            SignoffBotError: it could not be read, or its rules are invalid.
        """
        return self.limits.judge(self.source, number, signoff)

    def settle(
        self, number: int, signoff: Asked, choose: Choose, *, insist: bool, ready: bool
    ) -> Result | None:
        """Judges a pull request and publishes; None when there turns out to be nothing to do.

        `signoff` is to be read whatever else is written there, and `choose` says which one is to be
        answered. Closed ones and drafts are left alone, unless somebody `insist`s.

        Raises:
            SignoffBotError: as `judge`; or GitHub did not take it.
        """
        wishes = Wishes(
            comment=self.inputs.post_comment, status=self.inputs.set_status, welcome=ready
        )
        for attempt in range(1, ATTEMPTS + 1):
            judgement = self.judge(number, signoff)
            pull = judgement.evidence.pull
            if not insist and (pull.state == "closed" or pull.draft):
                state = "closed" if pull.state == "closed" else "a draft"
                self.say(f"#{number}: nothing to do: it is {state} by now")
                return None
            if not self.writes:
                return Result(judgement)
            last = attempt == ATTEMPTS
            now = replace(wishes, asked=choose(judgement), yields=not last)
            try:
                return Result(judgement, publish(self.desk, judgement, now))
            except (Moved, Overtaken) as moved:
                if last:
                    raise
                self.say(f"#{number}: {moved}; judging anew")
        raise AssertionError("every attempt ends the loop")


def newest_review(judgement: Judgement) -> Asked:
    """The newest sign-off by a review or on a line: the event that woke us says no more."""
    evidence, rules = judgement.evidence, judgement.rules
    if isinstance(evidence.comments, Unread):
        return None
    found = find_signoffs(evidence.comments, rules.signoff)
    written = [signoff.comment for signoff in found if signoff.comment.kind != "comment"]
    return SignoffRef(kind=written[-1].kind, id=written[-1].id) if written else None
