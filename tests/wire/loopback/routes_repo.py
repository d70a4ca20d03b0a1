"""Files, branches, rules and statuses of a repository; teams and accounts."""

from __future__ import annotations

import base64
from typing import Any

from support.world import Commit, CommitStatus, Team
from wire.loopback.contract import make
from wire.loopback.request import Answer, Refusal, Request, not_found, route
from wire.loopback.routes_pulls import REPO
from wire.loopback.shapes import blob_sha

TEAM = "/orgs/{org}/teams/{team_slug}"
RAW_LIMIT = 100 * 2**20
RAW = "application/vnd.github.raw+json; charset=utf-8"


@route("GET", REPO + "/contents/{path}", "contents")
def contents(request: Request) -> Answer:
    ref = request.query.get("ref", request.repo.default_branch)
    tree = request.repo.trees.get(request.commit_of(ref), {})
    path = request.names["path"].strip("/")
    if path not in tree:
        return _directory(request, path, ref, tree)
    data = tree[path]
    if len(data) > RAW_LIMIT:
        raise Refusal(
            403,
            "This API returns blobs up to 100 MB in size. The requested blob is too large to "
            "fetch via the API, but you can always clone the repository via Git.",
            errors=[{"resource": "Blob", "field": "data", "code": "too_large"}],
        )
    if "raw" in request.accept:
        return Answer(raw=data, content_type=RAW)
    return Answer(200, request.shapes.content(request.repo, path, ref, data))


def _directory(request: Request, path: str, ref: str, tree: dict[str, bytes]) -> Answer:
    below = {
        name.removeprefix(f"{path}/").split("/")[0]: name
        for name in sorted(tree)
        if name.startswith(f"{path}/")
    }
    if not below:
        raise not_found()
    entries = []
    for name, full in below.items():
        here = f"{path}/{name}"
        entry = request.shapes.content(request.repo, here, ref, tree[full])
        del entry["content"], entry["encoding"]
        entries.append(entry | {"type": "file" if here == full else "dir"})
    if "object" in request.accept:
        folder = {key: entries[0][key] for key in ("git_url", "html_url", "url", "_links", "sha")}
        about = {"name": path.rsplit("/", 1)[-1], "path": path, "type": "dir", "size": 0}
        return Answer(200, {**folder, **about, "download_url": None, "entries": entries})
    return Answer(200, entries)


@route("GET", REPO + "/git/blobs/{file_sha}", "contents")
def blob(request: Request) -> Answer:
    wanted = request.names["file_sha"]
    for tree in request.repo.trees.values():
        for data in tree.values():
            if blob_sha(data) == wanted:
                if "raw" in request.accept:
                    return Answer(raw=data, content_type=RAW)
                return Answer(
                    200,
                    make(
                        "blob",
                        sha=wanted,
                        node_id=f"B_{wanted}",
                        size=len(data),
                        url=f"{request.shapes.repo_url(request.repo)}/git/blobs/{wanted}",
                        encoding="base64",
                        content=base64.encodebytes(data).decode(),
                    ),
                )
    raise not_found()


@route("GET", REPO + "/branches/{branch}", "contents")
def branch(request: Request) -> Answer:
    name = request.names["branch"]
    if name not in request.repo.branches:
        raise Refusal(404, "Branch not found")
    url = f"{request.shapes.repo_url(request.repo)}/branches/{name}"
    head = request.repo.branches[name]
    commit = make("commit", sha=head, url=f"{request.shapes.repo_url(request.repo)}/commits/{head}")
    contexts = [context for context, _ in request.repo.required_checks.get(name, ())]
    return Answer(
        200,
        make(
            "branch-with-protection",
            name=name,
            commit=commit,
            protected=bool(contexts),
            protection={
                "enabled": bool(contexts),
                "required_status_checks": {
                    "enforcement_level": "off",
                    "contexts": [],
                    "checks": [],
                },
            },
            protection_url=f"{url}/protection",
            _links={"self": url, "html": url},
        ),
    )


@route("GET", REPO + "/rules/branches/{branch}")
def rules(request: Request) -> Answer:
    required = request.repo.required_checks.get(request.names["branch"], [])
    rule: dict[str, Any] = {
        "type": "required_status_checks",
        "ruleset_source_type": "Repository",
        "ruleset_source": request.repo.full_name,
        "ruleset_id": 42,
        "parameters": {
            "strict_required_status_checks_policy": False,
            "do_not_enforce_on_create": False,
            "required_status_checks": [
                {"context": context} | ({"integration_id": app} if app is not None else {})
                for context, app in required
            ],
        },
    }
    return request.page([rule] if required else [], lambda rule: rule)


@route("GET", REPO + "/codeowners/errors", "contents")
def codeowners_errors(request: Request) -> Answer:
    tree = request.repo.trees.get(request.commit_of(request.query.get("ref", "main")), {})
    if not any(f"{folder}CODEOWNERS" in tree for folder in (".github/", "", "docs/")):
        raise not_found()
    return Answer(200, {"errors": []})


