"""Reads links: which workflow runs they stand for, and which of them lead to a public recipe.

Run links are hints, so they are read generously: whatever run they name is judged on its own
evidence. A recipe link *is* the evidence, so its address is held to a narrow grammar as it was
written: whatever a browser might repair or misread (user names, ports, escapes, `..`, other
alphabets) is refused. No address is ever fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal
from urllib.parse import parse_qs, urlsplit

from signoff_bot.reading.settings import RunPage

MAX_ADDRESS = 2048
"""Longer addresses are refused: nobody types them, and pages shorten them."""

_HOST = r"(?P<host>[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)"
_REST = r"(?P<path>/[A-Za-z0-9._~+,=@/-]*)?(?P<query>\?[!-~]*)?(?P<fragment>#[!-~]*)?"
_ADDRESS = re.compile(f"https://{_HOST}{_REST}", re.ASCII)
_IN_TEXT = re.compile(r"https://[^\s<>()\[\]\"'`]+")
_RUN_PATH = re.compile(r"/([^/]+/[^/]+)/actions/runs/([0-9]{1,18})(?:/.*)?", re.ASCII)
_PULL = re.compile(r"/pull/([1-9][0-9]{0,9})(?:/(?:files|commits|changes)(?:/[0-9a-f]+)?)?/?")
_COMMIT = re.compile(r"/commit/([0-9a-f]{7,64})/?")
_FILE = re.compile(r"/blob/([^/~]+)/(.+[^/])")
_FILE_OF_PULL = re.compile(r"/blob/(?:refs/)?pull/[0-9]+/.+")
_SHA = re.compile(r"[0-9a-f]{7,64}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RunLink:
    """A link to a workflow run; `repo` is `owner/repo` in lower case."""

    repo: str
    run_id: int


@dataclass(frozen=True, slots=True)
class RecipePage:
    """Where recipes are published: pages at least `depth` segments below `under` on `host`.

    Pages nearer to the root only lead to recipes.
    """

    host: str
    under: str
    depth: int


@dataclass(frozen=True, slots=True)
class RecipeSources:
    """Where a public recipe may live: repositories (`owner/repo`) on `server`, and pages.

    `home` is the pull request's own repository, which is never a place for recipes.
    """

    server: str
    repositories: tuple[str, ...]
    pages: tuple[RecipePage, ...] = ()
    home: str | None = None


@dataclass(frozen=True, slots=True)
class RecipeLink:
    """A link that leads to a recipe on the allow-list.

    `repo` (lower case) is None for a page, `number` is a pull request's, and `ref` is what a
    commit or file link is pinned to, a SHA in lower case.
    """

    form: Literal["pull", "commit", "file", "page"]
    url: str
    repo: str | None = None
    number: int | None = None
    ref: str | None = None


@dataclass(frozen=True, slots=True)
class NoRecipe:
    """A link that does not count, and why, in words that complete "URL ..."."""

    url: str
    reason: str


def server_of(url: str) -> str:
    """Scheme and host of a GitHub page, such as `https://github.com`; `://` of what is none."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "://"
    return f"{parts.scheme}://{parts.netloc}"


def addresses(text: str) -> tuple[str, ...]:
    """The https addresses that stand in a text, in its order, visible or not.

    Good for hints such as the comments of apps; a sign-off's links are read from its Markdown.
    """
    return tuple(match[0].rstrip(".,;:!?") for match in _IN_TEXT.finditer(text))


def run_links(
    urls: Iterable[str], repo: str, server: str, pages: Iterable[RunPage]
) -> tuple[RunLink, ...]:
    """The runs that the addresses stand for, each once, in the order given.

    Pages of a run, of one of its jobs or of one of its attempts count, on `server`, of any
    repository; a results page listed in `pages` speaks of a run of `repo`.
    """
    parameters = {page.host.lower(): page.parameter for page in pages}
    found: dict[RunLink, None] = {}
    for url in urls:
        for link in _run_links(url, repo.lower(), server, parameters):
            found.setdefault(link)
    return tuple(found)


def run_ids(
    urls: Iterable[str], repo: str, server: str, pages: Iterable[RunPage]
) -> tuple[int, ...]:
    """The ids of the linked runs of `repo` itself, each once, in the order given."""
    links = run_links(urls, repo, server, pages)
    return tuple(link.run_id for link in links if link.repo == repo.lower())


