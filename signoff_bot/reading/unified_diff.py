"""Reads a unified diff as GitHub gives it for one file: which lines does it add, and where?

GitHub gives the hunks alone, without the two lines that name the file. Each hunk says in its header
how many lines follow; a diff that does not keep its word was cut off or altered.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


@dataclass(frozen=True, slots=True)
class Diff:
    """The lines of a file's new text that its diff shows, by number."""

    added: Mapping[int, str]
    context: Mapping[int, str]
    """Lines that stay as they were."""

    def fits(self, text: str) -> bool:
        """Whether the file's new text holds these lines."""
        lines = text.split("\n")
        shown = (*self.added.items(), *self.context.items())
        return all(number <= len(lines) and lines[number - 1] == line for number, line in shown)


def read_diff(patch: str) -> Diff | None:
    """The lines that a file's diff shows; None where the diff is not whole."""
    added: dict[int, str] = {}
    context: dict[int, str] = {}
    old = new = number = 0
    for line in patch.split("\n"):
        mark, text = line[:1], line[1:]
        if old == new == 0:
            header = _HUNK.match(line)
            if header is None:
                if mark == "\\" or not line:
                    continue
                return None
            old, new = (int(count) if count is not None else 1 for count in header.group(1, 3))
            number = int(header[2])
        elif mark == "\\":
            continue
        elif mark in ("+", " ", "") and new:
            (added if mark == "+" else context)[number] = text
            number, new = number + 1, new - 1
            old -= mark != "+"
        elif mark == "-" and old:
            old -= 1
        else:
            return None
    return Diff(added, context) if old == new == 0 else None
