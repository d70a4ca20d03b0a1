"""A client that talks to a scripted server, and a loopback GitHub with a sound pull request."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.http_stub import Stub
from support.wire_inferencex import REPO, passing_inferencex
from support.world import PullRequest, Repository
from wire.loopback.server import Loopback

from signoff_bot.github.client import GitHubClient, connect
from signoff_bot.github.retry import Patience


@pytest.fixture
def stub() -> Iterator[Stub]:
    server = Stub()
    yield server
    server.close()


@pytest.fixture
def notes() -> list[str]:
    return []


@pytest.fixture
def client(stub: Stub, notes: list[str]) -> Iterator[GitHubClient]:
    patience = Patience(tries=3, first_delay=0.0, untold=0.0)
    with connect(stub.url, "ghs_aSecretToken", patience=patience, note=notes.append) as connected:
        yield connected


@pytest.fixture
def github() -> Iterator[Loopback]:
    """PR 2001 of InferenceX, which passes; both sides are held to GitHub's description."""
    with Loopback(passing_inferencex()) as server:
        yield server
    assert not server.violations, "\n".join(server.violations)


@pytest.fixture
def repo(github: Loopback) -> Repository:
    """Its repository, to be changed at will."""
    found = github.world.repository(REPO)
    assert found is not None
    return found


@pytest.fixture
def pull(repo: Repository) -> PullRequest:
    """The pull request, to be changed at will."""
    return repo.pulls[2001]
