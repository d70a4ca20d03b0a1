"""What an audit of many open pull requests takes: time, requests, units, memory.

    .venv/bin/python benchmarks/audit/run.py [--pulls 1000] [--delay 50]

A GitHub on the loopback interface, in a process of its own, holds every answer back by `--delay`
milliseconds. Measured are `verify` of a few pull requests one after the other, a first audit, and
a second one with a new token on the first one's store. Exits 1 when a goal is missed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "tests"))
sys.path.insert(0, str(HERE))

from measuring import (  # noqa: E402 - found by the lines above
    FREELY,
    HEADINGS,
    MOST_MEMORY,
    Measure,
    measure,
    serving,
    verdict,
)
from server import TOKENS, name_of  # noqa: E402

VERIFIED = 10
"""How many are verified one after the other."""
LEAST_GAIN = 10.0
MOST_UNITS, MOST_REQUESTS, LEAST_SPEEDUP = 0.05, 0.25, 5.0


def main() -> int:
    """Measures, prints, and returns the exit status."""
    parser = argparse.ArgumentParser(description="Measures `signoff-bot audit`.")
    parser.add_argument("--pulls", type=int, default=1000, help="open pull requests")
    parser.add_argument("--delay", type=int, default=50, help="milliseconds an answer takes")
    options = parser.parse_args()
    repo = name_of(0)
    with (
        serving(options.pulls, options.delay / 1000) as github,
        tempfile.TemporaryDirectory() as folder,
    ):
        store = str(Path(folder, "audits.sqlite"))
        asked = ["audit", "--repo", repo, *FREELY, "--reserve", "0", "--store", store]
        one_by_one = [["verify", f"{repo}#{101 + index}"] for index in range(VERIFIED)]
        found = [
            measure(f"verify, {VERIFIED} times", github, TOKENS[0], *one_by_one),
            measure("first audit", github, TOKENS[0], asked),
            measure("second audit", github, TOKENS[1], asked),
        ]
    return verdict([HEADINGS, *map(str, found)], goals(found, options.pulls))


def goals(found: list[Measure], pulls: int) -> dict[str, bool]:
    """Which goals are met."""
    verify, first, second = found
    gain = verify.seconds / VERIFIED * pulls / first.seconds
    faster = first.seconds / second.seconds
    units, requests = second.units / first.units, second.requests / first.requests
    return {
        f"first: {gain:.1f} times faster than verify, at least {LEAST_GAIN:g}": gain >= LEAST_GAIN,
        f"under {MOST_MEMORY:g} MB": max(first.megabytes, second.megabytes) < MOST_MEMORY,
        f"second: {units:.1%} of the units, at most {MOST_UNITS:.0%}": units <= MOST_UNITS,
        f"second: {requests:.1%} of the requests, at most {MOST_REQUESTS:.0%}": (
            requests <= MOST_REQUESTS
        ),
        f"second: {faster:.1f} times faster, at least {LEAST_SPEEDUP:g}": faster >= LEAST_SPEEDUP,
    }


if __name__ == "__main__":
    sys.exit(main())
