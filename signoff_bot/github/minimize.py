"""Folds comments of ours away that are about an older head, as GitHub itself calls it: outdated."""

from __future__ import annotations

from collections.abc import Sequence

from signoff_bot.github.client import GitHubClient, graphql_request
from signoff_bot.github.decode import Wire, decode

_ABOUT = "minimized comments"
_QUERY = """
query Minimized($ids: [ID!]!) {
  nodes(ids: $ids) { ... on Minimizable { isMinimized } }
}
"""
_MUTATION = """
mutation Minimize($id: ID!) {
  minimizeComment(input: {subjectId: $id, classifier: OUTDATED}) {
    minimizedComment { isMinimized }
  }
}
"""
_MOST = 100
"""Comments asked about at once; GraphQL takes no more ids."""


class _Node(Wire):
    isMinimized: bool  # noqa: N815 - GitHub's name


class _Nodes(Wire):
    nodes: list[_Node | None]


def minimize(client: GitHubClient, nodes: Sequence[str]) -> None:
    """Minimizes the newest of these comments (given by their node ids) that are not minimized yet.

    Raises:
        GitHubFailure: GitHub did not do it.
    """
    nodes = nodes[-_MOST:]
    if not nodes:
        return
    data = client.graphql(_QUERY, {"ids": list(nodes)}, _ABOUT)
    found = decode(_Nodes, data, graphql_request(_ABOUT)).nodes
    for node, state in zip(nodes, found, strict=False):
        if state is not None and not state.isMinimized:
            # It may be asked again: minimizing twice is minimizing.
            client.graphql(_MUTATION, {"id": node}, "minimize a comment")
