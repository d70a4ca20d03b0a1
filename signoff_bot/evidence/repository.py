"""Facts of the repository that judge the pull request: files at the base, and teams."""

from __future__ import annotations

from signoff_bot.evidence.base import Fact, Unread
from signoff_bot.evidence.pull import Account


class RepositoryFile(Fact):
    """A text file at the base; `text` is None when there is no such file there."""

    path: str
    ref: str
    """Where it was read: `refs/heads/BRANCH`, or a commit for a pull request already closed."""
    text: str | Unread | None


class Team(Fact):
    """A team named in CODEOWNERS and the people in it, those of nested teams included."""

    name: str
    """`org/slug` in lower case."""
    members: tuple[Account, ...] | Unread
