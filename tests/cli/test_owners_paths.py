"""Paths as people and git write them."""

from __future__ import annotations

import pytest

from signoff_bot.cli.paths import from_top, split_paths, typed
from signoff_bot.errors import InvalidInput


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ("src/a.py", "src/a.py"),
        ("src\\a.py", "src/a.py"),
        ('"caf\\303\\251.txt"', "café.txt"),
        ('"tab\\there"', "tab\there"),
        ('"a\\\\b"', "a\\b"),
        ('"say \\"hi\\""', 'say "hi"'),
        ('"\\377"', "\udcff"),
        ('"é"', "é"),
    ],
)
def test_a_path_is_read_as_it_was_typed_or_printed(given: str, path: str) -> None:
    assert typed(given) == path


@pytest.mark.parametrize("given", ['"a', '"a"b', '"a\\q"', '"\\', '"\\8"'])
def test_a_quote_that_git_would_not_write_is_refused(given: str) -> None:
    with pytest.raises(InvalidInput, match=r"quote|escape"):
        typed(given)


@pytest.mark.parametrize(
    ("path", "plain"), [("./a", "a"), ("a/../b", "b"), ("a//b/", "a/b"), (".", ""), ("a/..", "")]
)
def test_dots_are_resolved(path: str, plain: str) -> None:
    assert from_top(path) == plain


@pytest.mark.parametrize("path", ["", "/a", "../a", "..", "a/../../b", "C:/a", "a\0b"])
def test_what_is_no_path_of_the_repository_is_refused_in_words(path: str) -> None:
    with pytest.raises(InvalidInput, match=r"outside|names no file"):
        from_top(path)


def test_a_list_is_split_at_line_ends_and_unquoted() -> None:
    assert split_paths(b'a b\r\n\n"\\303\\251"\nc', nul=False) == ["a b", "é", "c"]


def test_a_list_with_nul_is_taken_as_it_is() -> None:
    assert split_paths(b'a\nb\0"q"\0c\\d\0', nul=True) == ["a\nb", '"q"', "c\\d"]
