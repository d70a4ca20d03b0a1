"""What a shell script does, as far as reading tells: the commands it may run."""

from __future__ import annotations

from dataclasses import dataclass

from signoff_bot.reading.shell.values import Fields, Slot, Text, Value


@dataclass(frozen=True, slots=True)
class Document:
    """The text of a here-document, and the line it starts on."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Command:
    """A command that the script may run."""

    words: tuple[Slot, ...]
    outputs: tuple[Text, ...]
    """Files that its output is written to."""
    documents: tuple[Document, ...]
    directory: Text | None
    """Where the script has changed to by then; None where it has not."""
    line: int
    end: int
    maybe: bool
    """Whether it stands in a branch, loop or function that may not run."""

    @property
    def argv(self) -> Fields:
        """Its name and arguments; where there are alternatives, the first of each."""
        return tuple(text for slot in self.words for text in (slot[0] if slot else ()))

    @property
    def texts(self) -> tuple[Text, ...]:
        """Its name and arguments in all their alternatives."""
        return tuple(text for slot in self.words for fields in slot for text in fields)

    @property
    def lines(self) -> range:
        """The lines that it stands on."""
        return range(self.line, self.end + 1)


@dataclass(frozen=True, slots=True)
class Assigned:
    """A variable that the script sets."""

    name: str
    value: Value
    line: int
    maybe: bool

    @property
    def texts(self) -> tuple[Text, ...]:
        """What it may be set to."""
        return tuple(text for slot in self.value for fields in slot for text in fields)


@dataclass(frozen=True, slots=True)
class ShellScript:
    """Everything that a script may do."""

    commands: tuple[Command, ...]
    assigned: tuple[Assigned, ...]
    problems: tuple[int, ...]
    """Lines that could not be made sense of."""
    cut_off: str | None = None
    """Why the script was not read to its end; None when it was."""
