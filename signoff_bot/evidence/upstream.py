"""Pull requests of other repositories that a sign-off points at."""

from __future__ import annotations

from pydantic import Field

from signoff_bot.evidence.base import (
    Fact,
    Listed,
    Timestamp,
    Unordered,
    Unread,
    not_collected,
)
from signoff_bot.evidence.pull import ChangedFile


class UpstreamState(Fact):
    """What GitHub says of a linked pull request."""

    base_repo: str
    """`OWNER/REPO` that it merges into: a fork's pull request is not the upstream's."""
    other_branch: str | None = None
    """The branch that it merges into, where that is not the repository's default branch."""
    state: str
    draft: bool
    merged_at: Timestamp | None
    title: str
    files: Unordered[ChangedFile] | Unread = Field(
        default=not_collected("the files of a linked pull request")
    )


class UpstreamPull(Listed):
    """A linked pull request; `found` is None where GitHub knows no such pull request."""

    identity = ("repo", "number")

    repo: str
    """`owner/repo` in lower case, as asked for."""
    number: int
    found: UpstreamState | Unread | None
