"""Reads what only GraphQL tells of a comment: who edited it, when, and whether it is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from signoff_bot.evidence.base import Timestamp, Unread
from signoff_bot.evidence.conversation import History
from signoff_bot.evidence.pull import Account
from signoff_bot.github.actors import FRAGMENT, WireActor, account
from signoff_bot.github.client import GitHubClient, graphql_request
from signoff_bot.github.decode import Wire, decode
from signoff_bot.github.failures import GitHubFailure, Incomplete, OddAnswer
from signoff_bot.github.tasks import side_by_side
from signoff_bot.reading.wording import count

_BATCH = 100
"""Comments asked about at once; GraphQL takes no more ids."""
_ABOUT = "edits of comments"
_REQUEST = graphql_request(_ABOUT)
_QUERY = (
    """
query Edits($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Comment {
      lastEditedAt
      editor { ...account }
      userContentEdits(first: 100) { totalCount nodes { editor { ...account } } }
    }
    ... on Minimizable { isMinimized }
  }
}
"""
    + FRAGMENT
)


class _Edit(Wire):
    editor: WireActor | None


class _Edits(Wire):
    totalCount: int  # noqa: N815 - GitHub's name
    nodes: list[_Edit]


class _Node(Wire):
    lastEditedAt: Timestamp | None  # noqa: N815
    editor: WireActor | None
    userContentEdits: _Edits | None  # noqa: N815
    isMinimized: bool  # noqa: N815


def read_histories(client: GitHubClient, nodes: Sequence[str]) -> dict[str, History | Unread]:
    """The histories of comments, by their node ids."""
    batches = [nodes[start : start + _BATCH] for start in range(0, len(nodes), _BATCH)]
    found = side_by_side(partial(_read_batch, client, batch) for batch in batches)
    return {node: history for batch in found for node, history in batch.items()}


def _read_batch(client: GitHubClient, nodes: Sequence[str]) -> dict[str, History | Unread]:
    try:
        found = client.graphql(_QUERY, {"ids": list(nodes)}, _ABOUT).get("nodes")
        if not isinstance(found, list) or len(found) != len(nodes):
            raise OddAnswer(_REQUEST, "odd answer from GitHub: not one node for each id")
    except GitHubFailure as failure:
        return dict.fromkeys(nodes, Unread(unread=str(failure)))
    return {node: _history(data) for node, data in zip(nodes, found, strict=True)}


def _history(node: object) -> History | Unread:
    """Of one comment. It is null when the comment was deleted while we read."""
    try:
        wire = decode(_Node, node, _REQUEST)
        return History(
            edited_at=wire.lastEditedAt, editors=_editors(wire), minimized=wire.isMinimized
        )
    except GitHubFailure as failure:
        return Unread(unread=str(failure))


def _editors(wire: _Node) -> tuple[Account | None, ...]:
    """Everybody who edited, each once; GitHub lists the first version as an edit too."""
    edits = wire.userContentEdits or _Edits(totalCount=0, nodes=[])
    if edits.totalCount != len(edits.nodes):
        raise Incomplete(
            _REQUEST, f"a comment has {count(edits.totalCount, 'edit')}, not all of them told"
        )
    if wire.lastEditedAt is not None and not edits.nodes:
        raise Incomplete(_REQUEST, "GitHub does not tell who edited a comment")
    actors = [edit.editor for edit in edits.nodes]
    if wire.lastEditedAt is not None:
        actors.append(wire.editor)
    return tuple(dict.fromkeys(map(account, actors)))
