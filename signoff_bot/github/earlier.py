"""Reads what a pull request changed when its sign-offs were given."""

from __future__ import annotations

from functools import partial

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


def read_earlier_changes(
    client: GitHubClient,
    described: Described,
    comments: tuple[Comment, ...] | Unread,
    pushes: tuple[Push, ...] | Unread,
    rules: SignoffRules,
) -> tuple[EarlierChange, ...]:
    """The change at each earlier head that somebody signed, the newest sign-offs first."""
    if isinstance(comments, Unread):
        return ()
    known = () if isinstance(pushes, Unread) else pushes
    heads = (signed_head(signoff, known) for signoff in reversed(find_signoffs(comments, rules)))
    shas = [s for s in dict.fromkeys(heads) if s not in (None, described.pull.head_sha)]
    return tuple(side_by_side(partial(_read, client, described, s) for s in shas[:MOST_HEADS] if s))


def _read(client: GitHubClient, described: Described, sha: Sha) -> EarlierChange:
    pull, repo = described.pull, described.repository.full_name
    base = pull.base_ref if pull.state == "open" else pull.base_sha
    files = unless_failing(lambda: read_earlier_files(client, repo, base, sha))
    return EarlierChange(sha=sha, files=files)
