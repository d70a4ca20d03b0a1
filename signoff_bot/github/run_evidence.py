"""Finds the runs that a pull request rests on, and reads of them no more than the rules need.

One run is usually enough: the one that a sign-off links, else the newest that GitHub calls a
success. Its jobs and artifacts are read first; only when it proves nothing, those of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from signoff_bot.checks.needs import Needs, WorkflowNeed
from signoff_bot.evidence.actions import Artifact, Job, Run
from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.pull import Commit
from signoff_bot.github import actions
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.decode import changed
from signoff_bot.github.failures import Incomplete
from signoff_bot.github.pulls import Described
from signoff_bot.github.tasks import both, side_by_side, unless_failing
from signoff_bot.reading.runs import RunIdentity, is_good, newest_artifact, newest_first

MOST_RUNS = 30
"""Runs of one workflow whose jobs are read, the newest first."""
MOST_LINKED = 100
"""Linked runs that are looked up."""

Commits = tuple[Commit, ...] | Unread


@dataclass(frozen=True, slots=True)
class RunReader:
    """Reads the runs of one pull request."""

    client: GitHubClient
    described: Described
    needs: Needs

    @property
    def _repo(self) -> str:
        return self.described.repository.full_name

    def read(self, commits: Commits, linked: Callable[[], Sequence[int]]) -> tuple[Run, ...]:
        """The workflows' runs on the branch and the linked ones, with the jobs that matter.

        `linked` gives the ids of the runs that sign-offs link, the ones to look at first in front.

        Raises:
            GitHubFailure: the runs could not be listed, or a linked one not looked up.
        """
        paths = sorted({need.path for need in self.needs.workflows})
        lists = side_by_side(partial(self._listed, path, commits) for path in paths)
        runs = {run.id: run for found in lists for run in found}
        ids = list(linked())
        runs |= {run.id: run for run in self._looked_up([i for i in ids if i not in runs])}
        if isinstance(commits, Unread):
            return tuple(_without_jobs(run, commits.unread) for run in runs.values())
        for need in sorted(self.needs.workflows, key=lambda need: need.path):
            runs |= self._with_jobs(need, runs, ids, {commit.sha for commit in commits})
        return tuple(runs.values())

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
        self, need: WorkflowNeed, runs: dict[int, Run], linked: Sequence[int], shas: Collection[str]
    ) -> dict[int, Run]:
        """The runs that count for a need, with their jobs as far as they matter."""
        pull = self.described.pull
        identity = RunIdentity(
            repository_id=self.described.repository.id,
            workflow=need.path,
            events=need.events,
            shas=frozenset(shas),
            head_only=not need.any_commit,
        )
        counting = newest_first(r for r in runs.values() if identity.objection(r, pull) is None)
        first = _most_promising(counting, linked)
        if first is None:
            return {run.id: run for run in self._second_wave(need, counting)}
        read = self._read_fully(need, first)
        others = [run for run in counting if run.id != first.id]
        if is_good(read, need.lanes):
            reason = f"not read, since run {first.id} proves what the rules ask for"
            return {run.id: _without_jobs(run, reason) for run in others} | {read.id: read}
        return {run.id: run for run in [*self._second_wave(need, others), read]}

    def _second_wave(self, need: WorkflowNeed, runs: Sequence[Run]) -> list[Run]:
        """All runs with their jobs, and the artifacts of the newest that is good."""
        found = side_by_side(partial(self._read_jobs, run) for run in runs[:MOST_RUNS])
        good = next((run for run in newest_first(found) if is_good(run, need.lanes)), None)
        if good is not None:
            found.remove(good)
            found.append(changed(good, artifacts=self._artifacts(need, good)))
        reason = f"not read: only the newest {MOST_RUNS} runs are; link the one that counts"
        return found + [_without_jobs(run, reason) for run in runs[MOST_RUNS:]]

    def _read_fully(self, need: WorkflowNeed, run: Run) -> Run:
        jobs, artifacts = both(partial(self._jobs, run), partial(self._artifacts, need, run))
        return changed(run, jobs=jobs, artifacts=artifacts)

    def _read_jobs(self, run: Run) -> Run:
        return changed(run, jobs=self._jobs(run))

    def _jobs(self, run: Run) -> tuple[Job, ...] | Unread:
        if not isinstance(run.jobs, Unread):
            return run.jobs
        return unless_failing(lambda: actions.read_jobs(self.client, self._repo, run))

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


def _without_jobs(run: Run, reason: str) -> Run:
    if not isinstance(run.jobs, Unread):
        return run
    return changed(run, jobs=Unread(unread=f"the jobs of run {run.id}: {reason}"))
