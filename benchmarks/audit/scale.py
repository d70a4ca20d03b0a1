"""What the audit of a large organization takes: cold over several hours, warm within one.

    .venv/bin/python benchmarks/audit/scale.py [--repos 200] [--pulls 50] [--hourly 12500]

Every run has a new token with `--hourly` requests, which the loopback GitHub counts down in its
headers, and leaves a tenth of them to others: it stops there by itself. The cold audit is resumed,
as a schedule would each hour, until its report is complete; the warm one is that of the next night.
Answers come at once, so the seconds are those of the work alone. Exits 1 when a goal is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "tests"))
sys.path.insert(0, str(HERE))

from measuring import (  # noqa: E402 - found by the lines above
    FREELY,
    HEADINGS,
    MOST_FURTHER,
    MOST_MEMORY,
    Measure,
    Server,
    measure,
    serving,
    verdict,
)
from server import TOKENS, name_of  # noqa: E402

MOST_UNITS = 0.05
NIGHTS = ("2026-06-25T12:00:00Z", "2026-06-26T12:00:00Z")


def main() -> int:
    """Measures, prints, and returns the exit status."""
    parser = argparse.ArgumentParser(description="Measures the audit of many repositories.")
    parser.add_argument("--repos", type=int, default=200)
    parser.add_argument("--pulls", type=int, default=50, help="in each repository")
    parser.add_argument("--hourly", type=int, default=12500, help="requests a token has an hour")
    options = parser.parse_args()
    with (
        serving(options.pulls, 0, options.repos, options.hourly) as github,
        tempfile.TemporaryDirectory() as name,
    ):
        folder = Path(name)
        listed = folder / "repos.txt"
        listed.write_text("".join(f"{name_of(i)}\n" for i in range(options.repos)))
        cold = hours(github, folder, NIGHTS[0], list(TOKENS[:-1]))
        warm = hours(github, folder, NIGHTS[1], [TOKENS[-1]])
    total = Measure(
        "cold in all",
        sum(m.seconds for m in cold),
        sum(m.requests for m in cold),
        sum(m.units for m in cold),
        max(m.megabytes for m in cold),
    )
    lines = [HEADINGS, *map(str, cold), str(total), *map(str, warm)]
    return verdict(lines, goals(cold, total, warm[0], options))


def hours(github: Server, folder: Path, as_of: str, tokens: list[str]) -> list[Measure]:
    """One audit, resumed with token after token until its report is complete."""
    output = folder / "report.json"
    asked = ["audit", "--repos-file", str(folder / "repos.txt"), *FREELY, "--as-of", as_of]
    asked += ["--store", str(folder / "audits.sqlite"), "--resume", "--output", str(output)]
    asked += ["--max-wait", "0", "--fail-on", "any"]
    found: list[Measure] = []
    for token in tokens:
        found.append(measure(f"{as_of[:10]} hour {len(found) + 1}", github, token, asked))
        sys.stderr.write(f"{found[-1]}\n")
        if json.loads(output.read_text(encoding="utf-8"))["complete"]:
            return found
    sys.exit(f"the audit of {as_of} is not complete after {len(found)} hours")


def goals(
    cold: list[Measure], total: Measure, warm: Measure, options: argparse.Namespace
) -> dict[str, bool]:
    """Which goals are met."""
    pulls = options.repos * options.pulls
    most = MOST_MEMORY + max(pulls - 1000, 0) * MOST_FURTHER / 1024
    return {
        f"cold: {pulls} pull requests in {len(cold)} hours, each within its limit": all(
            m.requests <= options.hourly for m in cold
        ),
        f"warm: within one hour, {warm.units / total.units:.1%} of the units, at most "
        f"{MOST_UNITS:.0%}": warm.units <= MOST_UNITS * total.units,
        f"under {most:.0f} MB": max(total.megabytes, warm.megabytes) < most,
    }


if __name__ == "__main__":
    sys.exit(main())
