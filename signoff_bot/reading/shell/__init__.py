"""Reads shell scripts without running them (see `run`)."""

from signoff_bot.reading.shell.result import Assigned, Command, Document, ShellScript
from signoff_bot.reading.shell.run import read_shell
from signoff_bot.reading.shell.values import Fields, Piece, Slot, Text, Value, known

__all__ = [
    "Assigned",
    "Command",
    "Document",
    "Fields",
    "Piece",
    "ShellScript",
    "Slot",
    "Text",
    "Value",
    "known",
    "read_shell",
]
