"""What the server saw: every request, and how many of them had to wait for others."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Seen:
    """One request; times are the server's monotonic clock in seconds."""

    method: str
    path: str
    query: str
    body: Any
    authorized: bool
    started: float = field(compare=False, default=0)
    ended: float = field(compare=False, default=0)

    @property
    def key(self) -> str:
        """What is the same for the same question asked again."""
        asked = f"{self.method} {self.path}" + (f"?{self.query}" if self.query else "")
        return f"{asked} {json.dumps(self.body, sort_keys=True)}" if self.body else asked

    def __str__(self) -> str:
        return self.key[:300]


def rounds(seen: Iterable[Seen]) -> int:
    """The length of the longest chain of requests none of which overlaps another.

    That many answers the client had to wait for one after the other.
    """
    count, free_at = 0, float("-inf")
    for one in sorted(seen, key=lambda one: one.ended):
        if one.started >= free_at:
            count, free_at = count + 1, one.ended
    return count
