"""Finds the items of the current template among those of a sign-off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from signoff_bot.reading.form import Item
from signoff_bot.reading.item_words import (
    Words,
    claim_of,
    claims_the_same,
    disguised,
    is_negation,
    likeness,
    opposite,
    sense,
    words_of,
)

_NEAR = 0.5
"""From this likeness on an item is shown as an altered one rather than as another."""


@dataclass(frozen=True, slots=True)
class Said:
    """A sign-off's item beside the template's item that it is most like."""

    item: Item
    likeness: float
    altered: str | None
    """What makes it another statement, however alike; None where nothing does."""
    remark_negates: bool
    """Whether the words after the item hold a negation, so that only a person can read them."""


@dataclass(frozen=True, slots=True)
class Match:
    """A template's item and what a sign-off says of it, best first."""

    wanted: Item
    same: tuple[Said, ...]
    near: tuple[Said, ...]
    """What may be an old or altered form of it, where `same` is empty."""


@dataclass(frozen=True, slots=True)
class Matches:
    """The whole comparison; `others` are items that the template does not hold."""

    by_item: tuple[Match, ...]
    others: tuple[Item, ...]


def match_items(wanted: Sequence[Item], said: Sequence[Item], similarity: float) -> Matches:
    """Compares the items of a template with those of a sign-off; each of these counts once.

    `similarity` is the lowest `likeness`, not below 0.5, at which two items are the same one.
    """
    claims = [(claim_of(item.text), words_of(item.text)) for item in wanted]
    by_wanted: list[list[Said]] = [[] for _ in wanted]
    others: list[Item] = []
    for item in said:
        words = words_of(item.text)
        scores = [
            max(likeness(words, claim)[0], likeness(words, full)[0]) for claim, full in claims
        ]
        best = max(scores, default=0.0)
        if best >= _NEAR:
            index = scores.index(best)
            by_wanted[index].append(_compare(item, words, best, claims[index]))
        else:
            others.append(item)
    matches = []
    for item, found in zip(wanted, by_wanted, strict=True):
        found.sort(key=lambda s: -s.likeness)
        same = tuple(s for s in found if s.likeness >= similarity and s.altered is None)
        rest = [s for s in found if s not in same]
        if same:
            others += [s.item for s in rest]
        matches.append(Match(item, same, () if same else tuple(rest)))
    return Matches(tuple(matches), tuple(sorted(others, key=lambda item: item.line)))


def _compare(item: Item, words: Words, score: float, wanted: tuple[Words, Words]) -> Said:
    claim, full = wanted
    odd = disguised(item.text)
    if odd:
        return Said(item, score, f"it holds {', '.join(odd)}", remark_negates=False)
    _, end = likeness(words, claim)
    altered, negates = None, False
    if sense(words) != sense(full):
        altered = _alteration(words[:end], claim)
        negates = any(map(is_negation, words[end:]))
    return Said(item, score, altered or _reversal(words[:end], claim), negates)


def _alteration(said: Words, wanted: Words) -> str | None:
    negations, numbers = sense(said)
    wanted_negations, wanted_numbers = sense(wanted)
    if negations != wanted_negations:
        more = negations.total() - wanted_negations.total()
        return f"a negation was {'added' if more > 0 else 'lost' if more < 0 else 'moved'}"
    return "a number was changed" if wanted_numbers - numbers else None


def _reversal(said: Words, wanted: Words) -> str | None:
    turned = opposite(said, wanted)
    if turned is not None:
        return f"`{turned}` turns it round"
    return None if claims_the_same(said, wanted) else f"it lacks `{wanted[0]}`"
