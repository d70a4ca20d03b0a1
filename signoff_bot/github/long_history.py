"""Reads the commits of a pull request that has more of them than REST lists."""

from __future__ import annotations

from pydantic import Field

from signoff_bot.evidence.base import Sha
from signoff_bot.evidence.pull import Account, Commit
from signoff_bot.github.client import GitHubClient, graphql_request
from signoff_bot.github.decode import Wire, decode
from signoff_bot.github.failures import Incomplete

MOST_READ = 5000
"""Longer histories are not read: GraphQL gives them by the hundred, one page after the other."""

_QUERY = """
query Commits($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      commits(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes {
          commit {
            oid
            parents(first: 100) { nodes { oid } }
            author { user { databaseId login } }
            committer { user { databaseId login } }
          }
        }
      }
    }
  }
}
"""


class _User(Wire):
    id: int = Field(alias="databaseId")
    login: str


class _GitActor(Wire):
    user: _User | None


class _Parent(Wire):
    oid: Sha


class _Parents(Wire):
    nodes: list[_Parent]


class _WireCommit(Wire):
    oid: Sha
    parents: _Parents
    author: _GitActor | None
    committer: _GitActor | None


class _Node(Wire):
    commit: _WireCommit


class _PageInfo(Wire):
    hasNextPage: bool  # noqa: N815 - GitHub's name
    endCursor: str | None  # noqa: N815


class _Commits(Wire):
    pageInfo: _PageInfo  # noqa: N815
    nodes: list[_Node]


class _Pull(Wire):
    commits: _Commits


class _Repository(Wire):
    pullRequest: _Pull  # noqa: N815


class _Data(Wire):
    repository: _Repository


def read_long_history(client: GitHubClient, repo: str, number: int) -> tuple[Commit, ...]:
    """All commits of the pull request, by GraphQL."""
    owner, _, name = repo.partition("/")
    about = f"commits of {repo}#{number}"
    request = graphql_request(about)
    found: list[Commit] = []
    after: str | None = None
    while True:
        variables = {"owner": owner, "name": name, "number": number, "after": after}
        data = decode(_Data, client.graphql(_QUERY, variables, about), request)
        page = data.repository.pullRequest.commits
        found += [_commit(node.commit) for node in page.nodes]
        if not page.pageInfo.hasNextPage:
            return tuple(found)
        after = page.pageInfo.endCursor
        if after is None or len(found) >= MOST_READ:
            raise Incomplete(request, f"over {MOST_READ} commits, more than are read")


def _commit(wire: _WireCommit) -> Commit:
    return Commit(
        sha=wire.oid,
        parents=tuple(parent.oid for parent in wire.parents.nodes),
        author=_account(wire.author),
        committer=_account(wire.committer),
    )


def _account(actor: _GitActor | None) -> Account | None:
    """The account of a commit; GraphQL names people only."""
    user = actor.user if actor else None
    return Account(id=user.id, login=user.login, type="User") if user else None
