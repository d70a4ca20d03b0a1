"""Publishes a verdict: the comment first, then the commit status that links to it.

Right before each of them is written, `recheck` makes sure that what was judged is still there. The
status goes to the commit that was judged, never to whatever the head may be. Writes are never
repeated blindly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from signoff_bot.errors import Unavailable
from signoff_bot.evidence.conversation import SignoffRef
from signoff_bot.evidence.model import Evidence
from signoff_bot.evidence.pull import Account
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.decode import Wire, WireAccount, decode
from signoff_bot.github.failures import GitHubFailure
from signoff_bot.github.own_comment import put_comment
from signoff_bot.github.plan import Plan, StatusPlan
from signoff_bot.github.recheck import check_unmoved

_VIEWER = "query { viewer { login databaseId } }"


class NotPublished(Unavailable):
    """The verdict stands, but GitHub did not take it."""


@dataclass(frozen=True, slots=True)
class Published:
    """What is on the pull request now; `warning` says why a comment is missing."""

    comment_url: str | None
    warning: str | None


class _Viewer(Wire):
    login: str
    databaseId: int  # noqa: N815 - GitHub's name


class _Status(Wire):
    context: str
    state: str
    description: str | None
    target_url: str | None
    creator: WireAccount | None


class _Statuses(Wire):
    items: list[_Status]


def publish(
    client: GitHubClient, evidence: Evidence, signoff: SignoffRef | None, planned: Plan
) -> Published:
    """Carries out the plan for a verdict on `evidence` that speaks of `signoff`.

    Raises:
        Moved: head, base or sign-off changed meanwhile, and nothing is claimed for what is there.
        NotPublished: the status (or, where there is to be none, the comment) was not written.
        GitHubFailure: the present state could not be read; the status was not written.
    """
    ready = partial(check_unmoved, client, evidence, signoff)
    me: Account | None = None
    url = warning = None
    try:
        me = _identity(client)
        if planned.comment is not None:
            url = put_comment(client, evidence, me, planned.comment, ready)
    except GitHubFailure as failure:
        if planned.comment is not None:
            warning = (
                f"the comment could not be written: {failure}; the token needs the permission "
                "`pull-requests: write`"
            )
    if planned.status is not None:
        ready()
        _put_status(client, evidence, me, planned.status, url)
    elif warning is not None:
        raise NotPublished(warning)
    return Published(url, warning)


def _identity(client: GitHubClient) -> Account:
    """Who we are to GitHub, by GraphQL's viewer: REST's `/user` refuses the tokens of apps."""
    viewer = client.graphql(_VIEWER, {}).get("viewer")
    found = decode(_Viewer, viewer, "POST /graphql (viewer)")
    return Account(id=found.databaseId, login=found.login, type="User")


def _put_status(
    client: GitHubClient,
    evidence: Evidence,
    me: Account | None,
    planned: StatusPlan,
    url: str | None,
) -> None:
    repo, sha = evidence.repository.full_name, evidence.pull.head_sha
    wanted = {
        "context": planned.context,
        "state": planned.state,
        "description": planned.description,
        "target_url": url,
    }
    if me is not None and _stands_already(client, repo, sha, me, wanted):
        return
    try:
        body = {key: value for key, value in wanted.items() if value is not None}
        client.post(f"/repos/{repo}/statuses/{sha}", body)
    except GitHubFailure as failure:
        raise NotPublished(
            f"the commit status {planned.context!r} could not be set: {failure}; the token needs "
            "the permission `statuses: write`"
        ) from None


def _stands_already(
    client: GitHubClient, repo: str, sha: str, me: Account, wanted: Mapping[str, str | None]
) -> bool:
    """Whether the newest status of this name is ours and says the same.

    GitHub takes 1,000 of a name for a commit. Where that cannot be learnt, one more does no harm.
    """
    try:
        answer = client.get(f"/repos/{repo}/commits/{sha}/statuses", per_page=100)
        statuses = decode(_Statuses, {"items": answer.data}, answer.request).items
    except GitHubFailure:
        return False
    newest = next((status for status in statuses if status.context == wanted["context"]), None)
    if newest is None or newest.creator is None or newest.creator.id != me.id:
        return False
    return newest.model_dump(exclude={"creator"}) == wanted
