"""Keeps an audit within what GitHub allows and the user grants: pace, limits, and a last word.

GitHub counts points a minute (900 for REST, where a GET costs 1 and a write 5; 2,000 for GraphQL),
content writes (80 a minute), and units an hour, which other users of the token need too.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from signoff_bot.github.failures import BadCredentials, GitHubFailure, Headers, RateLimited
from signoff_bot.github.gate import Stopped
from signoff_bot.github.retry import UNTOLD_WAIT, Note
from signoff_bot.reading.wording import count

POINTS = {"core": 900, "graphql": 2000}
"""Points a minute, by what GitHub charges a request to."""
WRITES = 80
"""Content writes a minute."""
WRITE_POINTS = 5


@dataclass(frozen=True, slots=True)
class Limits:
    """What the user grants."""

    max_requests: int | None = None
    """HTTP requests in all, repeated ones included."""
    reserve: float = 0.1
    """What is left to others: units of the token's hourly limit or, below 1, a share of it."""
    max_wait: float = 0.0
    """Seconds to wait for limits, in all."""
    pace: bool = True


class _Bucket:
    """Lets `rate` points a minute through: an eighth of them at once, the others evenly."""

    def __init__(self, rate: int, now: float) -> None:
        self._size = rate / 8
        self._per_second = (rate - self._size) / 60
        self._level, self._at = self._size, now

    def wait(self, points: int, now: float) -> float:
        """Takes the points, and says how many seconds that is ahead of its time."""
        self._level = min(self._size, self._level + (now - self._at) * self._per_second)
        self._at = now
        self._level -= points
        return max(-self._level / self._per_second, 0.0)


class Budget:
    """A gate for the client of an audit. Safe to use from many threads."""

    def __init__(
        self, limits: Limits, note: Note, clock: Callable[[], float] = time.monotonic
    ) -> None:
        now = clock()
        self._limits, self._note, self._clock = limits, note, clock
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._buckets = {name: _Bucket(points, now) for name, points in POINTS.items()}
        self._writes = _Bucket(WRITES, now)
        self._held_until, self._waited, self._untold = now, 0.0, UNTOLD_WAIT
        self.requests = 0
        """HTTP requests so far."""
        self.stopped: str | None = None
        """Why no further request is sent; None while they are."""

    @property
    def left(self) -> int | None:
        """How many requests may still be sent; None where nobody counts."""
        most = self._limits.max_requests
        return None if most is None else max(most - self.requests, 0)

    def enter(self, request: str, verb: str, resource: str) -> None:
        """Waits as pace and limits ask; see `Gate`."""
        with self._lock:
            self._check(request)
            if self.left == 0:
                granted = count(self._limits.max_requests or 0, "request")
                self._stop(f"--max-requests grants {granted}, and no more")
                self._check(request)
            self.requests += 1
            wait = self._pace(verb, resource)
        while wait > 0 and not self._ended.wait(wait):
            with self._lock:
                wait = self._held_until - self._clock()
        with self._lock:
            self._check(request)

    def heard(self, headers: Headers) -> None:
        """Learns from an answer how much is left; see `Gate`."""
        remaining, limit = (_number(headers, f"x-ratelimit-{n}") for n in ("remaining", "limit"))
        if remaining is None or limit is None:
            return
        reserve = self._limits.reserve
        kept = reserve * limit if reserve < 1 else reserve
        if remaining < kept or (remaining == 0 and kept):
            with self._lock:
                self._hold(
                    _until_reset(headers),
                    f"{remaining} of the token's {limit} units are left {_until(headers)}, and "
                    f"--reserve keeps {kept:.0f}",
                )

    def failed(self, failure: GitHubFailure) -> None:
        """Holds everything for a limit, and ends for a token that died; see `Gate`."""
        with self._lock:
            if isinstance(failure, BadCredentials):
                self._stop(str(failure))
            elif isinstance(failure, RateLimited):
                wait = self._untold_wait() if failure.wait is None else failure.wait
                self._hold(wait, failure.fault)
            self._check(failure.request)

    def _untold_wait(self) -> float:
        """How long to wait for a limit that names no time."""
        now = self._clock()
        if now < self._held_until:
            return 0.0  # several requests were under way when it struck: one limit, one wait
        if now > self._held_until + self._untold:
            self._untold = UNTOLD_WAIT
        wait, self._untold = self._untold, self._untold * 2
        return wait

    def _pace(self, verb: str, resource: str) -> float:
        now = self._clock()
        wait = self._held_until - now
        if self._limits.pace and resource in self._buckets:
            writes = verb != "GET" and resource == "core"
            points = WRITE_POINTS if writes else 1
            wait = max(wait, self._buckets[resource].wait(points, now))
            if writes:
                wait = max(wait, self._writes.wait(1, now))
        return wait

    def _hold(self, wait: float, why: str) -> None:
        now = self._clock()
        more = now + wait - max(self._held_until, now)
        if more <= 0 or self.stopped is not None:
            return
        if self._waited + more > self._limits.max_wait:
            self._stop(f"{why}; that takes {wait:.0f} s, longer than --max-wait allows")
            return
        self._waited += more
        self._held_until = now + wait
        self._note(f"{why}; waiting {wait:.0f} s")

    def _stop(self, why: str) -> None:
        if self.stopped is None:
            self.stopped = why
            self._ended.set()

    def _check(self, request: str) -> None:
        if self.stopped is not None:
            raise Stopped(request, f"not asked: {self.stopped}")


def _number(headers: Headers, name: str) -> int | None:
    text = headers.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else None


def _until(headers: Headers) -> str:
    reset = _number(headers, "x-ratelimit-reset")
    if reset is None:
        return "this hour"
    return datetime.fromtimestamp(reset, UTC).strftime("until %Y-%m-%d %H:%M:%S UTC")


def _until_reset(headers: Headers) -> float:
    """Seconds until the hour begins anew, by GitHub's own clock."""
    reset = _number(headers, "x-ratelimit-reset")
    try:
        now = parsedate_to_datetime(headers["date"]).timestamp()
    except (KeyError, ValueError):
        now = time.time()
    return UNTOLD_WAIT if reset is None else max(reset - now, 0.0) + 1
