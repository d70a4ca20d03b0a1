"""Facts of the repository that judge the pull request: files at the base, and teams."""

from __future__ import annotations

from signoff_bot.evidence.base import Listed, Unordered, Unread
from signoff_bot.evidence.pull import Account


class RepositoryFile(Listed):
    """A text file at the base; `text` is None when there is no such file there."""

    identity = ("path",)

    path: str
    ref: str
    """Where it was read: `refs/heads/BRANCH`, or a commit for a pull request already closed."""
    text: str | Unread | None


class Team(Listed):
    """A team named in CODEOWNERS and the people in it, those of nested teams included."""

    identity = ("name",)

    name: str
    """`org/slug` in lower case."""
    members: Unordered[Account] | Unread
