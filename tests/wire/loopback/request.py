"""What a handler is given and gives back, and paging as GitHub does it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from support.world import PullRequest, Repository, Run, Token, User, World
from wire.loopback.shapes_ci import AllShapes

DOCS = "https://docs.github.com/rest"


@dataclass
class Answer:
    """An answer before any fault touches it: JSON in `body`, or bytes in `raw`."""

    status: int = 200
    body: Any = None
    raw: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = "application/json; charset=utf-8"


class Refusal(Exception):
    """Anything but success, in GitHub's shape."""

    def __init__(self, status: int, message: str, **more: Any) -> None:
        super().__init__(message)
        self.answer = Answer(
            status,
            {"message": message, "documentation_url": DOCS, "status": str(status), **more},
        )


def not_found() -> Refusal:
    return Refusal(404, "Not Found")


@dataclass
class Request:
    """A request with what its path names, found."""

    world: World
    shapes: AllShapes
    token: Token | None
    method: str
    path: str
    """As GitHub would write it in a Link header: `/repositories/ID/...` within a repository."""
    query: dict[str, str]
    body: Any
    accept: str
    names: dict[str, str]
    sign: Callable[[bytes], str]
    """Lays an archive where it can be fetched without a token, and says where."""
    found_repo: Repository | None = None

    @property
    def repo(self) -> Repository:
        assert self.found_repo is not None
        return self.found_repo

    @property
    def account(self) -> User:
        if self.token is None:
            raise Refusal(401, "Requires authentication")
        return self.token.account

    @property
    def pull(self) -> PullRequest:
        number = self.names.get("pull_number") or self.names["issue_number"]
        pull = self.repo.pulls.get(int(number)) if number.isdigit() else None
        if pull is None:
            raise not_found()
        return pull

    @property
    def run(self) -> Run:
        for run in self.repo.runs:
            if str(run.id) == self.names["run_id"]:
                return run
        raise not_found()

    def commit_of(self, ref: str) -> str:
        """The commit that a branch, a full ref or a SHA names."""
        repo = self.repo
        branch = ref.removeprefix("refs/").removeprefix("heads/")
        if branch in repo.branches:
            return repo.branches[branch]
        if ref in repo.trees or ref in commits_of(repo):
            return ref
        raise Refusal(404, f"No commit found for the ref {ref}")

    def page(
        self,
        items: Sequence[Any],
        shape: Callable[[Any], Any],
        *,
        wrap: str | None = None,
        cap: int | None = None,
    ) -> Answer:
        """One page of a list; past `cap` items GitHub is silent, though its counters are not."""
        size = min(max(int(self.query.get("per_page", 30)), 1), 100)
        number = max(int(self.query.get("page", 1)), 1)
        reachable = items[:cap]
        last = max(-(-len(reachable) // size), 1)
        shown = [shape(item) for item in reachable[(number - 1) * size : number * size]]
        pages = {}
        if number > 1:
            pages |= {"prev": min(number - 1, last), "first": 1}
        if number < last:
            pages |= {"next": number + 1, "last": last}
        body = shown if wrap is None else {"total_count": len(items), wrap: shown}
        return Answer(200, body, headers=self.links(pages, "page"))

    def links(self, pages: dict[str, Any], parameter: str) -> dict[str, str]:
        """The Link header for these relations."""
        if not pages:
            return {}
        urls = [
            f"<{self.shapes.api}{self.path}?{urlencode({**self.query, parameter: value})}>"
            f'; rel="{relation}"'
            for relation, value in pages.items()
        ]
        return {"Link": ", ".join(urls)}


def commits_of(repo: Repository) -> set[str]:
    """Every commit the repository knows."""
    known = {run.head_sha for run in repo.runs} | set(repo.branches.values())
    for pull in repo.pulls.values():
        known |= {pull.head_sha, pull.base_sha, *(commit.sha for commit in pull.commits)}
    return known


Handler = Callable[[Request], Answer]


@dataclass(frozen=True)
class Route:
    """A handler, and the permission that an app's token must hold to reach it."""

    handler: Handler
    permission: str
    level: str


ROUTES: dict[tuple[str, str], Route] = {}
"""By method and GitHub's own path template."""


def route(
    method: str, template: str, permission: str = "metadata", level: str = "read"
) -> Callable[[Handler], Handler]:
    def register(handler: Handler) -> Handler:
        ROUTES[method, template] = Route(handler, permission, level)
        return handler

    return register
