"""Doing things side by side, and taking answers apart."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

import pytest
from support.build import job, run

from signoff_bot.evidence.actions import Run
from signoff_bot.evidence.base import Unread
from signoff_bot.github.decode import changed
from signoff_bot.github.failures import NoAnswer
from signoff_bot.github.tasks import Tasks, both, side_by_side, unless_failing


def meeting(number: int) -> Callable[[int], int]:
    """Works that end only when so many are under way."""
    barrier = threading.Barrier(number, timeout=10)

    def meet(value: int) -> int:
        barrier.wait()
        return value

    return meet


def fail() -> int:
    raise NoAnswer("GET /x", "trouble")


def test_works_are_done_at_the_same_time_and_keep_their_order() -> None:
    meet = meeting(5)
    assert side_by_side(partial(meet, n) for n in range(5)) == [0, 1, 2, 3, 4]
    meet = meeting(2)
    assert both(partial(meet, 1), partial(meet, 2)) == (1, 2)


def test_works_may_have_works_of_their_own_without_locking_up() -> None:
    def outer() -> int:
        return sum(side_by_side([lambda: 1] * 40))

    assert side_by_side([outer] * 40) == [40] * 40


def test_a_work_that_fails_is_heard_of() -> None:
    for works in ([fail], [fail, int], [int, fail, int]):
        with pytest.raises(NoAnswer):
            side_by_side(works)


def test_a_task_may_wait_for_those_before_it() -> None:
    with Tasks() as tasks:
        one = tasks.start(lambda: 1)
        two = tasks.start(lambda: one() + 1)
        assert two() == 2


def test_only_what_github_does_not_give_becomes_unread() -> None:
    with Tasks() as tasks:
        assert tasks.fact(fail)() == Unread(unread="GET /x: trouble")
    with pytest.raises(ZeroDivisionError):
        unless_failing(lambda: 1 // 0)


def test_a_changed_fact_keeps_its_lists_in_order() -> None:
    jobs = tuple(job(name, id=number) for number, name in ((3, "c"), (1, "a"), (2, "b")))
    found = changed(run(1), jobs=jobs)
    assert isinstance(found, Run)
    assert not isinstance(found.jobs, Unread)
    assert [one.id for one in found.jobs] == [1, 2, 3]
    assert found == run(1, *reversed(jobs))
