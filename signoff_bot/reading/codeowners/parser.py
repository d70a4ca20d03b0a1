"""Reads the lines of a CODEOWNERS file: what each says, and which of them GitHub skips."""

from __future__ import annotations

import re
from typing import NamedTuple

from signoff_bot.reading.codeowners.pattern import read_pattern
from signoff_bot.reading.codeowners.problems import LineProblem
from signoff_bot.reading.codeowners.syntax import Mistake, check_owners, check_pattern

_LINE = re.compile(r"[ \t]*+((?!#)(?:[^ \t\\]++|\\.?)++)(.*)", re.DOTALL)
_COMMENT = re.compile(r"[ \t]#")
_SECTION = re.compile(r"[ \t]*\^?\[[^\]]+\](?:\[\d+\])?(?:[ \t]|$)")
_NO_SECTION = Mistake(
    "gitlab-section",
    "GitHub knows no sections; write `#` before it, and owners on each line below it",
)


class Line(NamedTuple):
    """A valid line. `owners` are as written (`@user`, `@org/team`, e-mail), possibly none."""

    number: int
    """Counted from 1."""
    pattern: str
    owners: tuple[str, ...]
    comment: str = ""
    """The text after `#` on the same line."""

    @property
    def catch_all(self) -> bool:
        """Whether the pattern matches every path (`*`, `**`, `/**`, ...)."""
        return read_pattern(self.pattern).catch_all


class SkippedLine(NamedTuple):
    """A line that GitHub skips, with the pattern its writer probably meant, if there is one."""

    problem: LineProblem
    meant: str | None


_Rest = tuple[tuple[str, ...], str, Mistake | None]
"""What follows the pattern on a line: owners, comment, and what is wrong with the owners."""


def read_lines(text: str) -> tuple[tuple[Line, ...], tuple[SkippedLine, ...]]:
    """The valid lines and the skipped ones; blank lines and comments are neither."""
    lines: list[Line] = []
    skipped: list[SkippedLine] = []
    # Many lines name the same owners, which are checked once.
    rests: dict[str, _Rest] = {}
    known: set[str] = set()
    # Nothing but "\n" ends a line, which may have a "\r" before it: str.splitlines() would also
    # split at U+2028, \f and others.
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").removesuffix("\r")
    for number, line in enumerate(text.split("\n"), start=1):
        found = _LINE.match(line)
        if found is None:
            continue
        pattern, following = found.groups()
        rest = rests.get(following)
        if rest is None:
            rest = rests[following] = _read_rest(following, known)
        owners, comment, in_owners = rest
        mistake = check_pattern(pattern) or in_owners
        if mistake is None:
            lines.append(Line(number, pattern, owners, comment))
        else:
            meant = pattern if mistake is in_owners else mistake.meant
            skipped.append(_skip(number, line, mistake, meant))
    return tuple(lines), tuple(skipped)


def _read_rest(text: str, known: set[str]) -> _Rest:
    """Reads owners, and the comment that begins at a `#` after white space.

    Owners that are `known` to have their form are not checked again.
    """
    comment = ""
    if "#" in text:
        text, *comments = _COMMENT.split(text, 1)
        comment = "".join(comments).strip(" \t")
    owners = tuple(filter(None, text.replace("\t", " ").split(" ")))
    if known.issuperset(owners):
        return owners, comment, None
    mistake = check_owners(owners)
    if mistake is None:
        known.update(owners)
    return owners, comment, mistake


def _skip(number: int, line: str, mistake: Mistake, meant: str | None) -> SkippedLine:
    if _SECTION.match(line):
        mistake, meant = _NO_SECTION, None
    return SkippedLine(LineProblem(number, mistake.code, mistake.message, skipped=True), meant)
