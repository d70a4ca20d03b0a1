"""Reads the pull request: its description, changed files and commits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from signoff_bot.evidence.base import Sha, Timestamp
from signoff_bot.evidence.pull import ChangedFile, Commit, Pull, Repository
from signoff_bot.github.client import Answer, GitHubClient, segment
from signoff_bot.github.decode import Wire, WireAccount, account_of, decode, decode_all
from signoff_bot.github.failures import Incomplete, OddAnswer
from signoff_bot.github.long_history import read_long_history
from signoff_bot.github.paging import pages

MOST_FILES = 3000
"""GitHub lists no more files of a pull request, and ends the list without a word."""
MOST_COMPARED = 300
"""GitHub lists no more files of a comparison, and ends the list without a word."""
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
    body: str | None
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
    sha: Sha | None

    @property
    def file(self) -> ChangedFile:
        """The file as evidence."""
        return ChangedFile(
            path=self.filename,
            previous_path=self.previous_filename,
            status=self.status,
            patch=self.patch,
            sha=self.sha,
        )


class _Comparison(Wire):
    files: list[_WireFile]


class _Parent(Wire):
    sha: Sha


class _WireCommit(Wire):
    sha: Sha
    parents: list[_Parent]
    author: WireAccount | None
    committer: WireAccount | None


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
            body=found.body,
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
    client: GitHubClient, repo: str, number: int, counted: Callable[[], int]
) -> tuple[ChangedFile, ...]:
    """The changed files; `counted` gives GitHub's own count of them."""
    path = f"/repos/{repo}/pulls/{number}/files"
    listed = pages(client, path, counted=counted, reach=MOST_FILES)
    files = tuple(file.file for file in decode_all(_WireFile, listed, f"GET {path}"))
    # A page that shifted while it was read repeats one file and drops another.
    if len({file.path for file in files}) != counted():
        raise Incomplete(f"GET {path}", MOVED)
    return files


def read_earlier_files(
    client: GitHubClient, repo: str, base: str, sha: Sha
) -> tuple[ChangedFile, ...]:
    """What a commit changes of the base (a branch or commit) since it branched off."""
    path = f"/repos/{repo}/compare/{segment(base)}...{sha}"
    answer = client.get(path, per_page=1)
    files = decode(_Comparison, answer.data, answer.request).files
    if not files:
        raise Incomplete(answer.request, "GitHub shows no changed file")
    if len(files) >= MOST_COMPARED:
        raise Incomplete(answer.request, f"GitHub compares only {MOST_COMPARED} files")
    return tuple(file.file for file in files)


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
