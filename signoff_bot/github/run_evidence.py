"""Finds the runs that a pull request rests on, and reads of them no more than the rules need.

One run is usually enough: the one that a sign-off links, else the newest that GitHub calls a
success. Its jobs and artifacts are read first; only when it proves nothing, those of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from signoff_bot.checks.needs import Needs, WorkflowNeed
from signoff_bot.evidence.actions import Artifact, Job, Run
from signoff_bot.evidence.base import Sha, Unread, not_collected
from signoff_bot.evidence.pull import ChangedFile, Commit
from signoff_bot.github import actions
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.decode import changed
from signoff_bot.github.earlier import EarlierChanges
from signoff_bot.github.failures import Incomplete
from signoff_bot.github.pulls import Described
from signoff_bot.github.tasks import both, side_by_side, unless_failing
from signoff_bot.reading.lanes import LaneRules
from signoff_bot.reading.runs import RunIdentity, is_good, newest_artifact, newest_first
from signoff_bot.reading.same_change import changes_since

MOST_RUNS = 30
"""Runs of one workflow whose jobs are read, the newest first."""
MOST_LINKED = 100
"""Linked runs that are looked up."""

Commits = tuple[Commit, ...] | Unread
Lanes = Callable[[WorkflowNeed], LaneRules | Unread | None]
"""Tells which lanes must be green for a need; None where there is nothing to measure."""


@dataclass(frozen=True, slots=True)
class FoundRuns:
    """The runs, and those of them that are good evidence for a need."""

    runs: tuple[Run, ...]
    accepted: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class RunReader:
    """Reads the runs of one pull request."""

    client: GitHubClient
    described: Described
    needs: Needs
    lanes: Lanes
    files: Callable[[], tuple[ChangedFile, ...] | Unread]
    earlier: EarlierChanges

    @property
    def _repo(self) -> str:
        return self.described.repository.full_name

    def read(
        self, commits: Commits, linked: Callable[[], Sequence[int]], pinned: Sequence[int]
    ) -> FoundRuns:
        """The workflows' runs on the branch and the linked ones, with the jobs that matter.

        `linked` gives the ids of the runs that sign-offs link, the ones to look at first in front;
        `pinned` are runs to be read whatever the others prove.

        Raises:
            GitHubFailure: the runs could not be listed, or a linked one not looked up.
        """
        paths = sorted({need.path for need in self.needs.workflows})
        lists = side_by_side(partial(self._listed, path, commits) for path in paths)
        runs = {run.id: run for found in lists for run in found}
        ids = list(linked())
        unlisted = dict.fromkeys(i for i in (*ids, *pinned) if i not in runs)
        runs |= {run.id: run for run in self._looked_up(list(unlisted))}
        if isinstance(commits, Unread):
            return FoundRuns(tuple(_without_jobs(r, commits.unread) for r in runs.values()), ())
        shas = frozenset(commit.sha for commit in commits)
        accepted: dict[int, Run] = {}
        for need in sorted(self.needs.workflows, key=lambda need: need.path):
            read, good = self._with_jobs(need, runs, ids, shas)
            runs |= read
            if good is not None:
                accepted[good.id] = good
        wanted = [runs[i] for i in pinned if i in runs and runs[i].workflow_path in paths]
        runs |= {run.id: run for run in side_by_side(partial(self._pinned, run) for run in wanted)}
        return FoundRuns(tuple(runs.values()), tuple(accepted.values()))

    def _listed(self, path: str, commits: Commits) -> list[Run]:
        """The runs of one workflow file on the pull request's branch."""
        events = {e for need in self.needs.workflows if need.path == path for e in need.events}
        branch = self.described.pull.head_ref
        try:
            runs = actions.read_branch_runs(self.client, self._repo, path, branch, events)
        except Incomplete:
            # More than GitHub lists, as for a branch called `main`: ask commit by commit.
            if isinstance(commits, Unread):
                raise
            found = side_by_side(
                partial(actions.read_commit_runs, self.client, self._repo, commit.sha, path, events)
                for commit in commits
            )
            runs = [run for on_commit in found for run in on_commit]
        ours = self.described.repository.id
        return [r for r in runs if (r.repository_id, r.workflow_path) == (ours, path)]

    def _looked_up(self, ids: Sequence[int]) -> list[Run]:
        """The linked runs that no list held; those that GitHub does not know are left out."""
        if len(ids) > MOST_LINKED:
            raise Incomplete(
                f"GET /repos/{self._repo}/actions/runs",
                f"the comments link {len(ids)} runs, more than the {MOST_LINKED} that are looked "
                "up; delete the comments that are no sign-offs, or verify one by its address",
            )
        found = side_by_side(
            partial(actions.read_run, self.client, self._repo, run_id) for run_id in ids
        )
        return [run for run in found if run is not None]

    def _with_jobs(
        self,
        need: WorkflowNeed,
        runs: dict[int, Run],
        linked: Sequence[int],
        shas: frozenset[str],
    ) -> tuple[dict[int, Run], Run | None]:
        """The runs that count for a need, with their jobs as far as they matter; the good one."""
        pull = self.described.pull
        identity = RunIdentity(
            repository_id=self.described.repository.id,
            workflow=need.path,
            events=need.events,
            shas=shas,
            head_only=need.commit == "head",
        )
        if need.commit == "no-later-change":
            identity = replace(identity, changed_since=self._changed_since(runs.values(), shas))
        counting = newest_first(r for r in runs.values() if identity.objection(r, pull) is None)
        first = _most_promising(counting, linked)
        found = [] if first is None else [self._read_fully(need, first)]
        others = [run for run in counting if run is not first]
        lanes = self.lanes(need)
        if isinstance(lanes, Unread):
            return _by_id([*found, *(_without_jobs(run, lanes.unread) for run in others)]), None
        if lanes is None:
            reason = "not read, since the pull request submits nothing that is measured"
            return _by_id([*found, *(_without_jobs(run, reason) for run in others)]), None
        if found and is_good(found[0], lanes):
            reason = f"not read, since run {found[0].id} proves what the rules ask for"
            rest = [_without_jobs(run, reason) for run in others]
            return _by_id([*found, *rest]), found[0]
        read, good = self._second_wave(need, others, lanes)
        return _by_id([*found, *read]), good

    def _changed_since(self, runs: Iterable[Run], shas: frozenset[Sha]) -> dict[Sha, str]:
        """The older commits with runs at which something else was changed, the newest runs' first.

        So many distinct commits are few; those beyond what is compared count for changed.
        """
        head = self.described.pull.head_sha
        older = [r.head_sha for r in newest_first(runs) if r.head_sha in shas - {head}]
        found = {change.sha: change.files for change in self.earlier.at(older)}
        unread: Unread = not_collected("what was changed there")
        return changes_since(older, lambda sha: found.get(sha, unread), self.files())

    def _second_wave(
        self, need: WorkflowNeed, runs: Sequence[Run], lanes: LaneRules
    ) -> tuple[list[Run], Run | None]:
        """All runs with their jobs, and the artifacts of the newest that is good; that one."""
        found = side_by_side(partial(self._read_jobs, run) for run in runs[:MOST_RUNS])
        good = next((run for run in newest_first(found) if is_good(run, lanes)), None)
        if good is not None:
            found.remove(good)
            good = changed(good, artifacts=self._artifacts(need, good))
            found.append(good)
        reason = f"not read: only the newest {MOST_RUNS} runs are; link the one that counts"
        return found + [_without_jobs(run, reason) for run in runs[MOST_RUNS:]], good

    def _pinned(self, run: Run) -> Run:
        """A run with its jobs, and a list of its artifacts."""
        artifacts = run.artifacts
        if isinstance(artifacts, Unread):
            artifacts = unless_failing(lambda: actions.read_artifacts(self.client, self._repo, run))
        return changed(run, jobs=self._jobs(run), artifacts=artifacts)

    def _read_fully(self, need: WorkflowNeed, run: Run) -> Run:
        jobs, artifacts = both(partial(self._jobs, run), partial(self._artifacts, need, run))
        return changed(run, jobs=jobs, artifacts=artifacts)

    def _read_jobs(self, run: Run) -> Run:
        return changed(run, jobs=self._jobs(run))

    def _jobs(self, run: Run) -> tuple[Job, ...] | Unread:
        if not isinstance(run.jobs, Unread):
            return run.jobs
        steps = {step for need in self.needs.workflows for step in need.lanes.key_steps}
        return unless_failing(lambda: actions.read_jobs(self.client, self._repo, run, steps))

    def _artifacts(self, need: WorkflowNeed, run: Run) -> tuple[Artifact, ...] | Unread:
        """The artifacts of a run, with the files that the rules need."""
        wanted: dict[str, set[str]] = {}
        for one in self.needs.artifacts:
            if one.workflow == need.path:
                wanted.setdefault(one.artifact, set()).add(one.member)
        if not wanted or not isinstance(run.artifacts, Unread):
            return run.artifacts
        listed = unless_failing(lambda: actions.read_artifacts(self.client, self._repo, run))
        if isinstance(listed, Unread):
            return listed
        newest = [newest_artifact(listed, name) for name in sorted(wanted)]
        filled = side_by_side(
            partial(self._with_files, artifact, wanted[artifact.name])
            for artifact in newest
            if artifact is not None
        )
        return tuple(({a.id: a for a in listed} | {a.id: a for a in filled}).values())

    def _with_files(self, artifact: Artifact, names: Collection[str]) -> Artifact:
        files = unless_failing(
            lambda: actions.read_artifact_files(self.client, self._repo, artifact, names)
        )
        return changed(artifact, files=files)


def _most_promising(counting: Sequence[Run], linked: Iterable[int]) -> Run | None:
    """The completed run to look at first; `counting` is newest first."""
    completed = {run.id: run for run in counting if run.status == "completed"}
    pointed_at = [completed[run_id] for run_id in linked if run_id in completed]
    successes = [run for run in completed.values() if run.conclusion == "success"]
    return next(iter([*pointed_at, *successes, *completed.values()]), None)


def _by_id(runs: Iterable[Run]) -> dict[int, Run]:
    return {run.id: run for run in runs}


def _without_jobs(run: Run, reason: str) -> Run:
    if not isinstance(run.jobs, Unread):
        return run
    return changed(run, jobs=Unread(unread=f"the jobs of run {run.id}: {reason}"))
