"""The bar that shows a person how far an audit is."""

from __future__ import annotations

import sys

import pytest

from signoff_bot.cli.audit import _progress


@pytest.mark.parametrize("watched", [True, False])
def test_the_bar_is_for_a_person_who_watches(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], watched: bool
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: watched, raising=False)
    with _progress() as tell:
        tell("octo-works/\x1b[2Janvil", 3, 9)
    shown = capsys.readouterr()
    assert ("anvil" in shown.err) is watched
    assert "\x1b[2Janvil" not in shown.err
    assert not shown.out
