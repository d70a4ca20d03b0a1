"""Reads what a pull request appends to the benchmark's change log (`perf-changelog.yaml`).

The log is a list of entries, and grows at its end only; it is long, so its entries are taken from
the diff, as the benchmark's own tooling does. An added entry starts a line at the left margin with
`- ` and is followed by another entry or by the end. Everything else that the diff changes is told
apart as `unclear`: an older entry was altered, or the diff does not show an entry whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import groupby
from typing import Any

from signoff_bot.errors import InvalidInput
from signoff_bot.reading.strict_yaml import read_yaml

_HUNK = re.compile(r"@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@")
# A line that only got the line break at its end that it lacked.
_SAME_LINE = re.compile(r"^-(.*)\n(?:\\.*\n)?\+\1$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One added entry: the configs that it re-runs, and how."""

    line: int
    keys: tuple[str, ...]
    """Config keys, in which `*` stands for any text."""
    scenarios: tuple[str, ...]
    """The scenarios it is limited to; empty for all of them."""
    fields: Mapping[str, Any]
    """All of its fields as written."""

    @property
    def append_only(self) -> bool:
        """Whether it claims to add points only."""
        return self.fields.get("append-only") is True

    def names(self, key: str) -> bool:
        """Whether it re-runs the config of this key."""
        return any(matches(pattern, key) for pattern in self.keys)


@dataclass(frozen=True, slots=True)
class LogAdditions:
    """What was appended, and the lines of the diff that are no appended entry."""

    entries: tuple[LogEntry, ...]
    unclear: tuple[tuple[int, str], ...]


def matches(pattern: str, key: str) -> bool:
    """Whether a config key is the one, or one of those, that a pattern with `*` names."""
    return fnmatchcase(key, re.sub(r"[?\[]", lambda special: f"[{special[0]}]", pattern))


def read_additions(patch: str, path: str) -> LogAdditions:
    """The entries that a unified diff of the log adds."""
    entries: list[LogEntry] = []
    unclear: list[tuple[int, str]] = []
    patch = _SAME_LINE.sub(r" \1", patch)
    for start, added, after in _runs(patch):
        found = _read_run(start, added, after, path)
        if found is None:
            unclear += [(start + i, line) for i, line in enumerate(added) if line.strip()]
        else:
            entries += found
    unclear += [(number, line) for number, line in _removed(patch) if line.strip()]
    return LogAdditions(tuple(entries), tuple(unclear))


def _removed(patch: str) -> Iterator[tuple[int, str]]:
    """Each removed line, with the number of the line that now stands in its place."""
    number = 0
    for line in patch.split("\n"):
        header = _HUNK.match(line)
        if header:
            number = int(header[1])
        elif line.startswith("-"):
            yield number, line[1:]
        elif line.startswith((" ", "+")):
            number += 1


def _runs(patch: str) -> Iterator[tuple[int, list[str], str]]:
    """Each run of added lines: where it starts, its lines, and the next line that is not blank."""
    for start, sides in _hunks(patch):
        for index, end in _spans(sides):
            index, end = _slid(sides, index, end)
            after = next((side[1:] for side in sides[end:] if side[1:].strip()), "")
            yield start + index, [side[1:] for side in sides[index:end]], after


def _spans(sides: list[str]) -> Iterator[tuple[int, int]]:
    index = 0
    for added, group in groupby(sides, lambda side: side.startswith("+")):
        end = index + len(list(group))
        if added:
            yield index, end
        index = end


def _slid(sides: list[str], index: int, end: int) -> tuple[int, int]:
    """The run moved up to where an entry begins, over lines that are the same at either end."""
    while (
        index > 0
        and not sides[index].startswith("+- ")
        and sides[index].strip("+ ")
        and sides[index - 1][1:] == sides[end - 1][1:]
    ):
        index, end = index - 1, end - 1
        sides[index] = f"+{sides[index][1:]}"
    return index, end


def _hunks(patch: str) -> Iterator[tuple[int, list[str]]]:
    """The new side of each hunk: its first line's number, and its lines with their marks."""
    start, sides = 0, list[str]()
    for line in patch.split("\n"):
        header = _HUNK.match(line)
        if header:
            if sides:
                yield start, sides
            start, sides = int(header[1]), []
        elif line.startswith((" ", "+")):
            sides.append(line)
    if sides:
        yield start, sides


def _read_run(start: int, added: list[str], after: str, path: str) -> list[LogEntry] | None:
    """The entries of a run of added lines, or None where it is not made of whole entries."""
    if not any(line.strip() for line in added):
        return []
    first = next(line for line in added if line.strip())
    if not first.startswith("- ") or (after and not after.startswith(("- ", "#"))):
        return None
    try:
        document = read_yaml("\n".join(added) + "\n", path)
    except InvalidInput:
        return None
    if not isinstance(document.data, list):
        return None
    entries = [
        _entry(item, start + document.line_of((i,)) - 1) for i, item in enumerate(document.data)
    ]
    return [entry for entry in entries if entry] if all(entries) else None


def _entry(item: Any, line: int) -> LogEntry | None:
    if not isinstance(item, dict):
        return None
    keys, scenarios = item.get("config-keys"), item.get("scenario-type", [])
    if not _texts(keys) or not keys or not _texts(scenarios):
        return None
    return LogEntry(line, tuple(keys), tuple(scenarios), item)


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
