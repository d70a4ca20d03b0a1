"""What "deprecated" means in a table's cell, and which benchmark points it concerns.

A cell lists items, separated by commas. An item names a scenario, a precision, an arm (`non-MTP`:
what runs without that speculative decoding), or several of them together; an arm on its own narrows
the item before it. What stands in brackets may date an item or limit it to one of the models
(`GLM-5 only`). An item that holds nothing of this kind is uncertain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from signoff_bot.reading.config_points import NO_SPECULATION, Point

_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_BRACKETS = re.compile(r"\(([^()]*)\)")
_PRECISION = re.compile(r"\b(?:bf|fp|int|mxfp|nvfp)\d+\b")
_ARM = re.compile(r"\bnon-([a-z0-9_]+)")
_ONLY = re.compile(r"^(.+?) only\b")
# Words that limit nothing.
_EVERYWHERE = re.compile(r",?\s*\b(?:in every scenario|on nvidia and amd)\b", re.IGNORECASE)
_FOOTNOTE = re.compile(r"\[\^[^\]]*\]")


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario of the page: its name, and how configurations speak of it."""

    name: str
    lengths: tuple[int, int] | None
    """Input and output length of a fixed-length scenario."""

    def covers(self, point: Point) -> bool:
        """Whether a point belongs to it."""
        if self.lengths is not None:
            return (point.isl, point.osl) == self.lengths
        return point.scenario == "-".join(self.name.lower().split())


@dataclass(frozen=True, slots=True)
class Deprecation:
    """What may not be submitted, of which models, from which day on."""

    line: int
    says: str
    """The words of the page."""
    prefixes: frozenset[str] | None
    """The model prefixes; None for all models."""
    scenario: Scenario | None = None
    """None for every scenario."""
    precision: str | None = None
    arm: str | None = None
    """Concerns what runs without this speculative decoding, in lower case."""
    since: date | None = None
    """The first day it is in force; None: from ever."""
    certain: bool = True

    def in_force(self, day: date) -> bool:
        """Whether it holds on a day."""
        return self.since is None or day >= self.since

    def concerns(self, point: Point, precision: str, generic: Sequence[str]) -> bool | None:
        """Whether it forbids a point; None where a machine cannot tell.

        `generic` are names of speculative decoding that stand for any method.
        """
        if self.scenario is not None and not self.scenario.covers(point):
            return False
        if self.precision is not None and self.precision != precision.lower():
            return False
        if self.arm is not None and point.speculation != NO_SPECULATION:
            return False if point.speculation in (self.arm, *generic) else None
        return True if self.certain else None


def iso_date(text: str) -> date | None:
    """The first ISO date in a text."""
    for found in _ISO_DATE.findall(text):
        try:
            return date.fromisoformat(found)
        except ValueError:
            continue
    return None


def read_cell(
    text: str, line: int, prefixes: frozenset[str], scenarios: Sequence[Scenario]
) -> Iterator[Deprecation]:
    """The deprecations that a cell lists for models; none for an empty cell or a dash."""
    text = _FOOTNOTE.sub("", text).strip()
    if text.lower() in ("", "-", "\N{EN DASH}", "\N{EM DASH}", "none"):
        return
    pending: Deprecation | None = None
    for item in _items(text):
        read = _read_item(item, line, prefixes, scenarios)
        if pending and pending.arm is None and read.arm and read.scenario is None:
            both = f"{pending.says}, {read.says}"
            since = read.since or pending.since
            pending = replace(pending, says=both, arm=read.arm, since=since)
            continue
        if pending:
            yield pending
        pending = read
    if pending:
        yield pending


def _items(text: str) -> Iterator[str]:
    """The items of a list, at the commas outside of brackets."""
    for item in re.split(r",(?![^()]*\))", _EVERYWHERE.sub("", text.replace("*", ""))):
        if item.strip():
            yield item.strip()


def _read_item(
    item: str, line: int, prefixes: frozenset[str], scenarios: Sequence[Scenario]
) -> Deprecation:
    notes = " ".join(_BRACKETS.findall(item))
    words = _BRACKETS.sub("", item).lower()
    named = sorted((s for s in scenarios if s.name.lower() in words), key=lambda s: len(s.name))
    precision, arm = _PRECISION.search(words), _ARM.search(words)
    limited = _limited(notes, prefixes)
    return Deprecation(
        line=line,
        says=item,
        prefixes=limited or prefixes,
        scenario=named[-1] if named else None,
        precision=precision[0] if precision else None,
        arm=arm[1] if arm else None,
        since=iso_date(notes),
        certain=bool(named or precision or arm) and limited != frozenset(),
    )


def _limited(notes: str, prefixes: frozenset[str]) -> frozenset[str] | None:
    """The prefixes that a note such as `GLM-5 only` leaves; empty where it cannot be told."""
    only = _ONLY.match(notes.lower())
    if only is None:
        return None
    wanted = re.sub(r"[^a-z0-9.]", "", only[1])
    return frozenset(p for p in prefixes if re.sub(r"[^a-z0-9.]", "", p.lower()) == wanted)
