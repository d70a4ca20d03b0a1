"""Finds the items of the current template among those of a sign-off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from signoff_bot.reading.form import Item
from signoff_bot.reading.item_changes import corrected, find_change, misspelt
from signoff_bot.reading.item_words import (
    Words,
    claim_of,
    disguised,
    is_negation,
    likeness,
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
    doubt: str | None
    """What of the added words may take it back, so that only a person can tell; None: nothing."""


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
    vocabulary = frozenset(word for texts in claims for text in texts for word in text)
    reach = 2 * max((len(text) for texts in claims for text in texts), default=0) + 20
    by_wanted: list[list[Said]] = [[] for _ in wanted]
    others: list[Item] = []
    for item in said:
        words = words_of(item.text)
        near = words[:reach]
        slips = {word: meant for word in near if (meant := misspelt(word, vocabulary))}
        readings = [[(corrected(near, text, slips), text) for text in texts] for texts in claims]
        scores = [max(likeness(*reading)[0] for reading in pair) for pair in readings]
        best = max(scores, default=0.0)
        if best >= _NEAR:
            index = scores.index(best)
            by_wanted[index].append(_compare(item, best, words, readings[index]))
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


def _compare(
    item: Item, score: float, words: Words, readings: Sequence[tuple[Words, Words]]
) -> Said:
    """An item beside what the template says, with its requests or without."""
    odd = disguised(item.text)
    if odd:
        return Said(item, score, f"it holds {', '.join(odd)}", None)
    said = []
    for near, wanted in readings:
        _, end = likeness(near, wanted)
        change = find_change(near[:end], wanted)
        altered = _alteration(near[:end], wanted)
        if altered is None and change and change.lost:
            altered = str(change)
        denies = any(map(is_negation, words[end:]))
        doubt = "its remark may deny it" if denies else str(change) if change else None
        said.append(Said(item, score, altered, doubt))
    return min(said, key=lambda one: (one.altered is not None, one.doubt is not None))


def _alteration(said: Words, wanted: Words) -> str | None:
    negations, numbers = sense(said)
    wanted_negations, wanted_numbers = sense(wanted)
    if negations != wanted_negations:
        more = negations.total() - wanted_negations.total()
        return f"a negation was {'added' if more > 0 else 'lost' if more < 0 else 'moved'}"
    return "a number was changed" if wanted_numbers - numbers else None
