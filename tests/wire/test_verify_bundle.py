"""A saved bundle replays to the same bytes, asks nobody, and holds no secret."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.wire_inferencex import TOKEN, passing_inferencex
from support.wire_threads import thread_1865, thread_1914
from support.world import World
from wire.command import environment, installed
from wire.loopback.server import Loopback

Serve = Callable[[World], Loopback]
PACK = "inferencex-2026-06-24"


@pytest.mark.parametrize(
    ("world", "number", "status"),
    [(passing_inferencex, 2001, 0), (thread_1865, 1865, 1), (thread_1914, 1914, 1)],
    ids=["pass", "fail", "pending"],
)
def test_a_saved_bundle_replays_to_the_same_bytes(
    serve: Serve, tmp_path: Path, world: Callable[[], World], number: int, status: int
) -> None:
    github, bundle = serve(world()), tmp_path / "bundle.json"
    asked = ("verify", str(number), "--rules", PACK)
    live = installed(*asked, "--format", "json", "--save-evidence", bundle, env=environment(github))
    assert live.status == status, live.err
    github.forget()
    replayed = installed(
        *asked, "--format", "json", "--evidence", bundle, env=environment(github, token=None)
    )
    assert (replayed.status, replayed.out) == (live.status, live.out)
    assert not github.seen
    assert TOKEN not in bundle.read_text()
    assert TOKEN not in live.everything


def test_a_bundle_brings_its_own_rules(serve: Serve, tmp_path: Path) -> None:
    github, bundle = serve(passing_inferencex()), tmp_path / "bundle.json"
    live = installed(
        *("verify", "2001", "--rules", PACK, "--format", "json", "--save-evidence", bundle),
        env=environment(github),
    )
    replayed = installed(
        *("verify", "2001", "--format", "json", "--evidence", bundle),
        env=environment(None, token=None),
    )
    assert replayed.out == live.out


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[: len(text) // 2],
        lambda text: text.replace("octavia-chen", "marlow-quist"),
        lambda text: text.replace("signoff-bot/evidence/v1", "signoff-bot/evidence/v2"),
        lambda text: "",
    ],
    ids=["cut off", "altered", "newer", "empty"],
)
def test_a_damaged_bundle_is_refused_by_name(
    serve: Serve, tmp_path: Path, damage: Callable[[str], str]
) -> None:
    github, bundle = serve(passing_inferencex()), tmp_path / "bundle.json"
    installed(
        *("verify", "2001", "--rules", PACK, "--save-evidence", bundle), env=environment(github)
    )
    bundle.write_text(damage(bundle.read_text()))
    result = installed("verify", "2001", "--evidence", bundle, env=environment(None, token=None))
    assert result.status == 2
    assert str(bundle) in result.err
    assert not result.out
