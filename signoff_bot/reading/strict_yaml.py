"""Reads YAML as plain JSON data, and refuses what makes a file mean two things.

The language is the part of YAML 1.2 that people take YAML to be: mappings with text keys, lists,
text, whole and decimal numbers as JSON writes them, `true`, `false` and `null`. Everything else in
a plain scalar is text (`on`, `yes`, `2026-06-24`, `1_000`). Anchors, aliases, merge keys, tags,
directives, several documents, duplicate keys and invisible characters are mistakes. Each mistake
carries its line, and a file's mistakes are reported together.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

import yaml

from signoff_bot.errors import InvalidInput

MAX_BYTES = 1024 * 1024
MAX_DEPTH = 32
"""Far above any rule pack, and low enough that no later reader of the data can overflow."""
MAX_SHOWN = 100
"""How many mistakes a message lists."""

Path = tuple[str | int, ...]
"""Where a value stands: the keys and list positions that lead to it."""

# The C parser is some twenty times faster; both follow the same grammar.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

# Control characters, lone surrogates, the line breaks that only YAML 1.1 knows, a byte order mark
# inside the text, and the marks that reorder text on screen. A carriage return may end a line.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
    "|\r(?!\n)"
)
_WHOLE = re.compile(r"-?(0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_MAX_DIGITS = 15  # every JSON reader keeps whole numbers of this size exactly
_WORDS: Mapping[str, bool | None] = {
    "true": True,
    "false": False,
    "null": None,
    "~": None,
    "": None,
}


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is wrong at one place of a file, as `FILE:LINE: KEY.PATH: WHAT`."""

    source: str
    line: int
    path: Path
    what: str

    def __str__(self) -> str:
        where = f"{path_text(self.path)}: " if self.path else ""
        return f"{self.source}:{self.line}: {where}{self.what}"


@dataclass(frozen=True, slots=True)
class Document:
    """A YAML file's data, and the line (from 1) on which each of its values' keys stands."""

    source: str
    data: Any
    lines: Mapping[Path, int]

    def line_of(self, path: Path) -> int:
        """The line of a value, or of the nearest one around it that the file holds."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


def path_text(path: Path) -> str:
    """A path as people write it: `checks.sweep.with.groups[0]`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            simple = re.fullmatch(r"[\w-]+", part)
            text += f"{'.' if text else ''}{part if simple else repr(part)}"
    return text


def refuse(source: str, mistakes: Iterable[Mistake]) -> NoReturn:
    """Raises `InvalidInput` with all mistakes, one a line in the order given."""
    lines = [str(mistake) for mistake in mistakes]
    count = "1 mistake" if len(lines) == 1 else f"{len(lines)} mistakes"
    if len(lines) > MAX_SHOWN:
        lines[MAX_SHOWN:] = [f"... and {len(lines) - MAX_SHOWN} more"]
    raise InvalidInput("\n".join([f"{source} cannot be used; {count} to correct:", *lines]))


def read_yaml(content: str | bytes, source: str) -> Document:
    """Reads one YAML document; `source` names it in messages.

    Raises:
        InvalidInput: it is no YAML of the kind described above; all mistakes are listed.
    """
    text, mistakes = _decode(content, source)
    if mistakes:
        refuse(source, mistakes)
    reader = _Reader(source)
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            if not reader.take(event):
                break
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reader.mistake(mark.line if mark else 0, (), f"not valid YAML: {error.problem}")
    except yaml.YAMLError as error:
        reader.mistake(0, (), f"not valid YAML: {' '.join(str(error).split())}")
    if reader.mistakes:
        refuse(source, sorted(reader.mistakes, key=lambda mistake: mistake.line))
    return Document(source, reader.data, reader.lines)


def _decode(content: str | bytes, source: str) -> tuple[str, list[Mistake]]:
    def mistake(line: int, what: str) -> tuple[str, list[Mistake]]:
        return "", [Mistake(source, line, (), what)]

    if len(content) > MAX_BYTES:
        return mistake(1, f"larger than {MAX_BYTES} bytes, the most that is read")
    try:
        text = content if isinstance(content, str) else content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        return mistake(line, f"not UTF-8 (byte {error.start}); save the file as UTF-8")
    text = text.removeprefix("\ufeff")
    found = _INVISIBLE.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        return mistake(line, f"invisible character {_code_point(found[0])}; remove it")
    return text, []


def _code_point(character: str) -> str:
    return f"U+{ord(character):04X}"


@dataclass(slots=True)
class _Level:
    """A mapping or list that is still open. `key` is the key whose value comes next."""

    value: dict[str, Any] | list[Any]
    path: Path
    key: str | None = None


