"""Lists that span many pull requests or repositories, and issues."""

from __future__ import annotations

from support.world import LineComment, PullRequest
from wire.loopback.request import Answer, Request, not_found, route
from wire.loopback.routes_pulls import REPO
from wire.loopback.shapes import updated_at


@route("GET", REPO + "/pulls/comments", "pull_requests")
def all_line_comments(request: Request) -> Answer:
    """The line comments of all pull requests, those touched since a time."""
    since = request.query.get("since", "")
    found: list[tuple[PullRequest, LineComment]] = [
        (pull, comment)
        for pull in request.repo.pulls.values()
        for comment in pull.line_comments
        if updated_at(comment) >= since
    ]
    found.sort(key=lambda one: updated_at(one[1]))
    return request.page(found, lambda one: request.shapes.line_comment(request.repo, *one))


@route("GET", "/orgs/{org}/repos")
def org_repositories(request: Request) -> Answer:
    """The repositories of an organization that the account may see."""
    org, account = request.names["org"].lower(), request.account.login.lower()
    found = [
        repo
        for repo in request.world.repositories.values()
        if repo.owner.lower() == org and (not repo.private or account in repo.roles)
    ]
    if not found:
        raise not_found()
    return request.page(
        found,
        lambda repo: (
            request.shapes.repository(repo, "minimal-repository")
            | {"archived": repo.archived, "fork": repo.fork}
        ),
    )
