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
from signoff_bot.posting import Wishes, desk_of, publish
from signoff_bot.reading.wording import count
from signoff_bot.service import Source, judge


@dataclass(frozen=True, slots=True)
class _Doubtful:
    """A pull request whose status may be missing or untrue."""

    repo: str
    number: int
    true_by: int | None
    """Who set the status that would be right; None where there is none."""


@dataclass(slots=True)
class Poster:
    """Collects what is to be posted, and posts it."""

    client: GitHubClient
    rules: Rules | None
    """Rules for all; None where each base has its own."""
    secret: str
    most: int
    posted: int = 0
    failures: list[str] = field(default_factory=list)
    left: int = 0
    """How many were left for another run."""
    _doubtful: list[_Doubtful] = field(default_factory=list)

    def consider(self, task: Task, row: PullRow) -> None:
        """Takes note of a pull request, if what is posted on it may be missing or untrue."""
        publication = task.publication
        if publication is None or row.verdict is None or row.class_ == "not-judged":
            return
        unchanged = row.changed in (None, "new") if publication.status else row.changed is None
        true_by = None
        if publication.status and unchanged:
            state, true_by = task.pull.statuses.get(publication.context, ("", None))
            true_by = true_by if state == STATES[row.verdict] else None
        elif unchanged and task.stored is not None:
            return
        self._doubtful.append(_Doubtful(task.repo.full_name, task.pull.number, true_by))

    def post(self) -> None:
        """Posts where it is needed, up to the most; what fails is noted."""
        if not self._doubtful:
            return
        try:
            us = read_viewer(self.client)
        except GitHubFailure as failure:
            self.failures.append(f"nothing posted, since GitHub does not say who we are: {failure}")
            return
        wanted = sorted((d.repo, d.number) for d in self._doubtful if d.true_by != us)
        for done, (repo, number) in enumerate(wanted):
            if done >= self.most:
                self.left = len(wanted) - done
                return
            try:
                source = Source(self.client, repo, self.rules, (self.secret,))
                published = publish(desk_of(source), judge(source, number), Wishes())
            except Stopped:
                self.left = len(wanted) - done
                return
            except SignoffBotError as failure:
                self.failures.append(f"nothing posted on {repo}#{number}: {failure}")
                continue
            self.posted += 1
            if published.warning is not None:
                self.failures.append(f"{repo}#{number}: {published.warning}")

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the report should know."""
        found = [f"verdicts posted on {count(self.posted, 'pull request')}"]
        if self.left:
            found.append(
                f"{count(self.left, 'pull request')} left for the next run to post on; --max-posts "
                "and the budget bound each run"
            )
        return (*found, *self.failures)