@route("GET", REPO + "/compare/{basehead}", "contents")
def compare(request: Request) -> Answer:
    """The base with a commit that is or was the head of a pull request, since it branched off."""
    base, _, head = request.names["basehead"].partition("...")
    pulls = request.repo.pulls.values()
    pull = next((p for p in pulls if head == p.head_sha or head in p.earlier), None)
    head = head if pull else request.commit_of(head)
    files = [] if pull is None else pull.earlier.get(head, pull.files)
    fork = pull.base_sha if pull else request.commit_of(base)
    shape = request.shapes
    url = f"{shape.repo_url(request.repo)}/compare/{request.names['basehead']}"
    first = request.query.get("page", "1") == "1"
    return Answer(
        200,
        make(
            "commit-comparison",
            url=url,
            status="ahead",
            base_commit=shape.commit(request.repo, Commit(request.commit_of(base))),
            merge_base_commit=shape.commit(request.repo, Commit(fork)),
            files=[shape.file(request.repo, pull, file) for file in files[: 300 if first else 0]]
            if pull
            else [],
        ),
    )


@route("GET", REPO + "/commits/{ref}/check-runs", "checks")
def check_runs(request: Request) -> Answer:
    commit = request.commit_of(request.names["ref"])
    found = [check for check in request.repo.check_runs if check.head_sha == commit]
    if request.query.get("filter", "latest") == "latest":
        found = list({(c.name, c.app_id): c for c in sorted(found, key=lambda c: c.id)}.values())
    if "check_name" in request.query:
        found = [check for check in found if check.name == request.query["check_name"]]
    return request.page(
        found, lambda check: request.shapes.check_run(request.repo, check), wrap="check_runs"
    )


def _statuses(request: Request, commit: str) -> list[CommitStatus]:
    newest_first = sorted(request.repo.statuses, key=lambda status: -status.id)
    return [status for status in newest_first if status.sha == commit]


@route("GET", REPO + "/commits/{ref}/statuses", "statuses")
def statuses(request: Request) -> Answer:
    found = _statuses(request, request.commit_of(request.names["ref"]))
    return request.page(found, lambda status: request.shapes.status(request.repo, status))


@route("GET", REPO + "/commits/{ref}/status", "statuses")
def combined_status(request: Request) -> Answer:
    commit = request.commit_of(request.names["ref"])
    latest = {s.context: s for s in reversed(_statuses(request, commit))}
    states = {status.state for status in latest.values()}
    if states & {"error", "failure"}:
        state = "failure"
    else:
        state = "success" if states == {"success"} else "pending"
    page = request.page(
        list(latest.values()),
        lambda status: request.shapes.simple_status(request.repo, status),
        wrap="statuses",
    )
    url = f"{request.shapes.repo_url(request.repo)}/commits/{commit}"
    page.body |= {
        "state": state,
        "sha": commit,
        "repository": request.shapes.repository(request.repo, "minimal-repository"),
        "commit_url": url,
        "url": f"{url}/status",
    }
    return page


@route("POST", REPO + "/statuses/{sha}", "statuses", "write")
def set_status(request: Request) -> Answer:
    commit, given = request.names["sha"], request.body
    try:
        request.commit_of(commit)
    except Refusal:
        raise Refusal(422, f"No commit found for SHA: {commit}") from None
    if len(given.get("description") or "") > 140:
        raise Refusal(422, "Validation Failed", errors=[{"code": "custom", "field": "description"}])
    status = CommitStatus(
        commit,
        given["state"],
        given.get("context", "default"),
        given.get("description"),
        given.get("target_url"),
        request.account,
        created_at=request.world.now,
        id=request.world.new_id(),
    )
    request.repo.statuses.append(status)
    return Answer(201, request.shapes.status(request.repo, status))


def _team(request: Request) -> tuple[str, Team]:
    name = f"{request.names['org']}/{request.names['team_slug']}".lower()
    if request.token is None or name not in request.world.teams:
        raise not_found()
    return name, request.world.teams[name]


@route("GET", TEAM, "members")
def team(request: Request) -> Answer:
    return Answer(200, request.shapes.team(*_team(request)))


@route("GET", TEAM + "/members", "members")
def members(request: Request) -> Answer:
    name, _ = _team(request)
    return request.page(
        request.world.members(name), lambda user: request.shapes.user(user, "team-member")
    )


@route("GET", TEAM + "/memberships/{username}", "members")
def membership(request: Request) -> Answer:
    name, _ = _team(request)
    wanted = request.names["username"].lower()
    if wanted not in (member.login.lower() for member in request.world.members(name)):
        raise not_found()
    url = f"{request.shapes.api}/orgs/{name.replace('/', '/teams/')}/memberships/{wanted}"
    return Answer(200, make("team-membership", role="member", state="active", url=url))


@route("GET", "/users/{username}")
def account(request: Request) -> Answer:
    found = request.world.users.get(request.names["username"].lower())
    if found is None:
        raise not_found()
    return Answer(200, request.shapes.account(found))


@route("GET", "/user")
def authenticated(request: Request) -> Answer:
    account = request.account
    if request.token is not None and request.token.installation:
        raise Refusal(403, "Resource not accessible by integration")
    return Answer(200, request.shapes.account(account))


@route("GET", "/rate_limit")
def rate_limit(request: Request) -> Answer:
    limit = {"limit": 5000, "remaining": 4999, "reset": 1_790_000_000, "used": 1}
    resources = {"core": limit, "search": limit, "graphql": limit}
    return Answer(200, {"resources": resources, "rate": limit})
