"""Reads what GitHub Actions (or a person) sets in the environment: server, token, repository."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, Any

from signoff_bot.errors import InvalidInput, Unavailable

if TYPE_CHECKING:
    from signoff_bot.github.client import GitHubClient
    from signoff_bot.github.gate import Gate
    from signoff_bot.github.retry import Note

API_URL = "https://api.github.com"


def server_url() -> str:
    """The GitHub whose pages people see, such as `https://github.com`."""
    from signoff_bot.target import DEFAULT_SERVER

    return (os.environ.get("GITHUB_SERVER_URL") or DEFAULT_SERVER).rstrip("/")


def token() -> str:
    """The token to ask GitHub with.

    Raises:
        Unavailable: there is none.
    """
    found = os.environ.get("GITHUB_TOKEN") or os.environ.get("GH_TOKEN")
    if not found:
        raise Unavailable(
            "no token: set GITHUB_TOKEN (or GH_TOKEN) to one that may read the repository; in a "
            "workflow that is ${{ github.token }}, elsewhere `gh auth token` prints one"
        )
    return found


def connection(
    note: Note, secret: str | None = None, gate: Gate | None = None, **settings: Any
) -> GitHubClient:
    """A client for the GitHub that the environment names; `note` is told of every wait.

    `secret` is the token to ask with, by default the environment's. The `gate` sees every request;
    `settings` are further ones of `connect`.

    Raises:
        Unavailable: there is no token.
        InvalidInput: an address is none.
    """
    secret = secret or token()
    from signoff_bot.github.client import connect
    from signoff_bot.github.gate import Open
    from signoff_bot.target import DEFAULT_SERVER

    api = os.environ.get("GITHUB_API_URL")
    if not api and server_url() != DEFAULT_SERVER:
        # A token for one server must not be sent to another.
        raise InvalidInput(
            f"GITHUB_SERVER_URL is {server_url()!r}, but GITHUB_API_URL is not set; set it too, "
            "such as https://HOST/api/v3"
        )
    graphql = os.environ.get("GITHUB_GRAPHQL_URL") or None
    return connect(
        api or API_URL, secret, graphql_url=graphql, note=note, gate=gate or Open(), **settings
    )


def repository(asked: str | None, named: str | None = None) -> str:
    """`OWNER/REPO`: what the user asked about, else `--repo`, else the environment, else the clone.

    Args:
        asked: the value of `--repo`.
        named: the repository that the user's pull request names, if it names one.

    Raises:
        InvalidInput: they contradict each other, or none of them tells.
    """
    from signoff_bot.target import parse_repo

    if asked and named and asked.lower() != named.lower():
        raise InvalidInput(f"--repo says {asked!r}, but the pull request is one of {named!r}")
    found = named or asked or os.environ.get("GITHUB_REPOSITORY") or _clone()
    if not found:
        raise InvalidInput(
            "which repository? Write OWNER/REPO#NUMBER or the pull request's address, give "
            "--repo OWNER/REPO, or run this inside a clone with a GitHub remote"
        )
    return parse_repo(found)


def _clone() -> str | None:
    from signoff_bot.target import repo_of_remotes

    try:
        done = subprocess.run(
            ["git", "remote", "--verbose"],  # noqa: S607 - the user's own git
            capture_output=True,
            text=True,
            errors="replace",
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return repo_of_remotes(done.stdout, server_url())
