"""What people and apps wrote on the pull request, and who touched it afterwards."""

from __future__ import annotations

from typing import Literal

from signoff_bot.evidence.base import Fact, Listed, Sha, Timestamp, Unread
from signoff_bot.evidence.pull import Account

CommentKind = Literal["comment", "review", "review_comment"]

_FRAGMENTS: dict[CommentKind, str] = {
    "comment": "issuecomment-",
    "review": "pullrequestreview-",
    "review_comment": "discussion_r",
}


class History(Fact):
    """What REST does not tell of a comment: its edits, and whether it was minimized."""

    edited_at: Timestamp | None
    """The last edit; None for a comment never edited."""
    editors: tuple[Account | None, ...]
    """Everybody who edited it, each once; None stands for an account that is gone."""
    minimized: bool


class Comment(Listed):
    """A conversation comment, the summary of a review, or a comment on a line of the diff."""

    identity = ("kind", "id")

    kind: CommentKind
    id: int
    url: str
    author: Account | None
    """None when the account was deleted."""
    association: str
    """GitHub's `author_association`: OWNER, MEMBER, COLLABORATOR, CONTRIBUTOR, NONE, ..."""
    body: str
    created_at: Timestamp
    review_state: str | None
    """Of a review: APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED; else None."""
    commit_sha: Sha | None
    """The head that a review or line comment was made on; None for conversation comments."""
    history: History | Unread
    """Read for the comments that might be a sign-off; elsewhere it is not asked for."""

    @property
    def anchor(self) -> str:
        """The comment's fragment in GitHub's URLs, such as `issuecomment-123`."""
        return SignoffRef(kind=self.kind, id=self.id).anchor


class ReviewThread(Listed):
    """A conversation on lines of the diff, which its participants may mark as resolved."""

    id: str
    url: str
    """Its first comment."""
    author: Account | None
    """Who began it; None when the account was deleted."""
    resolved: bool


class SignoffRef(Fact):
    """The sign-off that the user asked about, from its URL."""

    kind: CommentKind
    id: int

    @property
    def anchor(self) -> str:
        """Its fragment in GitHub's URLs, such as `issuecomment-123`."""
        return f"{_FRAGMENTS[self.kind]}{self.id}"


def parse_anchor(fragment: str) -> SignoffRef | None:
    """The sign-off that a URL fragment names (`issuecomment-1`, `discussion_r1`), or None."""
    for kind, prefix in _FRAGMENTS.items():
        number = fragment.removeprefix(prefix)
        if number != fragment and number.isascii() and number.isdigit() and len(number) < 20:
            return SignoffRef(kind=kind, id=int(number))
    return None
