"""Measures CODEOWNERS against its peers: `python benchmarks/codeowners/bench.py [--quick]`.

Everything is measured in one run, round by round side by side, in CPU time; a figure is the median
of its rounds, and a ratio that of two medians. `--quick` leaves out what takes minutes.
"""

from __future__ import annotations

import argparse
import gc
import re
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Sequence

from codeowners import CodeOwners
from pathspec import PathSpec
from workload import OWNERS, directories, directory_shaped, name_globs, paths

from signoff_bot.reading.codeowners import parse_codeowners

Run = Callable[[str, Sequence[str]], None]
ROUNDS = 5


def ours(text: str, asked: Sequence[str]) -> None:
    match = parse_codeowners(text).match
    for path in asked:
        match(path)


def pypi_codeowners(text: str, asked: Sequence[str]) -> None:
    match = CodeOwners(text).matching_line
    for path in asked:
        match(path)


def pathspec_simple(text: str, asked: Sequence[str]) -> None:
    patterns = [line.split()[0] for line in text.split("\n") if line]
    check = PathSpec.from_lines("gitignore", patterns, backend="simple").check_file
    for path in asked:
        _ = check(path).index


def milliseconds(
    text: str, asked: Sequence[str], runs: Sequence[Run], rounds: int = ROUNDS
) -> list[float]:
    """The median of each run, in CPU milliseconds."""
    taken: list[list[float]] = [[] for _ in runs]
    for _ in range(rounds):
        for run, times in zip(runs, taken, strict=True):
            re.purge()  # a command compiles its patterns anew each time
            gc.collect()
            start = time.process_time()
            run(text, asked)
            times.append(1000 * (time.process_time() - start))
    return [statistics.median(times) for times in taken]


def report(what: str, times: Sequence[float], needed: float | None = None) -> None:
    own, *others = times
    ratios = [other / own for other in others]
    words = "  ".join(
        f"{other:9.1f} ({ratio:5.1f}x)" for other, ratio in zip(others, ratios, strict=True)
    )
    verdict = ""
    if needed is not None:
        verdict = f"  needs {needed:g}x: {'met' if min(ratios) >= needed else 'MISSED'}"
    print(f"{what:42} {own:8.1f}  {words}{verdict}", flush=True)


def main(argv: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out what takes minutes")
    quick = parser.parse_args(argv).quick
    tree = directories()
    asked = paths(tree, 10_000, homes=2_000)
    pull_request = paths(tree, 50, homes=12)
    both = (ours, pypi_codeowners, pathspec_simple)
    print(f"{'CPU ms, median':42} {'ours':>8}  {'PyPI codeowners':>18}  {'pathspec simple':>18}")
    for rules, needed in ((100, 6), (1_000, 30)):
        text = directory_shaped(rules, tree)
        report(f"{rules:,} rules, 10,000 paths", milliseconds(text, asked, both, 3), needed)
    if not quick:
        text = directory_shaped(10_000, tree)
        report("10,000 rules, 10,000 paths", milliseconds(text, asked, both, 3), 100)
    for rules in (100, 1_000, 10_000):
        text = directory_shaped(rules, tree)
        report(f"{rules:,} rules, 50 paths", milliseconds(text, pull_request, both), 6)
    names = name_globs(2_000)
    hit = [path.replace("/", f"/my-name{n % 2_000}-x/", 1) for n, path in enumerate(asked)]
    if not quick:
        report("2,000 rules **/*nameN*/, no path matches", milliseconds(names, asked, both, 1))
        report("2,000 rules **/*nameN*/, all paths match", milliseconds(names, hit, both, 1))
    large = large_file(tree)
    report(f"{len(large) / 1e6:.1f} MB parsed and indexed", milliseconds(large, ["a"], both, 3), 5)
    curve(tree, asked)
    memory(tree)


def large_file(tree: Sequence[str]) -> str:
    """As many lines as fit into 2.9 MB."""
    text = directory_shaped(60_000, list(tree))
    return text[: text.rindex("\n", 0, 2_900_000) + 1]


def curve(tree: list[str], asked: Sequence[str]) -> None:
    """What a path costs once the file is indexed, by number of rules."""
    print("\nµs for a path, after parsing:  rules  ours (PyPI codeowners, on 500 of the paths)")
    for rules in (100, 300, 1_000, 3_000, 10_000, 30_000):
        text = directory_shaped(rules, tree)
        theirs = CodeOwners(text).matching_line
        times = []
        for _ in range(ROUNDS):
            match = parse_codeowners(text).match
            match("a")
            gc.collect()
            start = time.process_time()
            for path in asked:
                match(path)
            times.append(1e6 * (time.process_time() - start) / len(asked))
        start = time.process_time()
        for path in asked[:500]:
            theirs(path)
        peer = 1e6 * (time.process_time() - start) / 500
        print(f"{rules:37,}  {statistics.median(times):4.1f}  ({peer:.0f})", flush=True)


def memory(tree: list[str]) -> None:
    """What an index of 40,000 rules takes, its lines included."""
    print("\nMB for 40,000 rules (needs 60):")
    for what, text in (
        ("directory-shaped", directory_shaped(40_000, tree)),
        (
            "globs in distinct directories",
            "".join(
                f"/{tree[n % len(tree)]}/part{n}/*.py {OWNERS[n % len(OWNERS)]}\n"
                for n in range(40_000)
            ),
        ),
        (
            "names at any depth",
            "".join(f"**/name-{n}/x {OWNERS[n % len(OWNERS)]}\n" for n in range(40_000)),
        ),
    ):
        gc.collect()
        tracemalloc.start()
        codeowners = parse_codeowners(text)
        codeowners.match("a/b")
        used, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        print(f"  {what:34} {used / 1e6:5.1f} (peak {peak / 1e6:.1f})", flush=True)
        del codeowners


if __name__ == "__main__":
    main(sys.argv[1:])
