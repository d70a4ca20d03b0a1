"""Reads which files a branch holds, by git's ids alone: many paths in one request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from signoff_bot.github.client import GitHubClient, graphql_request
from signoff_bot.github.decode import Wire, decode

Held = str | dict[str, str | None] | None
"""A file's id; of a directory the ids of its files, by path; None where there is nothing."""
_ABOUT = "files of a branch"


class _Entry(Wire):
    path: str | None
    type: str
    oid: str


class _Object(Wire):
    oid: str
    entries: list[_Entry] | None = None


def read_base_files(
    client: GitHubClient, repo: str, ref: str, paths: Sequence[str]
) -> dict[str, Held]:
    """What is at each path (a directory's ends in a slash) at a ref.

    Raises:
        GitHubFailure: any kind of it.
    """
    owner, _, name = repo.partition("/")
    parameters = "".join(f", $p{index}: String!" for index in range(len(paths)))
    held = "{ oid ... on Tree { entries { path type oid } } }"
    fields = "\n".join(
        f"f{index}: object(expression: $p{index}) {held}" for index in range(len(paths))
    )
    query = (
        f"query Files($owner: String!, $name: String!{parameters}) {{\n"
        f"repository(owner: $owner, name: $name) {{ {fields} }} }}"
    )
    variables: dict[str, Any] = {"owner": owner, "name": name}
    variables |= {f"p{index}": f"{ref}:{path.rstrip('/')}" for index, path in enumerate(paths)}
    found = client.graphql(query, variables, _ABOUT).get("repository") or {}
    return {path: _held(found.get(f"f{index}"), path) for index, path in enumerate(paths)}


def _held(data: Any, path: str) -> Held:
    if data is None:
        return None
    found = decode(_Object, data, graphql_request(_ABOUT))
    if not path.endswith("/"):
        return found.oid
    entries = found.entries or []
    return {entry.path or "": entry.oid for entry in entries if entry.type == "blob"}
