"""A loopback GitHub in a process of its own, so that its work does not count as the audit's.

Serves open pull requests of the default pack until its input ends. Prints its address first, then,
for each line it is sent, what it saw since the last one: requests, and the units GitHub would have
charged for them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from support.wire_audit import audit_world
from support.world import Token
from wire.loopback.meter import Seen
from wire.loopback.server import Loopback

KINDS = ("ready", "ready", "pending", "stale", "rejected")
SECOND_TOKEN = "ghs_tokenOfTheNextNight00000000000000"  # noqa: S105 - made up


def units(seen: Seen) -> int:
    """What a request costs: GraphQL's by the most that its answer could hold, as GitHub counts."""
    if not seen.path.endswith("/graphql"):
        return 1
    given = seen.body.get("variables", {})
    nested = 0
    if "written" in given:  # the list: three lists of what was written, labels and commits each
        nested = 1 + 5 * given["first"]
    elif "suites" in given:
        nested = len(given["ids"]) * (1 + given["commits"])
    return max(round(nested / 100), 1)


def main(number: int, delay: float) -> None:
    """Serves so many pull requests, each answer `delay` seconds late."""
    world = audit_world([KINDS[index % len(KINDS)] for index in range(number)])
    (account,) = (token.account for token in world.tokens.values())
    world.tokens[SECOND_TOKEN] = Token(account, installation=True)
    with Loopback(world) as github:
        github.delay = delay
        sys.stdout.write(f"{github.url}\n")
        sys.stdout.flush()
        for _ in sys.stdin:
            told = {"requests": len(github.seen), "units": sum(map(units, github.seen))}
            github.forget()
            sys.stdout.write(json.dumps(told) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
