"""An audit that is killed at any moment leaves a store from which it is resumed."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.wire_audit import Kind, audit_world
from support.world import World
from wire import killed
from wire.audits import arguments, audit, report
from wire.command import InProcess, environment
from wire.loopback.server import Loopback

Serve = Callable[[World], Loopback]
PULLS: tuple[Kind, ...] = ("ready", "stale", "merged-ok", "pending", "rejected", "ready", "ready")
AT_ONCE = 2
"""Pull requests that are collected at once here, so that most are done when an audit is killed."""
EACH_TIME = 5
"""Moments at which one test kills; four tests make twenty."""


def apart(github: Loopback, step: int, store: Path) -> subprocess.CompletedProcess[str]:
    """Runs an audit in a process that kills itself at a step; see `killed.py`."""
    argv = [killed.__file__, str(step), str(AT_ONCE), *arguments("--store", store)]
    return subprocess.run(
        [sys.executable, *argv],
        env=environment(github),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("seed", range(4))
def test_an_audit_killed_at_any_moment_is_resumed_to_the_same_report(
    serve: Serve, command: InProcess, tmp_path: Path, seed: int
) -> None:
    github = serve(audit_world(PULLS))
    whole = apart(github, 0, tmp_path / "whole.sqlite")
    steps, needed = int(whole.stderr.splitlines()[-1]), len(github.seen)
    github.forget()
    audit(command, github, "--store", tmp_path / "whole.sqlite")
    listing = len(github.seen)  # of an audit that has nothing to collect
    each = -(-(needed - listing) // len(PULLS))
    chance = random.Random(seed)
    # Two runs never differ by more than a few steps, where two threads ask the same at once.
    for moment in chance.sample(range(1, steps - 3), EACH_TIME):
        store = tmp_path / f"{moment}.sqlite"
        github.forget()
        assert apart(github, moment, store).returncode == -signal.SIGKILL
        resumed = audit(command, github, "--store", store, "--resume")
        assert resumed.out == whole.stdout, f"killed at {moment} of {steps}: {resumed.err}"
        extra = len(github.seen) - needed - listing
        assert extra <= AT_ONCE * each, f"killed at {moment} of {steps}"
    assert report(resumed)["complete"] is True


def test_an_audit_killed_between_its_end_and_its_report_is_reported_by_resuming(
    serve: Serve, command: InProcess, tmp_path: Path
) -> None:
    github = serve(audit_world(PULLS))
    store = tmp_path / "audits.sqlite"
    # Nothing but the report was lost: the store knows that the audit is done.
    done = audit(command, github, "--store", store)
    github.forget()
    again = audit(command, github, "--store", store, "--resume")
    assert again.out == done.out
    assert not any("/pulls/" in seen.path for seen in github.seen)
    later = audit(command, github, "--store", store, "--resume", as_of="2026-06-26T12:00:00Z")
    assert report(later)["as_of"] == "2026-06-26T12:00:00Z"
    assert len(report(later)["trend"]) == 1


def test_only_the_last_audit_is_gone_on_with(
    serve: Serve, command: InProcess, tmp_path: Path
) -> None:
    github = serve(audit_world(PULLS))
    store = tmp_path / "audits.sqlite"
    audit(command, github, "--store", store, "--max-requests", "60")
    audit(command, github, "--store", store, as_of="2026-06-26T12:00:00Z")
    third = audit(command, github, "--store", store, "--resume", as_of="2026-06-27T12:00:00Z")
    assert report(third)["as_of"] == "2026-06-27T12:00:00Z"
