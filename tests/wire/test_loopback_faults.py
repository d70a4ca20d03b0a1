"""The loopback GitHub at its worst: it breaks when told, and tells who broke the contract."""

from __future__ import annotations

from itertools import pairwise

import pytest
import requests
from support.wire_small import REPO
from wire.ask import get
from wire.loopback.faults import Kind
from wire.loopback.meter import Seen, rounds
from wire.loopback.server import Loopback


@pytest.mark.parametrize(
    "path",
    [
        f"/repos/{REPO}/pulls/7?color=red",
        f"/repos/{REPO}/pulls/7/files?per_page=101",
        f"/repos/{REPO}/unheard-of",
    ],
)
def test_a_request_that_github_does_not_describe_is_a_violation(
    served: Loopback, path: str
) -> None:
    get(served, path)
    assert len(served.violations) == 1
    served.violations.clear()


def test_graphql_that_github_refuses_is_a_violation(served: Loopback) -> None:
    requests.post(
        f"{served.url}/graphql",
        json={"query": "{ viewer { shoeSize } }"},
        headers={"Authorization": "bearer good"},
        timeout=5,
    )
    assert len(served.violations) == 1
    served.violations.clear()


def test_waves_of_requests_are_counted_as_rounds() -> None:
    waves = [(0, 1), (0.1, 1.1), (1.2, 2.2), (1.15, 2.3), (2.4, 3)]
    seen = [Seen("GET", "/", "", None, True, start, end) for start, end in waves]
    assert rounds(seen) == 3
    assert all(a.key == b.key for a, b in pairwise(seen))


@pytest.mark.parametrize(
    ("kind", "status"),
    [("401", 401), ("403", 403), ("403 rate limit", 403), ("404", 404), ("429", 429),
     ("429 retry-after", 429), ("500", 500), ("502", 502), ("html", 200), ("wrong type", 200),
     ("null", 200), ("empty page", 200), ("graphql errors", 200)],
)  # fmt: skip
def test_a_fault_strikes_as_often_as_told(served: Loopback, kind: Kind, status: int) -> None:
    path = f"/repos/{REPO}/pulls/7/files"
    sound = get(served, path)
    served.fail(kind, f"GET {path}", times=1)
    broken = get(served, path)
    assert broken.status_code == status
    assert broken.content != sound.content
    assert get(served, f"/repos/{REPO}").status_code == 200
    assert get(served, path).content == sound.content


@pytest.mark.parametrize("kind", ["cut off", "dropped", "answer lost"])
def test_a_connection_breaks_when_told(served: Loopback, kind: Kind) -> None:
    served.fail(kind)
    with pytest.raises(requests.exceptions.RequestException):
        get(served, f"/repos/{REPO}")
