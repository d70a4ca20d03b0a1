"""GraphQL's lists: the pull requests of a repository, and the check suites of a commit."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from support.world import PullRequest, Repository, Run
from wire.loopback.connection import connection
from wire.loopback.shapes import updated_at


def state_of(pull: PullRequest) -> str:
    return "MERGED" if pull.merged_at else pull.state.upper()


def touched_at(pull: PullRequest) -> str:
    """When the pull request changed last, as far as the world knows."""
    times = [updated_at(comment) for comment in (*pull.comments, *pull.reviews)]
    # Nothing promises that the edit of a line comment touches its pull request.
    times += [pull.created_at, *(comment.created_at for comment in pull.line_comments)]
    return max([*times, pull.merged_at] if pull.merged_at else times)


def pulls(repo: Repository, shape: Callable[[PullRequest], Any]) -> Callable[..., Any]:
    """The field `pullRequests`: by states, and in the order asked for."""

    def resolve(
        info: Any,
        states: list[str] | None = None,
        orderBy: Any = None,  # noqa: N803 - GitHub's name
        **page: Any,
    ) -> dict[str, Any]:
        found = [pull for pull in repo.pulls.values() if not states or state_of(pull) in states]
        order = orderBy or {"field": "CREATED_AT", "direction": "ASC"}
        updated = order["field"] == "UPDATED_AT"
        found.sort(
            key=lambda pull: (touched_at(pull) if updated else pull.created_at, pull.number),
            reverse=order["direction"] == "DESC",
        )
        return connection("pullRequests", found, shape)(info, **page)

    return resolve


def suites(repo: Repository, sha: str) -> Callable[..., Any]:
    """The field `checkSuites` of a commit: one for each run, one for each other app's checks."""
    found: list[dict[str, Any]] = [_suite_of(run) for run in repo.runs if run.head_sha == sha]
    for check in repo.check_runs:
        if check.head_sha == sha:
            done = check.status == "completed"
            found.append(
                _suite(check.id, done, check.conclusion, "2026-06-24T09:00:00Z", workflow_run=None)
            )
    return connection("checkSuites", found, lambda suite: suite)


def statuses(repo: Repository, sha: str, actor: Callable[[Any], Any]) -> dict[str, Any] | None:
    """The field `status` of a commit: the newest of each name."""
    newest = {s.context: s for s in sorted(repo.statuses, key=lambda s: s.id) if s.sha == sha}
    if not newest:
        return None
    return {
        "id": f"ST_{sha}",
        "state": "PENDING",
        "contexts": [
            {
                "id": f"SC_{status.id}",
                "context": status.context,
                "state": status.state.upper(),
                "description": status.description,
                "createdAt": status.created_at,
                "creator": actor(status.creator),
            }
            for status in newest.values()
        ],
    }


def _suite_of(run: Run) -> dict[str, Any]:
    # Every attempt touches the suite anew.
    at = datetime.fromisoformat(run.created_at) + timedelta(hours=run.attempt)
    stamp = at.strftime("%Y-%m-%dT%H:%M:%SZ")
    # GraphQL's numbers have 32 bits, and newer runs have longer ids: GitHub answers null.
    shown = {"id": f"WFR_{run.id}", "databaseId": None, "updatedAt": stamp, "event": run.event}
    return _suite(run.id, run.status == "completed", run.conclusion, stamp, workflow_run=shown)


def _suite(
    number: int, done: bool, conclusion: str | None, at: str, *, workflow_run: Any
) -> dict[str, Any]:
    return {
        "id": f"CS_{number}",
        "databaseId": None,
        "status": "COMPLETED" if done else "IN_PROGRESS",
        "conclusion": conclusion.upper() if conclusion else None,
        "updatedAt": at,
        "workflowRun": workflow_run,
    }


def queue(repo: Repository, shape: Callable[[PullRequest], Any]) -> Callable[..., Any]:
    """The field `mergeQueue`: that of a branch, or None where it has none."""

    def resolve(_: Any, branch: str | None = None) -> dict[str, Any] | None:
        name = branch or repo.default_branch
        if name not in repo.merge_queues:
            return None
        entries = [
            {
                "id": f"MQE_{position}",
                "position": position,
                "state": "AWAITING_CHECKS",
                "headCommit": {"oid": entry.head_sha} if entry.head_sha else None,
                "pullRequest": shape(repo.pulls[entry.number]) if entry.number else None,
            }
            for position, entry in enumerate(repo.merge_queues[name], start=1)
        ]
        return {"id": f"MQ_{name}", "entries": connection("entries", entries, lambda e: e)}

    return resolve
