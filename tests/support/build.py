"""Builds evidence for tests: a passing pull request, and small changes to it.

Every builder takes the fields a test cares about and fills in the rest.
"""

from __future__ import annotations

from typing import Any
from zlib import crc32

from signoff_bot.evidence.actions import Job, Run
from signoff_bot.evidence.conversation import Comment, History
from signoff_bot.evidence.model import Evidence
from signoff_bot.evidence.pull import Account, ChangedFile, Commit, Pull, Repository
from signoff_bot.evidence.repository import RepositoryFile

HEAD = "a" * 40
BASE = "b" * 40
NOW = "2026-06-25T12:00:00Z"
REPO = "SemiAnalysisAI/InferenceX"


def account(login: str, *, id: int | None = None, type: str = "User") -> Account:
    return Account(
        id=id if id is not None else crc32(login.lower().encode()),
        login=login,
        type=type,
    )


def comment(body: str, by: Account | str | None = "octavia-chen", **fields: Any) -> Comment:
    author = account(by) if isinstance(by, str) else by
    given = {
        "kind": "comment",
        "id": 4001,
        "author": author,
        "association": "MEMBER",
        "body": body,
        "created_at": "2026-06-25T10:00:00Z",
        "review_state": None,
        "commit_sha": None,
        "history": History(edited_at=None, editors=(), minimized=False),
    } | fields
    fragment = {
        "comment": "issuecomment-",
        "review": "pullrequestreview-",
        "review_comment": "discussion_r",
    }
    given.setdefault(
        "url", f"https://github.com/{REPO}/pull/7#{fragment[given['kind']]}{given['id']}"
    )
    return Comment(**given)


def pull(**fields: Any) -> Pull:
    given = {
        "number": 7,
        "url": f"https://github.com/{REPO}/pull/7",
        "title": "Add a benchmark",
        "state": "open",
        "draft": False,
        "merged_at": None,
        "author": account("kiri-lund"),
        "labels": (),
        "created_at": "2026-06-20T08:00:00Z",
        "head_sha": HEAD,
        "head_ref": "feature",
        "head_repo": REPO,
        "base_ref": "main",
        "base_sha": BASE,
        "changed_files": 1,
        "commit_count": 1,
    } | fields
    return Pull(**given)


def job(name: str, conclusion: str | None = "success", **fields: Any) -> Job:
    ran = conclusion not in (None, "skipped")
    given = {
        "id": sum(name.encode()),
        "name": name,
        "status": "completed" if conclusion else "queued",
        "conclusion": conclusion,
        "started_at": "2026-06-25T08:00:00Z" if ran else None,
        "completed_at": "2026-06-25T09:00:00Z" if ran else None,
        "runner": "runner-1" if ran else None,
        "url": f"https://github.com/{REPO}/actions/runs/900/job/{sum(name.encode())}",
    } | fields
    return Job(**given)


def run(id: int = 900, *jobs: Job, **fields: Any) -> Run:
    given = {
        "id": id,
        "attempt": 1,
        "repository_id": 1,
        "workflow_path": ".github/workflows/run-sweep.yml",
        "event": "pull_request",
        "head_sha": HEAD,
        "head_branch": "feature",
        "status": "completed",
        "conclusion": "success",
        "created_at": "2026-06-25T08:00:00Z",
        "url": f"https://github.com/{REPO}/actions/runs/{id}",
        "jobs": jobs,
        "artifacts": (),
    } | fields
    return Run(**given)


def changed(path: str, **fields: Any) -> ChangedFile:
    return ChangedFile(
        **({"path": path, "previous_path": None, "status": "modified", "patch": None} | fields)
    )


def evidence(**fields: Any) -> Evidence:
    given = {
        "collected_at": NOW,
        "signoff": None,
        "repository": Repository(id=1, full_name=REPO, private=False),
        "pull": pull(),
        "comments": (),
        "files": (changed("configs/a.yaml"),),
        "commits": (
            Commit(sha=HEAD, parents=(BASE,), author=account("kiri-lund"), committer=None),
        ),
        "codeowners": RepositoryFile(
            path=".github/CODEOWNERS", ref="refs/heads/main", text="* @octavia-chen\n"
        ),
    } | fields
    return Evidence(**given)
