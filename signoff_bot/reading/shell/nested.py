"""Finds scripts within shell commands: handed to another shell, or in command substitutions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import PurePosixPath

from signoff_bot.reading.shell.result import Command
from signoff_bot.reading.shell.source import Source
from signoff_bot.reading.shell.syntax import Assignment, Redirect, Simple
from signoff_bot.reading.shell.values import Fields, Text, joined
from signoff_bot.reading.shell.words import Part, Unknown, Variable, Word

SHELLS = ("sh", "bash", "dash", "zsh", "ksh")


def program(text: str) -> str:
    """The name of a program, without its directory."""
    return PurePosixPath(text).name if len(text) < 1000 else ""


def handed_on(command: Command) -> Iterator[Source]:
    """The scripts that a command hands to a shell: by `eval`, by `-c`, or as its input."""
    argv = command.argv
    name = program(argv[0].text) if argv else ""
    if name == "eval":
        yield source_of(joined(argv[1:]), command.line)
    for at, text in enumerate(argv[:-2]):
        if program(text.text) in SHELLS:
            yield from _commands_given(argv[at + 1 :], command.line)
            break
    if name in SHELLS or any(output.text.endswith(".sh") for output in command.outputs):
        for document in command.documents:
            yield Source(document.text, ((0, document.line),))


def _commands_given(options: Fields, line: int) -> Iterator[Source]:
    for option, script in pairwise(options):
        if not option.text.startswith("-"):
            return
        if option.text.endswith("c") and not option.text.startswith("--"):
            yield source_of(script, line)
            return


def source_of(text: Text, line: int) -> Source:
    """A text as a script, on the lines that it comes from; else on this one."""
    anchors: list[tuple[int, int]] = []
    offset = 0
    for piece in text.pieces:
        anchors.append((offset, piece.line or line))
        offset += len(piece.text)
    return Source(text.text, tuple(anchors) or ((0, line),))


def substitutions(statement: Simple) -> Iterator[Source]:
    """The scripts of the command substitutions in a command."""
    for word in statement.words:
        yield from in_parts(word.parts)
    for assignment in (*statement.assignments, *statement.arrays):
        yield from _in_assignment(assignment)
    yield from in_redirects(statement.redirects)


def in_redirects(redirects: tuple[Redirect, ...]) -> Iterator[Source]:
    """The scripts of the command substitutions in redirections."""
    for redirect in redirects:
        if redirect.target is not None:
            yield from in_parts(redirect.target.parts)


def _in_assignment(assignment: Assignment) -> Iterator[Source]:
    words = (assignment.value,) if isinstance(assignment.value, Word) else assignment.value
    for word in words:
        yield from in_parts(word.parts)


def in_parts(parts: tuple[Part, ...]) -> Iterator[Source]:
    """The scripts of the command substitutions in a word."""
    for part in parts:
        if isinstance(part, Variable):
            yield from in_parts(part.operand)
        elif isinstance(part, Unknown) and part.script.strip():
            yield Source(part.script, ((0, part.line),))
