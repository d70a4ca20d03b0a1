"""Tells which push made the head, and which commit was the head when a sign-off was given."""

from __future__ import annotations

from collections.abc import Iterable

from signoff_bot.evidence.base import MissingEvidence, Sha, known
from signoff_bot.evidence.model import Evidence
from signoff_bot.evidence.pull import Push
from signoff_bot.reading.candidates import Signoff
from signoff_bot.reading.wording import short


def head_push(evidence: Evidence) -> Push:
    """The push that made the head.

    Raises:
        MissingEvidence: it could not be read, or the last one on record made another commit.
    """
    push, head = known(evidence.push), evidence.pull.head_sha
    if push.sha != head:
        raise MissingEvidence(
            f"the last push on record is {short(push.sha)}, but the head is {short(head)}"
        )
    return push


def made_on(signoff: Signoff) -> Sha | None:
    """The commit that GitHub ties the sign-off to, as long as it was not edited since."""
    edited = signoff.at != signoff.comment.created_at
    return None if edited else signoff.comment.commit_sha


def signed_head(signoff: Signoff, pushes: Iterable[Push]) -> Sha | None:
    """The head that the sign-off speaks of, or None where the pushes do not tell.

    That is the one GitHub ties it to, else what the last push before it made. A push in the same
    second came after it, as far as anybody can prove.
    """
    tied = made_on(signoff)
    if tied is not None:
        return tied
    earlier = [push for push in pushes if push.at < signoff.at]
    return max(earlier, key=lambda push: (push.at, push.id)).sha if earlier else None
