"""Reads pull requests of other repositories, which a sign-off links."""

from __future__ import annotations

from signoff_bot.evidence.base import Timestamp
from signoff_bot.evidence.upstream import UpstreamState
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.decode import Wire, decode
from signoff_bot.github.failures import NotFound


class _Repository(Wire):
    full_name: str


class _Base(Wire):
    repo: _Repository


class _WirePull(Wire):
    base: _Base
    state: str
    draft: bool = False
    merged_at: Timestamp | None
    title: str


def read_upstream(client: GitHubClient, repo: str, number: int) -> UpstreamState | None:
    """What GitHub says of a pull request, or None when it knows none of that number."""
    try:
        answer = client.get(f"/repos/{repo}/pulls/{number}")
    except NotFound:
        return None
    found = decode(_WirePull, answer.data, answer.request)
    return UpstreamState(
        base_repo=found.base.repo.full_name,
        state=found.state,
        draft=found.draft,
        merged_at=found.merged_at,
        title=found.title,
    )
