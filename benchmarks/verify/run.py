"""How fast `signoff-bot verify` is, against the plain way to ask GitHub the same.

    .venv/bin/python benchmarks/verify/run.py [--delay 100] [--repeat 3]

Both ask a GitHub on the loopback interface that holds every answer back by `--delay` milliseconds,
about a pull request of 34 commits, 8 files, 60 comments and 3 sweep runs of 120 jobs each. Wall
times are those of whole processes, the best of `--repeat`. Exits 1 when a goal is missed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from support.wire_big import NUMBER, big_inferencex  # noqa: E402 - found by the line above
from support.wire_inferencex import REPO, TOKEN  # noqa: E402
from wire.loopback.server import Loopback  # noqa: E402

COMMAND = Path(sys.executable).with_name("signoff-bot")
MOST_REQUESTS, MOST_ROUNDS, MOST_SECONDS, LEAST_RATIO = 18, 6, 1.5, 8.0


@dataclass(frozen=True)
class Measure:
    """What one way of asking took."""

    name: str
    requests: int
    rounds: int
    seconds: float


def measure(name: str, argv: list[str], github: Loopback, repeat: int) -> Measure:
    """The best of some runs, each a process of its own that must succeed."""
    environment = {
        "PATH": os.environ["PATH"],
        "GITHUB_API_URL": github.url,
        "GITHUB_TOKEN": TOKEN,
        "GITHUB_REPOSITORY": REPO,
    }
    best = float("inf")
    for _ in range(repeat):
        github.forget()
        started = time.perf_counter()
        done = subprocess.run(  # noqa: S603 - our own commands
            argv, env=environment, capture_output=True, text=True, check=False
        )
        best = min(best, time.perf_counter() - started)
        if done.returncode:
            sys.exit(f"{name} failed:\n{done.stdout}{done.stderr}")
    return Measure(name, len(github.seen), github.rounds, best)


def main() -> int:
    """Measures, prints, and returns the exit status."""
    parser = argparse.ArgumentParser(description="Measures `signoff-bot verify`.")
    parser.add_argument("--delay", type=int, default=100, help="milliseconds an answer takes")
    parser.add_argument("--repeat", type=int, default=3, help="runs of which the best counts")
    options = parser.parse_args()
    naive = [sys.executable, str(Path(__file__).with_name("naive.py"))]
    with Loopback(big_inferencex()) as github:
        github.delay = options.delay / 1000
        asked = [github.url, TOKEN, REPO, str(NUMBER)]
        bot = [str(COMMAND), "verify", str(NUMBER), "--rules", "inferencex-2026-06-24"]
        found = [
            measure("signoff-bot verify", bot, github, options.repeat),
            measure("PyGithub, as it comes", [*naive, *asked], github, 1),
            measure("PyGithub, unthrottled", [*naive, *asked, "unthrottled"], github, 1),
        ]
    return report(found)


def report(found: list[Measure]) -> int:
    """Prints the table and which goals are met; returns the exit status."""
    ours, plain, _ = found
    lines = [f"{'':24}{'requests':>10}{'rounds':>8}{'seconds':>9}{'ratio':>9}"]
    for one in found:
        figures = f"{one.requests:>10}{one.rounds:>8}{one.seconds:>9.2f}"
        lines.append(f"{one.name:24}{figures}{one.seconds / ours.seconds:>8.1f}x")
    goals = {
        f"at most {MOST_REQUESTS} requests": ours.requests <= MOST_REQUESTS,
        f"at most {MOST_ROUNDS} rounds": ours.rounds <= MOST_ROUNDS,
        f"under {MOST_SECONDS} s": ours.seconds < MOST_SECONDS,
        f"at least {LEAST_RATIO:g} times faster": plain.seconds / ours.seconds >= LEAST_RATIO,
    }
    lines += [f"{'met' if met else 'MISSED':>6}  {goal}" for goal, met in goals.items()]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0 if all(goals.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
