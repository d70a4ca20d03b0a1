"""Matches one name of a path against globs, in linear time: nothing here ever backtracks."""

from __future__ import annotations

import re

from signoff_bot.reading.codeowners.pattern import unescape

_PIECE = re.compile(r"((?:\\.|[^\\*?])+)|([*?]+)", re.DOTALL)
_PART = re.compile(r"\\.|.", re.DOTALL)


ANY_RUN = "\ud800"
"""Stands in a name for an unknown run of characters; only `*` takes it. No text holds it."""

_ANY_ONE = "\ud801"


def as_name(glob: str) -> str:
    """A name that only those globs match which match every name that this one does."""
    return _PART.sub(_symbol, glob)


def _symbol(found: re.Match[str]) -> str:
    return {"*": ANY_RUN, "?": _ANY_ONE}.get(found[0], found[0][-1])


class Glob:
    r"""A glob with at least one wildcard: `*` is any run of characters, `?` one, `\` escapes.

    A match begins with `prefix`, ends with `suffix` and has `fragment`, the longest literal text
    between wildcards, somewhere in between. All three may be empty.
    """

    __slots__ = ("_automaton", "_middle", "fragment", "prefix", "shortest", "suffix")

    def __init__(self, text: str) -> None:
        pieces = _PIECE.findall(text)
        literals = [unescape(literal) for literal, _ in pieces]
        self.prefix = literals[0]
        self.suffix = literals[-1]
        self.fragment = max(literals[1:-1], key=len, default="")
        self.shortest = sum(map(len, literals)) + sum(wild.count("?") for _, wild in pieces)
        self._middle = "".join(
            literal or wild
            for literal, wild in pieces[bool(self.prefix) : len(pieces) - bool(self.suffix)]
        )
        self._automaton: _Automaton | None = None

    @property
    def simple(self) -> bool:
        """Whether prefix and suffix say it all: what lies between them is a single `*`."""
        return self._middle == "*"

    def matches(self, name: str) -> bool:
        """Whether the whole name matches."""
        if (
            len(name) < self.shortest
            or not name.startswith(self.prefix)
            or not name.endswith(self.suffix)
        ):
            return False
        if self._middle == "*":
            return True
        if self._automaton is None:
            self._automaton = _Automaton(self._middle)
        return self._automaton.accepts(name[len(self.prefix) : len(name) - len(self.suffix)])


class _Automaton:
    """Runs all ways to match side by side: bit i of the state says "i parts are matched"."""

    __slots__ = ("_anything", "_final", "_moves", "_stays")

    def __init__(self, text: str) -> None:
        named: dict[str, int] = {}
        anything = stays = 0
        bit = 1
        for part in _PART.findall(text):
            if part == "*":
                stays |= bit
                continue
            if part == "?":
                anything |= bit
            else:
                named[part[-1]] = named.get(part[-1], 0) | bit
            bit <<= 1
        self._moves = {character: bits | anything for character, bits in named.items()}
        self._moves[ANY_RUN] = 0
        self._anything, self._stays, self._final = anything, stays, bit

    def accepts(self, name: str) -> bool:
        state = 1
        for character in name:
            moving = state & self._moves.get(character, self._anything)
            state = moving << 1 | state & self._stays
            if not state:
                return False
        return bool(state & self._final)
