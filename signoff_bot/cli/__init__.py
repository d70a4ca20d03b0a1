"""The command line: each command calls one library function and returns its exit status.

A command's module imports nothing heavy until the command runs, so that `--help` answers at once.
"""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from collections.abc import Sequence

import click

from signoff_bot import __version__
from signoff_bot.errors import SignoffBotError

_COMMANDS = ("verify", "audit", "draft", "owners", "rules", "action")


class _LazyGroup(click.Group):
    """A group that imports a command's module when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"signoff_bot.cli.{cmd_name}")
        command: click.Command = module.command
        return command


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit status: 0 compliant; 1 not compliant; 2 wrong usage or invalid input; "
    "3 the evidence could not be obtained, so nothing was decided.",
)
@click.version_option(__version__, prog_name="signoff-bot")
def _root() -> None:
    """Verify pull-request sign-offs from evidence."""


def main(argv: Sequence[str] | None = None) -> None:
    """The installed command `signoff-bot`; exits with the command's status."""
    sys.exit(run(argv))


def run(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status; every failure becomes a sentence on stderr."""
    try:
        status = _root.main(args=argv, prog_name="signoff-bot", standalone_mode=False)
    except click.Abort:
        return 130
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except SignoffBotError as error:
        return _fail(str(error), error.exit_status)
    except BrokenPipeError:
        # The reader went away (`| head`); point stdout elsewhere so that the exit flush is silent.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:  # noqa: BLE001 - the last line of defence: a sentence, no traceback
        if os.environ.get("SIGNOFF_BOT_TRACEBACK"):
            traceback.print_exc()
        return _fail(
            f"internal error: {type(error).__name__}: {error}; nothing was decided. Please report "
            "it; with SIGNOFF_BOT_TRACEBACK=1 in the environment the traceback is shown.",
            3,
        )
    return status if isinstance(status, int) else 0


def _fail(message: str, status: int) -> int:
    """Says what went wrong; messages quote files and answers, so they are made visible first."""
    from signoff_bot.render.log import log_line

    shown = "\n".join(log_line(line) for line in message.split("\n"))
    click.echo(f"signoff-bot: {shown}", err=True)
    return status
