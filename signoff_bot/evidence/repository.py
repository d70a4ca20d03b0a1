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


class Team(Listed):
    """A team named in CODEOWNERS and the people in it, those of nested teams included."""

    identity = ("name",)

    name: str
    """`org/slug` in lower case."""
    members: Unordered[Account] | Unread
