"""Reads the shell commands in a file of any kind: a script, a Dockerfile, or YAML that holds some.

In a Dockerfile `RUN` holds a script, and `COPY` and `ADD` are read as copies; in YAML every block
of text and every plain value may be one. Only what mentions something that the caller looks for is
read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from signoff_bot.reading.code_text import is_shell
from signoff_bot.reading.shell import ShellScript, known, read_shell

_INSTRUCTION = re.compile(r"\s*([A-Z]+)\b")
_COPIES = re.compile(r"(COPY|ADD)((?:\s+--\S+)*)")
_BLOCK = re.compile(r"(\s*)(?:- +)*(?:[\"']?[\w./-]+[\"']?:\s*)?[|>][-+0-9]*\s*(?:#.*)?$")
_VALUE = re.compile(r"\s*(?:- +)*(?:[\"']?[\w./-]+[\"']?:(?:\s+|$))?(.*)$")


def read_script(text: str, given: tuple[tuple[str, str], ...] = ()) -> ShellScript:
    """A shell script that finds these variables set, and no others.

    Remembered, since several checks ask for it, and one of them for every sign-off.
    """
    return _remembered(text, given)


@lru_cache(maxsize=64)
def _remembered(text: str, given: tuple[tuple[str, str], ...]) -> ShellScript:
    return read_shell(text, {name: known(value) for name, value in given})


def read_scripts(path: str, text: str, mentioning: re.Pattern[str]) -> ShellScript:
    """The commands of all scripts in a file, those left out that mention nothing of interest."""
    if mentioning.search(text) is None:
        return ShellScript((), (), ())
    if is_shell(path, text):
        return read_script(text)
    if _is_dockerfile(path):
        return read_shell(_docker_script(text))
    if path.endswith((".yaml", ".yml")):
        pieces = (piece for piece in _yaml_scripts(text) if mentioning.search(piece[1]))
        return _together(read_shell(script, first_line=line) for line, script in pieces)
    return ShellScript((), (), ())


def _is_dockerfile(path: str) -> bool:
    name = path.rsplit("/", 1)[-1].lower()
    return name.startswith("dockerfile") or name.endswith(".dockerfile")


def _docker_script(text: str) -> str:
    """A Dockerfile as a script, line by line."""
    lines: list[str] = []
    continued = False
    for line in text.split("\n"):
        instruction = None if continued else _INSTRUCTION.match(line)
        continued = line.rstrip().endswith("\\") or (continued and line.lstrip().startswith("#"))
        if instruction is None:
            lines.append("" if continued and line.lstrip().startswith("#") else line)
        elif instruction[1] == "RUN":
            lines.append(re.sub(r"^(\s+--\S+)+", "", line[instruction.end() :]))
        elif instruction[1] in ("COPY", "ADD"):
            lines.append(_COPIES.sub("cp", line))
        elif instruction[1] == "ENV":
            lines.append("export" + line[instruction.end() :])
        else:
            lines.append("#")
            continued = False
    return "\n".join(lines)


def _yaml_scripts(text: str) -> Iterator[tuple[int, str]]:
    """What may be a script in YAML, with the line it starts on."""
    lines = text.split("\n")
    index = 0
    while index < len(lines):
        block = _BLOCK.match(lines[index])
        if block is None:
            yield index + 1, _plain_value(lines[index])
            index += 1
            continue
        first = index = index + 1
        while index < len(lines) and (
            not lines[index].strip() or _indent(lines[index]) > len(block[1])
        ):
            index += 1
        body = lines[first:index]
        indent = min((_indent(line) for line in body if line.strip()), default=0)
        yield first + 1, "\n".join(line[indent:] for line in body)


def _plain_value(line: str) -> str:
    found = _VALUE.match(line)
    value = found[1].strip() if found else ""
    return value[1:-1] if value[:1] in ("'", '"') and value[-1:] == value[:1] else value


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _together(scripts: Iterator[ShellScript]) -> ShellScript:
    found = list(scripts)
    return ShellScript(
        tuple(command for script in found for command in script.commands),
        tuple(assigned for script in found for assigned in script.assigned),
        tuple(line for script in found for line in script.problems),
        next((script.cut_off for script in found if script.cut_off), None),
    )
