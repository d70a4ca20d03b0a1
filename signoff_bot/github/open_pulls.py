"""Lists the open pull requests of a repository, with no more than their heads."""

from __future__ import annotations

from dataclasses import dataclass

from signoff_bot.evidence.base import Sha
from signoff_bot.github.client import GitHubClient, graphql_request
from signoff_bot.github.decode import Wire, decode
from signoff_bot.github.failures import Incomplete

MOST_PAGES = 100
"""Pages of 100 that are read: GraphQL gives them one after the other."""
_ABOUT = "open pull requests"
_QUERY = """
query Open($owner: String!, $name: String!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequests(states: OPEN, first: 100, after: $after) {
      nodes { number headRefOid }
      pageInfo { hasNextPage endCursor }
    }
  }
}
"""


class _Pull(Wire):
    number: int
    headRefOid: Sha  # noqa: N815 - GitHub's names


class _PageInfo(Wire):
    hasNextPage: bool  # noqa: N815
    endCursor: str | None  # noqa: N815


class _Pulls(Wire):
    nodes: list[_Pull]
    pageInfo: _PageInfo  # noqa: N815


class _Repository(Wire):
    pullRequests: _Pulls  # noqa: N815


class _Found(Wire):
    repository: _Repository


@dataclass(frozen=True, slots=True)
class OpenPull:
    """An open pull request."""

    number: int
    head_sha: Sha


def read_open_pulls(client: GitHubClient, repo: str) -> tuple[OpenPull, ...]:
    """The open pull requests of `OWNER/REPO`, drafts included, by number.

    By the repository's own list: nothing promises that a commit's list of pull requests holds those
    of forks.

    Raises:
        GitHubFailure: they could not all be read.
    """
    owner, _, name = repo.partition("/")
    found: dict[int, OpenPull] = {}
    after: str | None = None
    for _ in range(MOST_PAGES):
        variables = {"owner": owner, "name": name, "after": after}
        data = client.graphql(_QUERY, variables, _ABOUT)
        page = decode(_Found, data, graphql_request(_ABOUT)).repository.pullRequests
        for pull in page.nodes:
            found[pull.number] = OpenPull(pull.number, pull.headRefOid)
        after = page.pageInfo.endCursor
        if not page.pageInfo.hasNextPage:
            return tuple(found[number] for number in sorted(found))
        if after is None:
            break
    raise Incomplete(graphql_request(_ABOUT), "the open pull requests cannot all be listed")
