"""Tells harmless changes of an item's words from those that may change what it says.

No list of opposites could be complete, so the rule is turned about: nothing may change but what is
known to be harmless. That is a slip of spelling within a long word, a plural, a word of a closed
set that says nothing by itself, and a pronoun for words that the item has said before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from signoff_bot.reading.item_words import Words, is_negation

_STAND_INS = frozenset({"it", "they", "them"})
_FILLERS = _STAND_INS.union(
    ("a", "an", "the", "i", "we", "my", "our", "its", "this", "that", "these", "those"),
    ("there", "here", "so", "also", "any"),
    ("is", "are", "was", "were", "be", "been", "being", "has", "have", "had"),
)
"""Words that may come and go. No quantity (`all`), modality (`may`), relation (`with`, `before`) or
link (`and`) is among them: each of those can turn a statement."""

_LONG = 6
"""Letters from which on a word with one slip in it is hardly another word."""


@dataclass(frozen=True, slots=True)
class Change:
    """The first place where the words differ in more than form."""

    lost: Words
    new: Words

    def __str__(self) -> str:
        lost, new = (f"`{' '.join(words)}`" for words in (self.lost, self.new))
        if not self.lost:
            return f"{new} was added"
        return f"{new} stands for {lost}" if self.new else f"it lacks {lost}"


@lru_cache(maxsize=4096)
def misspelt(word: str, vocabulary: frozenset[str]) -> frozenset[str]:
    """The words that a word may be meant for, other than itself. A negation is always meant."""
    if is_negation(word):
        return frozenset()
    alike = (meant for meant in vocabulary if meant[0] == word[0] and meant != word)
    return frozenset(meant for meant in alike if _misspells(word, meant))


def corrected(said: Words, wanted: Words, slips: Mapping[str, frozenset[str]]) -> Words:
    """The said words, each that only misspells a wanted one replaced by that.

    `slips` tells for words what they may be meant for.
    """
    known = set(wanted)
    odd = {word for word in said if word in slips and word not in known}
    meant = {word: next((w for w in wanted if w in slips[word]), word) for word in odd}
    return tuple(meant.get(word, word) for word in said) if meant else said


def find_change(said: Words, wanted: Words) -> Change | None:
    """Where the said words say something else than the wanted ones; None where they do not.

    Words that were lost come first: what was only added may still leave the statement true.
    """
    if _telling(said) == _telling(wanted):
        return None
    changes = []
    for _, a, b, c, d in SequenceMatcher(None, wanted, said, autojunk=False).get_opcodes():
        change = Change(_telling(wanted[a:b]), _telling(said[c:d]))
        pronoun = not change.new and not _STAND_INS.isdisjoint(said[c:d])
        if change.lost != change.new and not (pronoun and set(change.lost) <= set(said[:c])):
            changes.append(change)
    return min(changes, key=lambda change: not change.lost, default=None)


def _telling(words: Words) -> Words:
    return tuple(word for word in words if word not in _FILLERS)


def _misspells(said: str, meant: str) -> bool:
    """Whether two words of one beginning differ by a plural, or by one slip before the last letter.

    A slip is a letter lost, doubled or mistaken, or two neighbours that changed places.
    """
    if not (said.isalpha() and meant.isalpha()):
        return False
    if said.removesuffix("s") == meant.removesuffix("s"):
        return len(meant) >= 4
    if len(meant) < _LONG or said[-1] != meant[-1]:
        return False
    while said and meant and said[0] == meant[0]:
        said, meant = said[1:], meant[1:]
    while said and meant and said[-1] == meant[-1]:
        said, meant = said[:-1], meant[:-1]
    return max(len(said), len(meant)) <= 1 or (len(said) == 2 and said == meant[::-1])
