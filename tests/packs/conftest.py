"""Packs over a check kind of the tests' own, so that they depend on no shipped check or pack."""

from pathlib import Path

import pytest
from support import probe


@pytest.fixture
def shipped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder of the shipped packs, which are `basic` alone."""
    probe.install(monkeypatch, tmp_path, basic=probe.BASIC)
    return tmp_path / "rules"
