"""What the words of a shell script may stand for when it runs.

A value is a row of *slots*: one for a plain variable, one for each element of an array. Branches
may set a variable differently, so a slot holds *alternatives*, and an alternative is a list of
*fields* (the words that it becomes, of which there may be none). A field knows the lines it was
written on, and which pieces of it only running the script would tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

MAX_ALTERNATIVES = 16
MAX_LENGTH = 16 * 1024
"""Characters of an alternative."""
PIECE_WORK = 16
"""What a piece counts for, in characters."""
MAX_FIELDS = 500
"""Fields of an alternative, and slots of a value."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a field. Where it is not `known`, it is what stands in the script instead."""

    text: str
    line: int
    known: bool = True
    assumed: bool = False
    """Whether it is the default of a variable that the script does not set."""
    kept: bool = False
    """Whether it is quoted within an expansion that is not, so that no blank divides it."""


@dataclass(frozen=True, slots=True)
class Text:
    """One field: its pieces in order."""

    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """The field; unknown pieces as they are written in the script."""
        return "".join(piece.text for piece in self.pieces)

    @property
    def known(self) -> bool:
        """Whether nothing in it is left open."""
        return all(piece.known for piece in self.pieces)

    @property
    def certain(self) -> bool:
        """Whether it is known, and not only so long as nobody sets a variable from outside."""
        return all(piece.known and not piece.assumed for piece in self.pieces)

    @property
    def lines(self) -> frozenset[int]:
        """The lines that it comes from, breaks within a piece included."""
        return frozenset(
            piece.line + more for piece in self.pieces for more in range(piece.text.count("\n") + 1)
        )


Fields: TypeAlias = tuple[Text, ...]
Slot: TypeAlias = tuple[Fields, ...]
Value: TypeAlias = tuple[Slot, ...]

BLANK: Slot = ((Text(()),),)


def known(text: str, line: int = 0) -> Value:
    """The value of a variable that holds this text."""
    return (((Text((Piece(text, line),)),),),)


def unknown(written: str, line: int) -> Slot:
    """What only running the script would tell."""
    return ((Text((Piece(written[:MAX_LENGTH], line, known=False),)),),)


def environment(name: str, line: int) -> Slot:
    """What a variable holds that the script does not set."""
    return unknown(f"${name}", line)


def is_environment(fields: Fields, name: str) -> bool:
    """Whether an alternative is that the script does not set the variable."""
    return len(fields) == 1 and fields[0].text == f"${name}" and not fields[0].known


def limited(alternatives: Iterable[Fields], written: str, line: int) -> Slot:
    """The alternatives, each once; unknown where there are too many or they are long."""
    found = tuple(alternatives)
    if any(len(fields) > MAX_FIELDS or length(fields) > MAX_LENGTH for fields in found):
        return unknown(written, line)
    if len(found) > 1:
        found = tuple({_content(fields): fields for fields in reversed(found)}.values())[::-1]
    return found if len(found) <= MAX_ALTERNATIVES else unknown(written, line)


def flat(value: Value, written: str, line: int) -> Slot:
    """All slots of a value as one."""
    if len(value) == 1:
        return value[0]
    if len(value) > MAX_FIELDS:
        return unknown(written, line)
    if all(len(slot) == 1 for slot in value):
        return limited((tuple(field for slot in value for field in slot[0]),), written, line)
    found: Slot = ((),)
    for slot in value:
        if len(found) * len(slot) > MAX_ALTERNATIVES:
            return unknown(written, line)
        found = tuple((*before, *fields) for before in found for fields in slot)
    return limited(found, written, line)


def mixed(values: Sequence[Value], written: str, line: int) -> Value:
    """One of several values. Where they begin or end alike, those slots stay as they are."""
    distinct = list({_contents(value): value for value in values}.values())
    if len(distinct) == 1:
        return distinct[0]
    shortest = min(map(len, distinct))
    first, *others = distinct
    start = next((i for i in range(shortest) if _differs(others, first, i)), shortest)
    rest = shortest - start
    end = next((i for i in range(rest) if _differs(others, first, -1 - i)), rest)
    middles = (flat(value[start : len(value) - end], written, line) for value in distinct)
    middle = limited((fields for slot in middles for fields in slot), written, line)
    return (*first[:start], middle, *first[len(first) - end :])


def joined(fields: Fields) -> Text:
    """The fields as one text, with blanks between."""
    pieces: list[Piece] = []
    for index, field in enumerate(fields):
        if index:
            nearest = (*pieces[-1:], *field.pieces, Piece("", 0))[0]
            pieces.append(Piece(" ", nearest.line))
        pieces += field.pieces
    return Text(tuple(pieces))


def assumed(slot: Slot, line: int) -> Slot:
    """A slot that only holds so long as nobody sets a variable from outside."""
    return tuple(tuple(_assumed(field, line) for field in fields) for fields in slot)


def _assumed(field: Text, line: int) -> Text:
    pieces = field.pieces or (Piece("", line),)
    return Text(tuple(replace(piece, assumed=True) for piece in pieces))


def sole_text(slot: Slot) -> str | None:
    """The one text that a word certainly stands for; None where that is open."""
    if len(slot) != 1 or len(slot[0]) != 1 or not slot[0][0].certain:
        return None
    return slot[0][0].text


def length(fields: Fields) -> int:
    """How many characters there are in all; each piece counts for some more."""
    return sum(len(piece.text) + PIECE_WORK for field in fields for piece in field.pieces)


def _differs(others: Sequence[Value], first: Value, index: int) -> bool:
    wanted = _slot_content(first[index])
    return any(_slot_content(other[index]) != wanted for other in others)


def _content(fields: Fields) -> tuple[tuple[str, bool, bool], ...]:
    return tuple((field.text, field.known, field.certain) for field in fields)


def _slot_content(slot: Slot) -> tuple[object, ...]:
    return tuple(_content(fields) for fields in slot)


def _contents(value: Value) -> tuple[object, ...]:
    return tuple(_slot_content(slot) for slot in value)
