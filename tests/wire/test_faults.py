"""Every request that `verify` makes, broken in every way: never a pass, never a traceback.

The requests are not written down here: a sound run shows which there are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import pytest
from support.wire_default import PASSING as DEFAULT_PR
from support.wire_default import REPO as DEFAULT_REPO
from support.wire_default import passing_default
from support.wire_inferencex import REPO, passing_inferencex
from support.world import World
from wire.command import InProcess, Result, environment
from wire.loopback.faults import Kind
from wire.loopback.server import STORAGE, Loopback

Serve = Callable[[World], Loopback]
SCENES: dict[str, tuple[Callable[[], World], str]] = {
    "inferencex-2026-06-24": (passing_inferencex, f"{REPO}#2001"),
    "default": (passing_default, f"{DEFAULT_REPO}#{DEFAULT_PR}"),
}
LASTING = {"401", "403", "404", "html", "wrong type", "null"}
"""What no second try mends: GitHub meant it, or the answer is none of GitHub's."""


def verify(command: InProcess, github: Loopback, pack: str) -> Result:
    return command(
        *("verify", SCENES[pack][1], "--rules", pack, "--format", "json"), env=environment(github)
    )


@pytest.fixture(params=SCENES)
def pack(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def requests_of(github: Loopback) -> list[str]:
    """What was asked, each once; the storage's signed addresses differ every time."""
    keys = (seen.key for seen in github.seen)
    return list(dict.fromkeys(f"GET {STORAGE}" if STORAGE in key else key for key in keys))


@pytest.mark.parametrize("kind", get_args(Kind))
def test_a_lasting_fault_is_never_a_pass_and_is_named(
    serve: Serve, command: InProcess, pack: str, kind: Kind
) -> None:
    github = serve(SCENES[pack][0]())
    assert verify(command, github, pack).status == 0
    asked = requests_of(github)
    assert len(asked) > 8
    for key in asked:
        github.faults.clear()
        github.fail(kind, key)
        result = verify(command, github, pack)
        told = f"{kind} on {key}:\n{result.everything}"
        assert "Traceback" not in result.everything, told
        assert "internal error" not in result.err, told
        if harmless(key, kind):
            continue
        assert result.status in (1, 3), told
        assert not result.out or result.verdict["verdict"] in ("error", "fail", "pending"), told
        assert named(key, result), told


def harmless(key: str, kind: Kind) -> bool:
    """Whether the broken answer is as good as the sound one."""
    if kind == "empty page" and "/pulls/" not in key:
        return False
    return False


def named(key: str, result: Result) -> bool:
    """Whether the message says which request failed."""
    path = key.split()[1].split("?")[0]
    return path in result.everything or (path == STORAGE and "/zip" in result.everything)


@pytest.mark.parametrize("kind", sorted(set(get_args(Kind)) - LASTING))
def test_a_fault_that_heals_costs_time_and_not_the_verdict(
    serve: Serve, command: InProcess, pack: str, kind: Kind
) -> None:
    github = serve(SCENES[pack][0]())
    sound = verify(command, github, pack)
    for key in requests_of(github):
        github.faults.clear()
        github.fail(kind, key, times=1)
        result = verify(command, github, pack)
        assert (result.status, result.out) == (0, sound.out), f"{kind} on {key}: {result.err}"
