"""Takes a long YAML file apart at its top-level keys or list items, without parsing it.

Two versions of a file of 400 kB mostly share their text; only the blocks that differ need reading.
A file is taken apart only where that provably changes nothing: when every line of it is *closed*,
that is, ends outside of any quoted text and any `[...]` or `{...}`. Then no line at the left margin
can continue what stands above it, and reading the blocks one by one gives what reading the file
gives. Any other file is left whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# Possessive quantifiers throughout: a hostile line is matched in one pass or not at all.
_QUOTED = r"""(?:"(?:[^"\\]|\\.)*+"|'(?:[^']|'')*+')"""
_WORD = r"""[^\s"'\[\]{},:#&*!|>%@`?-][^"'\[\]{},:#]*+"""


def _flow(inner: str) -> str:
    item = rf"\s*+(?:{inner})?+\s*+"
    return rf"[\[{{]{item}(?:(?:,|:\s){item})*+[\]}}]"


_FLAT = _flow(rf"{_QUOTED}|{_WORD}")
_FLOW = _flow(rf"{_QUOTED}|{_WORD}|{_FLAT}")
_PLAIN = r"""[^\s"'\[\]{}#&*!|>%@`,?:-](?:(?!:\s|:$|\s\#).)*+"""
_CLOSED_LINE = re.compile(
    rf"\s*+(?:-\s++)*+(?:-$)?+"
    rf"(?:(?:{_QUOTED}|{_PLAIN}):(?:\s++|$))?+"
    rf"(?:{_QUOTED}|{_FLOW}|{_PLAIN}|[|>][-+0-9]*+)?+"
    r"(?:(?<!\S)\#.*+)?+\s*+"
)
# Line breaks and other marks that YAML gives a meaning of its own.
_ODD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
_KEY = re.compile(r"([A-Za-z0-9_][^\s:#\"'\[\]{},]*):(?=\s|$)")
_ITEM = re.compile(r"-(?=\s|$)")


@dataclass(frozen=True, slots=True)
class Block:
    """One top-level key or list item with all that belongs to it, and the line it starts on."""

    name: str
    """The key; empty for a list item."""
    text: str
    line: int


def split_mapping(text: str) -> dict[str, Block] | None:
    """The blocks of a mapping by key; None when the file must be read as a whole."""
    blocks = _split(text, _KEY)
    if blocks is None:
        return None
    named = {block.name: block for block in blocks}
    return named if len(named) == len(blocks) else None


def split_list(text: str) -> tuple[Block, ...] | None:
    """The blocks of a list in their order; None when the file must be read as a whole."""
    return _split(text, _ITEM)


def _split(text: str, start: re.Pattern[str]) -> tuple[Block, ...] | None:
    if _ODD.search(text):
        return None
    lines = text.split("\n")
    if not all(map(_CLOSED_LINE.fullmatch, set(lines))):
        return None
    starts: list[tuple[int, str]] = []
    for index, line in enumerate(lines):
        if not line or line[0] in " #\t":
            if not starts and line.strip() and not line.lstrip().startswith("#"):
                return None
            continue
        found = start.match(line)
        if found is None:
            return None
        starts.append((index, found[1] if start.groups else ""))
    ends = [*(index for index, _ in starts), len(lines)][1:]
    return tuple(
        Block(name, "\n".join(lines[index:end]) + "\n", index + 1)
        for (index, name), end in zip(starts, ends, strict=True)
    )
