"""Audits that were cut off: out of budget, by a limit, or with a token that died."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.wire_audit import REPO, Kind, audit_world
from support.world import Token, World
from wire.audits import arguments, audit, audit_apart, classes, report
from wire.command import InProcess, environment
from wire.loopback.meter import Seen
from wire.loopback.server import Loopback

Serve = Callable[[World], Loopback]
MANY: tuple[Kind, ...] = ("ready", "pending", "stale", "rejected", "merged-ok", "ready") * 2


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "audits.sqlite"


def test_a_budget_of_requests_is_kept_and_the_rest_done_by_resuming(
    serve: Serve, command: InProcess, store: Path
) -> None:
    github = serve(audit_world(MANY))
    whole = audit(command, github)
    github.forget()
    budget = ("--store", store, "--max-requests", "100")
    cut = audit(command, github, *budget)
    assert cut.status in (1, 3)
    assert len(github.seen) <= 100
    told = report(cut)
    assert told["complete"] is False
    assert "--max-requests grants 100 requests, and no more" in told["notes"][0]
    assert 0 < len(told["pulls"]) < len(MANY)
    assert {n: c for n, c in classes(whole).items() if n in classes(cut)} == classes(cut)
    for _ in range(10):
        github.forget()
        cut = audit(command, github, *budget, "--resume")
        assert len(github.seen) <= 100
        if report(cut)["complete"]:
            break
    assert cut.out == whole.out


def test_resuming_keeps_the_time_and_refuses_none(
    serve: Serve, command: InProcess, store: Path
) -> None:
    github = serve(audit_world(MANY))
    audit(command, github, "--store", store, "--max-requests", "100")
    resumed = audit(command, github, "--store", store, "--resume", as_of="2026-07-01T00:00:00Z")
    assert report(resumed)["as_of"] == "2026-06-25T12:00:00Z"
    anew = audit(command, github, "--store", store, "--resume", as_of="2026-07-01T00:00:00Z")
    assert report(anew)["as_of"] == "2026-07-01T00:00:00Z"
    assert len(report(anew)["trend"]) == 1


def test_without_resume_an_audit_begins_anew(serve: Serve, command: InProcess, store: Path) -> None:
    github = serve(audit_world(MANY))
    audit(command, github, "--store", store, "--max-requests", "100")
    anew = audit(command, github, "--store", store, as_of="2026-06-26T12:00:00Z")
    assert report(anew)["as_of"] == "2026-06-26T12:00:00Z"
    assert report(anew)["trend"] == []
    assert len(report(anew)["pulls"]) == len(MANY)


def test_a_token_that_dies_midway_ends_it_and_a_fresh_one_goes_on(
    serve: Serve, command: InProcess, store: Path
) -> None:
    world = audit_world(MANY)
    github = serve(world)
    whole = audit(command, github)
    nearly_all = len(github.seen) - 15
    github.forget()
    (token,) = world.tokens.values()

    def expire(_: Seen) -> None:
        token.expired = len(github.seen) > nearly_all

    github.watch(expire)
    cut = audit(command, github, "--store", store, "--fail-on", "none")
    assert cut.status == 3
    assert "GitHub does not accept the token" in report(cut)["notes"][0]
    assert "--resume" in report(cut)["notes"][0]
    assert 0 < len(report(cut)["pulls"]) < len(MANY)
    assert {n: c for n, c in classes(whole).items() if n in classes(cut)} == classes(cut)
    github.watchers.clear()
    assert token.expired
    world.tokens = {"ghs_fresh": Token(token.account, installation=True)}
    fresh = environment(github, "ghs_fresh")
    resumed = command(*arguments("--store", store, "--resume"), env=fresh)
    assert resumed.out == whole.out


def test_another_process_resumes_too(serve: Serve, command: InProcess, store: Path) -> None:
    github = serve(audit_world(MANY[:6]))
    whole = audit(command, github)
    audit(command, github, "--store", store, "--max-requests", "60")
    assert audit_apart(github, "--store", store, "--resume").out == whole.out


@pytest.mark.parametrize("kind", ["403 rate limit", "429", "429 retry-after"])
def test_a_limit_that_outlasts_the_patience_cuts_it_off(
    serve: Serve, command: InProcess, store: Path, kind: str
) -> None:
    github = serve(audit_world(MANY))
    github.fail(kind, f"GET /repos/{REPO}/pulls/108")
    cut = audit(command, github, "--store", store, "--max-wait", "0")
    assert cut.status in (1, 3)
    assert report(cut)["complete"] is False
    assert "rate limit" in report(cut)["notes"][0]
    assert "--max-wait" in report(cut)["notes"][0]
    assert 108 not in classes(cut)
    github.faults.clear()
    whole = audit(command, github)
    assert audit(command, github, "--store", store, "--resume").out == whole.out
