"""A repository with many pull requests, one of each kind that an audit tells apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from support.wire_default import CI, FORK, PASSING, REPO, passing_default, signed_form
from support.wire_inferencex import SIGNER, STRANGER
from support.world import (
    ChangedFile,
    CheckRun,
    Comment,
    Commit,
    Edit,
    Job,
    PullRequest,
    Push,
    Repository,
    Run,
    World,
    sha,
    user,
)

AS_OF = "2026-06-25T12:00:00Z"
MERGED_AT = "2026-06-25T08:00:00Z"
AUTHOR = user("wren-dalgaard")

Kind = Literal[
    "ready",
    "pending",
    "stale",
    "rejected",
    "merged-ok",
    "merged-unsigned",
    "merged-rejected",
    "signed after the merge",
    "edited after the merge",
    "signed by a stranger before the merge",
    "ran on after the merge",
]
CLASS_OF: dict[Kind, str] = {
    "ready": "ready",
    "pending": "pending",
    "stale": "stale",
    "rejected": "rejected",
    "merged-ok": "merged-ok",
    "merged-unsigned": "merged-unsigned",
    "merged-rejected": "merged-rejected",
    "signed after the merge": "merged-unsigned",
    "edited after the merge": "not-judged",
    "signed by a stranger before the merge": "merged-unsigned",
    "ran on after the merge": "merged-rejected",
}
"""The class that each kind of pull request belongs to."""
ALL: tuple[Kind, ...] = tuple(CLASS_OF)


def audit_world(kinds: Sequence[Kind] = ALL) -> World:
    """The default pack's repository with pull requests 101, 102, ... of these kinds."""
    world = passing_default()
    repo, fork = world.repositories[REPO], world.repositories[FORK]
    repo.pulls.clear()
    repo.runs.clear()
    repo.check_runs.clear()
    fork.activity.clear()
    for index, kind in enumerate(kinds, start=101):
        add_pull(repo, fork, index, kind)
    return world


def add_pull(repo: Repository, fork: Repository, number: int, kind: Kind) -> PullRequest:
    """One pull request from the fork, on a branch of its own."""
    head, base, branch = sha(f"{number} head"), repo.branches["main"], f"hammer-{number}"
    pull = PullRequest(
        number,
        f"Add hammer {number}",
        AUTHOR,
        head,
        branch,
        FORK,
        "main",
        base,
        files=[ChangedFile("src/hammer.py", "added"), ChangedFile("README.md")],
        commits=[Commit(head, (base,), AUTHOR)],
    )
    repo.pulls[number] = pull
    if kind not in ("ready", "pending", "stale", "rejected"):
        pull.state, pull.merged_at = "closed", MERGED_AT
    pushed_at = "2026-06-24T11:00:00Z" if kind == "stale" else "2026-06-23T09:00:00Z"
    fork.activity.append(Push(f"refs/heads/{branch}", base, head, pushed_at, AUTHOR))
    _run(repo, number, head, branch, green=kind not in ("rejected", "merged-rejected"))
    if kind == "ran on after the merge":
        for job in repo.runs[-1].jobs:
            job.completed_at = "2026-06-25T09:00:00Z"
    pull.comments = [
        Comment(5_000_000_000 + number * 10, AUTHOR, "Please look.", association="NONE")
    ]
    signed = _signed(number, kind)
    if signed is not None:
        pull.comments.append(signed)
    return pull


def _run(repo: Repository, number: int, head: str, branch: str, *, green: bool) -> None:
    done = "success" if green else "failure"
    jobs = [Job(number * 10, "build", done), Job(number * 10 + 1, "lint")]
    repo.runs.append(
        Run(
            26_000_000_000 + number,
            CI,
            head,
            branch,
            name="CI",
            conclusion=done,
            created_at="2026-06-23T09:05:00Z",
            jobs=jobs,
            actor=AUTHOR,
            repository=FORK,
        )
    )
    repo.check_runs += [CheckRun(job.id, job.name, head, job.conclusion) for job in jobs]
    repo.check_runs.append(CheckRun(number * 10 + 2, "license", head, app_id=777))


def _signed(number: int, kind: Kind) -> Comment | None:
    if kind in ("pending", "merged-unsigned"):
        return None
    by = STRANGER if kind == "signed by a stranger before the merge" else SIGNER
    comment = Comment(
        5_000_000_001 + number * 10,
        by,
        signed_form().replace(SIGNER.login, by.login),
        created_at="2026-06-24T10:00:00Z",
    )
    if kind == "signed after the merge":
        comment.created_at = "2026-06-25T09:00:00Z"
    if kind == "edited after the merge":
        comment.edits.append(Edit("2026-06-25T09:00:00Z", SIGNER))
    return comment


def only(world: World) -> Repository:
    """The repository that is audited."""
    return world.repositories[REPO]


__all__ = ["ALL", "AS_OF", "CLASS_OF", "PASSING", "REPO", "add_pull", "audit_world", "only"]
