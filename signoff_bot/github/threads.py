"""Reads the review threads of a pull request, and which of them are resolved."""

from __future__ import annotations

from signoff_bot.evidence.conversation import ReviewThread
from signoff_bot.github.actors import FRAGMENT, WireActor, account
from signoff_bot.github.client import GitHubClient, graphql_request
from signoff_bot.github.decode import Wire, decode
from signoff_bot.github.failures import Incomplete

MOST_THREADS = 2000
"""More are not read: GraphQL gives them by the hundred, one page after the other."""

_QUERY = (
    """
query Threads($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviewThreads(first: 100, after: $after) {
        totalCount
        pageInfo { hasNextPage endCursor }
        nodes { id isResolved comments(first: 1) { nodes { url author { ...account } } } }
      }
    }
  }
}
"""
    + FRAGMENT
)


class _Comment(Wire):
    url: str
    author: WireActor | None


class _Comments(Wire):
    nodes: list[_Comment]


class _Thread(Wire):
    id: str
    isResolved: bool  # noqa: N815 - GitHub's name
    comments: _Comments


class _PageInfo(Wire):
    hasNextPage: bool  # noqa: N815
    endCursor: str | None  # noqa: N815


class _Threads(Wire):
    totalCount: int  # noqa: N815
    pageInfo: _PageInfo  # noqa: N815
    nodes: list[_Thread]


class _Pull(Wire):
    reviewThreads: _Threads  # noqa: N815


class _Repository(Wire):
    pullRequest: _Pull  # noqa: N815


class _Data(Wire):
    repository: _Repository


def read_threads(
    client: GitHubClient, repo: str, number: int, url: str
) -> tuple[ReviewThread, ...]:
    """All review threads; `url` is the pull request's page, for threads without a comment.

    Raises:
        Incomplete: they could not be read to the last.
    """
    owner, _, name = repo.partition("/")
    about = f"review threads of {repo}#{number}"
    request = graphql_request(about)
    found: list[_Thread] = []
    after: str | None = None
    while True:
        variables = {"owner": owner, "name": name, "number": number, "after": after}
        data = decode(_Data, client.graphql(_QUERY, variables, about), request)
        page = data.repository.pullRequest.reviewThreads
        found += page.nodes
        after = page.pageInfo.endCursor
        if not page.pageInfo.hasNextPage:
            break
        if after is None or len(found) >= MOST_THREADS:
            raise Incomplete(request, f"over {len(found)} threads, more than are read")
    distinct = {thread.id: thread for thread in found}
    if len(distinct) != page.totalCount:
        raise Incomplete(
            request, f"GitHub counts {page.totalCount} threads and gave {len(distinct)}; try again"
        )
    return tuple(_thread(thread, url) for thread in distinct.values())


def _thread(wire: _Thread, url: str) -> ReviewThread:
    first = wire.comments.nodes[0] if wire.comments.nodes else None
    return ReviewThread(
        id=wire.id,
        url=first.url if first else url,
        author=account(first.author) if first else None,
        resolved=wire.isResolved,
    )
