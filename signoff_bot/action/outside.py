"""The world outside of a run of the Action, handed in so that nothing here reaches for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from signoff_bot.audit.start import Connect


@dataclass(frozen=True, slots=True)
class Outside:
    """The environment, and how to reach beyond it."""

    environ: Mapping[str, str]
    server: str
    """The GitHub whose pages people see."""
    connect: Connect
    write_file: Callable[[str, bytes], None]
    say: Callable[[str], None]
    """Writes a line of text to the log."""
    command: Callable[[str], None]
    """Writes a command to the log."""
