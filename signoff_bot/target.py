"""Reads what the user asks about: a pull request, or one sign-off on it, from whatever was pasted.

Understood are `1865`, `OWNER/REPO#1865`, the address of a pull request (any of its tabs), and the
address of a sign-off: `#issuecomment-N`, `#pullrequestreview-N`, `#discussion_rN`, and the `#rN` by
which the tab of changed files names a line comment.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from signoff_bot.errors import InvalidInput
from signoff_bot.evidence.conversation import SignoffRef, parse_anchor

DEFAULT_SERVER = "https://github.com"
REMOTES = ("upstream", "origin")
"""Git remotes in the order they are asked: in a fork's clone, pull requests live upstream."""

_NAME = r"[A-Za-z0-9][A-Za-z0-9_-]{0,38}/(?!\.\.?(?![A-Za-z0-9._-]))[A-Za-z0-9._-]{1,100}"
_REPO = re.compile(_NAME)
_SHORT = re.compile(rf"(?:(?P<repo>{_NAME})?#)?(?P<number>[1-9][0-9]{{0,9}})")
_PAGE = re.compile(
    rf"/(?P<repo>{_NAME})/(?P<kind>pull|issues)/(?P<number>[1-9][0-9]{{0,9}})(?:/.*)?"
)
_SCP = re.compile(r"(?:[^@/\s]+@)?(?P<host>[^:/\s]+):(?P<path>[^\s]+)")
_FORMS = (
    "expected a number (1865), OWNER/REPO#1865, the address of a pull request or of a comment on it"
)


@dataclass(frozen=True, slots=True)
class Target:
    """A pull request; `repo` is None where only its number was given.

    `signoff` is the sign-off asked about; None asks about all of them.
    """

    repo: str | None
    number: int
    signoff: SignoffRef | None = None

    def __str__(self) -> str:
        return f"{self.repo or ''}#{self.number}"


def parse_target(text: str, server: str = DEFAULT_SERVER) -> Target:
    """The pull request or sign-off that `text` names, on the GitHub server at `server`.

    Raises:
        InvalidInput: it names neither, or lives on another server.
    """
    if "://" in text:
        return _parse_page(text, server)
    short = _SHORT.fullmatch(text)
    if short is None:
        raise InvalidInput(f"{text!r} is no pull request: {_FORMS}")
    return Target(short["repo"], int(short["number"]))


def parse_repo(text: str) -> str:
    """`OWNER/REPO`, as it was given.

    Raises:
        InvalidInput: it is anything else.
    """
    if _REPO.fullmatch(text) is None:
        raise InvalidInput(f"{text!r} is no repository: expected OWNER/REPO")
    return text


def repo_of_remotes(listing: str, server: str = DEFAULT_SERVER) -> str | None:
    """The repository that a clone belongs to, from the output of `git remote --verbose`.

    Only remotes on `server` count: `upstream`, then `origin`, then the only one there is. None
    when that leaves none, or several.
    """
    found: dict[str, str] = {}
    for line in listing.splitlines():
        name, _, address = line.removesuffix("(fetch)").partition("\t")
        repo = _repo_of_address(address.strip(), server)
        if line.endswith("(fetch)") and repo is not None:
            found[name] = repo
    for name in REMOTES:
        if name in found:
            return found[name]
    repos = set(found.values())
    return repos.pop() if len(repos) == 1 else None


def _parse_page(text: str, server: str) -> Target:
    url, host = _split(text), _split(server)
    if (url.scheme, url.netloc.lower()) != (host.scheme, host.netloc.lower()):
        raise InvalidInput(
            f"{text!r} is not on {server}; set GITHUB_SERVER_URL (and GITHUB_API_URL) to ask "
            "another GitHub server"
        )
    page = _PAGE.fullmatch(url.path)
    if page is None:
        raise InvalidInput(f"{text!r} is no page of a pull request: {_FORMS}")
    return Target(page["repo"], int(page["number"]), _signoff(url.fragment, text))


def _signoff(fragment: str, text: str) -> SignoffRef | None:
    if not fragment:
        return None
    on_a_line = re.fullmatch(r"r([0-9]+)", fragment)
    found = parse_anchor(f"discussion_r{on_a_line[1]}" if on_a_line else fragment)
    if found is None:
        raise InvalidInput(
            f"{text!r}: '#{fragment}' names no comment; leave it out to ask about the whole pull "
            "request, or copy the link of the sign-off from its menu"
        )
    return found


def _repo_of_address(address: str, server: str) -> str | None:
    """The repository of a git remote on the server: https, ssh, git, or `git@HOST:PATH`."""
    host = _split(server).hostname
    if "://" in address:
        url = _split(address)
        found, path = url.hostname, url.path
    elif scp := _SCP.fullmatch(address):
        found, path = scp["host"].lower(), scp["path"]
    else:
        return None
    repo = path.strip("/").removesuffix(".git")
    # ssh.github.com is the same server by its HTTPS port.
    return repo if found in (host, f"ssh.{host}") and _REPO.fullmatch(repo) else None


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:
        return SplitResult("", "", "", "", "")
