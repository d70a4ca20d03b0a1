"""The words of a shell script as written, before anything is expanded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as Literal_
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Literal:
    """Plain text, without its quotes."""

    text: str
    line: int
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Variable:
    """`$NAME` or `${NAME...}`. Whatever is not told apart here is an `Unknown`."""

    name: str
    index: str
    """`@` or `*` for a whole array, a number, or empty."""
    operator: str
    """`:-`, `-`, `:=`, `=`, `:+`, `+`, or empty; without the colon an empty value counts too."""
    operand: tuple[Part, ...]
    written: str
    line: int
    quoted: bool


@dataclass(frozen=True, slots=True)
class Unknown:
    """What only running the script would tell: arithmetic, patterns, what a command prints."""

    written: str
    line: int
    script: str = ""
    """The commands of a command substitution."""
    script_at: int = 0
    """How many characters of `written` stand before them."""
    quoted: bool = False


Quoting: TypeAlias = Literal_["all", "some", "none"]
Part: TypeAlias = "Literal | Variable | Unknown"


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a command. No parts make an empty word, such as `""`."""

    parts: tuple[Part, ...]
    line: int
    end: int
    """The last line it is on."""

    @property
    def bare(self) -> str:
        """Its text where it is plain and unquoted, as keywords must be; else empty."""
        if len(self.parts) == 1:
            part = self.parts[0]
            if isinstance(part, Literal) and not part.quoted:
                return part.text
        return ""

    @property
    def quoting(self) -> Quoting:
        """Whether all of it is quoted, some, or none."""
        quoted = {part.quoted for part in self.parts}
        return "all" if False not in quoted else "some" if True in quoted else "none"


@dataclass(slots=True)
class HereDocument:
    """The text that follows a command; filled in when the reader comes to it."""

    quoted: bool
    """Whether nothing in it is expanded."""
    strip_tabs: bool
    delimiter: str
    text: str = ""
    line: int = 0
    """The line it starts on."""


@dataclass(frozen=True, slots=True)
class Operator:
    """`;`, `&`, `|`, `(`, `)`, a line break, a redirection, ... `=(` opens an array."""

    text: str
    line: int
    document: HereDocument | None = None


ScriptToken: TypeAlias = "Word | Operator"
