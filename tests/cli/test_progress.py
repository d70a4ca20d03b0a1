"""What a waiting person sees: a moving line on a terminal only, and messages that stand apart."""

import os
import pty
import re
import subprocess
import sys

PROGRAM = """
from signoff_bot.cli.progress import progress, say
with progress("Reading o/r#1"):
    say("waiting \\x1b[2J a moment")
say("done")
"""


def on_a_terminal(program):
    """What a program writes to the terminal it runs on."""
    ours, theirs = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "100"}
    child = subprocess.Popen([sys.executable, "-c", program], stderr=theirs, env=environment)
    os.close(theirs)
    written = b""
    while chunk := _read(ours):
        written += chunk
    os.close(ours)
    assert child.wait() == 0
    return written.decode()


def _read(terminal):
    try:
        return os.read(terminal, 4096)
    except OSError:  # what Linux says when the other side is closed
        return b""


def test_a_terminal_shows_what_goes_on_and_messages_apart_from_it():
    pieces = re.split(r"\r|\n|\x1b\[[0-9;?]*[A-Za-z]", on_a_terminal(PROGRAM))
    assert " Reading o/r#1" in pieces
    assert r"signoff-bot: waiting \u{1B}[2J a moment" in pieces
    assert "signoff-bot: done" in pieces


def test_elsewhere_only_messages_are_shown(capsys):
    exec(PROGRAM, {})
    assert capsys.readouterr() == (
        "",
        "signoff-bot: waiting \\u{1B}[2J a moment\nsignoff-bot: done\n",
    )
