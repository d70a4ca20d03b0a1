"""The command `action`: the entry point of the GitHub Action."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from signoff_bot.action.outside import Outside


@click.command("action")
def command() -> int:
    """Judge what the event of a workflow is about, and publish the verdict.

    Reads the event and the inputs (SIGNOFF_<NAME>) from the environment, and writes outputs,
    annotations and a summary as a workflow reads them.
    """
    import os

    from signoff_bot.action.entry import act

    return act(os.environ, _say, _outside)


def _outside() -> Outside:
    import os
    from functools import partial

    from signoff_bot.action.outside import Outside
    from signoff_bot.cli.environment import connection, server_url
    from signoff_bot.cli.files import write_file

    connect = partial(connection, _say)
    return Outside(os.environ, server_url(), connect, write_file, _say, _write)


def _say(text: str) -> None:
    from signoff_bot.render.log import log_line

    _write(f"signoff-bot: {log_line(text)}")


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
