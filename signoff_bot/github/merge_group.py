"""Finds the pull requests in a group of the merge queue, by the queue itself.

Not by the messages of the group's commits: those are made of titles, which anybody can write. Being
unsure is a failure, because a pull request that is left out would be merged without being judged.
"""

from __future__ import annotations

import re

from signoff_bot.errors import Unavailable
from signoff_bot.evidence.base import Sha
from signoff_bot.github.client import GitHubClient, graphql_request
from signoff_bot.github.decode import Wire, decode

_ABOUT = "merge queue"
_REF = re.compile(r"(?:refs/heads/)?gh-readonly-queue/.+/pr-([1-9][0-9]{0,9})-[0-9a-f]{40,64}")
_QUERY = """
query Queue($owner: String!, $name: String!, $branch: String!) {
  repository(owner: $owner, name: $name) {
    mergeQueue(branch: $branch) {
      entries(first: 100) {
        totalCount
        nodes { position headCommit { oid } pullRequest { number } }
      }
    }
  }
}
"""


class Unsure(Unavailable):
    """It cannot be told which pull requests are in the group."""


class _Commit(Wire):
    oid: Sha


class _Pull(Wire):
    number: int


class _Entry(Wire):
    position: int
    headCommit: _Commit | None  # noqa: N815 - GitHub's names
    pullRequest: _Pull | None  # noqa: N815


class _Entries(Wire):
    totalCount: int  # noqa: N815
    nodes: list[_Entry]


class _Queue(Wire):
    entries: _Entries


class _Repository(Wire):
    mergeQueue: _Queue | None  # noqa: N815


class _Found(Wire):
    repository: _Repository


def read_merge_group(
    client: GitHubClient, repo: str, *, base_ref: str, base_sha: str, head_ref: str, head_sha: str
) -> tuple[int, ...]:
    """The numbers of the pull requests in a group, as the event `merge_group` describes it.

    They are the one whose entry has the group's head commit, and those before it in the queue, back
    to the one on whose commit the group is based. One too many only makes the group stricter.

    Raises:
        Unsure: the queue does not show the group.
        GitHubFailure: the queue could not be read.
    """
    owner, _, name = repo.partition("/")
    branch = base_ref.removeprefix("refs/heads/")
    data = client.graphql(_QUERY, {"owner": owner, "name": name, "branch": branch}, _ABOUT)
    queue = decode(_Found, data, graphql_request(_ABOUT)).repository.mergeQueue
    if queue is None:
        raise _unsure(f"{branch} has no merge queue that the token may see")
    entries = sorted(queue.entries.nodes, key=lambda entry: entry.position)
    if queue.entries.totalCount != len(entries):
        raise _unsure(f"the queue has {queue.entries.totalCount} entries, not all of them told")
    heads = [entry.headCommit.oid if entry.headCommit else None for entry in entries]
    if heads.count(head_sha) != 1:
        raise _unsure(f"no entry of the queue has the commit {head_sha}")
    last = heads.index(head_sha)
    first = heads.index(base_sha) + 1 if base_sha in heads[:last] else 0
    numbers = [entry.pullRequest.number if entry.pullRequest else None for entry in entries]
    named = _REF.fullmatch(head_ref)
    if named is None or int(named[1]) != numbers[last]:
        raise _unsure(f"the group's branch {head_ref} is not that of #{numbers[last]}")
    group = [number for number in numbers[first : last + 1] if number is not None]
    if len(group) != last + 1 - first:
        raise _unsure("an entry of the queue shows no pull request")
    return tuple(group)


def _unsure(why: str) -> Unsure:
    return Unsure(f"it cannot be told which pull requests are in the merge group: {why}")
