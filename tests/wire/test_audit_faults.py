"""Audits of a GitHub that fails at random: the same report, or less of it, but nothing wrong."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from support.wire_audit import Kind, audit_world
from support.world import World
from wire.audits import audit, classes, report
from wire.command import InProcess, Result
from wire.loopback.meter import Seen
from wire.loopback.server import Loopback

from signoff_bot.audit.budget import Budget

Serve = Callable[[World], Loopback]
MANY: tuple[Kind, ...] = ("ready", "pending", "stale", "rejected", "merged-ok", "ready") * 2
FAULTS = (
    "500",
    "502",
    "403 secondary",
    "403 secondary retry-after",
    "403 rate limit",
    "429",
    "429 retry-after",
    "graphql limit",
    "graphql errors",
    "dropped",
    "cut off",
)
SHARE = 0.05
"""The share of requests that fail."""


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long the audit means to wait for limits; it does not wait in fact."""
    asked: list[float] = []
    hold = Budget._hold

    def hold_not(self: Budget, wait: float, why: str) -> None:
        asked.append(wait)
        hold(self, 0.0, why)

    monkeypatch.setattr(Budget, "_hold", hold_not)
    return asked


def strike(github: Loopback, kinds: tuple[str, ...], seed: int) -> list[str]:
    """Makes some requests fail, chosen by their number; the kinds of fault that struck."""
    chance = random.Random(seed)
    plan = {n: chance.choice(kinds) for n in range(1, 4000) if chance.random() < SHARE}
    struck: list[str] = []

    def look(seen: Seen) -> None:
        kind = plan.get(len(github.seen))
        if kind is None or (kind.startswith("graphql") and not seen.path.endswith("/graphql")):
            return
        struck.append(kind)
        github.fail(kind, times=1)  # type: ignore[arg-type]

    github.watch(look)
    return struck


def hold_to(whole: Result, found: Result) -> None:
    """Every pull request is listed, most are judged, and each of those as without faults."""
    right = {row["pr"]: row for row in report(whole)["pulls"]}
    rows = {row["pr"]: row for row in report(found)["pulls"]}
    judged = {number: row for number, row in rows.items() if row["class"] != "not-judged"}
    assert set(rows) == set(right)
    assert len(judged) > len(right) / 2, found.err
    assert judged == {number: right[number] for number in judged}


@pytest.mark.parametrize("seed", range(6))
def test_faults_at_random_never_make_a_wrong_class(
    serve: Serve, command: InProcess, waits: list[float], seed: int
) -> None:
    github = serve(audit_world(MANY))
    whole = audit(command, github)
    github.forget()
    struck = strike(github, FAULTS, seed)
    found = audit(command, github, "--max-wait", "600")
    assert len(struck) >= 3
    hold_to(whole, found)
    if report(found)["complete"]:
        assert found.out == whole.out


@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_of_each_kind_that_heals_costs_time_alone(
    serve: Serve, command: InProcess, waits: list[float], kind: str
) -> None:
    github = serve(audit_world(MANY[:4]))
    whole = audit(command, github)
    github.forget()
    path = "POST /graphql" if kind.startswith("graphql") else "GET /repos"
    fitting: list[Seen] = []

    def look(seen: Seen) -> None:
        if seen.key.startswith(path):
            fitting.append(seen)
            if len(fitting) % 4 == 2:
                github.fail(kind, times=1)  # type: ignore[arg-type]

    github.watch(look)
    found = audit(command, github, "--max-wait", "600")
    assert len(fitting) > 2
    assert found.out == whole.out
    if kind in ("403 secondary", "429", "graphql limit"):
        assert min(wait for wait in waits if wait) >= 60
    if kind.endswith("retry-after"):
        assert set(waits) == {1.0}


@pytest.mark.parametrize("kind", ["403 secondary", "429", "graphql limit"])
def test_a_limit_without_a_time_that_outlasts_the_patience_is_said_and_nothing_is_guessed(
    serve: Serve, command: InProcess, kind: str
) -> None:
    github = serve(audit_world(MANY))
    whole = audit(command, github)
    github.forget()
    key = "POST /graphql" if kind.startswith("graphql") else None
    github.watch(lambda _: github.fail(kind, key) if len(github.seen) == 60 else None)  # type: ignore[arg-type]
    cut = audit(command, github, "--max-wait", "59")
    assert report(cut)["complete"] is False
    assert "that takes 60 s, longer than --max-wait allows" in report(cut)["notes"][0]
    right = classes(whole)
    assert {n: right[n] for n in classes(cut)} == classes(cut)
