"""What an audit of many open pull requests takes: time, requests, units, memory.

    .venv/bin/python benchmarks/audit/run.py [--pulls 1000] [--delay 50]

A GitHub on the loopback interface, in a process of its own, holds every answer back by `--delay`
milliseconds. Measured are `verify` of a few pull requests one after the other, a first audit, and
a second one with a new token on the first one's store. Exits 1 when a goal is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "tests"))
sys.path.insert(0, str(HERE))

from server import SECOND_TOKEN  # noqa: E402 - found by the lines above
from support.wire_default import REPO  # noqa: E402
from support.wire_inferencex import TOKEN  # noqa: E402

COMMAND = Path(sys.executable).with_name("signoff-bot")
VERIFIED = 10
"""How many are verified one after the other."""
MOST_MEMORY, LEAST_GAIN = 200.0, 10.0
MOST_UNITS, MOST_REQUESTS, LEAST_SPEEDUP = 0.05, 0.25, 5.0


@dataclass(frozen=True)
class Measure:
    """What one way of asking took."""

    name: str
    seconds: float
    requests: int
    units: int
    megabytes: float


class Server:
    """The loopback GitHub's process."""

    def __init__(self, ask: IO[str], answers: IO[str]) -> None:
        self._ask, self._answers = ask, answers
        self.url = answers.readline().strip()

    def seen(self) -> dict[str, int]:
        """Requests and units since the last question."""
        self._ask.write("\n")
        self._ask.flush()
        told: dict[str, int] = json.loads(self._answers.readline())
        return told


@contextmanager
def serving(pulls: int, delay: float) -> Iterator[Server]:
    """The server, until the end."""
    argv = [sys.executable, str(HERE / "server.py"), str(pulls), str(delay)]
    with subprocess.Popen(  # noqa: S603 - our own script
        argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        if process.stdin and process.stdout:
            yield Server(process.stdin, process.stdout)
            process.stdin.close()


def measure(name: str, github: Server, token: str, *runs: list[str]) -> Measure:
    """Runs the command once for each list of arguments."""
    environment = {"PATH": os.environ["PATH"], "GITHUB_API_URL": github.url, "GITHUB_TOKEN": token}
    github.seen()
    peak, started = 0.0, time.perf_counter()
    for argv in runs:
        process = subprocess.Popen(  # noqa: S603 - our own command
            [COMMAND, *argv], env=environment, stdout=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        peak = max(peak, usage.ru_maxrss / 1024)
        if process.returncode not in (0, 1):
            sys.exit(f"{name} failed with {process.returncode}")
    seconds = time.perf_counter() - started
    seen = github.seen()
    return Measure(name, seconds, seen["requests"], seen["units"], peak)


def main() -> int:
    """Measures, prints, and returns the exit status."""
    parser = argparse.ArgumentParser(description="Measures `signoff-bot audit`.")
    parser.add_argument("--pulls", type=int, default=1000, help="open pull requests")
    parser.add_argument("--delay", type=int, default=50, help="milliseconds an answer takes")
    options = parser.parse_args()
    with (
        serving(options.pulls, options.delay / 1000) as github,
        tempfile.TemporaryDirectory() as folder,
    ):
        asked = ["audit", "--repo", REPO, "--pace", "off", "--reserve", "0", "--format", "json"]
        asked += ["--store", str(Path(folder, "audits.sqlite"))]
        one_by_one = [["verify", f"{REPO}#{101 + index}"] for index in range(VERIFIED)]
        found = [
            measure(f"verify, {VERIFIED} times", github, TOKEN, *one_by_one),
            measure("first audit", github, TOKEN, asked),
            measure("second audit", github, SECOND_TOKEN, asked),
        ]
    return report(found, options.pulls)


def report(found: list[Measure], pulls: int) -> int:
    """Prints the table and which goals are met; returns the exit status."""
    verify, first, second = found
    lines = [f"{'':18}{'seconds':>9}{'requests':>10}{'units':>8}{'MB':>7}"]
    lines += [
        f"{m.name:18}{m.seconds:>9.1f}{m.requests:>10}{m.units:>8}{m.megabytes:>7.0f}"
        for m in found
    ]
    gain = verify.seconds / VERIFIED * pulls / first.seconds
    goals = {
        f"first: {gain:.1f} times faster than verify, at least {LEAST_GAIN:g}": gain >= LEAST_GAIN,
        f"under {MOST_MEMORY:g} MB": max(first.megabytes, second.megabytes) < MOST_MEMORY,
        f"second: {second.units / first.units:.1%} of the units, at most {MOST_UNITS:.0%}": (
            second.units <= MOST_UNITS * first.units
        ),
        f"second: {second.requests / first.requests:.1%} of the requests, at most "
        f"{MOST_REQUESTS:.0%}": second.requests <= MOST_REQUESTS * first.requests,
        f"second: {first.seconds / second.seconds:.1f} times faster, at least {LEAST_SPEEDUP:g}": (
            first.seconds / second.seconds >= LEAST_SPEEDUP
        ),
    }
    lines += [f"{'met' if met else 'MISSED':>6}  {goal}" for goal, met in goals.items()]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0 if all(goals.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
