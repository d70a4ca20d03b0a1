"""Facts of the repository that judge the pull request: files at the base, and teams."""

from __future__ import annotations

from typing import Literal

from signoff_bot.evidence.base import Listed, Unordered, Unread
from signoff_bot.evidence.pull import Account

Place = Literal["base", "merge base", "head", "run"]
"""Where a file is looked at: the base branch's tip (what is normative), the commit the pull request
branched off from and its head (what it changes), or the commit of the run accepted as evidence."""


class RepositoryFile(Listed):
    """A text file as it stands at one place; `text` is None when there is no such file there."""

    identity = ("path", "at")

    path: str
    at: Place = "base"
    ref: str
    """What was asked for: `refs/heads/BRANCH`, or a commit."""
    text: str | Unread | None


class Access(Listed):
    """What somebody may do in the repository."""

    id: int
    """The account's id."""
    login: str
    permission: str | Unread
    """admin, write, read or none; of any other role, GitHub's nearest of these."""

    @property
    def may_write(self) -> bool | Unread:
        """Whether they may change the repository's contents."""
        if isinstance(self.permission, Unread):
            return self.permission
        return self.permission in ("admin", "write")


class Team(Listed):
    """A team named in CODEOWNERS and the people in it, those of nested teams included."""

    identity = ("name",)

    name: str
    """`org/slug` in lower case."""
    members: Unordered[Account] | Unread
