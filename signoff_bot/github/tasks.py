"""Work side by side: each fact is read as soon as what it depends on is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Self, TypeVar

from signoff_bot.evidence.base import Unread
from signoff_bot.github.failures import GitHubFailure

T = TypeVar("T")
WIDTH = 64
"""Tasks at once. They mostly wait; how many requests are under way is the client's to limit. Tasks
that wait for tasks must be fewer than this."""


class Tasks:
    """Starts work and hands out its results; on the way out, nothing more is waited for."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(WIDTH, thread_name_prefix="collect")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    def start(self, work: Callable[[], T]) -> Callable[[], T]:
        """Starts the work; calling what is returned waits for its result, or its exception."""
        return self._pool.submit(work).result

    def fact(self, read: Callable[[], T]) -> Callable[[], T | Unread]:
        """Like `start`; what GitHub does not give becomes an `Unread` with the reason."""
        return self.start(lambda: unless_failing(read))

    def all(self, works: Iterable[Callable[[], T]]) -> list[T]:
        """Does the works side by side and waits for all results, in the order of the works."""
        return [result() for result in [self.start(work) for work in works]]


def unless_failing(read: Callable[[], T]) -> T | Unread:
    """What is read, or an `Unread` with the reason why GitHub did not give it."""
    try:
        return read()
    except GitHubFailure as failure:
        return Unread(unread=str(failure))
