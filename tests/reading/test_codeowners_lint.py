"""The lint: each code, its line, and what to write instead."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from signoff_bot.reading.codeowners import CodeownersFile, LineProblem, parse_codeowners, syntax
from signoff_bot.reading.codeowners.complaints import Complaint, with_complaints
from signoff_bot.reading.codeowners.lint import EFFORT, EFFORT_PER_LINE, lint, lint_file
from signoff_bot.reading.codeowners.text import MAX_BYTES

DOCS = Path(__file__).parents[2] / "docs" / "codeowners-lint.md"
SOURCES = Path(syntax.__file__).parent


def found(text: str, files: list[str] | None = None) -> list[tuple[int, str]]:
    return [(p.number, p.code) for p in lint(parse_codeowners(text), files)]


def only(text: str, files: list[str] | None = None) -> LineProblem:
    (problem,) = lint(parse_codeowners(text), files)
    return problem


def test_a_sound_file_has_no_problems() -> None:
    text = "* @a\n/docs/ @b\n*.md @c\n/docs/x.md\n/docs/*.txt @d\n"
    files = ["docs/x.md", "docs/y.txt", "README.md", "src/a.py"]
    assert found(text) == []
    assert found(text, files) == []


@pytest.mark.parametrize("line", ["@kiri-lund", "@octo/docs @bram-ito", "docs@example.com"])
def test_owners_without_a_pattern_are_an_error(line: str) -> None:
    problem = only(f"* @a\n{line}\n")
    assert (problem.number, problem.code, problem.severity) == (2, "owner-as-pattern", "error")
    assert f"`* {line}`" in problem.message


def test_an_image_named_like_an_address_is_none() -> None:
    assert found("logo@2x.png @a\n") == []


def test_a_directory_named_like_an_owner_is_none() -> None:
    assert found("@types @a\n", ["@types/index.d.ts"]) == []


@pytest.mark.parametrize("odd", ["docs/\u00a0@a", "docs\u200b @a", "a\x85b @a"])
def test_an_invisible_character_is_an_error(odd: str) -> None:
    problem = only(odd)
    assert (problem.code, problem.severity) == ("invisible-character", "error")
    assert re.search(r"U\+(00A0|200B|0085)", problem.message)


def test_an_escape_that_changes_nothing_is_a_warning() -> None:
    problem = only("apps\\web @a\n")
    assert (problem.code, problem.severity) == ("needless-escape", "warning")
    assert "`\\w`" in problem.message
    assert found("a\\ b @a\nc\\*d @a\n\\!e @a\nf\\[ @a\n") == []


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("/docs/", "/docs/"),
        ("/docs/a.md", "/docs/"),
        ("/docs/a.md", "*.md"),
        ("/docs/**/a.md", "*.md"),
        ("/docs/*", "/docs/"),
        ("/docs/*.md", "*.md"),
        ("/docs/*.md", "*"),
        ("/docs/a*.md", "/docs/a*"),
        ("**/logs/", "logs"),
        ("/build/logs/x", "**/logs/"),
        ("/a/*/b/", "/a/*/"),
        ("/a/**/b/c", "/a/**/c"),
        ("/a/b/**/c", "/a/**/c"),
        ("foo", "*"),
        ("/foo?", "/foo*"),
        ("/x/?y", "/x/??"),
    ],
)
def test_a_line_that_a_later_one_covers_is_shadowed(earlier: str, later: str) -> None:
    problem = only(f"{earlier} @a\n{later} @b\n")
    assert (problem.number, problem.code, problem.severity) == (1, "shadowed", "warning")
    assert f"line 2 (`{later}`)" in problem.message
    assert found(f"{later} @a\n{earlier} @b\n") in ([], [(1, "shadowed")])


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("/docs/", "/docs/*"),
        ("/docs", "/docs/"),
        ("*.md", "/docs/*.md"),
        ("*", "/*"),
        ("/a/*/c", "/a/b/c"),
        ("/a/**/c", "/a/*/c"),
        ("/foo*", "/foo?"),
        ("/foo*", "/foo?*"),
        ("*b", "b"),
        ("/a*c", "/a*b*c"),
        ("/docs/*.md", "/docs/*"),
        ("**/a/", "**/a/*"),
        ("/*", "*/"),
    ],
)
def test_a_line_with_paths_of_its_own_is_not_shadowed(earlier: str, later: str) -> None:
    assert found(f"{earlier} @a\n{later} @b\n") == []


def test_two_later_lines_may_shadow_one_together() -> None:
    problem = only("/docs/x @a\n/docs/x/ @b\n/docs/* @c\n")
    assert problem.number == 1
    assert "line 2 (`/docs/x/`) and line 3 (`/docs/*`)" in problem.message


@pytest.mark.parametrize(
    ("pattern", "files", "hint"),
    [
        ("/gone/", ["a"], "remove the line"),
        ("/Docs/", ["docs/a"], "letter case"),
        ("/docs/", ["Docs/a"], "letter case"),
        ("/web/", ["apps/web/a"], "`**/web/`"),
        ("README.md/", ["README.md"], "`README.md`"),
    ],
)
def test_a_line_that_matches_nothing_says_what_might_be_meant(
    pattern: str, files: list[str], hint: str
) -> None:
    problem = only(f"{pattern} @a\n", files)
    assert (problem.code, problem.severity) == ("matches-nothing", "warning")
    assert hint in problem.message


def test_without_the_files_nothing_is_said_about_matching() -> None:
    assert found("/gone/ @a\nlib @a\n") == []


def test_a_bare_name_of_several_directories_is_ambiguous() -> None:
    files = ["lib/a", "x/lib/b", "src/a", "docs/src"]
    problem = only("lib @a\n", files)
    assert (problem.number, problem.code) == (1, "ambiguous-directory")
    assert "lib, x/lib" in problem.message
    assert "`/lib/`" in problem.message


def test_a_line_with_a_worse_problem_is_not_also_said_to_match_nothing() -> None:
    assert found("@kiri-lund\n!x @a\n", ["a"]) == [(1, "owner-as-pattern"), (2, "negated-pattern")]


def test_a_file_that_cannot_be_used_is_one_problem() -> None:
    for content, code in ((b"#" * MAX_BYTES, "file-too-large"), (b"\xff", "file-not-utf8")):
        (problem,) = lint_file(CodeownersFile("CODEOWNERS", content))
        assert (problem.number, problem.code, problem.severity) == (0, code, "error")


@pytest.mark.parametrize("content", [b"", b"# nothing\n", b"/docs/\n"])
def test_a_file_that_names_nobody_is_an_error(content: bytes) -> None:
    (problem,) = lint_file(CodeownersFile("CODEOWNERS", content))
    assert (problem.code, problem.severity) == ("no-owners", "error")


def test_a_second_file_that_github_ignores_is_a_warning() -> None:
    (problem,) = lint_file(CodeownersFile(".github/CODEOWNERS", b"* @a", ("CODEOWNERS",)))
    assert (problem.number, problem.code, problem.severity) == (0, "ignored-file", "warning")
    assert ".github/CODEOWNERS alone" in problem.message


def alike(lines: int) -> str:
    """Patterns that each must be tried on all others: no longer text tells them apart."""
    return "".join(f"x*{'*'.join(f'{number:b}')}*x @a\n" for number in range(lines))


def test_patterns_that_are_alike_are_compared_up_to_a_limit_that_grows_with_the_file() -> None:
    codeowners = parse_codeowners(alike(2_000))
    problems = lint(codeowners)
    assert [p.severity for p in problems if p.code == "not-compared"] == ["warning"]
    assert codeowners.effort <= EFFORT + EFFORT_PER_LINE * 2_000 + 2_000


def test_a_file_that_people_keep_is_compared_in_full() -> None:
    codes = [problem.code for problem in lint(parse_codeowners(alike(300) + "x* @a\n"))]
    assert "not-compared" not in codes
    assert "shadowed" in codes


def test_what_github_says_is_added_where_it_knows_more_or_sees_it_otherwise() -> None:
    problems = lint(parse_codeowners("* @a\n!x @a\n/y @a\n/z @gone\n/[q] @a\n"))
    complaints = [
        Complaint(2, "Invalid pattern", "Invalid pattern on line 2:\n\n  !x @a\n  ^"),
        Complaint(3, "Invalid pattern", "Invalid pattern on line 3: no good\n\n  /y @a"),
        Complaint(4, "Unknown owner", "Unknown owner on line 4: make sure @gone exists\n\n  ^"),
    ]
    added = with_complaints(problems, complaints)
    assert [(p.number, p.code) for p in added] == [
        (2, "negated-pattern"),
        (3, "github-rejects"),
        (4, "unknown-owner"),
        (5, "bracket"),
        (5, "github-accepts"),
    ]
    assert added[1].message.startswith("GitHub says: Invalid pattern, no good;")
    assert added[2].message == "GitHub says: Unknown owner, make sure @gone exists"


def test_every_code_is_documented_and_every_documented_code_exists() -> None:
    code = re.compile(r'"([a-z]+(?:-[a-z0-9]+)+)"')
    used = {"bracket", "shadowed"}
    for path in SOURCES.glob("*.py"):
        used |= set(code.findall(path.read_text(encoding="utf-8")))
    headings = re.compile(r"^### `([a-z0-9-]+)`", re.MULTILINE)
    assert set(headings.findall(DOCS.read_text(encoding="utf-8"))) == used - {"utf-8"}
