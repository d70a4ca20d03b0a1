"""Reads how all that ran on the commits of many pull requests fares, fifty at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from signoff_bot.evidence.base import Timestamp
from signoff_bot.github.client import GitHubClient, graphql_request
from signoff_bot.github.decode import Wire, decode
from signoff_bot.github.failures import OddAnswer
from signoff_bot.github.listing import ListedPull
from signoff_bot.github.tasks import side_by_side

MOST_COMMITS = 100
MOST_SUITES = 30
_BATCH = 50
_SIZES = (1, 3, 10, 30, MOST_COMMITS)
"""Pull requests are asked about with others of about as many commits: GitHub charges by the most
that an answer could hold."""
_ABOUT = "check suites"
_REQUEST = graphql_request(_ABOUT)
_QUERY = """
query Suites($ids: [ID!]!, $commits: Int!, $suites: Int!) {
  nodes(ids: $ids) {
    ... on PullRequest {
      commits(last: $commits) {
        nodes {
          commit {
            oid
            checkSuites(first: $suites) {
              totalCount
              nodes { status conclusion updatedAt workflowRun { updatedAt } }
            }
          }
        }
      }
    }
  }
}
"""


class _Run(Wire):
    updatedAt: Timestamp  # noqa: N815 - GitHub's names, here and below


class _Suite(Wire):
    status: str
    conclusion: str | None
    updatedAt: Timestamp  # noqa: N815
    workflowRun: _Run | None  # noqa: N815


class _Suites(Wire):
    totalCount: int  # noqa: N815
    nodes: list[_Suite]


class _Commit(Wire):
    oid: str
    checkSuites: _Suites | None  # noqa: N815


class _PullCommit(Wire):
    commit: _Commit


class _Commits(Wire):
    nodes: list[_PullCommit]


class _Pull(Wire):
    commits: _Commits


def read_suites(
    client: GitHubClient, pulls: Iterable[ListedPull], *, head_only: bool
) -> dict[int, Any]:
    """By number, plain data that differs when anything on a pull request's commits ran or ended.

    It is None where that cannot be told: a workflow is still under way, or there is too much of it.
    With `head_only`, the head alone is looked at.

    Raises:
        GitHubFailure: any kind of it.
    """
    found: dict[int, Any] = {}
    groups: dict[int, list[ListedPull]] = {}
    for pull in pulls:
        size = 1 if head_only else next((s for s in _SIZES if s >= pull.commits), None)
        if size is None:
            found[pull.number] = None
        else:
            groups.setdefault(size, []).append(pull)
    works = [
        partial(_read, client, group[start : start + _BATCH], size)
        for size, group in sorted(groups.items())
        for start in range(0, len(group), _BATCH)
    ]
    for one in side_by_side(works):
        found |= one
    return found


def _read(client: GitHubClient, pulls: Sequence[ListedPull], commits: int) -> dict[int, Any]:
    variables = {"ids": [p.node for p in pulls], "commits": commits, "suites": MOST_SUITES}
    nodes = client.graphql(_QUERY, variables, _ABOUT).get("nodes")
    if not isinstance(nodes, list) or len(nodes) != len(pulls):
        raise OddAnswer(_REQUEST, "odd answer from GitHub: not one node for each id")
    return {
        pull.number: None if node is None else _state(decode(_Pull, node, _REQUEST))
        for pull, node in zip(pulls, nodes, strict=True)
    }


def _state(pull: _Pull) -> Any:
    told = []
    for one in pull.commits.nodes:
        suites = one.commit.checkSuites or _Suites(totalCount=0, nodes=[])
        under_way = any(s.workflowRun and s.status != "COMPLETED" for s in suites.nodes)
        if under_way or suites.totalCount != len(suites.nodes):
            return None
        told.append([one.commit.oid, sorted(str(suite) for suite in suites.nodes)])
    return told
