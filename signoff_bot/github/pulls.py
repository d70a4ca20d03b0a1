"""Reads the pull request: its description, changed files, commits, and the last push."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from signoff_bot.evidence.base import Sha, Timestamp
from signoff_bot.evidence.pull import ChangedFile, Commit, Pull, Push, Repository
from signoff_bot.github.client import Answer, GitHubClient
from signoff_bot.github.decode import Wire, WireAccount, account_of, decode, decode_all
from signoff_bot.github.failures import Incomplete, OddAnswer
from signoff_bot.github.long_history import read_long_history
from signoff_bot.github.paging import pages

MOST_FILES = 3000
"""GitHub lists no more files of a pull request, and ends the list without a word."""
MOST_COMMITS = 250
"""REST lists no more commits of a pull request, and ends the list without a word."""
MOVED = "the pull request changed while it was read; verify again"


@dataclass(frozen=True, slots=True)
class Described:
    """A pull request as GitHub describes it, with its counters of what is listed elsewhere."""

    at: Timestamp
    """When GitHub gave the description, by its own clock."""
    repository: Repository
    pull: Pull
    comments: int
    review_comments: int


class _WireRepository(Wire):
    id: int
    full_name: str
    private: bool


class _Head(Wire):
    ref: str
    sha: Sha
    repo: _WireRepository | None


class _Base(Wire):
    ref: str
    sha: Sha
    repo: _WireRepository


class _Label(Wire):
    name: str


class _WirePull(Wire):
    number: int
    html_url: str
    title: str
    state: Literal["open", "closed"]
    draft: bool = False
    merged_at: Timestamp | None
    user: WireAccount | None
    labels: list[_Label]
    created_at: Timestamp
    head: _Head
    base: _Base
    changed_files: int
    commits: int
    comments: int
    review_comments: int


class _WireFile(Wire):
    filename: str
    previous_filename: str | None = None
    status: str
    patch: str | None = None


class _Parent(Wire):
    sha: Sha


class _WireCommit(Wire):
    sha: Sha
    parents: list[_Parent]
    author: WireAccount | None
    committer: WireAccount | None


class _Activity(Wire):
    after: str
    ref: str
    timestamp: Timestamp
    actor: WireAccount | None


def read_pull(client: GitHubClient, repo: str, number: int) -> Described:
    """The pull request `number` of `repo` (`OWNER/REPO`)."""
    answer = client.get(f"/repos/{repo}/pulls/{number}")
    found = decode(_WirePull, answer.data, answer.request)
    if found.number != number:
        raise OddAnswer(answer.request, f"odd answer from GitHub: number is {found.number}")
    base = found.base.repo
    return Described(
        at=_date(answer),
        repository=Repository(id=base.id, full_name=base.full_name, private=base.private),
        pull=Pull(
            number=number,
            url=found.html_url,
            title=found.title,
            state=found.state,
            draft=found.draft,
            merged_at=found.merged_at,
            author=account_of(found.user),
            labels=tuple(label.name for label in found.labels),
            created_at=found.created_at,
            head_sha=found.head.sha,
            head_ref=found.head.ref,
            head_repo=found.head.repo.full_name if found.head.repo else None,
            base_ref=found.base.ref,
            base_sha=found.base.sha,
            changed_files=found.changed_files,
            commit_count=found.commits,
        ),
        comments=found.comments,
        review_comments=found.review_comments,
    )


def _date(answer: Answer) -> Timestamp:
    try:
        at = parsedate_to_datetime(answer.headers.get("date", "")).astimezone(UTC)
    except ValueError:
        raise OddAnswer(answer.request, "odd answer from GitHub: it is not dated") from None
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def read_files(
    client: GitHubClient, repo: str, number: int, pull: Callable[[], Pull]
) -> tuple[ChangedFile, ...]:
    """The changed files; `pull` gives GitHub's own count of them."""
    path = f"/repos/{repo}/pulls/{number}/files"
    listed = pages(client, path, counted=lambda: pull().changed_files, reach=MOST_FILES)
    if len(listed) != pull().changed_files:
        raise Incomplete(f"GET {path}", MOVED)
    return tuple(
        ChangedFile(
            path=file.filename,
            previous_path=file.previous_filename,
            status=file.status,
            patch=file.patch,
        )
        for file in decode_all(_WireFile, listed, f"GET {path}")
    )


def read_commits(
    client: GitHubClient, repo: str, number: int, pull: Callable[[], Pull]
) -> tuple[Commit, ...]:
    """The commits that the pull request lists; `pull` gives GitHub's own count, and the head."""
    path = f"/repos/{repo}/pulls/{number}/commits"

    def counted() -> int:
        count = pull().commit_count
        return count if count <= MOST_COMMITS else 0

    commits = _listed_commits(path, pages(client, path, counted=counted))
    count, head = pull().commit_count, pull().head_sha
    if count > MOST_COMMITS:
        commits = read_long_history(client, repo, number)
    shas = {commit.sha for commit in commits}
    if not len(commits) == len(shas) == count:
        raise Incomplete(f"GET {path}", f"{len(shas)} of {count} commits could be read: {MOVED}")
    if count and head not in shas:
        raise Incomplete(f"GET {path}", f"the head {head} is not among the commits: {MOVED}")
    return commits


def _listed_commits(path: str, listed: list[Any]) -> tuple[Commit, ...]:
    return tuple(
        Commit(
            sha=commit.sha,
            parents=tuple(parent.sha for parent in commit.parents),
            author=account_of(commit.author),
            committer=account_of(commit.committer),
        )
        for commit in decode_all(_WireCommit, listed, f"GET {path}")
    )


def read_push(client: GitHubClient, pull: Pull) -> Push:
    """The newest push that made the head what it is, from the activity of its repository."""
    if pull.head_repo is None:
        raise Incomplete(
            f"pull request {pull.number}",
            "the repository of its head was deleted, so the time of its last push cannot be "
            f"learnt; {_INSTEAD}",
        )
    ref = f"refs/heads/{pull.head_ref}"
    path = f"/repos/{pull.head_repo}/activity"
    answer = client.get(path, ref=ref, per_page=100)
    if not isinstance(answer.data, list):
        raise OddAnswer(answer.request, "odd answer from GitHub: it is no list")
    for entry in decode_all(_Activity, answer.data, answer.request):
        if entry.ref == ref and entry.after == pull.head_sha:
            return Push(sha=pull.head_sha, at=entry.timestamp, actor=account_of(entry.actor))
    raise Incomplete(
        answer.request,
        f"none of the newest pushes to {pull.head_ref} made {pull.head_sha} its head; {_INSTEAD}",
    )


_INSTEAD = "sign off by a review instead, which GitHub ties to a commit"
