"""Which changes of an item's words are harmless, and which may turn what it says."""

import pytest

from signoff_bot.reading.form import Item
from signoff_bot.reading.item_changes import corrected, find_change, misspelt
from signoff_bot.reading.item_match import match_items
from signoff_bot.reading.item_words import Words, words_of

PAIRS = [
    ("before", "after"),
    ("with", "without"),
    ("all", "some"),
    ("must", "may"),
    ("passing", "failing"),
    ("public", "private"),
    ("same", "different"),
    ("merged", "open"),
    ("merged", "closed"),
    ("merged", "merging"),
    ("merges", "merged"),
    ("opened", "reopened"),
    ("every", "one"),
    ("and", "or"),
    ("and", "instead of"),
    ("is", "will be"),
    ("by", "for"),
    ("at least", "at most"),
    ("above", "below"),
    ("first", "last"),
    ("include", "exclude"),
    ("typical", "atypical"),
    ("affect", "effect"),
    ("expected", "excepted"),
]


def change(said: str, wanted: str) -> str | None:
    meant = words_of(wanted)
    found = find_change(put_right(words_of(said), meant), meant)
    return None if found is None else str(found)


def put_right(said: Words, wanted: Words) -> Words:
    return corrected(said, wanted, {word: misspelt(word, frozenset(wanted)) for word in said})


@pytest.mark.parametrize(("one", "other"), PAIRS + [(b, a) for a, b in PAIRS])
def test_an_item_with_another_word_is_never_the_same_item(one, other):
    text = "Verified that the image which was built for this pull request {} the review of it works"
    wanted, said = (Item(1, 0, text.format(word), ticked=True) for word in (one, other))
    (match,) = match_items([wanted], [said], 0.8).by_item
    assert not [same for same in match.same if same.doubt is None]


HARMLESS = {
    "nothing": ("I ran the evals", "I ran the evals"),
    "article": ("I ran evals", "I ran the evals"),
    "another article": ("a merged change", "the merged change"),
    "who did it": ("I have verified", "We verified"),
    "tense": ("which has been merged", "which is merged"),
    "plural": ("the evals", "the eval"),
    "third person": ("it works", "it work"),
    "neighbours swapped": ("verfiied", "verified"),
    "letter lost": ("verifed", "verified"),
    "letter too many": ("veriffied", "verified"),
    "letter mistaken": ("verofied", "verified"),
    "other spelling": ("quantisation", "quantization"),
    "pronoun": ("the code quality is good and it does not get worse",
                "the code quality is good and the code quality does not get worse"),
}  # fmt: skip


@pytest.mark.parametrize(("said", "wanted"), HARMLESS.values(), ids=HARMLESS)
def test_a_harmless_change_is_none(said, wanted):
    assert change(said, wanted) is None


TELLING = {
    "replaced": ("it is open", "it is merged", "`open` stands for `merged`"),
    "lost": ("the code is good", "the code quality is good", "it lacks `quality`"),
    "added": ("nearly all evals pass", "all evals pass", "`nearly` was added"),
    "lost before added": ("nearly all pass", "all evals pass", "it lacks `evals`"),
    "several": ("it fails badly", "it works well", "`fails badly` stands for `works well`"),
    "first letter": ("berified", "verified", "`berified` stands for `verified`"),
    "last letter": ("verifiec", "verified", "`verifiec` stands for `verified`"),
    "two slips": ("verrifiied", "verified", "`verrifiied` stands for `verified`"),
    "distant letters swapped": ("vireeied", "verified", "`vireeied` stands for `verified`"),
    "short word": ("cope", "code", "`cope` stands for `code`"),
    "five letters": ("evels", "evals", "`evels` stands for `evals`"),
    "plural of a short word": ("as", "a s", "`as` stands for `s`"),
    "digits": ("gsm18k1", "gsm28k1", "`gsm18k1` stands for `gsm28k1`"),
    "a Chinese negation": ("the code is 不 good", "the code is good", "不"),
    "a negation is no slip": ("lacks", "lack", "`lacks` stands for `lack`"),
    "pronoun for words said later": ("it is good, says the code",
                                     "the code is good, says the code", "it lacks `code`"),
    "pronoun with another word": ("the code is good and it may get worse",
                                  "the code is good and the code can get worse", "stands for"),
    "no pronoun": ("the code is good and does not get worse",
                   "the code is good and the code does not get worse", "it lacks `code`"),
}  # fmt: skip


@pytest.mark.parametrize(("said", "wanted", "says"), TELLING.values(), ids=TELLING)
def test_any_other_change_is_named(said, wanted, says):
    found = change(said, wanted)
    assert found is not None
    assert says in found


def test_a_word_that_the_item_knows_is_not_taken_for_another_one():
    both = ("templates", "template")
    assert put_right(both, ("template", "templates")) == both


def test_a_slip_on_the_way_to_a_negation_stays_what_was_written():
    assert put_right(("without", "failed"), ("withoot", "faided")) == ("without", "failed")
