"""Finds where a script or program rewrites files, such as a model's own `config.json`.

In shell scripts these are `jq` programs that assign, in-place edits (`sed -i`, `perl -i`), copies
and redirections onto the file; in Python (a file, a here-document, `python -c`) a text that names
the file and writes one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from signoff_bot.reading.shell import Command, ShellScript
from signoff_bot.reading.shell.nested import program

WRITES = re.compile(
    r"\bjson\.dump\b|\.write(?:_text|_bytes)?\(|\bopen\([^)\n]{0,200}[\"'][wa]b?\+?[\"']"
    r"|\bshutil\.(?:copy\w*|move)\(|\bos\.(?:replace|rename|symlink)\(|\.(?:replace|rename)\(\w+\)$"
    r"|\bfileinput\b|\.symlink_to\(",
    re.MULTILINE,
)
"""What writes a file in Python."""

_ASSIGNS = re.compile(r"(?<![=!<>])=(?!=)|\|=|\bdel\b|\bsetpath\b")
_IN_PLACE = re.compile(r"-(?:[A-Za-z]*i\S*|-in-place\S*)")
_PYTHON_SETS = re.compile(
    r"(?<![=!<>])=(?!=)|[\"']\s*:|\.(?:pop|update|setdefault)\(|\bdel\b|\bsetattr\("
)
PYTHON = "python"
_COPIES = ("cp", "mv", "ln", "install", "rsync")
_EDITORS = ("sed", "perl", "awk", "gawk", "ruby")


@dataclass(frozen=True, slots=True)
class Edit:
    """A place that rewrites one of the files asked for."""

    line: int
    lines: range
    how: str
    """The program that does it; `>` for a redirection."""
    whole: bool
    """Whether it puts another file in its place."""
    texts: tuple[tuple[int, str], ...]
    """What it is told to do, line by line."""
    document: str = ""
    """The text that is put in its place, where that is known."""

    def sets(self, key: str, added: Callable[[range], bool]) -> bool:
        """Whether it changes this key, in a line that counts as `added`."""
        word = re.compile(rf"(?<![\w-]){re.escape(key)}(?![\w-])")
        return any(
            word.search(text) and (self.how != PYTHON or _PYTHON_SETS.search(text))
            for line, text in self.texts
            if self.how != PYTHON or added(range(line, line + 1))
        )


def python_texts(path: str, text: str, script: ShellScript) -> Iterator[tuple[int, str]]:
    """The Python in a file, with the line that each piece starts on."""
    if path.endswith(".py"):
        yield 1, text
    for command in script.commands:
        argv = command.argv
        runs = any(program(word.text).startswith("python") for word in argv)
        for document in command.documents:
            if runs or any(output.text.endswith(".py") for output in command.outputs):
                yield document.line, document.text
        for option, argument in pairwise(argv):
            if runs and option.text == "-c":
                yield min(argument.lines, default=command.line), argument.text


def find_edits(path: str, text: str, script: ShellScript, names: Sequence[str]) -> Iterator[Edit]:
    """The places that rewrite a file of one of these names."""
    for command in script.commands:
        how = _how(command, names)
        if how:
            said = tuple((command.line, word.text) for word in command.texts)
            document = "\n".join(document.text for document in command.documents)
            whole = how not in (*_EDITORS, "jq")
            yield Edit(command.line, command.lines, how, whole, said, document)
    for first, body in python_texts(path, text, script):
        written = WRITES.search(body) if any(name in body for name in names) else None
        if written is not None:
            lines = tuple(enumerate(body.split("\n"), first))
            line = first + body.count("\n", 0, written.start())
            yield Edit(line, range(first, first + len(lines)), PYTHON, False, lines)


def _how(command: Command, names: Sequence[str]) -> str | None:
    """The program by which a command rewrites one of the files, or None."""
    if any(program(output.text) in names for output in command.outputs):
        return ">"
    words = [word.text for word in command.argv]
    if not any(program(word) in names for word in words):
        return None
    for at, word in enumerate(words):
        name = program(word)
        rest = words[at + 1 :]
        if name == "jq" and any(_ASSIGNS.search(option) for option in rest):
            return name
        if name in _EDITORS and any(_IN_PLACE.fullmatch(option) for option in rest):
            return name
        if name == "tee" or (name in _COPIES and rest and program(rest[-1]) in names):
            return name
    return None
