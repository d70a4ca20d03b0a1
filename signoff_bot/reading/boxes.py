"""Reads tick boxes as GitHub does, and tells broken ones from other uses of brackets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

_BOX = re.compile(r"\[([ xX])\][ \t]+(?=\S)")
_BROKEN = re.compile(
    r"""
    # [], [ x], [x]text, \[x], and marks that only look like an x
    \\?\[ \s{0,3} (?: [xXvV\u2713\u2714\u2611\u2717\u0445\u0425\u00d7] \s{0,3} )? \\?\]
    (?![(\[:]) \s*
    | [xX] \s{0,3} \] \s*              # x ]
    | \[ \s? [xX] \s+ (?![^\]]*\])     # [x text
    """,
    re.VERBOSE,
)
_LOST_MARKER = re.compile(
    r"(?:[-*+\u2022\u00b7\u2013\u2014]|\d{1,9}[.)])?[ \t]*(?=\\?\[[ xX]{0,3}\](?![(\[:]))"
)


@dataclass(frozen=True, slots=True)
class Box:
    """A tick box at the beginning of a line."""

    state: Literal["ticked", "unticked", "broken"]
    length: int
    """How many characters of the line's source it takes."""


def read_box(source: str, *, opens_item: bool) -> Box | None:
    """The box that a line begins with, or None.

    `opens_item` tells whether the line follows the marker of a list item; anywhere else a box is
    no box, and broken if it was meant as one.
    """
    if opens_item:
        box = _BOX.match(source)
        if box is not None:
            return Box("unticked" if box[1] == " " else "ticked", box.end())
        broken = _BROKEN.match(source)
        return None if broken is None else Box("broken", broken.end())
    marker = _LOST_MARKER.match(source)
    if marker is None:
        return None
    broken = _BROKEN.match(source, marker.end())
    return None if broken is None else Box("broken", broken.end())


def text_after_box(box: Box, source: str, text: str) -> str:
    """The visible text of a line without the box that its source begins with."""
    return text.removeprefix(source[: box.length].replace("\\", "").rstrip()).strip()
