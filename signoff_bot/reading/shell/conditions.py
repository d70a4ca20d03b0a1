"""Tells whether a condition of a shell script holds, where the script itself decides it.

`[ ... ]`, `[[ ... ]]` and `test` are read with the comparisons that launch scripts use: of strings
(with patterns in `[[ ]]`), of whole numbers, `-n`, `-z`, `!`, and, or. Whether files exist is open.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from signoff_bot.reading.shell.values import Slot, sole_text
from signoff_bot.reading.shell.words import Quoting

_NUMBERS: dict[str, Callable[[int, int], bool]] = {
    "-eq": operator.eq,
    "-ne": operator.ne,
    "-lt": operator.lt,
    "-le": operator.le,
    "-gt": operator.gt,
    "-ge": operator.ge,
}
_MAX_PATTERN = 100
_MAX_STARS = 3
"""Longer patterns, and those with more stars, are open."""


@dataclass(frozen=True, slots=True)
class Operand:
    """A word of a condition: its text, None where that is open, and how it was quoted."""

    text: str | None
    quoting: Quoting

    def is_operator(self, *operators: str) -> bool:
        """Whether it is one of these operators, which are never quoted."""
        return self.quoting == "none" and self.text in operators


def operand(slot: Slot, quoting: Quoting) -> Operand:
    """A word as a condition has it."""
    return Operand(sole_text(slot), quoting)


def truth(words: Sequence[Operand]) -> bool | None:
    """Whether a test command succeeds; None where that is open."""
    name = words[0].text if words else None
    if name in ("true", ":"):
        return True
    if name == "false":
        return False
    if name not in ("[", "[[", "test"):
        return None
    return _either(words[1 : len(words) - (name != "test")], patterns=name == "[[")


def matches(pattern: Operand, text: str) -> bool | None:
    """Whether a shell pattern fits a text; None where that is not worked out."""
    if pattern.text is None:
        return None
    special = any(mark in pattern.text for mark in "*?[\\(")
    if not special or pattern.quoting == "all":
        return pattern.text == text
    odd = any(mark in pattern.text for mark in ("\\", "(", "[^", "[:"))
    if odd or pattern.quoting == "some" or len(pattern.text) > _MAX_PATTERN:
        return None
    return fnmatchcase(text, pattern.text) if pattern.text.count("*") <= _MAX_STARS else None


def _either(words: Sequence[Operand], patterns: bool) -> bool | None:
    found = [_both(part, patterns) for part in _divided(words, "||", "-o")]
    if True in found:
        return True
    return None if None in found else False


def _both(words: Sequence[Operand], patterns: bool) -> bool | None:
    found = [_negated(part, patterns) for part in _divided(words, "&&", "-a")]
    if False in found:
        return False
    return None if None in found else True


def _divided(words: Sequence[Operand], *by: str) -> list[list[Operand]]:
    parts: list[list[Operand]] = [[]]
    for word in words:
        if word.is_operator(*by):
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def _negated(words: Sequence[Operand], patterns: bool) -> bool | None:
    marks = next((i for i, w in enumerate(words) if not w.is_operator("!")), len(words))
    holds = _single(words[marks:], patterns)
    return holds if holds is None or marks % 2 == 0 else not holds


def _single(words: Sequence[Operand], patterns: bool) -> bool | None:
    texts = [word.text for word in words]
    if len(texts) == 1:
        return None if texts[0] is None else bool(texts[0])
    if len(texts) == 2 and words[0].is_operator("-n", "-z"):
        return None if texts[1] is None else bool(texts[1]) == (texts[0] == "-n")
    if len(texts) != 3 or texts[0] is None or texts[1] is None:
        return None
    return _compared(texts[0], texts[1], words[2], patterns)


def _compared(left: str, comparison: str, right: Operand, patterns: bool) -> bool | None:
    if right.text is None:
        return None
    if comparison in ("=", "==", "!="):
        equal = matches(right, left) if patterns else left == right.text
        return None if equal is None else equal == (comparison != "!=")
    compare = _NUMBERS.get(comparison)
    if compare is None or not _is_number(left) or not _is_number(right.text):
        return None
    return compare(int(left), int(right.text))


def _is_number(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) < 20
