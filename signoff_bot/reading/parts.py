"""Sorts the lines of a sign-off form into checklist items, signature and details."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from signoff_bot.reading.boxes import Box, read_box, text_after_box
from signoff_bot.reading.form import Item, Problem
from signoff_bot.reading.phrase import odd_characters

if TYPE_CHECKING:
    from signoff_bot.reading.markdown import Line

_SIGNED = re.compile(r"signed[ \t]*:(.*)", re.IGNORECASE)
_SHOWN_BROKEN = 10


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a form; see `Form` for what each means."""

    items: tuple[Item, ...]
    signed: str | None
    signed_line: int | None
    details: tuple[tuple[int, str], ...]
    problems: tuple[Problem, ...]


def read_parts(lines: Sequence[Line]) -> Parts:
    """Reads the lines that follow the phrase."""
    boxes = _boxes(lines)
    signatures = [(line, name) for line in lines if (name := _signature(line)) is not None]
    return Parts(
        items=_items(lines, boxes),
        signed=signatures[-1][1] if signatures else None,
        signed_line=signatures[-1][0].number if signatures else None,
        details=_details(lines, boxes),
        problems=_broken(lines, boxes) + _several_names(signatures),
    )


def _boxes(lines: Sequence[Line]) -> dict[int, Box]:
    """The boxes by the index of their line."""
    found = (
        (i, read_box(line.span.source, opens_item=line.opens_item))
        for i, line in enumerate(lines)
        if line.block in ("item", "paragraph")
    )
    return {i: box for i, box in found if box is not None}


def _signature(line: Line) -> str | None:
    """The name in a `Signed:` line, or None for any other line."""
    match = _SIGNED.fullmatch(line.span.text)
    return None if match is None else match[1].strip(" \t").removeprefix("@")


def _items(lines: Sequence[Line], boxes: dict[int, Box]) -> tuple[Item, ...]:
    """The boxed lines, each with the further lines of its list item."""
    texts: dict[int, list[str]] = {}
    by_list_item: dict[int, list[str]] = {}
    for i, line in enumerate(lines):
        box = boxes.get(i)
        if box is not None:
            texts[i] = [text_after_box(box, line.span.source, line.span.text)]
            if line.opens_item:
                by_list_item[line.items[-1]] = texts[i]
        elif line.items and line.items[-1] in by_list_item and _signature(line) is None:
            by_list_item[line.items[-1]].append(line.span.text)
    return tuple(
        Item(
            line=lines[i].number,
            level=lines[i].level,
            text=" ".join(text for text in parts if text),
            ticked=boxes[i].state == "ticked",
        )
        for i, parts in texts.items()
    )


def _details(lines: Sequence[Line], boxes: dict[int, Box]) -> tuple[tuple[int, str], ...]:
    """The lines after the first box that belong to no boxed list item and sign nothing."""
    boxed = {lines[i].items[-1] for i in boxes if lines[i].opens_item}
    first = min(boxes, default=-1)
    return tuple(
        (line.number, line.span.source)
        for i, line in enumerate(lines)
        if i > first
        and i not in boxes
        and boxed.isdisjoint(line.items)
        and line.span.source
        and _signature(line) is None
    )


def _broken(lines: Sequence[Line], boxes: dict[int, Box]) -> tuple[Problem, ...]:
    broken = [i for i, box in boxes.items() if box.state == "broken"]
    return tuple(
        Problem(lines[i].number, _why_broken(lines[i].span.source, boxes[i]), voids=False)
        for i in broken[:_SHOWN_BROKEN]
    )


def _why_broken(source: str, box: Box) -> str:
    odd = odd_characters(source[: box.length])
    holds = f" (it holds {', '.join(odd)})" if odd else ""
    shown = source if len(source) <= 30 else source[:29] + "…"
    return f"GitHub shows no tick box for {shown!r}{holds}; write `- [x] ` and the text"


def _several_names(signatures: Sequence[tuple[Line, str]]) -> tuple[Problem, ...]:
    names = {name.lower(): name for _, name in signatures}
    if len(names) < 2:
        return ()
    listed = ", ".join(repr(name) for name in names.values())
    return (
        Problem(
            signatures[-1][0].number,
            f"several `Signed:` lines name {listed}; keep the one that names you",
        ),
    )
