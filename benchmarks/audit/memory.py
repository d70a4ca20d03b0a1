"""How much more memory an audit takes for each further pull request.

    .venv/bin/python benchmarks/audit/memory.py [--sizes 1000 2000 4000]

Audits repositories of these sizes, twice each: anew, and with the store of the first time. Exits 1
when a goal is missed.
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
    MOST_FURTHER,
    MOST_MEMORY,
    Measure,
    measure,
    serving,
    verdict,
)
from server import TOKENS, name_of  # noqa: E402


def main() -> int:
    """Measures, prints, and returns the exit status."""
    parser = argparse.ArgumentParser(description="Measures the memory of `signoff-bot audit`.")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 2000, 4000])
    sizes: list[int] = parser.parse_args().sizes
    found = [both(pulls) for pulls in sizes]
    goals = {
        f"{size}: at most {MOST_MEMORY:g} MB": max(m.megabytes for m in pair) <= MOST_MEMORY
        for size, pair in zip(sizes, found, strict=True)
        if size <= 1000
    }
    for kind in (0, 1):
        least, most = found[0][kind], found[-1][kind]
        each = (most.megabytes - least.megabytes) * 1024 / max(sizes[-1] - sizes[0], 1)
        goals[f"{('first', 'second')[kind]}: {each:.1f} KB for each further one"] = (
            each <= MOST_FURTHER
        )
    return verdict([HEADINGS, *(str(m) for pair in found for m in pair)], goals)


def both(pulls: int) -> tuple[Measure, Measure]:
    """A first audit, and a second one."""
    with serving(pulls, 0) as github, tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder, "audits.sqlite"))
        asked = ["audit", "--repo", name_of(0), *FREELY, "--reserve", "0", "--store", store]
        return (
            measure(f"{pulls} first", github, TOKENS[0], asked),
            measure(f"{pulls} second", github, TOKENS[1], asked),
        )


if __name__ == "__main__":
    sys.exit(main())
