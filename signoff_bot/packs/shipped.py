"""Where the packs that come with the tool are."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent.parent


def shipped_folder() -> Path:
    """The folder of the shipped packs: inside the installed package, or beside it in a checkout."""
    inside = _PACKAGE / "rules"
    return inside if inside.is_dir() else _PACKAGE.parent / "rules"


def shipped_names() -> list[str]:
    """The names of the shipped packs, in alphabetical order."""
    return sorted(file.stem for file in shipped_folder().glob("*.yaml"))
