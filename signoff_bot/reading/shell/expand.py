"""Expands the words of a shell script, as far as the script itself tells what they become.

A variable that the script sets nowhere is assumed to have its default where it is used with one
(`${NAME:-default}`), though no branch is decided by that; without one it is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from signoff_bot.reading.shell.values import (
    BLANK,
    PIECE_WORK,
    Fields,
    Piece,
    Slot,
    Text,
    Value,
    assumed,
    environment,
    flat,
    is_environment,
    joined,
    limited,
    unknown,
)
from signoff_bot.reading.shell.words import Literal, Part, Unknown, Variable, Word

_BLANKS = re.compile(r"\s+")
_BRACES = re.compile(r"\{[^{}\s]*?(?:,|\.\.)[^{}\s]*\}")
"""What the shell makes several words of; that is left open."""

MAX_STATES = 32
"""Readings of a word that are followed while it is expanded."""
MAX_PARTS = 400
"""Parts of a word; a longer one is unknown."""
MAX_WORK = 4_000_000
"""Characters that are expanded to in all."""

Lookup = Callable[[str], Value | None]
Assign = Callable[[str, Value], None]


class Exhausted(Exception):
    """Raised when a script makes more of itself than any launch script would."""


@dataclass(frozen=True, slots=True)
class _Open:
    """A word so far: its finished fields, and the pieces of the one that is being built."""

    done: Fields = ()
    current: tuple[Piece, ...] | None = None
    length: int = 0

    @property
    def fields(self) -> Fields:
        return self.done if self.current is None else (*self.done, Text(self.current))

    def extended(self, fields: Fields, part: Part, whole: bool) -> _Open:
        """With what one more part adds to it."""
        if not fields:
            array = isinstance(part, Variable) and part.index == "@"
            blank = None if array or not part.quoted else ()
            return replace(self, current=self.current if blank is None else self.current or ())
        done = list(self.done)
        current = None if self.current is None else list(self.current)
        length = self.length
        for index, field in enumerate(fields):
            if index:
                _finish(done, current)
                current = None
            for piece in field.pieces:
                length += len(piece.text) + PIECE_WORK
                if whole or piece.kept or not piece.known:
                    current = _with(current, piece)
                else:
                    current = _split(piece, done, current)
            if whole and current is None:
                current = []
        return _Open(tuple(done), None if current is None else tuple(current), length)


def _split(piece: Piece, done: list[Text], current: list[Piece] | None) -> list[Piece] | None:
    """Adds a piece that blanks divide into fields; gives the field that stays open."""
    for index, text in enumerate(_BLANKS.split(piece.text)):
        if index:
            _finish(done, current)
            current = None
        if text:
            current = _with(current, replace(piece, text=text))
    return current


def _with(current: list[Piece] | None, piece: Piece) -> list[Piece]:
    found = [] if current is None else current
    found.append(piece)
    return found


def _finish(done: list[Text], current: list[Piece] | None) -> None:
    if current is not None:
        done.append(Text(tuple(current)))


class Expander:
    """Expands words by what `lookup` knows of variables; `assign` is told of `${NAME:=value}`.

    Raises:
        Exhausted: by every method, when over `MAX_WORK` characters were expanded to.
    """

    def __init__(self, lookup: Lookup, assign: Assign) -> None:
        self._lookup = lookup
        self._assign = assign
        self._left = MAX_WORK

    def word(self, word: Word) -> Value:
        """What a word may become; `"${ARRAY[@]}"` becomes the slots of the array."""
        part = word.parts[0] if len(word.parts) == 1 else None
        if isinstance(part, Variable) and part.index == "@" and not part.operator:
            value = self._lookup(part.name)
            if value is not None:
                self.spend(len(value))
                return value
        return (_bare(self._slot(word.parts, word.line, splitting=True)),)

    def text(self, word: Word) -> Slot:
        """What a word may become where it is one text whatever it holds, as in an assignment."""
        if not word.parts:
            return BLANK
        slot = _bare(self._slot(word.parts, word.line, splitting=False))
        return tuple(fields if len(fields) == 1 else (joined(fields),) for fields in slot)

    def spend(self, work: int) -> None:
        """Counts characters that were expanded to."""
        self._left -= work
        if self._left < 0:
            raise Exhausted

    def _slot(self, parts: tuple[Part, ...], line: int, splitting: bool) -> Slot:
        states: list[_Open] = [_Open()]
        for part in parts:
            whole = part.quoted or not splitting or isinstance(part, Literal)
            found = self._part(part)
            states = [state.extended(fields, part, whole) for state in states for fields in found]
            self.spend(sum(state.length + 1 for state in states))
            if len(states) > 1:
                states = list(dict.fromkeys(states))
            if len(states) > MAX_STATES or len(parts) > MAX_PARTS:
                return unknown("".join(map(_written, parts)), line)
        finished = (state.fields for state in states)
        return limited(finished, "".join(map(_written, parts)), line)

    def _part(self, part: Part) -> Slot:
        if isinstance(part, Literal):
            known = part.quoted or _BRACES.search(part.text) is None
            return ((Text((Piece(part.text, part.line, known, kept=part.quoted),)),),)
        if isinstance(part, Unknown):
            return unknown(part.written, part.line)
        return self._variable(part)

    def _variable(self, part: Variable) -> Slot:
        value = self._lookup(part.name)
        found = (
            environment(part.name, part.line)
            if value is None
            else flat(value, part.written, part.line)
        )
        chosen = (_indexed(part, fields) for fields in found)
        alternatives = (other for fields in chosen for other in self._with_operator(part, fields))
        result = limited(alternatives, part.written, part.line)
        if part.operator in (":=", "="):
            self._assign(part.name, (result,))
        return result

    def _with_operator(self, part: Variable, fields: Fields) -> Slot:
        """What `:-` and its like make of one alternative."""
        if not part.operator:
            return (fields,)
        unset = is_environment(fields, part.name)
        blank = not fields or (part.operator.startswith(":") and not joined(fields).text)
        if part.operator.endswith("+"):
            if unset or not all(field.known for field in fields):
                return (*BLANK, *self._operand(part))
            return BLANK if blank else self._operand(part)
        if unset:
            return assumed(self._operand(part), part.line)
        return self._operand(part) if blank else (fields,)

    def _operand(self, part: Variable) -> Slot:
        return self._slot(part.operand, part.line, splitting=False) if part.operand else BLANK


def _bare(slot: Slot) -> Slot:
    """The fields of a word that is done, where it no longer matters what was quoted."""
    if not any(piece.kept for fields in slot for field in fields for piece in field.pieces):
        return slot
    return tuple(
        tuple(Text(tuple(replace(piece, kept=False) for piece in field.pieces)) for field in fields)
        for fields in slot
    )


def _indexed(part: Variable, fields: Fields) -> Fields:
    """The fields that an index chooses, or the first one."""
    if part.index == "@" or not fields:
        return fields
    if part.index == "*":
        return (joined(fields),)
    index = int(part.index or 0)
    if index < len(fields):
        return (fields[index],)
    if all(field.known for field in fields):
        return (Text(()),)
    return (Text((Piece(part.written, part.line, known=False),)),)


def _written(part: Part) -> str:
    return part.text if isinstance(part, Literal) else part.written
