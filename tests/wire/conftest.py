"""A loopback GitHub for each test, that must neither break GitHub's contract nor see it broken."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.wire_default import passing_default
from support.wire_small import small_world
from support.world import World
from wire.command import InProcess
from wire.loopback.server import Loopback
from wire.publishing import Scene
from wire.workflow import Stage


@pytest.fixture
def serve() -> Iterator[Callable[[World], Loopback]]:
    """Serves a world until the test ends, and then holds both sides to GitHub's description."""
    servers: list[Loopback] = []
    with ExitStack() as stack:

        def start(world: World) -> Loopback:
            servers.append(stack.enter_context(Loopback(world)))
            return servers[-1]

        yield start
    violations = [violation for server in servers for violation in server.violations]
    assert not violations, "\n".join(violations)


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> InProcess:
    """The command, run in this process."""
    return InProcess(monkeypatch, capsys)


@pytest.fixture
def served(serve: Callable[[World], Loopback]) -> Loopback:
    """The small world, served."""
    return serve(small_world())


@pytest.fixture
def stage(serve: Callable[[World], Loopback], command: InProcess, tmp_path: Path) -> Stage:
    """A pull request that passes, for the Action to be run on."""
    return Stage(serve(passing_default()), command, tmp_path)


@pytest.fixture
def scene(serve: Callable[[World], Loopback]) -> Scene:
    """A pull request on a served GitHub, and publishers."""
    return Scene(serve)
