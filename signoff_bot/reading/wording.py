"""Small words for long lists, so that a finding stays one readable line."""

from __future__ import annotations

from collections.abc import Sequence


def count(number: int, noun: str) -> str:
    """The number with its noun: `1 path`, `3 paths`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def listed(items: Sequence[str]) -> str:
    """All items in a sentence: `a, b and c`."""
    *before, last = items
    return f"{', '.join(before)} and {last}" if before else last


def some(items: Sequence[str], most: int = 3) -> str:
    """The first items, and how many there are besides: `a, b, c and 297 more`."""
    shown = ", ".join(items[:most])
    return shown if len(items) <= most else f"{shown} and {len(items) - most} more"


def short(sha: str) -> str:
    """A commit as people write it: seven hexadecimal digits."""
    return sha[:7]


def shorten(text: str, most: int = 120) -> str:
    """The text, or its beginning and an ellipsis."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
