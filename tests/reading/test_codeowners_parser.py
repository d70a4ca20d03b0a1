"""Reading the lines of a CODEOWNERS file."""

from __future__ import annotations

import pytest

from signoff_bot.reading.codeowners import (
    Line,
    UnusableCodeowners,
    decode_codeowners,
    parse_codeowners,
)
from signoff_bot.reading.codeowners.text import MAX_BYTES


def test_lines_keep_their_numbers_and_comments() -> None:
    codeowners = parse_codeowners(
        "# top\n\n* @kiri-lund # everything\n/docs/\t@octo/docs  bram@x.io"
    )
    assert codeowners.lines == (
        Line(3, "*", ("@kiri-lund",), "everything"),
        Line(4, "/docs/", ("@octo/docs", "bram@x.io")),
    )
    assert not codeowners.problems


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("\ufeff* @a", [(1, "*")]),
        ("* @a\r\n/x @b\r\n", [(1, "*"), (2, "/x")]),
        ("x\u2028y @a\n/z @b", [(1, "x\u2028y"), (2, "/z")]),
        ("x\x85y @a\n/z @b", [(1, "x\x85y"), (2, "/z")]),
        ("*\u00a0@a\n/z @b", [(1, "*\u00a0@a"), (2, "/z")]),
        ("a\\ b @a", [(1, "a\\ b")]),
        ("a\\ #b @a", [(1, "a\\ #b")]),
        ("a#b @a", [(1, "a#b")]),
        ("a #b @a", [(1, "a")]),
        ("  \t a\t\t@a", [(1, "a")]),
        ("", []),
        ("\n\n", []),
        (" # a\n\t#b\n#", []),
    ],
)
def test_only_line_feeds_end_lines_and_only_spaces_and_tabs_separate(
    text: str, lines: list[tuple[int, str]]
) -> None:
    codeowners = parse_codeowners(text)
    assert [(line.number, line.pattern) for line in codeowners.lines] == lines


@pytest.mark.parametrize(
    ("line", "code", "advice"),
    [
        ("!docs/ @a", "negated-pattern", "a later line"),
        ("*.[ch] @a", "bracket", "`\\[`"),
        ("a] @a", "bracket", "a line for each name"),
        ("[Docs] @a", "gitlab-section", "`#` before it"),
        ("^[Docs][2]", "gitlab-section", "owners on each line"),
        ("\\#x @a", "escaped-hash", "`**/#x`"),
        ("\\#x/y @a", "escaped-hash", "`/#x/y`"),
        ("docs\\", "trailing-backslash", "remove it"),
        ("***/*.rb @a", "triple-star", "`**/*.rb`"),
        ("a/***** @a", "triple-star", "`a/**`"),
        ("/ @a", "bare-slash", "`*`"),
        ("a//b @a", "empty-segment", "`a/b`"),
        ("// Nobody", "empty-segment", "`#`"),
        ("a\x00b @a", "control-character", "U+0000"),
        ("a\x0bb @a", "control-character", "U+000B"),
        ("a @x@y", "glued-owners", "`@x @y`"),
        ("a @x,@octo/y", "glued-owners", "`@x @octo/y`"),
        ("a @x;", "glued-owners", "`@x`"),
        ("a kiri-lund", "invalid-owner", "`@kiri-lund`"),
        ("a octo/docs", "invalid-owner", "`@octo/docs`"),
        ("a @-", "invalid-owner", "`@user`"),
        ("a docs@", "invalid-owner", "e-mail"),
        ("a @octo/", "invalid-owner", "`@org/team`"),
        ("a @x @y# nothing", "invalid-owner", "`@y#`"),
    ],
)
def test_an_invalid_line_is_skipped_with_a_code_and_what_to_write(
    line: str, code: str, advice: str
) -> None:
    codeowners = parse_codeowners(f"* @kiri-lund\n{line}\n/z @bram-ito")
    (problem,) = codeowners.problems
    assert (problem.number, problem.code, problem.severity) == (2, code, "error")
    assert problem.skipped
    assert advice in problem.message
    assert [found.number for found in codeowners.lines] == [1, 3]


