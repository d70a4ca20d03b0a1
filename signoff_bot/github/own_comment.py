"""Our comments on a pull request: found again, edited, created once, and healed where two are.

One is ours when our own account wrote it *and* its first line is our marker: a marker is only text,
which anybody can write. What a comment of ours says decides nothing.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from signoff_bot.evidence.base import Timestamp
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.decode import Wire, WireAccount, decode, decode_all
from signoff_bot.github.failures import LATER, GitHubFailure, NoAnswer
from signoff_bot.github.paging import pages
from signoff_bot.reading.marker import Marker, read_marker


@dataclass(frozen=True, slots=True)
class OwnComment:
    """A comment of ours; `node` is the id by which GraphQL knows it, `at` its last change."""

    id: int
    node: str
    url: str
    body: str
    at: Timestamp
    marker: Marker


class _WireComment(Wire):
    """A conversation comment as GitHub lists it."""

    id: int
    node_id: str
    user: WireAccount | None
    body: str | None = None
    html_url: str
    updated_at: Timestamp


@dataclass(frozen=True, slots=True)
class OwnComments:
    """Where our comments are: on which pull request, by which accounts, under which name."""

    client: GitHubClient
    repo: str
    number: int
    us: Collection[int]
    context: str

    def read(self, since: Timestamp | None = None) -> list[OwnComment]:
        """All of them, or those changed `since` a time, oldest first.

        Raises:
            GitHubFailure: they could not be read.
        """
        changed: dict[str, Any] = {} if since is None else {"since": since}
        items = pages(self.client, self._list, **changed)
        listed = decode_all(_WireComment, items, f"GET {self._list}")
        found = [self._own(comment) for comment in listed]
        return sorted((c for c in found if c is not None), key=lambda comment: comment.id)

    def create(self, body: str, since: Timestamp) -> OwnComment:
        """Makes this our only comment with its first line, and returns it.

        There was none at the time `since`, so that only what came later is read again.

        Raises:
            GitHubFailure: it could not be written.
        """
        failure: NoAnswer | None = None
        created: list[OwnComment] = []
        try:
            answer = self.client.post(self._list, {"body": body})
            own = self._own(decode(_WireComment, answer.data, answer.request))
            created = [] if own is None else [own]
        except NoAnswer as lost:
            failure = lost
        # Another run may have created one meanwhile, and an unanswered request may have succeeded:
        # only a second look can tell. Every run keeps the oldest, so that all agree.
        line = body.partition("\n")[0]
        there = self.read(since=since)
        ours = [c for c in there if c.body.partition("\n")[0].rstrip() == line] or created
        if not ours:
            raise failure or NoAnswer(
                f"POST {self._list}", "GitHub took the comment and lists none", LATER
            )
        kept, *doubles = ours
        self.delete(doubles)
        self.edit(kept, body)
        return kept

    def edit(self, comment: OwnComment, body: str) -> None:
        """Makes a comment say this, if it does not.

        Raises:
            GitHubFailure: it could not be written.
        """
        if _normal(comment.body) != _normal(body):
            self.client.patch(f"{self._one}/{comment.id}", {"body": body})

    def delete(self, doubles: Collection[OwnComment]) -> None:
        """Deletes comments, as far as GitHub lets us."""
        for double in doubles:
            # Another run may be deleting it too; one that stays is met again by the next run.
            with contextlib.suppress(GitHubFailure):
                self.client.delete(f"{self._one}/{double.id}")

    @property
    def _list(self) -> str:
        return f"/repos/{self.repo}/issues/{self.number}/comments"

    @property
    def _one(self) -> str:
        return f"/repos/{self.repo}/issues/comments"

    def _own(self, wire: _WireComment) -> OwnComment | None:
        marker = read_marker(wire.body or "", self.context)
        if wire.user is None or wire.user.id not in self.us or marker is None:
            return None
        return OwnComment(
            wire.id, wire.node_id, wire.html_url, wire.body or "", wire.updated_at, marker
        )


def _normal(body: str) -> str:
    """The text without what GitHub may change about it: line ends and outer white space."""
    return body.replace("\r\n", "\n").strip()
