"""Tells whether a comment is a person's own standing word, and since when.

Not what apps and deleted accounts wrote; nor a comment that somebody else edited or that was
minimized, nor a review that was dismissed.
"""

from __future__ import annotations

from dataclasses import dataclass

from signoff_bot.evidence.base import Timestamp, Unread
from signoff_bot.evidence.conversation import Comment
from signoff_bot.evidence.pull import Account


@dataclass(frozen=True, slots=True)
class Standing:
    """A comment that stands as its author's own word, as far as is known."""

    at: Timestamp
    """When it was said: the last edit by its author, else when it was posted."""
    edited: bool
    unread: str | None
    """Why its history could not be learnt; then nothing may rest on it."""


def author_of(comment: Comment) -> Account | None:
    """The person who wrote it; None for what counts for nobody, whatever its history says."""
    if comment.author is None or not comment.author.is_person:
        return None
    return None if comment.review_state == "DISMISSED" else comment.author


def standing(comment: Comment) -> Standing | None:
    """Since when the comment stands, or None when it does not."""
    author, history = author_of(comment), comment.history
    if author is None:
        return None
    if isinstance(history, Unread):
        return Standing(comment.created_at, False, history.unread)
    if history.minimized:
        return None
    if history.edited_at is None and not history.editors:
        return Standing(comment.created_at, False, None)
    at = history.edited_at or comment.created_at
    if any(editor is not None and editor.id != author.id for editor in history.editors):
        return None
    if None in history.editors or not history.editors or history.edited_at is None:
        return Standing(at, True, "GitHub does not tell who edited this comment; post it anew")
    return Standing(at, True, None)
