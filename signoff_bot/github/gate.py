"""The gate that every request passes: where a budget may make it wait, count it, or refuse it."""

from __future__ import annotations

from typing import Protocol

from signoff_bot.github.failures import GitHubFailure, Headers


class Stopped(GitHubFailure):
    """The request was not sent, because a budget is used up."""


class Gate(Protocol):
    """Watches the requests of a client, from many threads."""

    def enter(self, request: str, verb: str, resource: str) -> None:
        """Waits until the request may be sent.

        `resource` is what GitHub charges it to: `core`, `graphql`, or `none` for stored files.

        Raises:
            Stopped: it may not be sent at all.
        """

    def heard(self, headers: Headers) -> None:
        """Takes note of the headers of an answer (names in lower case)."""

    def failed(self, failure: GitHubFailure) -> None:
        """Takes note of a failure.

        Raises:
            Stopped: no further request may be sent.
        """


class Open:
    """The gate that lets everything through."""

    def enter(self, request: str, verb: str, resource: str) -> None:
        """Sends it."""

    def heard(self, headers: Headers) -> None:
        """Ignores them."""

    def failed(self, failure: GitHubFailure) -> None:
        """Ignores it."""
