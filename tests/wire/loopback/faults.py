"""What can go wrong between a client and GitHub."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from wire.loopback.meter import Seen
from wire.loopback.request import DOCS, Answer

Kind = Literal[
    "401",
    "403",
    "403 rate limit",
    "403 secondary",
    "403 secondary retry-after",
    "404",
    "429",
    "429 retry-after",
    "500",
    "502",
    "html",
    "cut off",
    "wrong type",
    "null",
    "dropped",
    "answer lost",
    "empty page",
    "graphql errors",
    "graphql limit",
]

AFTER_ANSWERING = {"cut off", "answer lost", "wrong type", "empty page"}
"""Faults of the answer alone: what was asked for was done."""

_MESSAGES = {
    401: "Bad credentials",
    403: "Resource not accessible by integration",
    404: "Not Found",
    429: "You have exceeded a secondary rate limit.",
    500: "Server Error",
    502: "Bad Gateway",
}


@dataclass
class Fault:
    """Breaks the requests that `when` picks: the first `times` of them, or all for None."""

    kind: Kind
    when: Callable[[Seen], bool] = lambda _: True
    times: int | None = None

    def strikes(self, seen: Seen) -> bool:
        """Whether it breaks this request; counts down."""
        if self.times == 0 or not self.when(seen):
            return False
        if self.times is not None:
            self.times -= 1
        return True


def break_(answer: Answer, kind: Kind, next_page: str) -> Answer:
    """The answer as the fault leaves it; what happens below HTTP is the server's to do.

    `next_page` is where an empty page claims that more is to be had.
    """
    match kind:
        case "html":
            return Answer(raw=b"<html><body>Unicorn!</body></html>", content_type="text/html")
        case "wrong type":
            return Answer(200, {} if isinstance(answer.body, list) else [])
        case "null":
            return Answer(200, raw=b"null")
        case "empty page":
            link = {"Link": f'<{next_page}>; rel="next"'}
            return Answer(200, _emptied(answer.body), headers=link)
        case "graphql errors":
            return Answer(200, {"data": None, "errors": [{"message": "Something went wrong"}]})
        case "403 rate limit":
            message = "API rate limit exceeded for installation ID 1."
            spent = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1"}
            return Answer(403, _error(403, message), headers=spent)
        case "403 secondary" | "403 secondary retry-after":
            headers = {"Retry-After": "1"} if kind.endswith("retry-after") else {}
            return Answer(403, _error(403, _MESSAGES[429]), headers=headers)
        case "graphql limit":
            limit = {"type": "RATE_LIMITED", "message": "API rate limit exceeded for ID 1."}
            return Answer(200, {"errors": [limit]})
        case "429 retry-after":
            return Answer(429, _error(429), headers={"Retry-After": "1"})
        case "cut off" | "dropped" | "answer lost":
            return answer
        case _:
            return Answer(int(kind), _error(int(kind)))


def _error(status: int, message: str | None = None) -> dict[str, Any]:
    text = message or _MESSAGES[status]
    return {"message": text, "documentation_url": DOCS, "status": str(status)}


def _emptied(body: Any) -> Any:
    """Every list on the first two levels emptied, counters left as they were."""
    emptied = copy.deepcopy(body)
    if isinstance(emptied, list):
        return []
    if isinstance(emptied, dict):
        return {key: [] if isinstance(value, list) else value for key, value in emptied.items()}
    return emptied
