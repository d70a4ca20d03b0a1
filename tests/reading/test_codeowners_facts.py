"""Every row of the tables of facts in tests/facts/codeowners."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from signoff_bot.reading.codeowners import Codeowners, parse_codeowners

FACTS = Path(__file__).parent.parent / "facts" / "codeowners"


def table(name: str) -> list[Any]:
    return list(json.loads((FACTS / name).read_text(encoding="utf-8")))


def one_line(pattern: str) -> Codeowners:
    return parse_codeowners(f"{pattern} @octavia-chen\n")


@pytest.mark.parametrize("fact", table("patterns.json"), ids=lambda fact: fact["pattern"])
def test_a_pattern_matches_what_it_matches_on_github(fact: dict[str, Any]) -> None:
    codeowners = one_line(fact["pattern"])
    if "invalid" in fact:
        assert [problem.number for problem in codeowners.problems] == [1]
        assert not any(codeowners.match(path) for path in fact["invalid"])
        return
    assert not codeowners.problems
    assert [p for p in fact["matches"] if not codeowners.match(p)] == []
    assert [p for p in fact["misses"] if codeowners.match(p)] == []


@pytest.mark.parametrize("fact", table("lines.json"), ids=lambda fact: repr(fact["line"]))
def test_a_line_says_what_it_says_on_github(fact: dict[str, Any]) -> None:
    codeowners = parse_codeowners(fact["line"])
    assert bool(codeowners.problems) == fact.get("skipped", False)
    if "pattern" in fact:
        assert [(line.pattern, list(line.owners)) for line in codeowners.lines] == [
            (fact["pattern"], fact["owners"])
        ]
    else:
        assert not codeowners.lines


@pytest.mark.parametrize("fact", table("files.json"), ids=lambda fact: fact["path"])
def test_a_whole_file_gives_a_path_its_owners(fact: dict[str, Any]) -> None:
    line = parse_codeowners(fact["file"]).match(fact["path"])
    assert (None if line is None else list(line.owners)) == fact["owners"]


def test_the_tables_hold_all_that_was_gathered() -> None:
    rows = sum(len(paths) for fact in table("patterns.json") for paths in list(fact.values())[1:])
    assert (rows, len(table("lines.json")), len(table("files.json"))) == (391, 55, 8)
