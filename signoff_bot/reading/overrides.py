"""Finds where a launch overrides a model's own configuration, and with which values.

Engines take such overrides as JSON (`--hf-overrides '{"key": 1}'`), as single keys
(`--hf-overrides.key 1`), as a mapping in YAML, or from a variable that carries one of these. The
text is searched, not run, so that any file and any level of quoting will do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from signoff_bot.evidence.strict_json import canonical_json, parse_json

MAX_VALUE = 8 * 1024
"""Characters of an override; of a longer one only the beginning is read."""
MAX_FOUND = 200
"""Overrides of a file; a file that holds more is one of a kind."""

_EMPTY = re.compile(
    r"\s*[=:]\s*(?:\"\"|''|None\b|null\b|~|\{\s*\})|=(?=\s)|[ \t]+(?:\"\"|'')(?=\s|$)"
)
_GLUE = re.compile(r"(?:[ \t]|\\\r?\n|\\?[\"']|[=:,(\[|>+-]|(?<=[\"',:(\[|>])\s*\n)*+")
_DOTTED = re.compile(r"\.([\w.-]+)[\s=:]*+[\"']?([^\s\"',}]*)")
_VARIABLE = re.compile(r"\$\{?([A-Za-z_]\w*)(?::?[-=])?")
_NAME = re.compile(r"[A-Za-z_]\w*")
_PAIR = re.compile(r"[\"']?([A-Za-z_][\w.-]*)[\"']?\s*:\s*([^,{}\[\]\n]*)")
_BLOCK = re.compile(r"( *)[\"']?([A-Za-z_][\w.-]*)[\"']?:(?: +(.*))?$")


@dataclass(frozen=True, slots=True)
class Setting:
    """One overridden key, by the keys that lead to it."""

    path: tuple[str, ...]
    value: Any
    """Plain JSON data; None where `told` is False."""
    told: bool
    written: str


@dataclass(frozen=True, slots=True)
class Override:
    """One place where a model's configuration is overridden."""

    name: str
    line: int
    lines: frozenset[int]
    """All lines that it stands on, those of a variable that it takes included."""
    settings: tuple[Setting, ...] | None
    """None where what it sets cannot be told from the file."""


def find_overrides(code: str, knobs: Sequence[str]) -> Iterator[Override]:
    """The overrides in a file without its comments; `knobs` are their names without hyphens."""
    names = "|".join(re.sub(r"[-_]", "[-_]", re.escape(knob).replace(r"\-", "-")) for knob in knobs)
    pattern = re.compile(rf"({names})[\w-]*+", re.IGNORECASE)
    text = _Text(code)
    for count, found in enumerate(pattern.finditer(code)):
        start = _beginning(code, found.start())
        name, line = code[start : found.end()], text.line(found.start())
        if count >= MAX_FOUND:
            yield Override(name, line, frozenset(text.lines(start, len(code))), None)
            return
        used = code[max(start - 2, 0) : start].endswith(("$", "${"))
        carries = pattern.match(code, _behind_glue(code, found.end()))
        if not used and not carries and not _EMPTY.match(code, found.end()):
            settings, spans = text.value_at(found.end())
            spans[found.start()] = max(found.end(), spans.get(found.start(), 0))
            lines = (n for span in spans.items() for n in text.lines(*span))
            yield Override(name, line, frozenset(lines), settings)


def _behind_glue(code: str, at: int) -> int:
    glue = _GLUE.match(code, at)
    return glue.end() if glue else at


def _beginning(code: str, at: int) -> int:
    """Where the word that holds this offset begins."""
    while at and (code[at - 1].isalnum() or code[at - 1] in "_-"):
        at -= 1
    return at


_Read = tuple[tuple[Setting, ...] | None, dict[int, int]]


