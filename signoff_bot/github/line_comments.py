"""Lists which pull requests had line comments written or edited lately, for a whole repository."""

from __future__ import annotations

from signoff_bot.evidence.base import Timestamp
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.decode import Wire, decode_all
from signoff_bot.github.paging import pages


class _Comment(Wire):
    pull_request_url: str
    updated_at: Timestamp


def commented_since(client: GitHubClient, repo: str, since: Timestamp) -> dict[int, Timestamp]:
    """By number, when a line comment of the pull request was last written or edited.

    Raises:
        GitHubFailure: any kind of it.
    """
    path = f"/repos/{repo}/pulls/comments"
    found: dict[int, Timestamp] = {}
    items = pages(client, path, since=since, sort="updated", direction="asc")
    for comment in decode_all(_Comment, items, f"GET {path}"):
        number = comment.pull_request_url.rpartition("/")[2]
        if number.isascii() and number.isdigit():
            found[int(number)] = max(comment.updated_at, found.get(int(number), ""))
    return found
