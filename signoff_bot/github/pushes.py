"""Reads the pushes to the head branch of a pull request."""

from __future__ import annotations

from collections.abc import Iterable

from signoff_bot.evidence.base import Sha, Timestamp
from signoff_bot.evidence.pull import Pull, Push
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.decode import Wire, WireAccount, account_of, decode_all
from signoff_bot.github.failures import Incomplete, OddAnswer

_INSTEAD = "sign off by a review instead, which GitHub ties to a commit"


class _Activity(Wire):
    id: int
    after: Sha
    ref: str
    timestamp: Timestamp
    actor: WireAccount | None


def read_pushes(client: GitHubClient, pull: Pull) -> tuple[Push, ...]:
    """The newest pushes to the head branch, from the activity of its repository."""
    if pull.head_repo is None:
        raise Incomplete(
            f"pull request {pull.number}",
            "the repository of its head was deleted, so the time of its last push cannot be "
            f"learnt; {_INSTEAD}",
        )
    ref = f"refs/heads/{pull.head_ref}"
    answer = client.get(f"/repos/{pull.head_repo}/activity", ref=ref, per_page=100)
    if not isinstance(answer.data, list):
        raise OddAnswer(answer.request, "odd answer from GitHub: it is no list")
    entries = decode_all(_Activity, answer.data, answer.request)
    pushes = tuple(
        Push(id=entry.id, sha=entry.after, at=entry.timestamp, actor=account_of(entry.actor))
        for entry in entries
        if entry.ref == ref
    )
    if not any(push.sha == pull.head_sha for push in pushes):
        raise Incomplete(
            answer.request,
            f"none of the newest pushes to {pull.head_ref} made {pull.head_sha} its head; "
            f"{_INSTEAD}",
        )
    return pushes


def last_push(pushes: Iterable[Push], head: Sha) -> Push:
    """The newest of the pushes that made a commit the head."""
    made = (push for push in pushes if push.sha == head)
    return max(made, key=lambda push: (push.at, push.id))
