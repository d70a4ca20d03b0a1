"""Recognises the phrase that makes a comment a sign-off, and what only looks like it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

_SPACES = re.compile(r"\s+")
_NOT_ALNUM = re.compile(r"[\W_]+")


def clean_phrase(phrase: str) -> str:
    """The phrase as a pack gives it, without the colon that may end it."""
    return phrase.strip().removesuffix(":").rstrip()


def is_phrase(line: str, phrase: str) -> bool:
    """Whether a line is the phrase, character by character; a colon may follow."""
    return line.removesuffix(":").rstrip() == phrase


def contains_phrase(text: str, phrase: str) -> bool:
    """Whether the phrase occurs in a text, letter case and line breaks aside."""
    return _SPACES.sub(" ", phrase).casefold() in _SPACES.sub(" ", text).casefold()


def resembles_phrase(line: str, phrase: str) -> bool:
    """Whether a line was meant as the phrase, or made to look like it.

    Its letters and digits are the same, or it has the same length and differs only in characters
    beyond ASCII that stand for fewer than half of the phrase's own (a Cyrillic letter, for one).
    """
    if not 0.5 <= len(line) / len(phrase) <= 2:
        return False
    seen, wanted = _skeleton(line), _skeleton(phrase)
    if seen == wanted:
        return True
    if len(seen) != len(wanted):
        return False
    pairs = list(zip(seen, wanted, strict=True))
    same = sum(a == b for a, b in pairs)
    return same * 2 > len(pairs) and all(a == b or not a.isascii() for a, b in pairs)


def may_hold_phrase(lowered: str, phrase: str) -> bool:
    """A cheap test: without half of the phrase's longer words, a text cannot resemble it."""
    words = _longer_words(phrase)
    return sum(word in lowered for word in words) * 2 >= len(words)


@lru_cache(maxsize=8)
def _longer_words(phrase: str) -> frozenset[str]:
    return frozenset(word for word in _NOT_ALNUM.split(phrase.lower()) if len(word) >= 4)


def odd_characters(text: str, *, but: Iterable[str] = ()) -> tuple[str, ...]:
    """The names of invisible and non-ASCII characters, each once, those in `but` left out."""
    odd = dict.fromkeys(c for c in text if not " " <= c <= "~" and c not in but)
    return tuple(f"U+{ord(c):04X} {unicodedata.name(c, 'unnamed')}" for c in odd)


def _skeleton(text: str) -> str:
    """The visible letters and digits: no case, width, spaces or marks."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(c for c in folded if c.isalnum())
