"""How long the Action takes from its first step to the posted verdict, and to find nothing to do.

    .venv/bin/python benchmarks/action/run.py [--delay 100] [--repeat 3]

Runs the scripts of action.yml one after the other, as a runner does, against a GitHub on the
loopback interface that holds every answer back by `--delay` milliseconds. The event is a sign-off
on a pull request of 34 commits, 60 comments and 3 sweep runs of 120 jobs each. Dependencies are
installed already; the action itself is a fresh copy that was never compiled, as on a hosted runner.
The first time ends when the commit status arrives, and the best of `--repeat` counts; the second is
the median of warm runs. Exits 1 when a goal is missed.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from action.events import issue_comment  # noqa: E402 - found by the line above
from action.machine import GATE, INSTALL, JUDGE, Machine, installed  # noqa: E402
from support.wire_big import NUMBER, big_inferencex  # noqa: E402
from support.wire_inferencex import REPO, TOKEN  # noqa: E402
from support.world import World  # noqa: E402
from wire.loopback.meter import Seen  # noqa: E402
from wire.loopback.server import Loopback  # noqa: E402

MOST_SECONDS, MOST_IDLE_SECONDS = 2.5, 0.3


def commented(world: World, index: int) -> str:
    """The event of a comment of the pull request, as JSON."""
    repo = world.repositories[REPO.lower()]
    pull = repo.pulls[NUMBER]
    return json.dumps(issue_comment(repo, pull, pull.comments[index]))


def copied(folder: Path) -> Path:
    """The action as a runner downloads it."""
    shutil.rmtree(folder, ignore_errors=True)
    bytecode = shutil.ignore_patterns("__pycache__")
    for part in ("signoff_bot", "rules"):
        shutil.copytree(ROOT / part, folder / part, ignore=bytecode)
    (folder / "requirements").mkdir()
    shutil.copy(ROOT / "requirements/run.txt", folder / "requirements")
    return folder


def judged(folder: Path, delay: float) -> tuple[float, int]:
    """Seconds until the status arrived, and the number of requests until then."""
    world = big_inferencex()
    event = commented(world, -1)
    arrived: list[tuple[float, int]] = []
    with Loopback(world) as github:
        github.delay = delay

        def look(seen: Seen) -> None:
            if (seen.method, "/statuses/" in seen.path) == ("POST", True):
                arrived.append((time.perf_counter(), len(github.seen)))

        github.watch(look)
        environment = {
            "GITHUB_ACTIONS": "true",
            "GITHUB_API_URL": github.url,
            "GITHUB_GRAPHQL_URL": f"{github.url}/graphql",
            "GITHUB_EVENT_NAME": "issue_comment",
            "GITHUB_REPOSITORY": REPO,
            "GITHUB_SERVER_URL": "https://github.com",
            "PYTHON": "python3",
            "SIGNOFF_GITHUB_TOKEN": TOKEN,
            "SIGNOFF_RULES": "inferencex-2026-06-24",
        }
        action = copied(folder / "action")
        started = time.perf_counter()
        for step in (GATE, INSTALL, JUDGE):
            done = Machine(folder).run(step, action, event=event, **environment)
            if done.returncode:
                sys.exit(f"a step failed:\n{done.stdout}{done.stderr}")
    if not arrived:
        sys.exit(f"no status was set:\n{done.stdout}{done.stderr}")
    at, requests = arrived[-1]
    return at - started, requests


def idle(folder: Path, repeat: int) -> float:
    """The median of the seconds that the first step takes when there is nothing to do."""
    event = commented(big_inferencex(), 0)
    times = []
    for _ in range(repeat + 1):
        started = time.perf_counter()
        done = Machine(folder).run(GATE, event=event, GITHUB_EVENT_NAME="issue_comment")
        times.append(time.perf_counter() - started)
        if "needed=false" not in Machine(folder).output:
            sys.exit(f"there was something to do:\n{done.stdout}{done.stderr}")
    return statistics.median(times[1:])


def main() -> int:
    """Measures, prints, and returns the exit status."""
    parser = argparse.ArgumentParser(description="Measures the Action.")
    parser.add_argument("--delay", type=int, default=100, help="milliseconds an answer takes")
    parser.add_argument("--repeat", type=int, default=3, help="runs of which the best counts")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "temp").mkdir()
        installed(folder / "temp/signoff-bot")
        seconds, requests = min(judged(folder, options.delay / 1000) for _ in range(options.repeat))
        nothing = idle(folder, 3 * options.repeat)
    goals = {
        f"judged and posted in {seconds:.2f} s (under {MOST_SECONDS} s), {requests} requests": (
            seconds < MOST_SECONDS
        ),
        f"nothing to do found in {nothing:.3f} s (under {MOST_IDLE_SECONDS} s), 0 requests": (
            nothing < MOST_IDLE_SECONDS
        ),
    }
    for goal, met in goals.items():
        sys.stdout.write(f"{'met' if met else 'MISSED':>6}  {goal}\n")
    return 0 if all(goals.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
