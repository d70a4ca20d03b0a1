"""Follows a shell script without running anything: which commands may it run, with which words?

Functions are followed where they are called, and once more where nobody calls them. What a script
hands to another shell (`eval`, `bash -c`, here-documents) and what stands in command substitutions
is followed as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from signoff_bot.reading.shell.conditions import operand, truth
from signoff_bot.reading.shell.expand import Exhausted
from signoff_bot.reading.shell.flow import Flow
from signoff_bot.reading.shell.lexer import MAX_LENGTH
from signoff_bot.reading.shell.nested import handed_on, in_redirects, program, substitutions
from signoff_bot.reading.shell.parser import parse
from signoff_bot.reading.shell.result import Assigned, Command, Document, ShellScript
from signoff_bot.reading.shell.simple import DECLARES, as_assignment
from signoff_bot.reading.shell.source import Source
from signoff_bot.reading.shell.state import DIRECTORY, Ended
from signoff_bot.reading.shell.syntax import Assignment, Redirect, Simple
from signoff_bot.reading.shell.values import (
    BLANK,
    MAX_FIELDS,
    Slot,
    Text,
    Value,
    environment,
    flat,
    limited,
    unknown,
)
from signoff_bot.reading.shell.words import Word

MAX_NESTED = 8
"""Scripts within scripts, and functions that call one another."""

_WRITES = (">", ">>", ">|", "&>", "&>>", "<>")
_READS = ("read", "mapfile", "readarray", "getopts")


def read_shell(
    text: str, variables: Mapping[str, Value] | None = None, first_line: int = 1
) -> ShellScript:
    """What a script may do; never raises, and never runs anything.

    `variables` are those that the script finds set. A text over `MAX_LENGTH` is not read.
    """
    if len(text) > MAX_LENGTH:
        reason = f"over {MAX_LENGTH:,} characters, more than any launch script has"
        return ShellScript((), (), (), reason)
    return _Run(variables or {}).follow(Source(text, ((0, first_line),)))


class _Run(Flow):
    def __init__(self, variables: Mapping[str, Value]) -> None:
        super().__init__(variables)
        self._commands: list[Command] = []
        self._assigned: list[Assigned] = []
        self._problems: set[int] = set()
        self._called: set[str] = set()
        self._nested = 0
        self._locals: list[dict[str, Value | None]] = []
        """What the variables held that the functions being called have made their own."""

    def follow(self, source: Source) -> ShellScript:
        """The whole script, then the functions that it never calls."""
        cut_off = None
        try:
            self._script(source)
            for name in sorted(self.functions.keys() - self._called):
                self.state.aside(partial(self.maybe, self.functions[name]))
        except Exhausted:
            cut_off = "it makes more of itself than any launch script does"
        return ShellScript(
            tuple(self._commands), tuple(self._assigned), tuple(sorted(self._problems)), cut_off
        )

    def redirects(self, redirects: tuple[Redirect, ...]) -> None:
        """Follows the command substitutions in them."""
        for source in in_redirects(redirects):
            self._within(source, aside=True)

    def simple(self, statement: Simple) -> Ended:
        """Lists a command, and follows what it does to the script itself."""
        for source in substitutions(statement):
            self._within(source, aside=True)
        expanded = [(word, self.expander.word(word)) for word in statement.words]
        words = tuple(slot for _, slots in expanded for slot in slots)
        for assignment in (*statement.assignments, *statement.arrays):
            self._assign(assignment, keep=not words or assignment in statement.arrays)
        if not words:
            return False
        command = self._command(statement, words)
        self._commands.append(command)
        self.truth = truth([operand(s, word.quoting) for word, slots in expanded for s in slots])
        name = program(command.argv[0].text) if command.argv else ""
        if name in self.functions:
            return self._call(name, words[1:])
        self._builtin(name, statement, words)
        for source in handed_on(command):
            self._within(source, aside=False)
        return name in ("exit", "return") or (name == "exec" and len(words) > 1)

    def _command(self, statement: Simple, words: tuple[Slot, ...]) -> Command:
        directory = self.state.get(DIRECTORY)
        return Command(
            words=words,
            outputs=tuple(
                text
                for redirect in statement.redirects
                if redirect.operator in _WRITES and redirect.target is not None
                for fields in self.expander.text(redirect.target)
                for text in fields
            ),
            documents=tuple(
                Document(redirect.document.text, redirect.document.line)
                for redirect in statement.redirects
                if redirect.document is not None
            ),
            directory=None if directory is None else directory[0][0][0],
            line=statement.line,
            end=statement.end,
            maybe=self.uncertain > 0,
        )

    def _script(self, source: Source) -> Ended:
        self.expander.spend(len(source.text))
        script = parse(source)
        self._problems.update(script.problems)
        return self.block(script.body)

    def _deeper(self, follow: Callable[[], object]) -> bool:
        """Follows something within something, unless that goes too deep."""
        if self._nested >= MAX_NESTED:
            return False
        self._nested += 1
        follow()
        self._nested -= 1
        return True

    def _within(self, source: Source, *, aside: bool) -> None:
        """Follows a script within the script; with `aside` what it sets stays inside."""
        follow = partial(self._script, source)
        if not self._deeper(partial(self.state.aside, follow) if aside else follow):
            self._problems.add(source.line_at(0))

    def _call(self, name: str, words: tuple[Slot, ...]) -> Ended:
        """Follows a function with its arguments; leaving the script from within is no end here."""
        arguments = {"@": words, "*": words}
        arguments |= {str(index): (slot,) for index, slot in enumerate(words[:9], 1)}
        before = {key: self.state.get(key) for key in (*map(str, range(1, 10)), "@", "*")}
        for key in before:
            self.state.set(key, arguments.get(key, (BLANK,)))
        self._locals.append(before)
        if self._deeper(partial(self.block, self.functions[name])):
            self._called.add(name)
        for key, value in self._locals.pop().items():
            self.state.set(key, value)
        self.truth = None
        return False

    def _builtin(self, name: str, statement: Simple, words: tuple[Slot, ...]) -> None:
        """What a command of the shell itself does to variables."""
        if name in DECLARES:
            for word in statement.words[1:]:
                self._declare(name, word)
        elif name == "unset":
            for word in statement.words[1:]:
                self.state.set(word.bare, ())
        elif name in _READS:
            for word in statement.words[1:]:
                self.state.set(word.bare, (unknown(f"${word.bare}", word.line),))
        elif name in ("cd", "pushd") and len(words) > 1:
            self.state.set(DIRECTORY, (words[-1],) if words[-1] and words[-1][0] else None)

    def _declare(self, how: str, word: Word) -> None:
        assignment = as_assignment(word)
        if how == "local" and self._locals:
            name = assignment.name if assignment else word.bare
            self._locals[-1].setdefault(name, self.state.get(name))
        if assignment is not None:
            self._assign(assignment, keep=True)

    def _assign(self, assignment: Assignment, keep: bool) -> None:
        value = self._value(assignment)
        maybe = self.uncertain > 0
        self._assigned.append(Assigned(assignment.name, value, assignment.line, maybe))
        if keep:
            self.state.set(assignment.name, value)

    def _value(self, assignment: Assignment) -> Value:
        name, line = assignment.name, assignment.line
        before = self.state.get(name)
        if assignment.indexed:
            return (unknown(f"${name}", line),)
        if isinstance(assignment.value, Word):
            slot = self.expander.text(assignment.value)
            unset: Value = (environment(name, line),)
            first, rest = _elements(unset if before is None else before, name, line)
            return (_appended(first, slot, name, line) if assignment.append else slot, *rest)
        slots = tuple(s for word in assignment.value for s in self.expander.word(word))
        value = (*(before or ()), *slots) if assignment.append else slots
        self.expander.spend(len(value))
        return value if len(value) <= MAX_FIELDS else (unknown(f"${name}", line),)


def _elements(value: Value, name: str, line: int) -> tuple[Slot, Value]:
    """The first element of an array, which is all of a plain variable, and the others."""
    if not value:
        return BLANK, ()
    if all(len(fields) == 1 for fields in value[0]):
        return value[0], value[1:]
    fields, *others = flat(value, f"${name}", line)
    if others:
        return unknown(f"${name}", line), ()
    first, *rest = ((field,) for field in fields or (Text(()),))
    return (first,), tuple((field,) for field in rest)


def _appended(before: Slot, more: Slot, name: str, line: int) -> Slot:
    """A text with another one behind it."""
    return limited(
        (
            (Text((*(old[0].pieces if old else ()), *(new[0].pieces if new else ()))),)
            for old in before
            for new in more
        ),
        f"${name}",
        line,
    )
