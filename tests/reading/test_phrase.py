"""What is the phrase, what was meant as it, and what only shares its words."""

import pytest

from signoff_bot.reading.phrase import (
    clean_phrase,
    is_phrase,
    may_hold_phrase,
    odd_characters,
    resembles_phrase,
)


@pytest.mark.parametrize("given", ["I approve", "I approve:", " I approve : "])
def test_a_colon_and_spaces_around_it_are_no_part_of_the_phrase(given):
    assert clean_phrase(given) == "I approve"


@pytest.mark.parametrize(
    ("line", "same"),
    [
        ("I approve", True),
        ("I approve:", True),
        ("I approve :", True),
        ("I approve::", False),
        (" I approve", False),
        ("i approve", False),
    ],
)
def test_a_line_is_the_phrase_character_by_character(line, same):
    assert is_phrase(line, "I approve") == same


@pytest.mark.parametrize(
    ("line", "phrase", "meant"),
    [
        ("i-approve it", "I approve it", True),
        ("I approve it" + "." * 12, "I approve it", True),
        ("I approve it" + "." * 13, "I approve it", False),
        ("ab..", "ab......", True),
        ("ab.", "ab......", False),
        ("abc\u0436", "abcd", True),
        ("ab\u0436\u0436", "abcd", False),
        ("abcx", "abcd", False),
        ("abcde", "abcd", False),
    ],
)
def test_a_line_is_meant_as_the_phrase_by_its_letters_and_length(line, phrase, meant):
    assert resembles_phrase(line, phrase) == meant


@pytest.mark.parametrize(
    ("text", "phrase", "may"),
    [
        ("so beta it is", "Alpha beta", True),
        ("so alpha it is", "Alpha beta gamma", False),
        ("alpha and gamma", "Alpha beta gamma", True),
        ("of the", "Of the alpha", False),
    ],
)
def test_a_text_with_fewer_than_half_of_the_longer_words_is_not_read(text, phrase, may):
    assert may_hold_phrase(text, phrase) == may


def test_invisible_and_foreign_characters_are_named_once_each():
    assert odd_characters("a ~ z") == ()
    assert odd_characters("\u00e9\u00e9\u200b") == (
        "U+00E9 LATIN SMALL LETTER E WITH ACUTE",
        "U+200B ZERO WIDTH SPACE",
    )
    assert odd_characters("\u00e9\u200b", but="\u00e9") == ("U+200B ZERO WIDTH SPACE",)
