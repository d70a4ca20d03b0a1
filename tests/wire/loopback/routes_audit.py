"""Lists that span many pull requests or repositories, and issues."""

from __future__ import annotations

from typing import Any

from support.world import Issue, LineComment, PullRequest
from wire.loopback.contract import make
from wire.loopback.request import Answer, Request, not_found, route
from wire.loopback.routes_pulls import REPO
from wire.loopback.shapes import HTML, hash_id, updated_at


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


@route("GET", REPO + "/issues", "issues")
def issues(request: Request) -> Answer:
    """The issues by creator and state, newest first."""
    state, creator = request.query.get("state", "open"), request.query.get("creator")
    found = [
        issue
        for issue in reversed(request.repo.issues)
        if state in ("all", issue.state) and creator in (None, issue.author.login)
    ]
    return request.page(found, lambda issue: _issue(request, issue))


@route("POST", REPO + "/issues", "issues", "write")
def create_issue(request: Request) -> Answer:
    given = request.body
    number = 900 + len(request.repo.issues)
    issue = Issue(number, given["title"], given.get("body"), request.account)
    request.repo.issues.append(issue)
    return Answer(201, _issue(request, issue))


@route("PATCH", REPO + "/issues/{issue_number}", "issues", "write")
def edit_issue(request: Request) -> Answer:
    for issue in request.repo.issues:
        if str(issue.number) == request.names["issue_number"]:
            issue.body = request.body.get("body", issue.body)
            issue.state = request.body.get("state", issue.state)
            return Answer(200, _issue(request, issue))
    raise not_found()


def _issue(request: Request, issue: Issue) -> dict[str, Any]:
    url = f"{request.shapes.repo_url(request.repo)}/issues/{issue.number}"
    return make(
        "issue",
        id=hash_id(url),
        number=issue.number,
        title=issue.title,
        body=issue.body,
        state=issue.state,
        user=request.shapes.user(issue.author),
        url=url,
        html_url=f"{HTML}/{request.repo.full_name}/issues/{issue.number}",
    )
