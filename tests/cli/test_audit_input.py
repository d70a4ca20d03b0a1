"""What the user says to `audit` about what may be spent."""

from __future__ import annotations

import sys

import pytest

from signoff_bot.cli.audit_input import PATIENCE, read_reserve, waiting
from signoff_bot.errors import InvalidInput


@pytest.mark.parametrize(
    ("asked", "watched", "actions", "seconds"),
    [
        (None, True, "", PATIENCE),
        (None, True, "true", 0),
        (None, False, "", 0),
        (None, False, "true", 0),
        (30, False, "true", 30),
        (0, True, "", 0),
    ],
)
def test_a_person_at_a_terminal_waits_and_a_workflow_does_not_unless_told(
    monkeypatch: pytest.MonkeyPatch, asked: int | None, watched: bool, actions: str, seconds: float
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: watched, raising=False)
    monkeypatch.setenv("GITHUB_ACTIONS", actions)
    assert waiting(asked) == seconds
    assert PATIENCE == 600


@pytest.mark.parametrize(
    ("text", "kept"), [("10%", 0.1), ("0%", 0), ("99%", 0.99), ("500", 500), ("0", 0), ("1", 1)]
)
def test_a_reserve_is_units_or_a_share(text: str, kept: float) -> None:
    assert read_reserve(text) == pytest.approx(kept)


@pytest.mark.parametrize("text", ["", "100%", "-1", "1.5", "10 %", "%", "many", "1000000000"])
def test_other_reserves_are_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="--reserve"):
        read_reserve(text)
