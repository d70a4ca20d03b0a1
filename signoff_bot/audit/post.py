"""Posts verdicts where they are missing or untrue: on pull requests of forks, no event can.

What a row or a store says is only a reason to look: each verdict that is posted is judged anew, and
the head is read once more right before anything is written. So a run that was cut off, or two at
once, post nothing twice.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from signoff_bot.audit.one_repo import Task
from signoff_bot.audit.report import PullRow
from signoff_bot.errors import SignoffBotError
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.failures import GitHubFailure
from signoff_bot.github.gate import Stopped
from signoff_bot.github.plan import STATES
from signoff_bot.github.viewer import read_viewer
from signoff_bot.packs.model import Rules
from signoff_bot.posting import Published, Wishes, desk_of, publish
from signoff_bot.reading.wording import count
from signoff_bot.service import Source, judge


@dataclass(frozen=True, slots=True)
class Posting:
    """What is to be posted."""

    most: int
    """On how many pull requests in one run."""
    wishes: Wishes = Wishes()  # noqa: RUF009 - immutable
    also_ours: tuple[int, ...] = ()
    """Ids of the accounts that posted for us under another token."""


@dataclass(slots=True)
class Poster:
    """Posts while the audit goes on, so that one that is cut off has posted what it found."""

    posting: Posting
    client: GitHubClient
    rules: Rules | str | None
    """Rules for all, or the path of a file at each base; None where each base has its own."""
    secrets: tuple[str, ...]
    members: GitHubClient | None
    posted: int = 0
    failures: list[str] = field(default_factory=list)
    left: int = 0
    """How many were left for another run."""
    _tried: int = 0
    _us: frozenset[int] | None = None
    _unknown: bool = False
    """Whether GitHub does not say who we are."""

    def post(self, task: Task, row: PullRow) -> None:
        """Posts on a pull request, if what stands there is missing or may be untrue.

        What fails is noted.
        """
        publication = task.publication
        if publication is None or row.verdict is None:
            return
        state, by = task.pull.statuses.get(publication.context, ("", None))
        # What could not be judged is left alone, save a success that nothing bears out any more.
        if row.class_ == "not-judged" and state != "success":
            return
        unchanged = row.changed in (None, "new") if publication.status else row.changed is None
        true_by = None
        if publication.status and unchanged:
            true_by = by if state == STATES[row.verdict] else None
        elif unchanged and task.stored is not None:
            return
        try:
            self._post(task.repo.full_name, task.pull.number, true_by)
        except Stopped:
            self.left += 1

    def _post(self, repo: str, number: int, true_by: int | None) -> None:
        """Posts, unless one of us has set the right status.

        Raises:
            Stopped: the budget is used up.
        """
        us = self._accounts()
        if us is None or true_by in us:
            return
        if self._tried >= self.posting.most:
            self.left += 1
            return
        self._tried += 1
        try:
            published = self._publish(repo, number)
        except Stopped:
            raise
        except SignoffBotError as failure:
            self.failures.append(f"nothing posted on {repo}#{number}: {failure}")
            return
        self.posted += 1
        if published.warning is not None:
            self.failures.append(f"{repo}#{number}: {published.warning}")

    def _accounts(self) -> frozenset[int] | None:
        """Who we are; None where GitHub does not say.

        Raises:
            Stopped: the budget is used up.
        """
        if self._us is None and not self._unknown:
            try:
                self._us = frozenset({read_viewer(self.client), *self.posting.also_ours})
            except Stopped:
                raise
            except GitHubFailure as failure:
                self._unknown = True
                why = "since GitHub does not say who we are"
                self.failures.append(f"nothing posted, {why}: {failure}")
        return self._us

    def _publish(self, repo: str, number: int) -> Published:
        source = Source(self.client, repo, self.rules, self.secrets, self.members)
        desk = desk_of(source, self.posting.also_ours)
        return publish(desk, judge(source, number), self.posting.wishes)

    @property
    def troubles(self) -> tuple[str, ...]:
        """What was not posted, and why."""
        if not self.left:
            return tuple(self.failures)
        left = count(self.left, "pull request")
        more = "--max-posts and the budget bound each run"
        return (f"{left} left for the next run to post on; {more}", *self.failures)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the report should know."""
        return (f"verdicts posted on {count(self.posted, 'pull request')}", *self.troubles)
