"""Patterns find words that look alike, whole, and in a time that no text can stretch."""

import re

import pytest
from pydantic import TypeAdapter, ValidationError

from signoff_bot.reading.patterns import Pattern, find


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("ACME-{number}", "ACME-12: log in", "ACME-12"),
        ("ACME-{number}", "fix/ACME-12-login", "ACME-12"),
        ("ACME-{number}", "(ACME-12)", "ACME-12"),
        ("ACME-{number}", "see ACME-x and ACME-7.", "ACME-7"),
        ("ACME-{number}", "acme-12", None),
        ("ACME-{number}", "XACME-12", None),
        ("ACME-{number}", "ACME-12b", None),
        ("ACME-{number}", "ACME-0", None),
        ("ACME-{number}", "ACME-", None),
        ("ACME-{number}", "ACME-" + "1" * 19, None),
        ("ACME-{number}", "ACME_12", None),
        ("ACME-{number}", "", None),
        ("#{number}", "fixes #12", "#12"),
        ("#{number}", "owner/repo#12", None),
        ("#{number}", "&#39;", None),
        ("*-{number}", "PROJ-9", "PROJ-9"),
        ("https://t.example/*-{number}", "https://t.example/AB-1?x", "https://t.example/AB-1"),
        ("https://t.example/*-{number}", "https://other.example/AB-1", None),
        (
            "https://h.example/*/issues/{number}",
            "https://h.example/a-b/c.d/issues/5",
            "https://h.example/a-b/c.d/issues/5",
        ),
        ("a.b", "a.b", "a.b"),
        ("a.b", "axb", None),
        ("(x)[y]", "(x)[y]", "(x)[y]"),
    ],
)
def test_a_pattern_finds_whole_words_only(pattern, text, found):
    assert find(pattern, text) == found


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("", "finds anything; write what it looks like: ACME-{number}"),
        ("*", "finds anything"),
        ("{number}", "finds anything"),
        ("*{number}", "finds anything"),
        (" ACME-{number}", "white space at the end of a pattern; remove it"),
        ("A*-*", "more than one `*` in a pattern; write several simpler ones"),
        ("{word}-1", "only `{number}` means something in braces"),
        ("a}", "only `{number}` means something in braces"),
        ("a{", "only `{number}` means something in braces"),
    ],
)
def test_a_pattern_that_finds_too_much_or_means_nothing_is_refused(pattern, why):
    with pytest.raises(ValidationError, match=f"error, .*{re.escape(why)}"):
        TypeAdapter(Pattern).validate_python(pattern)


def test_a_star_may_stand_once():
    assert TypeAdapter(Pattern).validate_python("*-{number}") == "*-{number}"


@pytest.mark.parametrize("text", ["-" * 65_536, "a-" * 32_768, "1" * 65_536, "#1 " * 20_000])
def test_no_text_stalls_it(text):
    assert find("*-{number}x", text) is None
