"""What can go wrong between us and GitHub: typed, and each a sentence that names the request."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from signoff_bot.errors import Unavailable

LATER = "try again later"
_SURPRISED = "check GITHUB_API_URL, and try again later"
_ANY_PERMISSION = "use a token with the permissions that the README lists"
Headers = Mapping[str, str]


class GitHubFailure(Unavailable):
    """GitHub did not give what was asked for.

    `request` is the method and path, without secrets; `problem` says what went wrong, `advice` what
    to do about it. `reason` is both, and the message names the request before that.
    """

    def __init__(self, request: str, problem: str, advice: str | None = None) -> None:
        self.request = request
        self.problem = problem
        self.advice = advice
        self.reason = problem if advice is None else f"{problem}; {advice}"
        super().__init__(f"{request}: {self.reason}")

    @property
    def fault(self) -> str:
        """The message without its advice, for whoever says what happens next."""
        return f"{self.request}: {self.problem}"


class NotFound(GitHubFailure):
    """There is no such thing, or the token may not know of it: GitHub answers both alike."""


class Forbidden(GitHubFailure):
    """The token lacks a permission."""


class BadCredentials(GitHubFailure):
    """GitHub does not accept the token."""


class Refused(GitHubFailure):
    """GitHub understood the request and declined it (any other 4xx)."""


class OddAnswer(GitHubFailure):
    """An answer of a shape that GitHub does not document; nothing is concluded from it."""

    def __init__(self, request: str, problem: str, advice: str = _SURPRISED) -> None:
        super().__init__(request, problem, advice)


class Incomplete(GitHubFailure):
    """A list that could not be read to its end."""


class NoAnswer(GitHubFailure):
    """No usable answer for now: connection trouble, a cut-off body, a fault on GitHub's side."""


class RateLimited(GitHubFailure):
    """A rate limit is used up; `wait` is how many seconds GitHub asks to wait, if it tells."""

    def __init__(
        self, request: str, problem: str, wait: float | None, advice: str | None = None
    ) -> None:
        super().__init__(request, problem, advice)
        self.wait = wait


def failure_of(request: str, status: int, headers: Headers, data: Any) -> GitHubFailure:
    """The failure that an answer with an error status stands for."""
    said = _said(data)
    if status in (403, 429):
        limited = rate_limit_of(request, headers, said, too_many=status == 429)
        if limited is not None:
            return limited
    if status == 401:
        return BadCredentials(
            request,
            f"GitHub does not accept the token{said}",
            "it may have expired or been revoked: set GITHUB_TOKEN to a valid one",
        )
    if status == 403:
        return Forbidden(request, f"the token may not do this{said}", _missing_permission(headers))
    if status in (404, 410):
        return NotFound(
            request,
            f"GitHub knows no such thing (HTTP {status})",
            "check the name, and that the token may read it: what a token may not see looks the "
            "same",
        )
    if status >= 500:
        return NoAnswer(request, f"GitHub failed with HTTP {status}{said}", LATER)
    if status >= 400:
        return Refused(request, f"GitHub refused the request with HTTP {status}{said}")
    return OddAnswer(request, f"GitHub answered HTTP {status}, which means nothing here")


def not_written(what: str, failure: GitHubFailure, permission: str) -> str:
    """That something was not written, and what to do: `permission` may be all that it needs."""
    untold = isinstance(failure, NotFound) or failure.advice == _ANY_PERMISSION
    why = f"{failure.fault}; the token needs the permission `{permission}`" if untold else failure
    return f"{what}: {why}"


def rate_limit_of(
    request: str, headers: Headers, said: str, *, too_many: bool = False
) -> RateLimited | None:
    """The rate limit that an answer speaks of, or None. `too_many`: it says so by its status.

    Primary limits show in `x-ratelimit-remaining`, secondary ones in `Retry-After` or in words.
    """
    if "retry-after" in headers:
        wait = _seconds(headers["retry-after"])
        advice = LATER if wait is None else f"try again after {wait:.0f} s"
        return RateLimited(request, "GitHub's rate limit is reached", wait, advice)
    if headers.get("x-ratelimit-remaining") == "0":
        return _primary_limit(request, headers)
    if "secondary rate limit" in said.lower():
        return RateLimited(
            request,
            "GitHub's secondary rate limit is reached",
            None,
            "try again in a few minutes",
        )
    if too_many or "rate limit exceeded" in said.lower():
        return RateLimited(request, "GitHub's rate limit is reached", None, LATER)
    return None


def _primary_limit(request: str, headers: Headers) -> RateLimited:
    reset = _seconds(headers.get("x-ratelimit-reset", ""))
    if reset is None:
        return RateLimited(request, "the token's rate limit is used up", None, LATER)
    until = datetime.fromtimestamp(reset, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    return RateLimited(
        request,
        f"the token's rate limit is used up until {until}",
        max(reset - _now(headers), 0) + 1,
        "try again then, or use another token",
    )


def _now(headers: Headers) -> float:
    """GitHub's clock where the answer shows it: ours may be wrong."""
    try:
        return parsedate_to_datetime(headers["date"]).timestamp()
    except (KeyError, ValueError):
        return time.time()


def _seconds(text: str) -> float | None:
    return float(text) if re.fullmatch(r"[0-9]{1,10}", text, re.ASCII) else None


def _said(data: Any) -> str:
    """GitHub's own words, tamed for a message: one line of printable text, not too long."""
    message = data.get("message") if isinstance(data, dict) else None
    if not isinstance(message, str) or not message:
        return ""
    tame = "".join(c if c.isprintable() else " " for c in message)[:200]
    return f" ({tame})"


def _missing_permission(headers: Headers) -> str:
    """What GitHub says about the permission that would be needed, in its headers."""
    sso = re.search(r"url=(https://\S+)", headers.get("x-github-sso", ""))
    if sso:
        return f"authorize the token for the organization's single sign-on at {sso[1]}"
    for name, what in (
        ("x-accepted-github-permissions", "permission"),
        ("x-accepted-oauth-scopes", "scope"),
    ):
        if headers.get(name):
            return f"the token needs the {what} {headers[name]}"
    return _ANY_PERMISSION