class _Text:
    def __init__(self, code: str) -> None:
        self._code = code

    def line(self, at: int) -> int:
        return self._code.count("\n", 0, at) + 1

    def lines(self, start: int, end: int) -> range:
        first = self.line(start)
        return range(first, first + self._code.count("\n", start, end) + 1)

    def value_at(self, at: int, depth: int = 0) -> _Read:
        """What is set behind a name, and where that stands."""
        code = self._code
        dotted = _DOTTED.match(code, at)
        if dotted and code[dotted.end(1) : dotted.end(1) + 1] != "(":
            path = tuple(dotted[1].split("."))
            return (_setting(path, dotted[2]),), {at: dotted.end()}
        start = _behind_glue(code, at)
        if code.startswith("{", start):
            return self._braced(start)
        variable = _VARIABLE.match(code, start)
        if variable and code.startswith("{", variable.end()):
            return self._braced(variable.end())
        if variable and depth == 0:
            return self._assigned(variable[1])
        block = self._block(at, start)
        if block is not None:
            return block
        name = _NAME.match(code, start)
        return self._assigned(name[0]) if name and depth == 0 else (None, {})

    def _assigned(self, name: str) -> _Read:
        """What the file sets a variable to, in all places together."""
        settings: list[Setting] = []
        spans: dict[int, int] = {}
        told = False
        for count, found in enumerate(re.finditer(rf"(?<![\w$]){name}\s*=(?!=)", self._code)):
            if count >= MAX_FOUND:
                return None, spans
            more, where = self.value_at(found.end() - 1, depth=1)
            if more is None:
                continue
            told = True
            settings += more
            spans |= {found.start(): found.end()} | where
        return (tuple(settings) if told else None), spans

    def _braced(self, start: int) -> _Read:
        code = self._code
        depth, end = 0, min(start + MAX_VALUE, len(code))
        for brace in re.compile("[{}]").finditer(code, start, end):
            depth += 1 if brace[0] == "{" else -1
            if depth == 0:
                end = brace.end()
                break
        written = re.sub(r"\\\r?\n", "", code[start:end]).replace('\\"', '"')
        try:
            data = parse_json(written)
        except ValueError:
            return _pairs(written), {start: end}
        return tuple(_flattened(data, ())), {start: end}

    def _block(self, at: int, start: int) -> _Read | None:
        """A YAML mapping on the lines below a name; None where there is none."""
        code = self._code
        head = code[code.rfind("\n", 0, at) + 1 : at]
        indent = len(head) - len(head.lstrip())
        end_of_line = code.find("\n", at)
        if end_of_line < 0 or code[at:end_of_line].strip("\"' ") != ":":
            return None
        settings: list[Setting] = []
        last = end_of_line
        for line in code[end_of_line + 1 : start + MAX_VALUE].split("\n"):
            pair = _BLOCK.match(line)
            if pair is None or len(pair[1]) <= indent:
                break
            last += len(line) + 1
            if pair[3]:
                settings.append(_setting((pair[2],), pair[3].strip()))
        return (tuple(settings), {at: last}) if settings else None


def _setting(path: tuple[str, ...], written: str) -> Setting:
    try:
        return Setting(path, parse_json(written.strip("'")), True, written)
    except ValueError:
        bare = written.strip("\"'")
        words = {"True": True, "False": False}
        told = bare in words or re.fullmatch(r"[\w.-]+", bare) is not None
        return Setting(path, words.get(bare, bare) if told else None, told, written)


def _pairs(written: str) -> tuple[Setting, ...] | None:
    """The keys of what is no JSON, such as a Python literal or one that holds variables."""
    found = tuple(_setting((pair[1],), pair[2].strip()) for pair in _PAIR.finditer(written))
    return tuple(s for s in found if s.written) or None


def _flattened(data: Any, path: tuple[str, ...]) -> Iterator[Setting]:
    if isinstance(data, dict):
        for key, value in data.items():
            yield from _flattened(value, (*path, str(key)))
    else:
        yield Setting(path, data, True, canonical_json(data).decode())
