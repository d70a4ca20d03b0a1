"""A line that is said to be shadowed never decides."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from properties.test_codeowners_matching import PATHS, PATTERNS

from signoff_bot.reading.codeowners import parse_codeowners

untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@untimed
@given(st.lists(PATTERNS, min_size=2, max_size=10), st.lists(PATHS, min_size=1, max_size=30))
def test_a_shadowed_line_never_decides(patterns: list[str], paths: list[str]) -> None:
    codeowners = parse_codeowners("".join(f"{pattern} @octavia-chen\n" for pattern in patterns))
    shadowed = {line for line in codeowners.lines if codeowners.shadowing(line)}
    assert not shadowed & {codeowners.match(path) for path in paths}


@untimed
@given(PATTERNS)
def test_a_line_is_shadowed_by_the_same_pattern_and_by_a_catch_all(pattern: str) -> None:
    for later in (pattern, "*", "**"):
        first, second = parse_codeowners(f"{pattern} @a\n{later} @b\n").lines
        assert parse_codeowners(f"{pattern} @a\n{later} @b\n").shadowing(first) == (second,)
