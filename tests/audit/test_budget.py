"""The budget of an audit: pace, limits, the last word. Time is the test's own."""

from __future__ import annotations

import pytest

from signoff_bot.audit.budget import POINTS, WRITE_POINTS, WRITES, Budget, Limits
from signoff_bot.github.failures import BadCredentials, NoAnswer, RateLimited
from signoff_bot.github.gate import Stopped


class Clock:
    """A clock that moves only while somebody waits."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> bool:
        self.now += seconds
        return False


def budget_of(**limits: object) -> tuple[Budget, Clock, list[str]]:
    clock, notes = Clock(), []
    budget = Budget(Limits(**limits), notes.append, clock)  # type: ignore[arg-type]
    budget._ended.wait = clock.wait  # type: ignore[method-assign, assignment]
    return budget, clock, notes


def sent_within(budget: Budget, clock: Clock, seconds: float, verb: str, resource: str) -> int:
    """How many requests may be sent one after the other in that time."""
    count, began = 0, clock.now
    while True:
        budget.enter("r", verb, resource)
        if clock.now - began > seconds:
            return count
        count += 1


@pytest.mark.parametrize(
    ("verb", "resource", "most"),
    [
        ("GET", "core", POINTS["core"]),
        ("POST", "graphql", POINTS["graphql"]),
        ("POST", "core", min(WRITES, POINTS["core"] // WRITE_POINTS)),
    ],
)
def test_a_minute_never_holds_more_than_github_allows_and_nearly_as_much(
    verb: str, resource: str, most: int
) -> None:
    budget, clock, _ = budget_of()
    counts = [sent_within(budget, clock, 60, verb, resource) for _ in range(3)]
    assert all(0.8 * most <= count <= most for count in counts), counts


def test_the_pace_can_be_turned_off_and_files_from_storage_have_none() -> None:
    unpaced, clock, _ = budget_of(pace=False)
    assert [unpaced.enter("r", "GET", "core") for _ in range(5000)]
    paced, other, _ = budget_of()
    assert [paced.enter("r", "GET", "none") for _ in range(5000)]
    assert (clock.now, other.now) == (1000.0, 1000.0)


@pytest.mark.parametrize(("most", "granted"), [(3, "3 requests"), (1, "1 request")])
def test_requests_are_counted_and_end_at_the_most(most: int, granted: str) -> None:
    budget, _, _ = budget_of(max_requests=most)
    for left in range(most, 0, -1):
        assert budget.left == left
        budget.enter("GET /x", "GET", "none")
    with pytest.raises(Stopped, match=f"GET /x: not asked: --max-requests grants {granted}, "):
        budget.enter("GET /x", "GET", "none")
    assert (budget.requests, budget.left) == (most, 0)
    assert budget.stopped is not None


def headers(remaining: int, reset: int = 1_782_388_800 + 600) -> dict[str, str]:
    # 2026-06-25 12:00 UTC, and ten minutes later.
    return {
        "date": "Thu, 25 Jun 2026 12:00:00 GMT",
        "x-ratelimit-remaining": str(remaining),
        "x-ratelimit-limit": "5000",
        "x-ratelimit-reset": str(reset),
    }


@pytest.mark.parametrize(
    ("reserve", "remaining", "ends"),
    [(0.1, 500, False), (0.1, 499, True), (1200, 1200, False), (1200, 1199, True), (0, 0, False)],
)
def test_the_reserve_is_left_to_others(reserve: float, remaining: int, ends: bool) -> None:
    budget, _, _ = budget_of(reserve=reserve)
    budget.heard(headers(remaining))
    assert (budget.stopped is not None) is ends
    if ends:
        assert f"{remaining} of the token's 5000 units" in str(budget.stopped)
        assert "--max-wait" in str(budget.stopped)


def test_it_waits_for_the_new_hour_if_it_may() -> None:
    budget, clock, notes = budget_of(max_wait=700.0)
    budget.heard(headers(10))
    budget.heard(headers(9))
    budget.enter("r", "GET", "core")
    assert clock.now == pytest.approx(1601)
    assert len(notes) == 1
    assert "waiting 601 s" in notes[0]
    budget.heard(headers(10))
    assert budget.stopped is not None, "both waits together are longer than it may"


def test_a_secondary_limit_holds_everything_for_as_long_as_it_asks() -> None:
    budget, clock, _ = budget_of(max_wait=100.0)
    budget.failed(RateLimited("r", "slow down", 30.0))
    budget.enter("r", "GET", "none")
    assert clock.now == pytest.approx(1030)


def test_a_limit_that_names_no_time_is_waited_for_longer_each_time() -> None:
    budget, clock, _ = budget_of(max_wait=1000.0)
    for moment in (1060, 1180, 1420):
        budget.failed(RateLimited("r", "slow down", None))
        budget.enter("r", "GET", "none")
        assert clock.now == pytest.approx(moment)


def test_many_requests_under_way_meet_a_limit_once_and_a_quiet_time_forgets_it() -> None:
    budget, clock, notes = budget_of(max_wait=1000.0)
    for _ in range(16):
        budget.failed(RateLimited("r", "slow down", None))
    budget.enter("r", "GET", "none")
    assert clock.now == pytest.approx(1060)
    assert len(notes) == 1
    clock.now += 500
    budget.failed(RateLimited("r", "slow down", None))
    budget.enter("r", "GET", "none")
    assert clock.now == pytest.approx(1620)


def test_a_limit_beyond_the_patience_ends_it_at_once() -> None:
    budget, clock, _ = budget_of(max_wait=10.0)
    with pytest.raises(Stopped, match="slow down"):
        budget.failed(RateLimited("r", "slow down", 30.0))
    with pytest.raises(Stopped):
        budget.enter("r", "GET", "none")
    assert clock.now == 1000.0


def test_a_token_that_is_not_accepted_ends_it() -> None:
    budget, _, _ = budget_of()
    with pytest.raises(Stopped, match="expired"):
        budget.failed(BadCredentials("GET /x", "it expired"))


def test_other_failures_and_odd_headers_change_nothing() -> None:
    budget, clock, _ = budget_of()
    budget.failed(NoAnswer("r", "broken"))
    for odd in ({}, {"x-ratelimit-remaining": "-1"}, {"x-ratelimit-remaining": "many"}):
        budget.heard(odd)
    budget.enter("r", "GET", "core")
    assert (budget.stopped, clock.now) == (None, 1000.0)
