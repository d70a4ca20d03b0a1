"""Reads the lines of a CODEOWNERS file: what each says, and which of them GitHub skips."""

from __future__ import annotations

import re
from typing import NamedTuple

from signoff_bot.reading.codeowners.pattern import read_pattern
from signoff_bot.reading.codeowners.problems import LineProblem
from signoff_bot.reading.codeowners.syntax import Mistake, check_owners, check_pattern

_WORD = re.compile(r"(?:\\.|[^ \t])+")
_SECTION = re.compile(r"\^?\[[^\]]+\](?:\[\d+\])?(?:[ \t]|$)")
_NO_SECTION = Mistake(
    "gitlab-section",
    "GitHub knows no sections; write `#` before it, and owners on each line below it",
    None,
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


def read_lines(text: str) -> tuple[tuple[Line, ...], tuple[SkippedLine, ...]]:
    """The valid lines and the skipped ones; blank lines and comments are neither."""
    lines: list[Line] = []
    skipped: list[SkippedLine] = []
    checked: dict[tuple[str, ...], Mistake | None] = {}
    # Nothing but "\n" ends a line: str.splitlines() would also split at U+2028, \f and others.
    for number, source in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        words, comment = _split(source.removesuffix("\r"))
        if not words:
            continue
        pattern, owners = words[0], tuple(words[1:])
        mistake = check_pattern(pattern)
        if mistake is not None and _SECTION.match(source.lstrip(" \t")):
            mistake = _NO_SECTION
        if mistake is None:
            if owners not in checked:
                checked[owners] = check_owners(owners, "")
            mistake = checked[owners]
            if mistake is not None:
                mistake = mistake._replace(meant=pattern)
        if mistake is None:
            lines.append(Line(number, pattern, owners, comment))
        else:
            problem = LineProblem(number, mistake.code, mistake.message)
            skipped.append(SkippedLine(problem, mistake.meant))
    return tuple(lines), tuple(skipped)


def _split(line: str) -> tuple[list[str], str]:
    """The words of a line and its comment, which begins at a `#` that begins a word."""
    if "#" not in line:
        return _WORD.findall(line), ""
    words: list[str] = []
    for word in _WORD.finditer(line):
        if word[0].startswith("#"):
            return words, line[word.start() + 1 :].strip(" \t")
        words.append(word[0])
    return words, ""
