"""Asks the loopback server as any HTTP client would."""

from __future__ import annotations

import requests
from wire.loopback.server import Loopback


def get(
    server: Loopback, path: str, token: str | None = "good", **more: object
) -> requests.Response:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return requests.get(server.url + path, headers=headers, timeout=5, **more)
