"""The pull request itself: its account of author, head, base, files, commits and pushes."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from signoff_bot.evidence.base import (
    Fact,
    Listed,
    Sha,
    Timestamp,
    Unordered,
    Unread,
    not_collected,
)


class Account(Listed):
    """Somebody on GitHub. Accounts are compared by `id`: a login can be renamed and taken again."""

    id: int
    login: str
    type: str
    """GitHub's account type: `User`, `Bot`, `Organization`, `Mannequin`, ..."""

    @property
    def is_person(self) -> bool:
        """Whether the account can sign: apps, organizations and placeholders cannot."""
        return self.type == "User"


class Repository(Fact):
    """The repository the pull request belongs to."""

    id: int
    full_name: str
    """`OWNER/REPO`, as GitHub spells it now (a renamed repository answers under its new name)."""
    private: bool


class Pull(Fact):
    """The pull request as GitHub described it when it was collected.

    `changed_files` and `commit_count` are GitHub's own counters; what was read is compared with
    them, because its lists end silently at 3,000 files and 250 commits.
    """

    number: int
    url: str
    title: str
    state: Literal["open", "closed"]
    draft: bool
    merged_at: Timestamp | None
    author: Account | None
    """None when the account was deleted (GitHub shows such authors as "ghost")."""
    labels: tuple[str, ...]
    created_at: Timestamp
    head_sha: Sha
    head_ref: str
    head_repo: str | None
    """`OWNER/REPO` of the head branch; None when the fork was deleted."""
    base_ref: str
    base_sha: Sha
    """The base commit as GitHub keeps it on the pull request; may lag behind the branch's tip."""
    changed_files: int
    commit_count: int
    body: str | Unread | None = Field(default=not_collected("the description"))
    """The description, as Markdown; None where there is none."""


class ChangedFile(Listed):
    """One file of the pull request's diff. A renamed file carries both of its names."""

    identity = ("path",)

    path: str
    previous_path: str | None
    status: str
    """GitHub's word: added, removed, modified, renamed, copied, changed, unchanged."""
    patch: str | None
    """The unified diff; None where GitHub leaves it out (binary or very large files)."""
    sha: Sha | None = None
    """Git's id of its content; None where GitHub gives none."""


class EarlierChange(Listed):
    """What the pull request changed when a commit was its head, set against the base of today."""

    identity = ("sha",)

    sha: Sha
    files: Unordered[ChangedFile] | Unread


class Commit(Listed):
    """One commit that the pull request lists now: an *in-PR commit*."""

    identity = ("sha",)

    sha: Sha
    parents: tuple[Sha, ...]
    author: Account | None
    """The account GitHub attributes the commit to; None where the e-mail belongs to nobody."""
    committer: Account | None


class Push(Listed):
    """A push to the head branch, by GitHub's own clock (the activity of its repository).

    Commit dates are the committer's claim and are never used.
    """

    identity = ("at", "id")

    id: int = 0
    """GitHub's number of the activity; pushes of the same second are in its order."""
    sha: Sha
    """The head that it made."""
    at: Timestamp
    actor: Account | None
