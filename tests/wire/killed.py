"""Runs the command in this process, and kills the process without any warning at a chosen step.

A step is an HTTP request, a statement to the store, or the writing of a result: whatever leaves
something behind. They are counted, so that the same number kills at about the same place each time.

    python killed.py STEP WIDTH ARGUMENT...

STEP 0 kills never, and says on stderr how many steps there were. WIDTH is how many pull requests an
audit collects at once.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
import threading
from typing import Any

import requests

import signoff_bot.audit.run
import signoff_bot.cli.files
from signoff_bot.cli import run


class Steps:
    """Counts, and kills."""

    def __init__(self, last: int) -> None:
        self._last, self.count = last, 0
        self._lock = threading.Lock()

    def __call__(self) -> None:
        with self._lock:
            self.count += 1
            if self.count == self._last:
                os.kill(os.getpid(), signal.SIGKILL)


def main(last: int, width: int, argv: list[str]) -> int:
    """Runs the command; returns its exit status, if it lives."""
    step = Steps(last)
    ask, write = requests.Session.request, signoff_bot.cli.files.write_result

    def counted_request(*given: Any, **named: Any) -> Any:
        step()
        return ask(*given, **named)

    def counted_result(*given: Any) -> None:
        step()
        write(*given)

    class Counted(sqlite3.Connection):
        def execute(self, *given: Any) -> sqlite3.Cursor:
            step()
            return super().execute(*given)

    connect = sqlite3.connect
    sqlite3.connect = lambda *given, **named: connect(*given, factory=Counted, **named)  # type: ignore[assignment]
    requests.Session.request = counted_request  # type: ignore[method-assign]
    signoff_bot.cli.files.write_result = counted_result
    signoff_bot.audit.run.WIDTH = width
    status = run(argv)
    sys.stderr.write(f"{step.count}\n")
    return status


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
