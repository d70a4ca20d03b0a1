"""No text makes the reader raise, and every line is accounted for."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from signoff_bot.reading.codeowners import (
    UnusableCodeowners,
    decode_codeowners,
    parse_codeowners,
)
from signoff_bot.reading.codeowners.lint import lint

untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
_ODD = st.text(alphabet="a*?/\\[]!#@ \t\r\n\x00\x0b\x85\u00a0\u2028\ufeff.,;-é", max_size=60)
TEXTS = st.one_of(st.text(max_size=60), _ODD, st.lists(_ODD, max_size=8).map("\n".join))


@untimed
@given(TEXTS, st.lists(st.one_of(st.text(max_size=20), _ODD), max_size=5))
def test_any_text_and_any_paths_are_answered(text: str, paths: list[str]) -> None:
    codeowners = parse_codeowners(text)
    for path in paths:
        line = codeowners.match(path)
        assert codeowners.considered(path)[-1:] == (() if line is None else (line,))
        codeowners.skipped_for(path)
    for problem in lint(codeowners, paths):
        assert problem.message


@untimed
@given(TEXTS)
def test_every_line_is_valid_skipped_or_empty(text: str) -> None:
    codeowners = parse_codeowners(text)
    numbers = [line.number for line in codeowners.lines]
    numbers += [problem.number for problem in codeowners.problems]
    assert len(set(numbers)) == len(numbers)
    sources = text.removeprefix("\ufeff").split("\n")
    for number, source in enumerate(sources, start=1):
        bare = source.removesuffix("\r").strip(" \t")
        assert (number in numbers) == (bare != "" and not bare.startswith("#"))


@untimed
@given(TEXTS)
def test_a_line_reads_the_same_alone_as_among_others(text: str) -> None:
    whole = parse_codeowners(text)
    for line in whole.lines:
        source = text.removeprefix("\ufeff").split("\n")[line.number - 1]
        (alone,) = parse_codeowners("\n" + source).lines
        assert alone == line._replace(number=2)


@untimed
@given(st.binary(max_size=60))
def test_any_bytes_are_text_or_refused_in_words(content: bytes) -> None:
    try:
        text = content.decode()
    except UnicodeDecodeError:
        with pytest.raises(UnusableCodeowners):
            decode_codeowners(content)
    else:
        assert decode_codeowners(content) == text
