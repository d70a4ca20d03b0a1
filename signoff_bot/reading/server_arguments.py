"""Reads with which arguments a launch script starts an inference server.

Spellings of an argument (`--tp 8`, `-tp=8`, `--tensor_parallel_size 8`) are one by its parameters;
hyphens and underscores are the same. What only a run would tell stays open, and says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import Field

from signoff_bot.reading.benchmark_clients import starts
from signoff_bot.reading.settings import Settings
from signoff_bot.reading.shell import Command, ShellScript, Slot, Text

_NUMBER = re.compile(r"-[0-9.]+")


class MajorArgument(Settings):
    """An argument that makes a launch what it is."""

    names: tuple[str, ...] = Field(
        min_length=1,
        description="Its spellings without hyphens before them; findings use the first.",
    )
    trivial: tuple[str, ...] = Field(
        default=(), description="Values that change nothing, such as `1` for a parallelism."
    )
    same: tuple[tuple[str, ...], ...] = Field(
        default=(), description="Groups of values that mean the same."
    )
    implied_by: tuple[str, ...] = Field(
        default=(), description="Texts in a recipe that stand for it, whatever its value."
    )


class ServerRules(Settings):
    """Which servers there are, and which of their arguments matter."""

    servers: dict[str, tuple[str, ...]] = Field(
        description="For each engine (`framework`), the words that start it, such as `vllm serve`."
    )
    model: tuple[str, ...] = Field(
        default=("model", "model-path"),
        description="Arguments that name the model; without one it is the first plain word.",
    )
    major: tuple[MajorArgument, ...] = Field(description="The arguments that matter.")
    harness: tuple[str, ...] = Field(
        default=(), description="Arguments of the benchmark alone, which are not spoken of."
    )


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a server."""

    name: str
    """Without hyphens before it, with hyphens in it, in lower case."""
    value: Text | None
    """None for a plain switch."""
    line: int
    always: bool
    """Whether every run of the script gives it."""


@dataclass(frozen=True, slots=True)
class Launch:
    """A start of an inference server."""

    engine: str
    line: int
    arguments: tuple[Argument, ...]
    model: Argument | None
    open_ended: tuple[Text, ...]
    """Words that may stand for any arguments."""


def canonical(name: str) -> str:
    """An argument's name as names are compared."""
    return name.lstrip("-").replace("_", "-").lower()


def launches(script: ShellScript, rules: ServerRules) -> Iterator[Launch]:
    """The servers that a script may start."""
    for command in script.commands:
        texts = [text.text for text in command.argv]
        if texts and texts[0] in ("echo", "printf", "write_command", "append_command"):
            continue
        for engine, spellings in rules.servers.items():
            found = next((s for s in spellings if starts(texts, s) is not None), None)
            if found is not None:
                yield _launch(engine, command, found, rules)
                break


def _launch(engine: str, command: Command, spelling: str, rules: ServerRules) -> Launch:
    reader = _Reader(always=not command.maybe)
    for slot in _behind(command.words, spelling):
        reader.take(slot)
    reader.finish()
    named = [a for a in reader.arguments if a.name in map(canonical, rules.model) and a.value]
    known = [text for text in reader.plain if text.known]
    plain = Argument(canonical(rules.model[0]), known[0], command.line, True) if known else None
    model = named[0] if named else plain
    if model is None and reader.plain:
        first = reader.plain[0]
        model = Argument(canonical(rules.model[0]), first, command.line, True)
    return Launch(
        engine,
        command.line,
        tuple(a for a in reader.arguments if a not in named),
        model,
        tuple(t for t in reader.plain if not t.known and (model is None or t is not model.value)),
    )


def _behind(words: Sequence[Slot], spelling: str) -> Sequence[Slot]:
    """The words behind those that start the server."""
    last = spelling.split()[-1]
    for at, slot in enumerate(words):
        if slot and slot[0] and slot[0][-1].text == last:
            return words[at + 1 :]
    return words


class _Reader:
    """Takes the words of a command one by one."""

    def __init__(self, always: bool) -> None:
        self._always = always
        self._pending: Argument | None = None
        self.arguments: list[Argument] = []
        self.plain: list[Text] = []

    def take(self, slot: Slot) -> None:
        """The next word, in all of its alternatives."""
        before, left = self._pending, None
        for fields in slot:
            self._pending = before
            for field in fields:
                self._field(field, self._always and len(slot) == 1)
            left = left or self._pending
        self._pending = left

    def finish(self) -> None:
        """The end of the command."""
        if self._pending is not None:
            self.arguments.append(self._pending)
            self._pending = None

    def _field(self, field: Text, always: bool) -> None:
        written = field.text
        line = field.pieces[0].line if field.pieces else 0
        if written.startswith("-") and len(written) > 1 and not _NUMBER.fullmatch(written):
            self.finish()
            name, equals, _ = written.partition("=")
            if equals:
                value = _after(field, len(name) + 1)
                self.arguments.append(Argument(canonical(name), value, line, always))
            else:
                self._pending = Argument(canonical(name), None, line, always)
        elif self._pending is not None:
            given = self._pending
            both = always and given.always
            self.arguments.append(Argument(given.name, field, given.line, both))
            self._pending = None
        elif written:
            self.plain.append(field)


def _after(field: Text, offset: int) -> Text:
    """What a field holds behind an offset."""
    pieces = []
    for piece in field.pieces:
        kept = piece.text[offset:] if offset > 0 else piece.text
        offset -= len(piece.text)
        if kept:
            pieces.append(type(piece)(kept, piece.line, piece.known, piece.assumed))
    return Text(tuple(pieces))


def majors(launch: Launch, rules: ServerRules) -> Iterator[tuple[MajorArgument, Argument]]:
    """The arguments of a launch that matter, each once for each of its values."""
    by_name = _by_name(rules)
    seen: set[tuple[str, str]] = set()
    for argument in launch.arguments:
        major = by_name.get(argument.name)
        value = argument.value.text if argument.value else ""
        if major is None or value in major.trivial or (major.names[0], value) in seen:
            continue
        seen.add((major.names[0], value))
        yield major, argument


def minors(launch: Launch, rules: ServerRules) -> Iterator[str]:
    """The names of its other arguments, without those of the benchmark alone."""
    skipped = {*_by_name(rules), *map(canonical, (*rules.harness, *rules.model))}
    yield from sorted({a.name for a in launch.arguments} - skipped)


def _by_name(rules: ServerRules) -> Mapping[str, MajorArgument]:
    return {canonical(name): major for major in rules.major for name in major.names}
