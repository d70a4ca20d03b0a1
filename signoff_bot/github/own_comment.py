"""Our verdict comment: found again, edited, created once, and healed where there are two.

It is ours when our own account wrote it *and* its first line is the marker: a marker is only text,
which anybody can write. No comment is ever read for what it says.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from signoff_bot.evidence.model import Evidence
from signoff_bot.evidence.pull import Account
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.decode import Wire, WireAccount, decode, decode_all
from signoff_bot.github.failures import GitHubFailure, NoAnswer
from signoff_bot.github.paging import pages
from signoff_bot.github.plan import CommentPlan


class _WireComment(Wire):
    """A conversation comment as GitHub lists it."""

    id: int
    user: WireAccount | None
    body: str | None = None
    html_url: str


def put_comment(
    client: GitHubClient,
    evidence: Evidence,
    me: Account,
    planned: CommentPlan,
    ready: Callable[[], None],
) -> str:
    """Makes the planned comment our only one with its marker, and returns its address.

    `ready` is called right before the first write; what it raises stops everything.

    Raises:
        GitHubFailure: it could not be written.
    """
    path = f"/repos/{evidence.repository.full_name}/issues/{evidence.pull.number}/comments"
    ours = _ours(client, path, me, planned.marker)
    ready()
    if not ours:
        created, failure = _create(client, path, planned)
        # Another run may have created one meanwhile, and an unanswered request may have succeeded:
        # only a second look can tell. Every run keeps the oldest, so that all agree.
        ours = _ours(client, path, me, planned.marker) or created
        if not ours:
            raise failure or NoAnswer(f"POST {path}", "GitHub took the comment but lists none")
    kept, *doubles = sorted(ours, key=lambda comment: comment.id)
    one = f"/repos/{evidence.repository.full_name}/issues/comments"
    for double in doubles:
        # Another run may be deleting it too; one that stays is met again by the next run.
        with contextlib.suppress(GitHubFailure):
            client.delete(f"{one}/{double.id}")
    if _normal(kept.body) != _normal(planned.body):
        client.patch(f"{one}/{kept.id}", {"body": planned.body})
    return kept.html_url


def _ours(client: GitHubClient, path: str, me: Account, marker: str) -> list[_WireComment]:
    return [
        comment
        for comment in decode_all(_WireComment, pages(client, path), f"GET {path}")
        if comment.user is not None
        and comment.user.id == me.id
        and (comment.body or "").partition("\n")[0].rstrip() == marker
    ]


def _create(
    client: GitHubClient, path: str, planned: CommentPlan
) -> tuple[list[_WireComment], NoAnswer | None]:
    """The new comment, or the failure that leaves open whether there is one now."""
    try:
        answer = client.post(path, {"body": planned.body})
    except NoAnswer as failure:
        return [], failure
    return [decode(_WireComment, answer.data, answer.request)], None


def _normal(body: str | None) -> str:
    """The text without what GitHub may change about it: line ends and outer white space."""
    return (body or "").replace("\r\n", "\n").strip()
