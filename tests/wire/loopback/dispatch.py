"""From a request to its handler: who asks, what the path names, and whether they may."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import wire.loopback.routes_actions
import wire.loopback.routes_audit
import wire.loopback.routes_pulls
import wire.loopback.routes_repo  # noqa: F401 - registers its routes, as the two above
from graphql import GraphQLError
from support.world import Repository, Token, World
from wire.loopback import graph
from wire.loopback.contract import answer_violations, operation, request_violations
from wire.loopback.meter import Seen
from wire.loopback.request import ROUTES, Answer, Refusal, Request, Route, not_found
from wire.loopback.shapes_ci import AllShapes

_LEVELS = ("read", "write")


class Dispatcher:
    """Answers requests from a world and holds both sides to GitHub's description."""

    def __init__(
        self, world: World, url: str, violations: list[str], sign: Callable[[bytes], str]
    ) -> None:
        self._world = world
        self._url = url
        self._prefix = re.sub(r"^https?://[^/]+", "", url)
        self._shapes = AllShapes(world, url)
        self._violations = violations
        self._sign = sign

    def answer(self, seen: Seen, query: dict[str, str], authorization: str, accept: str) -> Answer:
        path = seen.path.removeprefix(self._prefix)
        try:
            token = self._token(authorization)
            if seen.path == self._graphql_path and seen.method == "POST":
                return self._graphql(token, seen.body)
            return self._rest(seen, path, query, token, accept)
        except Refusal as refusal:
            return refusal.answer

    @property
    def _graphql_path(self) -> str:
        return "/api/graphql" if self._prefix == "/api/v3" else f"{self._prefix}/graphql"

    def _token(self, authorization: str) -> Token | None:
        if not authorization:
            return None
        given = re.sub(r"^(token|bearer) ", "", authorization, flags=re.IGNORECASE)
        token = self._world.tokens.get(given)
        if token is None or token.expired:
            raise Refusal(401, "Bad credentials")
        return token

    def _graphql(self, token: Token | None, body: Any) -> Answer:
        if token is None:
            raise Refusal(401, "This endpoint requires you to be authenticated.")
        try:
            found = graph.answer(self._world, token, body["query"], body.get("variables") or {})
        except GraphQLError as error:
            found = {"errors": [{"message": error.message}]}
        if "data" not in found:
            self._violations.append(f"GraphQL that GitHub refuses: {found['errors']}")
        return Answer(200, found)

    def _rest(
        self, seen: Seen, path: str, query: dict[str, str], token: Token | None, accept: str
    ) -> Answer:
        repo, path, template = self._locate(seen.method, path, token)
        route = ROUTES.get((seen.method, template or ""))
        if template is None or route is None:
            self._violations.append(f"not an operation that this server knows: {seen}")
            raise not_found()
        self._hold(request_violations(seen.method, template, query, seen.body))
        request = Request(
            world=self._world,
            shapes=self._shapes,
            token=token,
            method=seen.method,
            path=path if repo is None else _by_id(path, repo),
            query=query,
            body=seen.body,
            accept=accept,
            names=_names(template, path),
            sign=self._sign,
            found_repo=repo,
        )
        answer = self._permitted(request, route)
        self._hold(answer_violations(seen.method, template, answer.status, answer.body))
        return answer

    def _locate(
        self, method: str, path: str, token: Token | None
    ) -> tuple[Repository | None, str, str | None]:
        """The repository, the path under its present name, and GitHub's template for it."""
        by_id = re.match(r"/repositories/(\d+)(/.*)?$", path)
        by_name = re.match(r"/repos/([^/]+/[^/]+)(/.*)?$", path)
        repo = None
        if by_id:
            known = {str(repo.id): repo for repo in self._world.repositories.values()}
            repo = known.get(by_id[1])
            path = f"/repos/{repo.full_name}{by_id[2] or ''}" if repo else path
        elif by_name:
            repo = self._world.repository(by_name[1])
            moved = self._world.renamed(by_name[1]) if repo is None else None
            if moved is not None and _sees(token, moved):
                # The query string is lost on the way, as it is on GitHub.
                address = f"{self._url}/repositories/{moved.id}{by_name[2] or ''}"
                refusal = Refusal(301, "Moved Permanently", url=address)
                refusal.answer.headers["Location"] = address
                raise refusal
        if (by_id or by_name) and (repo is None or not _sees(token, repo)):
            raise not_found()
        return repo, path, operation(method, path)

    def _permitted(self, request: Request, route: Route) -> Answer:
        token = request.token
        try:
            if token is None and route.level == "write":
                raise Refusal(401, "Requires authentication")
            if token is not None and not _may(token, route):
                kind = "integration" if token.installation else "personal access token"
                raise Refusal(403, f"Resource not accessible by {kind}")
            return route.handler(request)
        except Refusal as refusal:
            return refusal.answer

    def _hold(self, violations: list[str]) -> None:
        self._violations.extend(violations)


def _sees(token: Token | None, repo: Repository) -> bool:
    return not repo.private or (token is not None and token.account.login.lower() in repo.roles)


def _may(token: Token, route: Route) -> bool:
    if token.permissions is None or route.permission == "metadata":
        return True
    held = token.permissions.get(route.permission)
    return held is not None and _LEVELS.index(held) >= _LEVELS.index(route.level)


def _by_id(path: str, repo: Repository) -> str:
    return re.sub(r"^/repos/[^/]+/[^/]+", f"/repositories/{repo.id}", path)


def _names(template: str, path: str) -> dict[str, str]:
    greedy = re.sub(r"\\\{(path|branch|ref)\\\}", r"(?P<\1>.+)", re.escape(template))
    pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", greedy)
    found = re.fullmatch(pattern, path)
    assert found is not None
    return found.groupdict()
