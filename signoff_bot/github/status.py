"""Sets our commit status, unless it stands already.

GitHub takes 1,000 statuses of a name for a commit, so what would say the same again is not written.
A status of our name by somebody else is overwritten.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from signoff_bot.errors import Unavailable
from signoff_bot.evidence.base import Sha, Timestamp
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.decode import Wire, WireAccount, decode_all
from signoff_bot.github.failures import GitHubFailure, OddAnswer, RateLimited, not_written
from signoff_bot.github.plan import StatusPlan


class NotPublished(Unavailable):
    """The verdict stands, but GitHub did not take it."""


class Overtaken(Unavailable):
    """Another run of ours has set the status since this one began to read."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The newest status of a name; `by` is who set it, None for an account that is gone."""

    state: str
    description: str | None
    url: str | None
    by: int | None
    at: Timestamp


class _Status(Wire):
    context: str
    state: str
    description: str | None
    target_url: str | None
    creator: WireAccount | None
    created_at: Timestamp


def read_status(client: GitHubClient, repo: str, sha: Sha, context: str) -> Standing | None:
    """The newest status of that name on a commit, whoever set it.

    None also where it cannot be learnt: one more status does no harm.
    """
    try:
        answer = client.get(f"/repos/{repo}/commits/{sha}/statuses", per_page=100)
        if not isinstance(answer.data, list):
            raise OddAnswer(answer.request, "odd answer from GitHub: it is no list")
        statuses = decode_all(_Status, answer.data, answer.request)
    except GitHubFailure:
        return None
    newest = next((status for status in statuses if status.context == context), None)
    if newest is None:
        return None
    by = None if newest.creator is None else newest.creator.id
    return Standing(newest.state, newest.description, newest.target_url, by, newest.created_at)


def put_status(
    client: GitHubClient,
    repo: str,
    sha: Sha,
    wanted: StatusPlan,
    standing: Standing | None,
    us: Collection[int],
) -> None:
    """Makes this the newest status of its name on the commit.

    Raises:
        NotPublished: GitHub did not take it.
        RateLimited: GitHub takes nothing for now.
    """
    if standing is not None and standing.by in us and wanted.is_said_by(standing):
        return
    body = {
        "context": wanted.context,
        "state": wanted.state,
        "description": wanted.description,
        "target_url": wanted.url,
    }
    try:
        given = {key: value for key, value in body.items() if value is not None}
        client.post(f"/repos/{repo}/statuses/{sha}", given)
    except RateLimited:
        raise
    except GitHubFailure as failure:
        raise NotPublished(
            not_written(
                f"the commit status {wanted.context!r} could not be set",
                failure,
                "statuses: write",
            )
        ) from None