@dataclass(slots=True)
class _Reader:
    """Builds data from the parser's events with a stack of its own: nothing recurses."""

    source: str
    data: Any = None
    lines: dict[Path, int] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)
    _open: list[_Level] = field(default_factory=list)
    _documents: int = 0
    _skipping: int = 0
    """How many collections are open within a key that is no text, and so are passed over."""

    def mistake(self, line: int, path: Path, what: str) -> None:
        """Notes a mistake; `line` counts from 0, as the parser does."""
        self.mistakes.append(Mistake(self.source, line + 1, path, what))

    def take(self, event: Any) -> bool:
        """Takes one event; False when reading on would make no sense."""
        line = event.start_mark.line
        if isinstance(event, yaml.DocumentStartEvent):
            return self._start_document(event, line)
        if isinstance(event, yaml.AliasEvent):
            self.mistake(line, self._path(), f"alias *{event.anchor}; write the value out")
            self._place(None, line)
        elif isinstance(event, yaml.ScalarEvent):
            self._refuse_properties(event, line)
            self._scalar(event, line)
        elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            self._refuse_properties(event, line)
            return self._start_collection(event, line)
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            if self._skipping:
                self._skipping -= 1
                if not self._skipping:
                    self._open[-1].key = ""
            else:
                self._open.pop()
        return True

    def _start_document(self, event: yaml.DocumentStartEvent, line: int) -> bool:
        self._documents += 1
        if self._documents > 1:
            self.mistake(line, (), "a second document (`---`); keep one document in a file")
            return False
        if event.version or event.tags:
            self.mistake(line, (), "a `%` directive; remove it")
        return True

    def _refuse_properties(self, event: Any, line: int) -> None:
        if event.anchor is not None:
            self.mistake(line, self._path(), f"anchor &{event.anchor}; write the value out")
        if event.tag is not None:
            self.mistake(line, self._path(), f"tag {event.tag!r}; remove it")

    def _start_collection(self, event: Any, line: int) -> bool:
        if self._skipping or self._wants_key():
            if not self._skipping:
                self.mistake(line, self._path(), "a key that is a list or a mapping; keys are text")
            self._skipping += 1
            return True
        if len(self._open) == MAX_DEPTH:
            self.mistake(line, self._path(), f"nested more than {MAX_DEPTH} levels deep")
            return False
        value: dict[str, Any] | list[Any] = {} if isinstance(event, yaml.MappingStartEvent) else []
        path = self._place(value, line)
        self._open.append(_Level(value, path))
        return True

    def _scalar(self, event: yaml.ScalarEvent, line: int) -> None:
        if self._skipping:
            return
        found = _INVISIBLE.search(event.value)
        if found:
            self.mistake(line, self._path(), f"invisible character {_code_point(found[0])}")
        plain = bool(event.implicit[0])
        if self._wants_key():
            self._start_entry(event.value, plain, line)
        else:
            self._place(self._resolve(event.value, line) if plain else event.value, line)

    def _wants_key(self) -> bool:
        return bool(self._open) and isinstance(self._open[-1].value, dict) and not self._has_key()

    def _has_key(self) -> bool:
        return self._open[-1].key is not None

    def _start_entry(self, key: str, plain: bool, line: int) -> None:
        level = self._open[-1]
        path = (*level.path, key)
        if plain and key == "<<":
            self.mistake(line, level.path, "merge key `<<`; write the keys out")
        elif key in level.value:
            first = self.lines[path]
            self.mistake(line, path, f"written twice; the first is on line {first}")
        else:
            self.lines[path] = line + 1
        level.key = key

    def _place(self, value: Any, line: int) -> Path:
        """Puts a value where the innermost open collection wants it; returns its path."""
        if self._skipping:
            return ()
        if not self._open:
            self.data = value
            self.lines[()] = line + 1
            return ()
        path = self._path()
        level = self._open[-1]
        if isinstance(level.value, list):
            level.value.append(value)
            self.lines[path] = line + 1
        elif level.key is None:  # an alias stands where a key should
            level.key = ""
        else:
            level.value.setdefault(level.key, value)
            level.key = None
        return path

    def _path(self) -> Path:
        """The path of the value that comes next."""
        if not self._open:
            return ()
        level = self._open[-1]
        if isinstance(level.value, list):
            return (*level.path, len(level.value))
        return level.path if level.key is None else (*level.path, level.key)

    def _resolve(self, text: str, line: int) -> Any:
        if text in _WORDS:
            return _WORDS[text]
        if _WHOLE.fullmatch(text):
            if len(text.lstrip("-")) <= _MAX_DIGITS:
                return int(text)
            self.mistake(line, self._path(), f"a number of more than {_MAX_DIGITS} digits")
            return 0
        if _DECIMAL.fullmatch(text):
            number = float(text)
            if math.isfinite(number):
                return number
            self.mistake(line, self._path(), "a number too large to be kept")
            return 0
        return text
