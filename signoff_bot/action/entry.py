"""The door of the Action: most events ask for nothing, and are turned away at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from signoff_bot.action.outputs import write_outputs
from signoff_bot.errors import InvalidInput
from signoff_bot.event import BadEvent, read_event

if TYPE_CHECKING:
    from signoff_bot.action.outside import Outside


def act(
    environ: Mapping[str, str], say: Callable[[str], None], outside: Callable[[], Outside]
) -> int:
    """Does what the event in the environment asks for; returns the exit status.

    Raises:
        InvalidInput: the event is not what GitHub sends.
    """
    try:
        event = read_event(environ)
    except BadEvent as problem:
        raise InvalidInput(str(problem)) from None
    if not event.needed:
        say(f"nothing to do: {event.reason}")
        write_outputs(environ, {"verdict": ""})
        return 0
    from signoff_bot.action.run import run

    return run(outside(), event)
