"""Reads what a pull request changed when it was signed off, or measured."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from threading import Lock

from signoff_bot.evidence.base import Sha, Unread
from signoff_bot.evidence.conversation import Comment
from signoff_bot.evidence.pull import EarlierChange, Push
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.pulls import Described, read_earlier_files
from signoff_bot.github.tasks import side_by_side, unless_failing
from signoff_bot.reading.candidates import find_signoffs
from signoff_bot.reading.freshness import signed_head
from signoff_bot.reading.settings import SignoffRules

MOST_HEADS = 10
"""Earlier heads that are compared with the base."""


class EarlierChanges:
    """What the pull request changed at commits that were its head before; each is read once."""

    def __init__(self, client: GitHubClient, described: Described) -> None:
        self._client = client
        self._described = described
        self._lock = Lock()
        self._known: dict[Sha, EarlierChange] = {}

    @property
    def known(self) -> tuple[EarlierChange, ...]:
        """Those that were read so far."""
        with self._lock:
            return tuple(self._known.values())

    def at(self, shas: Iterable[Sha]) -> tuple[EarlierChange, ...]:
        """The change at each of these commits but the head, the first `MOST_HEADS` of them."""
        head = self._described.pull.head_sha
        wanted = [sha for sha in dict.fromkeys(shas) if sha != head][:MOST_HEADS]
        with self._lock:
            new = [sha for sha in wanted if sha not in self._known]
            for change in side_by_side(partial(self._read, sha) for sha in new):
                self._known[change.sha] = change
            return tuple(self._known[sha] for sha in wanted)

    def _read(self, sha: Sha) -> EarlierChange:
        pull, repo = self._described.pull, self._described.repository.full_name
        base = pull.base_ref if pull.state == "open" else pull.base_sha
        files = unless_failing(lambda: read_earlier_files(self._client, repo, base, sha))
        return EarlierChange(sha=sha, files=files)


def signed_heads(
    comments: tuple[Comment, ...] | Unread,
    pushes: tuple[Push, ...] | Unread,
    rules: SignoffRules,
) -> list[Sha]:
    """The head that each sign-off speaks of, as far as it is known; the newest sign-offs first."""
    if isinstance(comments, Unread):
        return []
    known = () if isinstance(pushes, Unread) else pushes
    heads = (signed_head(signoff, known) for signoff in reversed(find_signoffs(comments, rules)))
    return [head for head in heads if head is not None]
