"""Reads what the user says to `audit`: repositories, and what may be spent."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence

from signoff_bot.cli.environment import repository
from signoff_bot.cli.files import read_file
from signoff_bot.errors import InvalidInput
from signoff_bot.target import parse_repo

MOST_BYTES = 1_000_000
PATIENCE = 600
"""Seconds that a person at a terminal waits for limits."""


def repositories(named: Sequence[str], file: str | None, *, alone: bool) -> tuple[str, ...]:
    """The repositories by name, each once.

    Where they stand `alone` and there are none, that of the environment or of the clone.

    Raises:
        InvalidInput: one is no name of a repository, or the file cannot be read.
    """
    found = [parse_repo(name) for name in named]
    if file is not None:
        found += _listed(file)
        if not found:
            raise InvalidInput(f"--repos-file: {file} names no repository; write OWNER/REPO lines")
    if not found and alone:
        found = [repository(None)]
    return tuple({name.lower(): name for name in reversed(found)}.values())[::-1]


def _listed(file: str) -> list[str]:
    content = read_file(file, MOST_BYTES)
    try:
        lines = content.decode().splitlines()
    except UnicodeDecodeError:
        raise InvalidInput(f"--repos-file: {file} is not UTF-8 text; save it as UTF-8") from None
    if len(content) > MOST_BYTES:
        raise InvalidInput(
            f"--repos-file: {file} is over {MOST_BYTES:,} bytes long; audit it in parts"
        )
    found = []
    for number, line in enumerate(lines, start=1):
        name = line.partition("#")[0].strip()
        if name:
            try:
                found.append(parse_repo(name))
            except InvalidInput as problem:
                raise InvalidInput(f"--repos-file: {file}, line {number}: {problem}") from None
    return found


def read_reserve(text: str) -> float:
    """Units, or a share below 1 for a percentage.

    Raises:
        InvalidInput: it is neither.
    """
    found = re.fullmatch(r"([0-9]{1,6})(%?)", text, re.ASCII)
    if found is None or (found[2] and int(found[1]) >= 100):
        raise InvalidInput(f"--reserve: {text!r} is no amount; write units (500) or a share (10%)")
    return int(found[1]) / 100 if found[2] else float(found[1])


def waiting(asked: int | None) -> float:
    """How many seconds to wait for limits: in a workflow, waiting costs as much as working."""
    if asked is not None:
        return asked
    watched = sys.stderr.isatty() and not os.environ.get("GITHUB_ACTIONS")
    return PATIENCE if watched else 0
