"""Runs the command against the loopback GitHub, and measures what that takes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

HERE = Path(__file__).parent
COMMAND = Path(sys.executable).with_name("signoff-bot")
FREELY = ["--pace", "off", "--format", "json"]
"""Arguments of an audit that is measured: no pauses, and a report for programs."""
HEADINGS = f"{'':18}{'seconds':>9}{'requests':>10}{'units':>8}{'MB':>7}"
MOST_MEMORY, MOST_FURTHER = 200.0, 20.0
"""Megabytes at 1,000 pull requests, and kilobytes for each further one."""


@dataclass(frozen=True)
class Measure:
    """What one way of asking took; `megabytes` are those that its process had in memory at most."""

    name: str
    seconds: float
    requests: int
    units: int
    megabytes: float

    def __str__(self) -> str:
        return (
            f"{self.name:18}{self.seconds:>9.1f}{self.requests:>10}{self.units:>8}"
            f"{self.megabytes:>7.0f}"
        )


class Server:
    """The loopback GitHub's process."""

    def __init__(self, ask: IO[str], answers: IO[str]) -> None:
        self._ask, self._answers = ask, answers
        self.url = answers.readline().strip()

    def seen(self) -> dict[str, int]:
        """Requests and units since the last question; the token's hour begins anew."""
        self._ask.write("\n")
        self._ask.flush()
        told: dict[str, int] = json.loads(self._answers.readline())
        return told


@contextmanager
def serving(pulls: int, delay: float, repos: int = 1, hourly: int = 5000) -> Iterator[Server]:
    """A server of so many pull requests in each repository, until the end; see `server.py`."""
    settings = [str(one) for one in (pulls, delay, repos, hourly)]
    with subprocess.Popen(  # noqa: S603 - our own script
        [sys.executable, str(HERE / "server.py"), *settings],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        if process.stdin and process.stdout:
            yield Server(process.stdin, process.stdout)
            process.stdin.close()


def measure(name: str, github: Server, token: str, *runs: Sequence[str]) -> Measure:
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


def verdict(lines: Sequence[str], goals: dict[str, bool]) -> int:
    """Prints what was measured and which goals are met; returns the exit status."""
    met = [f"{'met' if goal else 'MISSED':>6}  {name}" for name, goal in goals.items()]
    sys.stdout.write("\n".join([*lines, *met]) + "\n")
    return 0 if all(goals.values()) else 1
