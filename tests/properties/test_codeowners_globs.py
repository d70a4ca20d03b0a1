"""An index of globs finds what trying each of them finds."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.codeowners_reference import name_matches

from signoff_bot.reading.codeowners.finder import GlobFinder
from signoff_bot.reading.codeowners.glob import Glob, as_name

untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
_PARTS = [
    "*",
    "*",
    "*",
    "?",
    "a",
    "b",
    "name",
    "name1",
    "name12",
    "component-",
    ".test",
    ".py",
    r"\*",
]
GLOBS = (
    st.lists(st.sampled_from(_PARTS), min_size=1, max_size=6)
    .map("".join)
    .filter(lambda glob: "*" in glob.replace(r"\*", "") or "?" in glob)
)
NAMES = st.lists(
    st.sampled_from(["a", "b", "name", "1", "2", "12", "component-", ".test", ".py", "*"]),
    max_size=8,
).map("".join)


@untimed
@given(GLOBS, NAMES)
def test_a_glob_agrees_with_a_regular_expression(glob: str, name: str) -> None:
    assert Glob(glob).matches(name) == name_matches(glob, name)


@untimed
@given(st.lists(GLOBS, min_size=1, max_size=40, unique=True), st.lists(NAMES, max_size=20))
def test_the_index_finds_what_trying_each_finds(globs: list[str], names: list[str]) -> None:
    finder = GlobFinder([(Glob(glob), glob) for glob in globs])
    for name in names:
        assert sorted(finder.find(name)) == sorted(g for g in globs if name_matches(g, name))


@untimed
@given(GLOBS, GLOBS, st.lists(NAMES, max_size=30))
def test_a_glob_that_takes_another_matches_all_that_it_matches(
    wide: str, narrow: str, names: list[str]
) -> None:
    if Glob(wide).matches(as_name(narrow)):
        assert all(name_matches(wide, name) for name in names if name_matches(narrow, name))