@pytest.mark.parametrize(
    "pattern",
    [r"\!x", r"a\[b\]", r"a\*b", r"a\?b", r"a\\b", "{a,b}", "a!b", "@octo/x", r"\*\*\*", "a/**/b"],
)
def test_these_patterns_are_valid(pattern: str) -> None:
    assert not parse_codeowners(f"{pattern} @a").problems


@pytest.mark.parametrize(
    "owner",
    ["@a", "@octo-org/a-b", "@octo_corp", "@o/a_b.c", "@o/ent:all", "a.b+c@d-e.example.org"],
)
def test_these_are_owners(owner: str) -> None:
    assert parse_codeowners(f"* {owner}").lines[0].owners == (owner,)


@pytest.mark.parametrize(
    ("skipped", "path"),
    [
        ("*.[ch] @b", "src/a.c"),
        ("!docs/ @b", "docs/a"),
        ("\\#x @b", "#x"),
        ("docs\\", "docs"),
        ("***/x @b", "a/x"),
        ("/ @b", "anything"),
        ("a//b @b", "a/b"),
        ("docs/ @b@c", "docs/a"),
    ],
)
def test_a_skipped_line_that_may_have_been_meant_for_a_path_is_told(
    skipped: str, path: str
) -> None:
    codeowners = parse_codeowners(f"* @a\n{skipped}\n")
    decided = codeowners.match(path)
    assert decided is not None
    assert decided.number == 1
    assert [problem.number for problem in codeowners.skipped_for(path)] == [2]


def test_a_skipped_line_is_not_told_for_other_paths_nor_when_a_later_line_decides() -> None:
    codeowners = parse_codeowners("docs/ @a@b\n/docs/x @c\n[Team]\n// all\n! @x\n")
    assert codeowners.skipped_for("src/x") == ()
    assert codeowners.skipped_for("docs/x") == ()
    assert [problem.number for problem in codeowners.skipped_for("docs/y")] == [1]


def test_listed_owners_are_those_of_valid_lines_each_once_whatever_their_case() -> None:
    codeowners = parse_codeowners("* @Kiri-Lund @octo/docs\n/x @kiri-lund a@b.c\n!y @bram-ito\n")
    assert codeowners.listed_owners == ("@Kiri-Lund", "@octo/docs", "a@b.c")


@pytest.mark.parametrize(
    ("pattern", "catch_all"),
    [
        *(
            (pattern, True)
            for pattern in ("*", "**", "/**", "**/*", "/**/*", "**/**", "**/**/*", "?*")
        ),
        *((pattern, False) for pattern in ("/*", "*/", "**/", "*.*", "/?*/", "/*/", "a/**", "\\*")),
    ],
)
def test_a_catch_all_matches_every_path(pattern: str, catch_all: bool) -> None:
    (line,) = parse_codeowners(f"{pattern} @a").lines
    assert line.catch_all == catch_all
    paths = ["x", "a/b", "a/b.c/d", "b"]
    assert all(parse_codeowners(f"{pattern} @a").match(p) for p in paths) == catch_all


def test_bytes_are_read_as_utf_8() -> None:
    assert decode_codeowners("é @a\n".encode()) == "é @a\n"
    assert parse_codeowners(decode_codeowners(b"\xef\xbb\xbf* @a")).lines[0].pattern == "*"


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        (b"* @a\n\xff @b", "file-not-utf8", "line 2"),
        ("* @a".encode("utf-16"), "file-not-utf8", "0xff"),
        (b"#" * MAX_BYTES, "file-too-large", "loads none"),
    ],
)
def test_a_file_that_cannot_be_used_is_an_error_that_says_why(
    content: bytes, code: str, words: str
) -> None:
    with pytest.raises(UnusableCodeowners, match=words) as raised:
        decode_codeowners(content)
    assert raised.value.code == code


def test_a_file_just_under_the_limit_is_read() -> None:
    assert len(decode_codeowners(b"#" * (MAX_BYTES - 1))) == MAX_BYTES - 1
