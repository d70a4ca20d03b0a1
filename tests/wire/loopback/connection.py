"""GraphQL's connections: pages by cursor, as GitHub bounds them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from graphql import GraphQLError

MAX_PAGE = 100


def refuse(kind: str, message: str) -> GraphQLError:
    """A failure, with the type that GitHub gives it."""
    return GraphQLError(message, extensions={"type": kind})


def connection(
    name: str, items: Sequence[Any], shape: Callable[[Any], Any]
) -> Callable[..., dict[str, Any]]:
    """A connection with cursors; GitHub demands `first` or `last`, 100 at most."""

    def resolve(
        _: Any,
        first: int | None = None,
        last: int | None = None,
        after: str | None = None,
        **__: Any,
    ) -> dict[str, Any]:
        size = first if first is not None else last
        if size is None:
            raise refuse(
                "MISSING_PAGINATION_BOUNDARIES",
                f"You must provide a `first` or `last` value to properly paginate the `{name}` "
                "connection.",
            )
        if not 1 <= size <= MAX_PAGE:
            raise refuse(
                "EXCESSIVE_PAGINATION",
                f"Requesting {size} records on the `{name}` connection exceeds the `first` limit "
                "of 100 records.",
            )
        start = int(after) if after else 0
        if first is None:
            start = max(len(items) - size, 0)
        end = min(start + size, len(items))
        nodes = [shape(item) for item in items[start:end]]
        return {
            "totalCount": len(items),
            "nodes": nodes,
            "edges": [
                {"cursor": str(start + index + 1), "node": node} for index, node in enumerate(nodes)
            ],
            "pageInfo": {
                "hasNextPage": end < len(items),
                "hasPreviousPage": start > 0,
                "startCursor": str(start) if nodes else None,
                "endCursor": str(end) if nodes else None,
            },
        }

    return resolve
