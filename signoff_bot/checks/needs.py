"""What the rules in force need to know.

Every check states its needs; the collector reads their union, each fact once, and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal

from signoff_bot.evidence.repository import Place
from signoff_bot.reading.lanes import LaneRules

if TYPE_CHECKING:
    from signoff_bot.checks.due_lanes import DueRules


CountingCommit = Literal["any", "head", "no-later-change"]


@dataclass(frozen=True, slots=True)
class WorkflowNeed:
    """Runs of one workflow on the pull request's branch, with their jobs.

    `lanes` says when a run is good evidence, together with `due`, where the lanes follow what the
    pull request changes: the collector stops reading jobs once one is (see `due_lanes.lanes_for`).
    `commit` tells whether a run on an older in-PR commit may count: `any`, none but the `head`, or
    those with `no-later-change`, at which the pull request changed what it changes now.
    """

    path: str
    events: tuple[str, ...]
    lanes: LaneRules
    commit: CountingCommit = "any"
    due: DueRules | None = None


@dataclass(frozen=True, slots=True)
class ArtifactNeed:
    """A file of an artifact, read from the run that satisfies the workflow's lanes."""

    workflow: str
    artifact: str
    member: str


@dataclass(frozen=True, slots=True)
class ContentNeed:
    """Files, as they stand at one place.

    At the `head`, the `merge base` and the `run`, `pattern` is a glob (see `reading.globs`) that
    selects among the changed files, by either of their names. The `run` is the newest that is good
    evidence for a workflow need; nothing is read there if its commit is the head.

    At the `base`, `pattern` is a path, or a directory with a slash at its end: then every file in
    it, and a record under the directory's own name (slash included) whose text lists their paths,
    one a line, or is None where there is no directory.
    """

    pattern: str
    at: Place


@dataclass(frozen=True, slots=True)
class Needs:
    """The union of what checks need; the empty value needs nothing beyond the pull request.

    `push` is when the head was pushed, and what was pushed before; `earlier_changes` what was
    changed when a sign-off was given. `upstream_files` are the changed files of linked pull
    requests. `commands` are those whose comments' histories count, and `run_commands` those of
    them that may name a run, which is then read like a linked one.
    """

    files: bool = False
    commits: bool = False
    codeowners: bool = False
    push: bool = False
    earlier_changes: bool = False
    threads: bool = False
    head_checks: bool = False
    template: bool = False
    workflows: frozenset[WorkflowNeed] = frozenset()
    artifacts: frozenset[ArtifactNeed] = frozenset()
    upstream_repos: frozenset[str] = frozenset()
    upstream_files: bool = False
    contents: frozenset[ContentNeed] = frozenset()
    commands: frozenset[str] = frozenset()
    run_commands: frozenset[str] = frozenset()

    def __or__(self, other: Needs) -> Needs:
        """Everything that either needs."""
        return Needs(
            **{f.name: getattr(self, f.name) | getattr(other, f.name) for f in fields(self)}
        )
