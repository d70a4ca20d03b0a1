"""Matching agrees with git, with pathspec, and with a plain matcher of one rule at a time."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from pathspec import PathSpec
from support.codeowners_reference import reference_last, reference_match

from signoff_bot.reading.codeowners import parse_codeowners

untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
_PIECES = ["a", "b", "ab", ".c", "-", "*", "*", "?", "**", r"\ ", r"\*", r"\?", r"\\", r"\b"]
_SEGMENTS = st.one_of(
    st.sampled_from(["a", "b", "ab", "*", "**", "a.c", "*.c", "a*", "*b*"]),
    st.lists(st.sampled_from(_PIECES), min_size=1, max_size=4).map("".join),
)
PATTERNS = st.builds(
    lambda start, segments, end: start + "/".join(segments) + end,
    st.sampled_from(["", "", "/"]),
    st.lists(_SEGMENTS, min_size=1, max_size=5),
    st.sampled_from(["", "", "/"]),
).filter(lambda pattern: not parse_codeowners(pattern).problems)

_NAMES = st.one_of(
    st.sampled_from(["a", "b", "ab", "a.c", "b.c", ".c"]),
    st.lists(
        st.sampled_from(["a", "b", "ab", ".c", "-", " ", "*", "?", "\\"]), min_size=1, max_size=4
    )
    .map("".join)
    .filter(lambda name: name not in (".", "..")),
)
PATHS = st.lists(_NAMES, min_size=1, max_size=6).map("/".join)


def matches(pattern: str, path: str) -> bool:
    return parse_codeowners(f"{pattern} @octavia-chen").match(path) is not None


@untimed
@given(PATTERNS, st.lists(PATHS, min_size=1, max_size=20))
@example("foo/**/", ["foo/a", "foo/a/b", "foo"])
@example("**/", ["a", "a/b"])
@example("**/*/", ["a", "a/b", "a/b/c"])
@example("a/**/*/**", ["a/b", "a/b/c", "a/b/c/d"])
def test_one_pattern_agrees_with_the_plain_matcher(pattern: str, paths: list[str]) -> None:
    for path in paths:
        assert matches(pattern, path) == reference_match(pattern, path), path


@untimed
@given(st.lists(PATTERNS, min_size=1, max_size=30), st.lists(PATHS, min_size=1, max_size=15))
def test_the_last_of_many_rules_agrees_with_the_plain_matcher(
    patterns: list[str], paths: list[str]
) -> None:
    codeowners = parse_codeowners("".join(f"{pattern} @kiri-lund\n" for pattern in patterns))
    for path in paths:
        line = codeowners.match(path)
        expected = reference_last(patterns, path)
        assert (None if line is None else line.number - 1) == expected, path


@untimed
@given(st.lists(PATTERNS, min_size=1, max_size=30), st.lists(PATHS, min_size=1, max_size=15))
def test_the_lines_considered_are_all_that_match_and_end_with_the_one_that_decides(
    patterns: list[str], paths: list[str]
) -> None:
    codeowners = parse_codeowners("".join(f"{pattern} @kiri-lund\n" for pattern in patterns))
    for path in paths:
        lines = codeowners.considered(path)
        assert [line.number - 1 for line in lines] == [
            number for number, pattern in enumerate(patterns) if reference_match(pattern, path)
        ]
        assert (lines[-1] if lines else None) == codeowners.match(path)


@untimed
@given(st.lists(PATTERNS, min_size=1, max_size=12), st.lists(PATHS, min_size=1, max_size=12))
def test_the_order_in_which_paths_are_asked_changes_nothing(
    patterns: list[str], paths: list[str]
) -> None:
    text = "".join(f"{pattern} @kiri-lund\n" for pattern in patterns)
    forwards, backwards = parse_codeowners(text), parse_codeowners(text)
    asked = {path: backwards.match(path) for path in reversed(paths)}
    assert {path: forwards.match(path) for path in paths} == asked


@untimed
@given(PATTERNS, st.lists(PATHS, min_size=1, max_size=20))
def test_agrees_with_pathspec(pattern: str, paths: list[str]) -> None:
    assume(not pattern.endswith("**/"))  # pathspec reads `a/**/` as `a/**`; git does not
    spec = PathSpec.from_lines("gitignore", [pattern], backend="simple")
    for path in paths:
        assert matches(pattern, path) == spec.match_file(path), path


def run_git(*arguments: str, paths: list[str] | None = None) -> subprocess.CompletedProcess[str]:
    """Runs git without anybody's configuration."""
    return subprocess.run(
        ["git", "-c", "core.excludesFile=", "-c", "core.ignoreCase=false", *arguments],
        input=None if paths is None else "\0".join(paths),
        env={"PATH": os.environ["PATH"], "HOME": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"},
        capture_output=True,
        text=True,
    )


@pytest.fixture(scope="module")
def git(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("git")
    run_git("init", "-q", str(home)).check_returncode()
    return home


@settings(
    deadline=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(PATTERNS, st.lists(PATHS, min_size=1, max_size=40, unique=True))
def test_agrees_with_git_check_ignore(git: Path, pattern: str, paths: list[str]) -> None:
    assume(not _documented_exception(pattern))
    (git / ".git" / "info").mkdir(exist_ok=True)
    (git / ".git" / "info" / "exclude").write_text(f"{pattern}\n")
    asked = ("-C", str(git), "check-ignore", "--no-index", "--stdin", "-z")
    answer = run_git(*asked, paths=paths)
    assert answer.returncode in (0, 1), answer.stderr
    ignored = set(answer.stdout.split("\0")) - {""}
    assert {path for path in paths if matches(pattern, path)} == ignored


def _documented_exception(pattern: str) -> bool:
    """Where GitHub differs from git: `docs/*` owns the files right in docs and nothing below."""
    return "/" in pattern[:-1] and pattern.endswith("/*")


def test_a_star_alone_at_the_end_is_the_exception_to_git() -> None:
    assert _documented_exception("docs/*")
    assert matches("docs/*", "docs/a.md")
    assert not matches("docs/*", "docs/a/b.md")
    assert matches("docs/a*", "docs/ab/b.md")
