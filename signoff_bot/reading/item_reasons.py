"""Finds the reason that a sign-off gives for an item it leaves unticked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from signoff_bot.reading.item_words import Words, claim_of, significant, words_of

_LINK_TARGET = re.compile(r"\]\([^()\s]*\)")
_LABEL = re.compile(r"[^:]{1,80}:(?!//)")
_BY_NUMBER = re.compile(r"\b(?:item|point|box)s?\s+#?(\d{1,3})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reason:
    """A line of the detail section that may say why an item is not ticked."""

    line: int
    text: str
    words: Words


def read_reasons(
    details: Iterable[tuple[int, str]], template_lines: Iterable[str]
) -> tuple[Reason, ...]:
    """The lines in the signer's own words: no bare links, nothing the template holds already."""
    copied = {words_of(line) for line in template_lines}
    lines = ((line, _LINK_TARGET.sub("]", source)) for line, source in details)
    reasons = (Reason(line, text, words_of(text)) for line, text in lines)
    return tuple(reason for reason in reasons if reason.words and reason.words not in copied)


def find_reason(number: int, item: str, reasons: Sequence[Reason]) -> Reason | None:
    """The first line that shares two significant words with the item, or names it.

    A line that says no more than the item itself is no reason.
    """
    claim = claim_of(item)
    about = significant(claim)
    for reason in reasons:
        if set(reason.words) <= set(claim):
            continue
        if len(about & significant(reason.words)) >= 2 or _names(reason, number, claim):
            return reason
    return None


def _names(reason: Reason, number: int, claim: Words) -> bool:
    """Whether the line says what it is about: `item 4` and something more, or `Evals: ...`."""
    if any(int(found[1]) == number for found in _BY_NUMBER.finditer(reason.text)):
        return len(reason.words) > 2
    label = _LABEL.match(reason.text)
    named = words_of(label[0]) if label else ()
    return bool(significant(named)) and set(named) <= set(claim)
