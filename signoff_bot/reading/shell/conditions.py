"""Tells whether a condition of a shell script holds, where the script itself decides it.

`[ ... ]`, `[[ ... ]]` and `test` are read with the comparisons that launch scripts use: of strings
(with patterns in `[[ ]]`), of whole numbers, `-n`, `-z`, `!`, and, or. Whether files exist is open.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase

from signoff_bot.reading.shell.values import Slot, sole_text

_NUMBERS: dict[str, Callable[[int, int], bool]] = {
    "-eq": operator.eq,
    "-ne": operator.ne,
    "-lt": operator.lt,
    "-le": operator.le,
    "-gt": operator.gt,
    "-ge": operator.ge,
}
_MAX_PATTERN = 100
"""Characters of a pattern, and stars in it are at most three: longer ones are open."""


def truth(words: Sequence[Slot]) -> bool | None:
    """Whether a test command succeeds; None where that is open."""
    texts = [sole_text(slot) for slot in words]
    name = texts[0] if texts else None
    if name in ("true", ":"):
        return True
    if name == "false":
        return False
    if name not in ("[", "[[", "test"):
        return None
    return _either(texts[1 : len(texts) - (name != "test")], patterns=name == "[[")


def matches(pattern: str, text: str) -> bool | None:
    """Whether a shell pattern fits a text; None where that is not worked out."""
    if len(pattern) > _MAX_PATTERN or pattern.count("*") > 3 or "(" in pattern:
        return None
    return fnmatchcase(text, pattern)


def _either(texts: Sequence[str | None], patterns: bool) -> bool | None:
    found = [_both(part, patterns) for part in _divided(texts, ("||", "-o"))]
    if True in found:
        return True
    return None if None in found else False


def _both(texts: Sequence[str | None], patterns: bool) -> bool | None:
    found = [_single(part, patterns) for part in _divided(texts, ("&&", "-a"))]
    if False in found:
        return False
    return None if None in found else True


def _divided(texts: Sequence[str | None], by: tuple[str, str]) -> list[list[str | None]]:
    parts: list[list[str | None]] = [[]]
    for text in texts:
        if text in by:
            parts.append([])
        else:
            parts[-1].append(text)
    return parts


def _single(texts: Sequence[str | None], patterns: bool) -> bool | None:
    if texts and texts[0] == "!":
        inner = _single(texts[1:], patterns)
        return None if inner is None else not inner
    if len(texts) == 1:
        return None if texts[0] is None else bool(texts[0])
    if len(texts) == 2 and texts[0] in ("-n", "-z"):
        return None if texts[1] is None else bool(texts[1]) == (texts[0] == "-n")
    if len(texts) != 3 or texts[0] is None or texts[1] is None or texts[2] is None:
        return None
    return _compared(texts[0], texts[1], texts[2], patterns)


def _compared(left: str, comparison: str, right: str, patterns: bool) -> bool | None:
    if comparison in ("=", "==", "!="):
        equal = matches(right, left) if patterns else left == right
        return None if equal is None else equal == (comparison != "!=")
    compare = _NUMBERS.get(comparison)
    if compare is None or not _is_number(left) or not _is_number(right):
        return None
    return compare(int(left), int(right))


def _is_number(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) < 20
