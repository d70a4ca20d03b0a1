"""Our one issue that sums up audits: found again, edited, reopened, created once.

It is ours when our own account opened it *and* its first line is the marker: a marker is only text,
which anybody can write.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from signoff_bot.github.client import GitHubClient
from signoff_bot.github.decode import Wire, WireAccount, decode, decode_all
from signoff_bot.github.paging import pages

_VIEWER = "query { viewer { login databaseId } }"


@dataclass(frozen=True, slots=True)
class IssuePlan:
    """What the issue should be.

    `marker` begins its first line and finds it again; `stamp` completes that line and differs where
    the issue has news.
    """

    title: str
    marker: str
    stamp: str
    text: str

    @property
    def first_line(self) -> str:
        """The hidden line at the top."""
        return f"<!-- {self.marker} {self.stamp} -->"


class _Viewer(Wire):
    login: str
    databaseId: int  # noqa: N815 - GitHub's name


class _Issue(Wire):
    number: int
    html_url: str
    state: Literal["open", "closed"]
    body: str | None = None
    user: WireAccount | None


def put_issue(client: GitHubClient, repo: str, planned: IssuePlan) -> str:
    """Makes our issue say what is planned, and returns its address; without news it is left alone.

    Raises:
        GitHubFailure: it could not be found, or not be written.
    """
    viewer = decode(_Viewer, client.graphql(_VIEWER, {}, "viewer").get("viewer"), "POST /graphql")
    path = f"/repos/{repo}/issues"
    listed = pages(client, path, state="all", creator=viewer.login)
    ours = [
        issue
        for issue in decode_all(_Issue, listed, f"GET {path}")
        if issue.user is not None
        and issue.user.id == viewer.databaseId
        and (issue.body or "").startswith(f"<!-- {planned.marker} ")
    ]
    body = f"{planned.first_line}\n{planned.text}"
    if not ours:
        created = client.post(path, {"title": planned.title, "body": body})
        return decode(_Issue, created.data, created.request).html_url
    kept = min(ours, key=lambda issue: issue.number)
    if (kept.body or "").partition("\n")[0].rstrip() != planned.first_line:
        client.patch(f"{path}/{kept.number}", {"body": body, "state": "open"})
    return kept.html_url
