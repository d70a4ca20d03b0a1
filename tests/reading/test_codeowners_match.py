"""Matching beyond the tables: precedence, hostile patterns, and odd paths."""

from __future__ import annotations

import pytest

from signoff_bot.reading.codeowners import parse_codeowners


def owner(text: str, path: str) -> int | None:
    line = parse_codeowners(text).match(path)
    return None if line is None else line.number


def test_the_last_line_that_matches_decides() -> None:
    text = "* @a\n/docs/ @b\n*.md @c\n/docs/x.md\n"
    assert [owner(text, path) for path in ("a", "docs/a", "docs/a.md", "docs/x.md")] == [1, 2, 3, 4]


def test_no_line_and_a_line_without_owners_stay_apart() -> None:
    codeowners = parse_codeowners("/docs/\n")
    assert codeowners.match("src") is None
    line = codeowners.match("docs/a")
    assert line is not None
    assert line.owners == ()


def test_paths_are_case_sensitive() -> None:
    assert owner("/Docs/ @a", "docs/a") is None


def test_the_lines_considered_stand_in_file_order_duplicates_included() -> None:
    codeowners = parse_codeowners("* @a\n/x/ @b\n/y/ @c\n/x/ @d\nx @e\n/x @f\n")
    assert [line.number for line in codeowners.considered("x/z")] == [1, 2, 4, 5, 6]
    assert [line.number for line in codeowners.considered("x")] == [1, 5, 6]
    assert codeowners.considered("q/r")[-1] == codeowners.match("q/r")


def test_used_lines_are_those_that_match_some_path_even_if_they_never_win() -> None:
    codeowners = parse_codeowners("*.py @a\n/src/ @b\n/src/ @c\n/lib/ @d\n")
    assert codeowners.used(["src/a.py", "README"]) == {1, 2, 3}
    assert codeowners.used([]) == set()


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        (r"a\/b", "a/b", True),
        (r"\a", "a", True),
        (r"a\**", "a*b", True),
        (r"a\**", "ab", False),
        ("a**b", "axxb", True),
        ("/a**b", "a/b", False),
        ("x?*y", "xy", False),
        ("x*?y", "xzy", True),
        ("/?*", "a/b", True),
        ("/?*/b", "a/b", True),
        ("??", "ab", True),
        ("??", "a", False),
        ("?", "é", True),
        ("a/**/**/b", "a/b", True),
        ("a/**/*", "a/b/c", True),
        ("a/**/*/", "a/b", False),
        ("a/**/*/", "a/b/c", True),
        ("**/", "a", False),
        ("**/", "a/b", True),
        ("foo/**/", "foo/a", False),
        ("*b*b*", "abab", True),
        ("*b*b*", "aba", False),
        ("a*a", "a", False),
        ("ab*ba", "aba", False),
    ],
)
def test_corners_of_the_syntax(pattern: str, path: str, matches: bool) -> None:
    assert (owner(f"{pattern} @a", path) == 1) == matches


def test_many_globs_on_one_directory_are_told_apart() -> None:
    globs = [
        *(f"*-{n}.py" for n in range(60)),
        *(f"test-{n}*" for n in range(60)),
        *(f"*component-name-{n}-*" for n in range(60)),
        "?",
        "*z*",
        "a*-7.py",
    ]
    codeowners = parse_codeowners("".join(f"/src/{glob} @a\n" for glob in globs))

    def deciding(name: str) -> str | None:
        line = codeowners.match(f"src/{name}")
        return None if line is None else line.pattern.removeprefix("/src/")

    assert deciding("x-17.py") == "*-17.py"
    assert deciding("x-1.py") == "*-1.py"
    assert deciding("x-.py") is None
    assert deciding("test-33") == "test-33*"
    assert deciding("my-component-name-41-x") == "*component-name-41-*"
    assert deciding("component-name-4") is None
    assert deciding("q") == "?"
    assert deciding("haze") == "*z*"
    assert deciding("ab-7.py") == "a*-7.py"


@pytest.mark.parametrize(
    "path", ["", "/", "//", "a//b", "/a", "a/", "./a", "../a", "\x00", "\udcff/x", "a" * 5000]
)
def test_odd_paths_are_answered(path: str) -> None:
    codeowners = parse_codeowners("* @a\n/x/**/y @b\n")
    line = codeowners.match(path)
    assert line is not None
    assert codeowners.considered(path)


def test_hostile_patterns_and_paths_take_no_time() -> None:
    codeowners = parse_codeowners(
        f"{'*a' * 40}*b @a\n{'/**/a' * 200}/b @b\n{'?*' * 500}b @c\n{'a/' * 2000}b @d\n"
    )
    assert codeowners.match("a" * 20_000) is None
    assert codeowners.match("a/" * 2000 + "c") is None
    found = codeowners.match("a/" * 2000 + "b")
    assert found is not None
    assert found.number == 4
    assert codeowners.match("a" * 600 + "b") == codeowners.lines[2]


def test_a_path_of_any_length_is_answered() -> None:
    deep = "/".join("d" for _ in range(20_000))
    codeowners = parse_codeowners(f"/{deep}/ @a\n**/d/x @b\n")
    assert owner(f"/{deep}/ @a\n", f"{deep}/f") == 1
    line = codeowners.match(f"{deep}/x")
    assert line is not None
    assert line.number == 2


def test_a_file_of_forty_thousand_lines_is_answered() -> None:
    text = "".join(f"/dir{n % 1000}/sub{n}/*.py @a\n" for n in range(40_000))
    codeowners = parse_codeowners(text)
    line = codeowners.match("dir999/sub39999/x.py")
    assert line is not None
    assert line.number == 40_000
