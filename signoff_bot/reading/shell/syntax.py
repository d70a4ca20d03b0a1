"""The statements of a shell script."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from signoff_bot.reading.shell.words import HereDocument, Part, Word


@dataclass(frozen=True, slots=True)
class Assignment:
    """`NAME=value`, `NAME+=value`, or with a list of words for an array."""

    name: str
    indexed: bool
    """Whether only one element is set (`NAME[i]=value`)."""
    append: bool
    value: Word | tuple[Word, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Redirect:
    """`OPERATOR target`, where `document` is that of `<<`."""

    operator: str
    target: Word | None
    document: HereDocument | None = None


@dataclass(frozen=True, slots=True)
class Simple:
    """A command with what is assigned before it; `[[ ... ]]` is one too."""

    assignments: tuple[Assignment, ...]
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]
    arrays: tuple[Assignment, ...]
    """Arrays among the words of `declare`, `local`, `export` and the like."""
    line: int
    end: int


@dataclass(frozen=True, slots=True)
class Chain:
    """Statements joined by `&&`, `||` or `|`; each with the operator before it."""

    links: tuple[tuple[str, Statement], ...]


@dataclass(frozen=True, slots=True)
class If:
    """Conditions and what they guard, in order; the last condition of `else` is None."""

    branches: tuple[tuple[Block | None, Block], ...]


@dataclass(frozen=True, slots=True)
class Case:
    """`case subject in pattern | pattern) ... ;; esac`."""

    subject: Word
    arms: tuple[tuple[tuple[Word, ...], Block], ...]


@dataclass(frozen=True, slots=True)
class Loop:
    """`for variable in items`, or `while`, `until`, `for ((...))` and `select` without items."""

    variable: str
    items: tuple[Word, ...] | None
    condition: Block
    body: Block


@dataclass(frozen=True, slots=True)
class Function:
    """A function's definition."""

    name: str
    body: Block


@dataclass(frozen=True, slots=True)
class Group:
    """`{ ... }`, or `( ... )` whose assignments stay inside."""

    body: Block
    subshell: bool
    redirects: tuple[Redirect, ...]


Statement: TypeAlias = "Simple | Chain | If | Case | Loop | Function | Group"
Block: TypeAlias = "tuple[Statement, ...]"


@dataclass(slots=True)
class Script:
    """A script's statements, and the lines that could not be made sense of."""

    body: Block
    problems: list[int] = field(default_factory=list)


def sole(part: Part, line: int, end: int) -> Word:
    """A word of one part."""
    return Word((part,), line, end)
