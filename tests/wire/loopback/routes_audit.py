"""Lists that span many pull requests or repositories, and issues."""

from __future__ import annotations

from support.world import LineComment, PullRequest
from wire.loopback.request import Answer, Request, route
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
