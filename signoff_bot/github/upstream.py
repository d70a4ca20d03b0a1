"""Reads pull requests of other repositories, which a sign-off links, and what they change."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from signoff_bot.evidence.base import Timestamp, Unread
from signoff_bot.evidence.upstream import UpstreamPull, UpstreamState
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.decode import Wire, changed, decode
from signoff_bot.github.failures import NotFound
from signoff_bot.github.pulls import read_files
from signoff_bot.github.tasks import side_by_side, unless_failing

MOST_PULLS = 100
"""Linked pull requests that are looked up."""
MOST_WITH_FILES = 10
"""Linked pull requests whose changed files are read."""

Linked = tuple[str, int]
"""`owner/repo` in lower case, and the number of a pull request there."""


class _Repository(Wire):
    full_name: str
    default_branch: str


class _Base(Wire):
    ref: str
    repo: _Repository

    @property
    def other_branch(self) -> str | None:
        return None if self.ref == self.repo.default_branch else self.ref


class _WirePull(Wire):
    base: _Base
    state: str
    draft: bool = False
    merged_at: Timestamp | None
    title: str
    changed_files: int


def read_upstreams(
    client: GitHubClient, linked: Sequence[Linked], *, files: bool
) -> tuple[UpstreamPull, ...]:
    """The linked pull requests, those to look at first in front; `files`: with what they change."""
    works = [
        partial(_read, client, repo, number, files=files and place < MOST_WITH_FILES)
        for place, (repo, number) in enumerate(linked[:MOST_PULLS])
    ]
    too_many = Unread(unread=f"not looked up: the comments link over {MOST_PULLS} pull requests")
    return (
        *side_by_side(works),
        *(
            UpstreamPull(repo=repo, number=number, found=too_many)
            for repo, number in linked[MOST_PULLS:]
        ),
    )


def _read(client: GitHubClient, repo: str, number: int, *, files: bool) -> UpstreamPull:
    found = unless_failing(lambda: read_upstream(client, repo, number, files=files))
    return UpstreamPull(repo=repo, number=number, found=found)


def read_upstream(
    client: GitHubClient, repo: str, number: int, *, files: bool = False
) -> UpstreamState | None:
    """What GitHub says of a pull request, or None when it knows none of that number."""
    try:
        answer = client.get(f"/repos/{repo}/pulls/{number}")
    except NotFound:
        return None
    found = decode(_WirePull, answer.data, answer.request)
    state = UpstreamState(
        base_repo=found.base.repo.full_name,
        other_branch=found.base.other_branch,
        state=found.state,
        draft=found.draft,
        merged_at=found.merged_at,
        title=found.title,
    )
    if not files:
        return state
    read = unless_failing(lambda: read_files(client, repo, number, lambda: found.changed_files))
    return changed(state, files=read)
