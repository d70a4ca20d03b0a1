"""Work side by side: each fact is read as soon as what it depends on is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Self, TypeVar

from signoff_bot.evidence.base import Unread
from signoff_bot.github.failures import GitHubFailure

T = TypeVar("T")
S = TypeVar("S")
WIDTH = 32
"""Works at once. They mostly wait; how many requests are under way is the client's to limit."""


class Tasks:
    """Starts work and hands out its results; on the way out, nothing more is waited for.

    A task may wait for the results of those started before it, so there must never be more tasks
    than `WIDTH`; what one of them has to do many times is for `side_by_side`.
    """

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


def side_by_side(works: Iterable[Callable[[], T]]) -> list[T]:
    """Does the works at the same time and returns all results, in the order of the works."""
    works = list(works)
    if len(works) < 2:
        return [work() for work in works]
    with ThreadPoolExecutor(min(len(works), WIDTH)) as pool:
        return [future.result() for future in [pool.submit(work) for work in works]]


def both(one: Callable[[], T], other: Callable[[], S]) -> tuple[T, S]:
    """Does two different works at the same time."""
    with ThreadPoolExecutor(1) as pool:
        later = pool.submit(other)
        return one(), later.result()


def unless_failing(read: Callable[[], T]) -> T | Unread:
    """What is read, or an `Unread` with the reason why GitHub did not give it."""
    try:
        return read()
    except GitHubFailure as failure:
        return Unread(unread=str(failure))
