"""A text to be read as a shell script, which knows the line of each of its characters.

A script may stand inside another one (in quotes, in a here-document, in a command substitution),
where a line break of the file is not always one of the text. So a text carries *anchors*: the
offsets at which a line of the file begins to be counted.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

Anchor = tuple[int, int]
"""An offset, and the line of the file that it is on."""

_BREAK = re.compile("\n")


class Source:
    """A text with its anchors; without any, it is a file of its own. Equal ones say the same."""

    def __init__(self, text: str, anchors: tuple[Anchor, ...] = ((0, 1),)) -> None:
        self.text = text
        self._anchors = anchors
        self._offsets = [offset for offset, _ in anchors]
        self._lines = [line for _, line in anchors]
        self._breaks = [found.start() for found in _BREAK.finditer(text)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Source) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[str, tuple[Anchor, ...]]:
        return self.text, self._anchors

    def line_at(self, offset: int) -> int:
        """The line of the file that a character is on."""
        index = max(bisect_right(self._offsets, offset) - 1, 0)
        breaks = bisect_left(self._breaks, offset)
        before = bisect_left(self._breaks, self._offsets[index]) if self._offsets else 0
        return (self._lines[index] if self._lines else 1) + breaks - before
