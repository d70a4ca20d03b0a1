"""The one retry of all reading: what may heal is asked again, for a bounded time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from signoff_bot.github.failures import GitHubFailure, NoAnswer, RateLimited

T = TypeVar("T")
Note = Callable[[str], None]
"""Takes a message about waiting, for people who watch."""


UNTOLD_WAIT = 60.0
"""Seconds to wait for a limit that names no time, at first; then twice as long each time: what
GitHub's documentation of rate limits asks for."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long one request may take to succeed.

    Tries follow each other after `first_delay` seconds, then twice as long each time, or after what
    GitHub asks for; none begins later than `total` seconds after the first. That leaves room for
    the one minute that a secondary rate limit asks for.
    """

    tries: int = 5
    first_delay: float = 1.0
    total: float = 75.0
    untold: float = UNTOLD_WAIT
    """The first delay after a limit that names no time."""


class Retry:
    """Repeats reading requests; `close` ends all waiting at once."""

    def __init__(self, patience: Patience, note: Note) -> None:
        self._patience = patience
        self._note = note
        self._closed = threading.Event()
        self._told_until = float("-inf")

    def close(self) -> None:
        """Ends every wait; what is still being asked fails with its last failure."""
        self._closed.set()

    def __call__(self, attempt: Callable[[], T]) -> T:
        """The result of the first attempt that succeeds.

        Raises:
            GitHubFailure: one that cannot heal, or the last one when patience ran out.
        """
        began = time.monotonic()
        for tried in range(1, self._patience.tries + 1):
            try:
                return attempt()
            except (NoAnswer, RateLimited) as failure:
                delay = self._delay(failure, tried)
                late = time.monotonic() - began + delay > self._patience.total
                if tried == self._patience.tries or late:
                    raise
                self._tell(failure, delay)
                if self._closed.wait(delay):
                    raise
        raise AssertionError("patience allows no try at all")

    def _tell(self, failure: GitHubFailure, delay: float) -> None:
        """Notes the wait, unless people were just told of one that lasts about as long."""
        until = time.monotonic() + delay
        if until > self._told_until + delay / 2:
            self._told_until = until
            self._note(f"{failure.fault}; trying again in {delay:.0f} s")

    def _delay(self, failure: GitHubFailure, tried: int) -> float:
        longer = 2.0 ** (tried - 1)
        if isinstance(failure, RateLimited):
            return self._patience.untold * longer if failure.wait is None else failure.wait
        return self._patience.first_delay * longer
