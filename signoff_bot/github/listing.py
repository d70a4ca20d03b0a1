"""Lists the pull requests of a repository, with what shows cheaply that one may have changed.

One GraphQL request lists fifty, with the edits of what was written on each. GraphQL answers never
depend on the token, as validators of REST do, so a later audit can compare.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field

from signoff_bot.evidence.base import Sha, Timestamp
from signoff_bot.github.client import GitHubClient, graphql_request
from signoff_bot.github.decode import Wire, decode
from signoff_bot.github.failures import NotFound, OddAnswer

PER_PAGE = 50
WRITTEN = 100
"""Comments, reviews and threads whose edits are told; with more, changes cannot be ruled out."""

State = Literal["OPEN", "MERGED"]

_QUERY = """
query Pulls($owner: String!, $name: String!, $states: [PullRequestState!]!, $after: String,
            $first: Int!, $written: Int!, $order: IssueOrderField!, $direction: OrderDirection!) {
  repository(owner: $owner, name: $name) {
    databaseId nameWithOwner isPrivate isArchived isFork isEmpty
    pullRequests(states: $states, first: $first, after: $after,
                 orderBy: {field: $order, direction: $direction}) {
      pageInfo { hasNextPage endCursor }
      nodes {
        id number title url isDraft createdAt mergedAt updatedAt
        author { login }
        headRefOid headRefName baseRefName
        headRepository { nameWithOwner }
        labels(first: $written) { totalCount nodes { name } }
        commits(last: 1) { totalCount nodes { commit { status { contexts {
          context state creator { ... on User { databaseId } ... on Bot { databaseId } }
        } } } } }
        comments(last: $written) {
          totalCount nodes { id lastEditedAt isMinimized author { login } }
        }
        reviews(last: $written) {
          totalCount nodes { id state lastEditedAt isMinimized author { login } }
        }
        reviewThreads(last: $written) { totalCount nodes { id isResolved } }
      }
    }
  }
}
"""


@dataclass(frozen=True, slots=True)
class ListedRepository:
    """A repository as the list shows it."""

    id: int
    full_name: str
    """As GitHub spells it now."""
    private: bool
    archived: bool
    fork: bool
    empty: bool


@dataclass(frozen=True, slots=True)
class ListedPull:
    """A pull request as the list shows it."""

    node: str
    """Its id in GraphQL."""
    number: int
    title: str
    url: str
    author: str | None
    draft: bool
    created_at: Timestamp
    merged_at: Timestamp | None
    updated_at: Timestamp
    head_sha: Sha
    base_ref: str
    commits: int
    threads: int
    statuses: Mapping[str, tuple[str, int | None]]
    """The commit statuses of the head by name: the state, and the id of who set it."""
    described: Any
    """Plain data that differs when title, branches, labels or the like changed."""
    written: Any
    """Plain data that differs when a comment, review or thread came, went or was changed; None
    where that cannot be told, as there is too much."""


class _Author(Wire):
    login: str


class _Label(Wire):
    name: str


class _Labels(Wire):
    totalCount: int  # noqa: N815 - GitHub's names, here and below
    nodes: list[_Label]


class _Creator(Wire):
    databaseId: int | None = None  # noqa: N815


class _Context(Wire):
    context: str
    state: str
    creator: _Creator | None


class _Status(Wire):
    contexts: list[_Context]


class _Commit(Wire):
    status: _Status | None


class _PullCommit(Wire):
    commit: _Commit


class _Commits(Wire):
    totalCount: int  # noqa: N815
    nodes: list[_PullCommit]


class _Written(Wire):
    id: str
    state: str | None = None
    lastEditedAt: Timestamp | None = None  # noqa: N815
    isMinimized: bool | None = None  # noqa: N815
    isResolved: bool | None = None  # noqa: N815
    author: _Author | None = None


class _List(Wire):
    totalCount: int  # noqa: N815
    nodes: list[_Written]


class _HeadRepository(Wire):
    nameWithOwner: str  # noqa: N815


class _Pull(Wire):
    id: str
    number: int
    title: str
    url: str
    isDraft: bool  # noqa: N815
    createdAt: Timestamp  # noqa: N815
    mergedAt: Timestamp | None  # noqa: N815
    updatedAt: Timestamp  # noqa: N815
    author: _Author | None
    headRefOid: Sha  # noqa: N815
    headRefName: str  # noqa: N815
    baseRefName: str  # noqa: N815
    headRepository: _HeadRepository | None  # noqa: N815
    labels: _Labels | None
    commits: _Commits
    comments: _List
    reviews: _List | None
    reviewThreads: _List  # noqa: N815


class _PageInfo(Wire):
    hasNextPage: bool  # noqa: N815
    endCursor: str | None  # noqa: N815


class _Pulls(Wire):
    pageInfo: _PageInfo  # noqa: N815
    nodes: list[_Pull]


class _Repository(Wire):
    id: int = Field(alias="databaseId")
    full_name: str = Field(alias="nameWithOwner")
    private: bool = Field(alias="isPrivate")
    archived: bool = Field(alias="isArchived")
    fork: bool = Field(alias="isFork")
    empty: bool = Field(alias="isEmpty")
    pulls: _Pulls = Field(alias="pullRequests")


def list_pulls(
    client: GitHubClient, repo: str, state: State, since: Timestamp | None
) -> Iterator[tuple[ListedRepository, Sequence[ListedPull]]]:
    """The repository and its pull requests in a state, page by page.

    `since` leaves out those merged earlier. There is at least one page, possibly without any.

    Raises:
        NotFound: there is no such repository, or the token may not see it.
        GitHubFailure: any other kind.
    """
    with ThreadPoolExecutor(1) as pool:
        page = pool.submit(_page, client, repo, state, None)
        while True:
            found = page.result()
            listed = [_listed(pull) for pull in found.pulls.nodes]
            # Nobody merges without touching it: once the order falls below `since`, all are older.
            past = since is not None and any(pull.updated_at < since for pull in listed)
            more = found.pulls.pageInfo.hasNextPage and not past
            if more:
                after = found.pulls.pageInfo.endCursor
                if after is None:
                    raise OddAnswer(_request(repo), "odd answer from GitHub: a page without cursor")
                # Asked for ahead, so that it comes while this page is looked at.
                page = pool.submit(_page, client, repo, state, after)
            kept = [p for p in listed if since is None or (p.merged_at or "") >= since]
            yield _repository(found), kept
            if not more:
                return


def _request(repo: str) -> str:
    return graphql_request(f"pull requests of {repo}")


def _page(client: GitHubClient, repo: str, state: State, after: str | None) -> _Repository:
    owner, _, name = repo.partition("/")
    variables = {
        "owner": owner,
        "name": name,
        "states": [state],
        "first": PER_PAGE,
        "written": WRITTEN,
        "after": after,
        "order": "UPDATED_AT" if state == "MERGED" else "CREATED_AT",
        "direction": "DESC" if state == "MERGED" else "ASC",
    }
    data = client.graphql(_QUERY, variables, f"pull requests of {repo}").get("repository")
    if data is None:
        raise NotFound(
            _request(repo),
            "GitHub knows no such repository; check the name, and that the token may read it: "
            "what a token may not see looks the same",
        )
    return decode(_Repository, data, _request(repo))


def _repository(found: _Repository) -> ListedRepository:
    return ListedRepository(
        found.id, found.full_name, found.private, found.archived, found.fork, found.empty
    )


def _listed(pull: _Pull) -> ListedPull:
    author = pull.author.login if pull.author else None
    head_repo = pull.headRepository.nameWithOwner if pull.headRepository else None
    labels = pull.labels or _Labels(totalCount=0, nodes=[])
    return ListedPull(
        node=pull.id,
        number=pull.number,
        title=pull.title,
        url=pull.url,
        author=author,
        draft=pull.isDraft,
        created_at=pull.createdAt,
        merged_at=pull.mergedAt,
        updated_at=pull.updatedAt,
        head_sha=pull.headRefOid,
        base_ref=pull.baseRefName,
        commits=pull.commits.totalCount,
        threads=pull.reviewThreads.totalCount,
        statuses={
            one.context: (one.state.lower(), one.creator.databaseId if one.creator else None)
            for node in pull.commits.nodes
            if node.commit.status is not None
            for one in node.commit.status.contexts
        },
        described=[
            pull.title,
            author,
            pull.isDraft,
            pull.mergedAt,
            pull.headRefName,
            head_repo,
            pull.baseRefName,
            sorted(label.name for label in labels.nodes),
        ],
        written=_written([pull.comments, pull.reviews, pull.reviewThreads]),
    )


def _written(lists: Sequence[_List | None]) -> Any:
    told = []
    for one in lists:
        found = one or _List(totalCount=0, nodes=[])
        if found.totalCount != len(found.nodes):
            return None
        told.append([written.model_dump(exclude_none=True) for written in found.nodes])
    return told
