"""Takes a long YAML mapping apart at its top-level keys, without parsing it.

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
    r"\s*+(?:(?<!\S)\#.*+)?+"
)
# Line breaks and other marks that YAML gives a meaning of its own.
_ODD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
_KEY = re.compile(r"([A-Za-z0-9_][^\s:#\"'\[\]{},]*):(?=\s|$)")


@dataclass(frozen=True, slots=True)
class Block:
    """One top-level key with all that belongs to it, and the line it stands on."""

    name: str
    text: str
    line: int


def split_mapping(text: str) -> dict[str, Block] | None:
    """The blocks of a mapping by key; None when the file must be read as a whole."""
    if _ODD.search(text):
        return None
    lines = text.split("\n")
    if not all(map(_CLOSED_LINE.fullmatch, set(lines))):
        return None
    starts: list[tuple[int, str]] = []
    for index, line in enumerate(lines):
        if line[:1] in ("", " ", "#", "\t"):
            if not starts and line.strip() and not line.lstrip().startswith("#"):
                return None
            continue
        key = _KEY.match(line)
        if key is None:
            return None
        starts.append((index, key[1]))
    ends = [*(index for index, _ in starts), len(lines)][1:]
    blocks = {
        name: Block(name, "\n".join(lines[index:end]) + "\n", index + 1)
        for (index, name), end in zip(starts, ends, strict=True)
    }
    return blocks if len(blocks) == len(starts) else None
