"""Pull requests, what was written on them, and the repository they belong to."""

from __future__ import annotations

from support.world import Comment, Edit, PullRequest
from wire.loopback.contract import make
from wire.loopback.request import Answer, Refusal, Request, not_found, route
from wire.loopback.shapes import permissions, updated_at

REPO = "/repos/{owner}/{repo}"
PULL = REPO + "/pulls/{pull_number}"
COMMENTS = REPO + "/issues/{issue_number}/comments"
COMMENT = REPO + "/issues/comments/{comment_id}"
MAX_COMMENT = 65_536


@route("GET", REPO)
def repository(request: Request) -> Answer:
    role = request.repo.roles.get(request.token.account.login.lower()) if request.token else None
    answer = request.shapes.repository(request.repo)
    return Answer(200, answer | ({"permissions": permissions(role)} if request.token else {}))


@route("GET", REPO + "/pulls", "pull_requests")
def pulls(request: Request) -> Answer:
    wanted = request.query.get("state", "open")
    found = [
        pull
        for _, pull in sorted(request.repo.pulls.items(), reverse=True)
        if wanted in ("all", pull.state) and _from_head(pull, request.query.get("head"))
    ]
    return request.page(
        found, lambda pull: request.shapes.pull(request.repo, pull, "pull-request-simple")
    )


def _from_head(pull: PullRequest, head: str | None) -> bool:
    if head is None:
        return True
    owner, _, branch = head.partition(":")
    theirs = (pull.head_repo or "").split("/")[0]
    return (owner.lower(), branch) == (theirs.lower(), pull.head_ref)


@route("GET", PULL, "pull_requests")
def pull(request: Request) -> Answer:
    return Answer(200, request.shapes.pull(request.repo, request.pull))


@route("GET", PULL + "/files", "pull_requests")
def files(request: Request) -> Answer:
    pull = request.pull
    return request.page(
        pull.files, lambda file: request.shapes.file(request.repo, pull, file), cap=3000
    )


@route("GET", PULL + "/commits", "pull_requests")
def commits(request: Request) -> Answer:
    return request.page(
        request.pull.commits,
        lambda commit: request.shapes.commit(request.repo, commit),
        cap=250,
    )


@route("GET", PULL + "/reviews", "pull_requests")
def reviews(request: Request) -> Answer:
    pull = request.pull
    return request.page(
        pull.reviews, lambda review: request.shapes.review(request.repo, pull, review)
    )


@route("GET", PULL + "/comments", "pull_requests")
def line_comments(request: Request) -> Answer:
    pull = request.pull
    return request.page(
        pull.line_comments,
        lambda comment: request.shapes.line_comment(request.repo, pull, comment),
    )


@route("GET", PULL + "/reviews/{review_id}", "pull_requests")
def one_review(request: Request) -> Answer:
    for review in request.pull.reviews:
        if str(review.id) == request.names["review_id"]:
            return Answer(200, request.shapes.review(request.repo, request.pull, review))
    raise not_found()


@route("GET", REPO + "/pulls/comments/{comment_id}", "pull_requests")
def one_line_comment(request: Request) -> Answer:
    for pull in request.repo.pulls.values():
        for comment in pull.line_comments:
            if str(comment.id) == request.names["comment_id"]:
                return Answer(200, request.shapes.line_comment(request.repo, pull, comment))
    raise not_found()


@route("GET", COMMENTS, "pull_requests")
def comments(request: Request) -> Answer:
    pull, since = request.pull, request.query.get("since", "")
    found = [comment for comment in pull.comments if updated_at(comment) >= since]
    return request.page(found, lambda c: request.shapes.comment(request.repo, pull, c))


@route("POST", COMMENTS, "pull_requests", "write")
def add_comment(request: Request) -> Answer:
    pull = request.pull
    role = request.repo.roles.get(request.account.login.lower())
    comment = Comment(
        request.world.new_id(),
        request.account,
        _text(request),
        created_at=request.world.now,
        association="MEMBER" if role else "NONE",
    )
    pull.comments.append(comment)
    return Answer(201, request.shapes.comment(request.repo, pull, comment))


@route("GET", COMMENT, "pull_requests")
def one_comment(request: Request) -> Answer:
    pull, comment = _find_comment(request)
    return Answer(200, request.shapes.comment(request.repo, pull, comment))


@route("PATCH", COMMENT, "pull_requests", "write")
def edit_comment(request: Request) -> Answer:
    pull, comment = _own_comment(request)
    comment.body = _text(request)
    comment.edits.append(Edit(request.world.now, request.account))
    return Answer(200, request.shapes.comment(request.repo, pull, comment))


@route("DELETE", COMMENT, "pull_requests", "write")
def delete_comment(request: Request) -> Answer:
    pull, comment = _own_comment(request)
    pull.comments.remove(comment)
    return Answer(204)


def _find_comment(request: Request) -> tuple[PullRequest, Comment]:
    for pull in request.repo.pulls.values():
        for comment in pull.comments:
            if str(comment.id) == request.names["comment_id"]:
                return pull, comment
    raise not_found()


def _own_comment(request: Request) -> tuple[PullRequest, Comment]:
    """A comment that the account may change: its own, or any for those who may write."""
    pull, comment = _find_comment(request)
    role = request.repo.roles.get(request.account.login.lower())
    author = comment.author
    own = author is not None and author.id == request.account.id
    if not own and role not in ("write", "maintain", "admin"):
        raise Refusal(403, "Must have admin rights to Repository.")
    return pull, comment


def _text(request: Request) -> str:
    text: str = request.body["body"]
    if not text.strip() or len(text) > MAX_COMMENT:
        problem = "can't be blank" if not text.strip() else "is too long (maximum is 65536)"
        error = {"resource": "IssueComment", "code": "unprocessable", "field": "data"}
        raise Refusal(422, "Validation Failed", errors=[error | {"message": f"Body {problem}"}])
    return text


@route("GET", REPO + "/activity", "contents")
def activity(request: Request) -> Answer:
    """The repository's pushes, newest first, by cursor."""
    ref = request.query.get("ref")
    kind = request.query.get("activity_type")
    found = [
        push
        for push in request.repo.activity
        if (ref is None or push.ref.removeprefix("refs/heads/") == ref.removeprefix("refs/heads/"))
        and kind in (None, push.kind)
    ]
    size = int(request.query.get("per_page", 30))
    start = int(request.query.get("after", 0))
    shown = [
        request.shapes.push(push, len(found) - start - index)
        for index, push in enumerate(found[start : start + size])
    ]
    more = {"next": start + size} if start + size < len(found) else {}
    return Answer(200, shown, headers=request.links(more, "after"))


@route("GET", REPO + "/collaborators/{username}/permission")
def permission(request: Request) -> Answer:
    login = request.names["username"].lower()
    account = request.world.users.get(login)
    if account is None:
        raise not_found()
    role = request.repo.roles.get(login, "none" if request.repo.private else "read")
    coarse = {"maintain": "write", "triage": "read"}.get(role, role)
    return Answer(
        200,
        make(
            "repository-collaborator-permission",
            permission=coarse,
            role_name=role,
            user={**request.shapes.user(account), "role_name": role},
        ),
    )
