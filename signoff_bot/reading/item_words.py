"""What a checklist item says, as far as a machine can compare it with what it should say."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise

_URL = re.compile(r"https?://\S+", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_NEGATIONS = frozenset(
    _WORD.findall(
        """no not none nor nothing never neither cannot without except unless hardly barely but
        fail fails failed failing false lack lacks lacked lacking instead nope todo tbd wip
        arent cant couldnt didnt doesnt dont hasnt havent isnt shouldnt wasnt werent wont wouldnt"""
    )
)
# Chinese puts no spaces between words: one of these signs makes the whole run a negation.
_NEGATIVE_SIGNS = frozenset("不没沒未无無非否勿别別莫除但")
_COMMON = frozenset(
    _WORD.findall(
        """above also been being below criteria does from have into latest made make more only
        other provided same section some such than that their them then there these they this
        those used uses using verified were what when where which will with your"""
    )
)

Words = tuple[str, ...]


def words_of(text: str) -> Words:
    """The words of a text: no case, width, punctuation or addresses, `can't` and so on kept."""
    text = unicodedata.normalize("NFKC", _URL.sub(" ", text)).replace("\u2019", "'")
    return tuple(_WORD.findall(text.casefold()))


def claim_of(text: str) -> Words:
    """The words of an item without its requests: sentences that begin with "Please".

    A request is answered by what takes its place (a link), so its words may be missing.
    """
    kept = [s for s in _SENTENCE_END.split(text) if not s.casefold().startswith("please ")]
    return words_of(" ".join(kept)) or words_of(text)


@lru_cache(maxsize=512)
def significant(words: Words) -> frozenset[str]:
    """The words that say what a text is about: four letters or more, plural or not."""
    return frozenset(_stem(w) for w in words if len(w) >= 4 and w not in _COMMON)


def likeness(said: Words, wanted: Words) -> tuple[float, int]:
    """How much of what was wanted was said, from 0 to 1, and after how many words.

    It is the lower of two shares: difflib's ratio over words (twice the words in common, in order,
    by the words of both), taken where it is highest so that a remark after the item costs nothing;
    and the share of significant words kept, so that `passes tests` is not nearly `passes evals`.
    Where less than half of these is kept, it is 0.
    """
    if said[: len(wanted)] == wanted:
        return 1.0, len(wanted)
    near, weighty = said[: 2 * len(wanted) + 20], significant(wanted)
    if 2 * len(weighty & significant(near)) < len(weighty):
        return 0.0, 0
    ratio, end, common = 0.0, 0, 0
    for block in SequenceMatcher(None, near, wanted, autojunk=False).get_matching_blocks():
        common += block.size
        here = 2 * common / (len(wanted) + block.a + block.size)
        if block.size and here > ratio:
            ratio, end = here, block.a + block.size
    kept = len(weighty & significant(near[:end])) / len(weighty) if weighty else 1.0
    return min(ratio, kept), end


def sense(words: Words) -> tuple[Counter[tuple[str, str]], Counter[str]]:
    """What no likeness may bridge: each negation with the word after it, and the numbers."""
    negations = ((w, n) for w, n in pairwise((*words, "")) if is_negation(w))
    return Counter(("not", n) for _, n in negations), Counter(filter(str.isdigit, words))


def is_negation(word: str) -> bool:
    """Whether the word turns a statement round, in English or Chinese."""
    return word in _NEGATIONS or word.endswith("n't") or not _NEGATIVE_SIGNS.isdisjoint(word)


def disguised(text: str) -> tuple[str, ...]:
    """The names of characters that make a word read differently from what it is.

    They are invisible ones, and letters of other scripts within a word of Latin letters.
    """
    found = [c for c in text if c != "\t" and unicodedata.category(c)[0] == "C"]
    for word in _WORD.findall(unicodedata.normalize("NFC", text)):
        if any(c.isascii() and c.isalpha() for c in word):
            found += [c for c in word if not c.isascii() and "LATIN" not in unicodedata.name(c, "")]
    return tuple(f"U+{ord(c):04X} {unicodedata.name(c, 'unnamed')}" for c in dict.fromkeys(found))


def _stem(word: str) -> str:
    return word.removesuffix("'s").removesuffix("s")