def _run_links(url: str, repo: str, server: str, parameters: dict[str, str]) -> list[RunLink]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return []
    if parts.scheme != "https" or len(url) > MAX_ADDRESS:
        return []
    host = parts.netloc.lower()
    if host == urlsplit(server).netloc.lower():
        match = _RUN_PATH.fullmatch(parts.path)
        return [RunLink(match[1].lower(), int(match[2]))] if match else []
    if host not in parameters:
        return []
    values = parse_qs(parts.query).get(parameters[host], [])
    ids = (value.rstrip("/") for value in values)
    return [RunLink(repo, int(i)) for i in ids if re.fullmatch("[0-9]{1,18}", i)]


def linked_pulls(
    urls: Iterable[str], repositories: Iterable[str], server: str
) -> tuple[tuple[str, int], ...]:
    """The pull requests of these repositories that are linked: (`owner/repo` lower, number)."""
    sources = RecipeSources(server, tuple(repositories))
    found: dict[tuple[str, int], None] = {}
    for url in urls:
        link = read_recipe_link(url, sources)
        if isinstance(link, RecipeLink) and link.repo and link.number:
            found.setdefault((link.repo, link.number))
    return tuple(found)


def read_recipe_link(url: str, sources: RecipeSources) -> RecipeLink | NoRecipe:
    """Whether the address, exactly as written, leads to a recipe; judged by its letters alone."""
    match = _ADDRESS.fullmatch(url) if len(url) <= MAX_ADDRESS else None
    if match is None:
        return NoRecipe(url, _why_odd(url))
    host, path = match["host"].lower(), match["path"] or "/"
    if "//" in path or {".", ".."} & set(path.split("/")):
        return NoRecipe(url, "has empty or dotted parts in its path; link the plain address")
    if host == urlsplit(sources.server).netloc.lower():
        return _read_repository_link(url, path, sources)
    for page in sources.pages:
        if host == page.host.lower():
            return _read_page_link(url, path, page)
    return NoRecipe(url, f"is on {host}, where these rules look for no recipe")


def _why_odd(url: str) -> str:
    if not url.startswith("https://"):
        return "is no https:// address"
    if len(url) > MAX_ADDRESS:
        return f"is over {MAX_ADDRESS} characters long"
    return (
        "holds a user name, a port, an escape or characters that can hide where it leads; "
        "link the plain address"
    )


def _read_repository_link(url: str, path: str, sources: RecipeSources) -> RecipeLink | NoRecipe:
    _, owner, name, rest = (*path.split("/", 3), "", "", "")[:4]
    repo = f"{owner}/{name}".lower()
    rest = f"/{rest}"
    if sources.home is not None and repo == sources.home.lower():
        return NoRecipe(url, _why_internal(rest))
    if name and repo not in {allowed.lower() for allowed in sources.repositories}:
        return NoRecipe(url, f"is of {owner}/{name}, which is no recipe repository of these rules")
    if pull := _PULL.fullmatch(rest):
        return RecipeLink("pull", url, repo, number=int(pull[1]))
    if commit := _COMMIT.fullmatch(rest):
        return RecipeLink("commit", url, repo, ref=commit[1])
    if _FILE_OF_PULL.fullmatch(rest):
        return NoRecipe(url, "is a file as a pull request has it; link the pull request itself")
    if file := _FILE.fullmatch(rest):
        ref = file[1].lower() if _SHA.fullmatch(file[1]) else file[1]
        return RecipeLink("file", url, repo, ref=ref)
    return NoRecipe(
        url, "leads to no single recipe; link its pull request, commit, file or published page"
    )


def _why_internal(rest: str) -> str:
    what = "pull request" if _PULL.fullmatch(rest) else "page"
    return f"is a {what} of this repository itself, not a public recipe"


def _read_page_link(url: str, path: str, page: RecipePage) -> RecipeLink | NoRecipe:
    under = page.under.rstrip("/") + "/"
    below = path.removeprefix(under) if path.startswith(under) else ""
    if len([part for part in below.split("/") if part]) < page.depth:
        return NoRecipe(url, "is an index page, not the page of a recipe")
    return RecipeLink("page", url)
