"""Lines for the log of a workflow, where a line may be a command to the runner.

`::set-output ...` at the beginning of a line, white space aside, and `##[...]` anywhere in it are
commands, whoever made the text. Lines made here hold none but our own annotations.
"""

from __future__ import annotations

import re
from typing import Literal

from signoff_bot.render.inert import visible

Level = Literal["error", "warning", "notice"]

_FIRST = re.compile(r"^\s*:(?=:)")


def log_line(text: str, limit: int = 2000) -> str:
    """The text on one visible line that commands nothing."""
    shown = visible(text, limit).replace("##[", r"##\u{5B}")
    return _FIRST.sub(r"\\u{3A}", shown)


def annotation(level: Level, title: str, message: str) -> str:
    """A command that shows a message, possibly of several lines, on the run's page."""
    escaped = _escape("\n".join(log_line(line, 1000) for line in message.split("\n")))
    named = _escape(log_line(title, 100)).replace(":", "%3A").replace(",", "%2C")
    return f"::{level} title={named}::{escaped}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
