"""Tells a waiting person what goes on, on stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


def say(message: str) -> None:
    """A message beside the result, made harmless, for it may quote what a server said."""
    from signoff_bot.render.log import log_line

    # Not through click, which goes around the stream that `progress` puts in front of stderr.
    if sys.stderr is not None:  # else it was closed before we began
        sys.stderr.write(f"signoff-bot: {log_line(message)}\n")


@contextmanager
def progress(what: str) -> Iterator[None]:
    """Shows `what` on a moving line while it lasts, if a person watches; else nothing."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.text import Text

    # rich catches what `say` writes meanwhile and puts it above the line.
    with Console(stderr=True).status(Text(what)):
        yield
