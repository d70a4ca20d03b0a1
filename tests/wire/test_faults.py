"""Every request that `verify` makes, broken in every way: never a pass, never a traceback.

The requests are not written down here: a sound run shows which there are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import pytest
from support.wire_default import PASSING as DEFAULT_PR
from support.wire_default import REPO as DEFAULT_REPO
from support.wire_default import passing_default
from support.wire_grown import (
    GROWN_RULES,
    STANDARD,
    STANDARD_RULES,
    grown_default,
    grown_inferencex,
)
from support.wire_inferencex import REPO, SIGNER, passing_inferencex
from support.world import World
from wire.command import InProcess, Result, environment
from wire.loopback.faults import Kind
from wire.loopback.server import STORAGE, Loopback

Serve = Callable[[World], Loopback]

HEALING = ("429", "429 retry-after", "403 rate limit", "500", "502", "cut off", "dropped")
"""What may be gone a moment later; the others are GitHub's last word, or none of its words."""

STRICT = """\
schema: signoff-bot/rules/v1
name: strict
extends: inferencex-2026-06-24
checks:
  codeowner: {with: {catch_all: owner}}
  recipe: {with: {merged: true}}
"""
"""The pack, made so strict that every single answer decides."""


@dataclass(frozen=True)
class Scene:
    """A pull request that passes, and needs every answer to do so.

    `rules` are a pack's name or its text. Requests that begin with one of `refusable` may be
    refused for want of a permission; then other facts stand in.
    """

    world: Callable[[], World]
    asked: str
    rules: str
    refusable: tuple[str, ...] = ()

    def rests_on(self, key: str, kind: Kind) -> bool:
        """Whether the verdict may not stand without this answer."""
        return kind not in ("403", "404") or not key.startswith(self.refusable)


def passing_strictly() -> World:
    world = passing_inferencex()
    world.teams["inferencex/core"].members.append(SIGNER)
    return world


# A token may not read the branch's rules: then every job counts.
_BRANCH_RULES = tuple(f"GET /repos/{DEFAULT_REPO}/{what}branches/" for what in ("", "rules/"))
SCENES = {
    "strict": Scene(passing_strictly, f"{REPO}#2001", STRICT),
    "grown default": Scene(
        grown_default, f"{DEFAULT_REPO}#{DEFAULT_PR}", GROWN_RULES, _BRANCH_RULES
    ),
    "grown inferencex": Scene(grown_inferencex, f"{REPO}#{STANDARD}", STANDARD_RULES),
    "default": Scene(passing_default, f"{DEFAULT_REPO}#{DEFAULT_PR}", "default", _BRANCH_RULES),
}


@pytest.fixture(params=SCENES)
def scene(request: pytest.FixtureRequest) -> Scene:
    return SCENES[request.param]


@pytest.fixture
def verify(command: InProcess, scene: Scene, tmp_path: Path) -> Callable[[Loopback], Result]:
    """Verifies the scene's pull request."""
    rules: str | Path = scene.rules
    if "\n" in scene.rules:
        rules = tmp_path / "rules.yml"
        rules.write_text(scene.rules)
    argv = ("verify", scene.asked, "--rules", rules, "--format", "json")
    return lambda github: command(*argv, env=environment(github))


def requests_of(github: Loopback) -> list[str]:
    """What was asked, each once; the storage's signed addresses differ every time."""
    keys = (seen.key for seen in github.seen)
    return list(dict.fromkeys(f"GET {STORAGE}" if STORAGE in key else key for key in keys))


def applies(kind: Kind, key: str) -> bool:
    """Whether a request can break in this way."""
    if kind == "empty page":
        return "per_page=" in key
    return kind != "graphql errors" or key.startswith("POST /graphql")


@pytest.mark.parametrize("kind", get_args(Kind))
def test_a_lasting_fault_is_never_a_pass_and_is_named(
    serve: Serve, scene: Scene, verify: Callable[[Loopback], Result], kind: Kind
) -> None:
    github = serve(scene.world())
    sound = verify(github)
    assert sound.status == 0, sound.everything
    asked = requests_of(github)
    assert len(asked) > 8
    for key in asked:
        if not applies(kind, key):
            continue
        github.faults.clear()
        github.fail(kind, key)
        result = verify(github)
        told = f"{kind} on {key}:\n{result.everything}"
        assert "Traceback" not in result.everything, told
        assert "internal error" not in result.err, told
        if not scene.rests_on(key, kind) or result.out == sound.out:
            # The very same facts were had in another way, or the rules say what stands in.
            continue
        assert result.status in (1, 3), told
        assert not result.out or result.verdict["verdict"] != "pass", told
        assert named(key, result), told


def named(key: str, result: Result) -> bool:
    """Whether the message says which request failed."""
    path = key.split()[1].split("?")[0]
    if path == STORAGE:
        return "/zip" in result.everything
    page = path.removeprefix("/repos").replace("/pulls/", "/pull/")
    return path in result.everything or page in result.everything


@pytest.mark.parametrize("kind", HEALING)
def test_a_fault_that_heals_costs_time_and_not_the_verdict(
    serve: Serve, scene: Scene, verify: Callable[[Loopback], Result], kind: Kind
) -> None:
    github = serve(scene.world())
    sound = verify(github)
    for key in requests_of(github):
        github.faults.clear()
        github.fail(kind, key, times=1)
        result = verify(github)
        assert (result.status, result.out) == (0, sound.out), f"{kind} on {key}: {result.err}"


@pytest.mark.parametrize("kind", get_args(Kind))
def test_a_github_that_is_all_broken_is_told_in_a_sentence(
    serve: Serve, scene: Scene, verify: Callable[[Loopback], Result], kind: Kind
) -> None:
    github = serve(scene.world())
    github.fail(kind)
    result = verify(github)
    assert result.status == 3, result.everything
    assert "Traceback" not in result.everything
    assert "internal error" not in result.err
