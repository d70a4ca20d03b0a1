"""The runs behind a pull request, seen as evidence: which count, and what is wrong with the others.

Runs come from three places: the workflow's own runs on the pull request's branch, those that the
sign-off links, and those that apps point at in their comments (hints for people, no more).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from signoff_bot.evidence.actions import Run
from signoff_bot.evidence.base import Unread, known
from signoff_bot.evidence.model import Evidence
from signoff_bot.reading.lanes import LaneReport, LaneRules, read_lanes
from signoff_bot.reading.links import RunLink, addresses, run_links, server_of
from signoff_bot.reading.runs import RunIdentity, newest_first, shortcoming
from signoff_bot.reading.settings import RunPage
from signoff_bot.reading.wording import count, short, some

MOST_RUNS = 5
"""Runs described one by one; the rest are counted."""


@dataclass(frozen=True)
class RunSearch:
    """What there is to judge. `written` are the addresses in the sign-off."""

    evidence: Evidence
    identity: RunIdentity
    lanes: LaneRules
    written: tuple[str, ...]
    pages: tuple[RunPage, ...]

    @cached_property
    def runs(self) -> dict[int, Run]:
        """All runs at hand by id, newest first."""
        return {run.id: run for run in newest_first(known(self.evidence.runs))}

    @cached_property
    def counting(self) -> tuple[Run, ...]:
        """The runs that are evidence at all, newest first."""
        pull = self.evidence.pull
        return tuple(r for r in self.runs.values() if self.identity.objection(r, pull) is None)

    @cached_property
    def linked(self) -> tuple[RunLink, ...]:
        """The runs that the sign-off links, in its order."""
        return self._run_links(self.written)

    @cached_property
    def suggested(self) -> tuple[int, ...]:
        """Ids of this repository's runs that apps link in their comments, highest first."""
        if isinstance(self.evidence.comments, Unread):
            return ()
        by_apps = [c for c in self.evidence.comments if c.author and not c.author.is_person]
        links = self._run_links(url for comment in by_apps for url in addresses(comment.body))
        ids = {link.run_id for link in links if link.repo == self._repo}
        return tuple(sorted(ids, reverse=True))

    @cached_property
    def executed(self) -> tuple[Run, ...]:
        """The counting runs that have more than placeholders, newest first.

        Raises:
            MissingEvidence: the jobs of one that counts could not be read.
        """
        return tuple(run for run in self.counting if not self.report(run).executed_nothing)

    @cached_property
    def accepted(self) -> Run | None:
        """The newest counting run that is good; one whose jobs could not be read is not."""
        read = (run for run in self.counting if not isinstance(run.jobs, Unread))
        return next((run for run in read if self.shortcoming(run) is None), None)

    @cached_property
    def at_hand(self) -> tuple[Run, ...]:
        """The runs worth a look when none is good: linked ones first, then those that count."""
        linked = [run for run in map(self._run, self.linked) if run is not None]
        runs = {run.id: run for run in (*linked, *self.counting)}
        return tuple(runs.values())[:MOST_RUNS]

    @cached_property
    def where(self) -> str:
        """The commits that were searched, in words."""
        commits = len(self.identity.shas)
        if self.identity.head_only or commits == 1:
            return f"the head {short(self.evidence.pull.head_sha)}"
        if self.identity.changed_since:
            return f"the head {short(self.evidence.pull.head_sha)}, or a commit with its change"
        return f"any of the pull request's {commits} commits"

    @property
    def stray(self) -> str | None:
        """The first linked run that is no evidence at all, with the reason; None without one."""
        for link in self.linked:
            run = self._run(link)
            if run is None or run not in self.counting:
                return f"{self._title(link, short)} {self._why_not(link)}"
        return None

    @cached_property
    def _reports(self) -> dict[int, LaneReport]:
        return {}

    def report(self, run: Run) -> LaneReport:
        """How the lanes of a run ended, which is read once.

        Raises:
            MissingEvidence: its jobs could not be read.
        """
        if run.id not in self._reports:
            self._reports[run.id] = read_lanes(known(run.jobs), self.lanes)
        return self._reports[run.id]

    def shortcoming(self, run: Run, most: int = 3) -> str | None:
        """As `runs.shortcoming`."""
        return shortcoming(run, self.lanes, most, report=self.report(run))

    def remarks(self) -> tuple[str, ...]:
        """A line on each run that the sign-off links and that is not the evidence asked for."""
        return tuple(
            f"{self._title(link)}, linked in the sign-off, {why}"
            for link in self.linked
            if (why := self._why_not(link)) is not None
        )

    def account(self) -> tuple[str, ...]:
        """A line on each run at hand when none is good, and on those that apps mention."""
        linked = {run.id for run in map(self._run, self.linked) if run is not None}
        others = [
            run
            for run in self.runs.values()
            if run.id not in linked and (run in self.counting or self._is_outdated(run))
        ]
        lines = [*self.remarks(), *(f"{run_title(run)} {self._objection(run)}" for run in others)]
        more = len(lines) - MOST_RUNS
        return (
            *lines[:MOST_RUNS],
            *([f"and {count(more, 'more run')}"] if more > 0 else []),
            *self._hints({*linked, *(run.id for run in others)}),
        )

    def _is_outdated(self, run: Run) -> bool:
        """Whether the pull request changes something else since a run that counted before."""
        before = replace(self.identity, changed_since={})
        return (
            run.head_sha in self.identity.changed_since
            and before.objection(run, self.evidence.pull) is None
        )

    def _hints(self, told: Collection[int]) -> list[str]:
        """A line for each reason why runs that apps mention are no evidence."""
        reasons: dict[str, list[str]] = {}
        for run_id in self.suggested:
            if run_id not in told:
                run = self.runs.get(run_id)
                why = self._objection(run) if run else "is no run of this workflow and branch"
                reasons.setdefault(str(why), []).append(str(run_id))
        return [f"mentioned by a bot: {some(ids)}; each {why}" for why, ids in reasons.items()]

    def _run(self, link: RunLink) -> Run | None:
        return self.runs.get(link.run_id) if link.repo == self._repo else None

    def _title(self, link: RunLink, sha: Callable[[str], str] = str) -> str:
        run = self._run(link)
        return f"run {link.run_id}" if run is None else run_title(run, sha)

    def _why_not(self, link: RunLink) -> str | None:
        if link.repo != self._repo:
            return f"belongs to {link.repo}"
        run = self._run(link)
        return "is unknown to GitHub in this repository" if run is None else self._objection(run)

    def _objection(self, run: Run) -> str | None:
        """Why not this run; None when it is good, or counts and its jobs were not needed."""
        identity = self.identity.objection(run, self.evidence.pull)
        if identity is not None or isinstance(run.jobs, Unread):
            return identity
        return self.shortcoming(run)

    @property
    def _repo(self) -> str:
        return self.evidence.repository.full_name.lower()

    def _run_links(self, urls: Iterable[str]) -> tuple[RunLink, ...]:
        server = server_of(self.evidence.pull.url)
        return run_links(urls, self._repo, server, self.pages)


def run_title(run: Run, sha: Callable[[str], str] = str) -> str:
    """A run with its commit, in words; `sha` may shorten the commit."""
    return f"run {run.id} on {sha(run.head_sha)}"
