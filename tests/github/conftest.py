"""A client that talks to a scripted server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.http_stub import Stub

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
    patience = Patience(tries=3, first_delay=0.0)
    with connect(stub.url, "ghs_aSecretToken", patience=patience, note=notes.append) as connected:
        yield connected
