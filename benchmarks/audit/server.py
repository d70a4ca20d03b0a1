"""A loopback GitHub in a process of its own, so that its work does not count as the audit's.

Serves open pull requests of the default pack until its input ends. Prints its address first, then,
for each line it is sent, what it saw since the last one: requests, and the units GitHub would have
charged for them. With each line, the hour of the tokens begins anew.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from support.wire_audit import REPO, audit_world
from support.world import Token, World
from wire.loopback.meter import Seen
from wire.loopback.server import Loopback

KINDS = ("ready", "ready", "pending", "stale", "rejected")
TOKENS = tuple(f"ghs_tokenOfHour{hour:03}00000000000000000000" for hour in range(60))
"""Tokens that the server accepts, each for one run."""


def name_of(index: int) -> str:
    """The repository with this index, counted from 0."""
    return f"{REPO}-{index}" if index else REPO


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


def many(pulls: int, repos: int) -> World:
    """So many repositories of the same pull requests."""
    world = audit_world([KINDS[index % len(KINDS)] for index in range(pulls)])
    (account,) = (token.account for token in world.tokens.values())
    world.tokens = {token: Token(account, installation=True) for token in TOKENS}
    first = world.repositories[REPO]
    for index in range(1, repos):
        world.add(replace(first, full_name=name_of(index), id=first.id + 1000 + index))
    return world


def main(pulls: int, delay: float, repos: int, hourly: int) -> None:
    """Serves so many pull requests a repository, each answer `delay` seconds late."""
    with Loopback(many(pulls, repos)) as github:
        github.delay, github.hourly = delay, hourly
        sys.stdout.write(f"{github.url}\n")
        sys.stdout.flush()
        for _ in sys.stdin:
            told = {"requests": len(github.seen), "units": sum(map(units, github.seen))}
            github.forget()
            sys.stdout.write(json.dumps(told) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    given = sys.argv
    main(int(given[1]), float(given[2]), int(given[3]), int(given[4]))
