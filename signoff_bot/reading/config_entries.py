"""Reads benchmark configurations (`*-master.yaml`), and what changed in them, by meaning.

A file maps a config key to an entry: image, model, runner, precision, framework, topology and
scenarios. Two entries are the same when their data is, whatever their comments, layout or order.
A file is read only where it must be (see `yaml_blocks`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from signoff_bot.errors import InvalidInput
from signoff_bot.evidence.base import MissingEvidence
from signoff_bot.evidence.strict_json import canonical_json
from signoff_bot.reading.config_points import Point, Variant, Where, points, variants
from signoff_bot.reading.strict_yaml import Path, read_yaml
from signoff_bot.reading.yaml_blocks import Block, split_mapping


@dataclass(frozen=True)
class Entry:
    """One configuration. Its fields are read when asked for.

    Raises:
        MissingEvidence: by the fields and by `points` and `variants`, where the entry is malformed.
    """

    path: str
    """The file it stands in."""
    key: str
    data: Mapping[str, Any]
    lines: Mapping[Path, int]
    """The line of each value, by its path within the entry."""

    @property
    def image(self) -> str:
        """The container image, as written."""
        return self._text("image")

    @property
    def model(self) -> str:
        """The model's checkpoint."""
        return self._text("model")

    @property
    def prefix(self) -> str:
        """The model's short name in the benchmark (`model-prefix`)."""
        return self._text("model-prefix")

    @property
    def runner(self) -> str:
        """The runner or pool it runs on."""
        return self._text("runner")

    @property
    def precision(self) -> str:
        """The precision of the weights, such as `fp4`."""
        return self._text("precision")

    @property
    def framework(self) -> str:
        """The inference engine, with its deployment layer: `vllm`, `dynamo-sglang`, ..."""
        return self._text("framework")

    @property
    def multinode(self) -> bool:
        """Whether it spans several nodes."""
        return self._flag("multinode")

    @property
    def disagg(self) -> bool:
        """Whether prefill and decode run apart."""
        return self._flag("disagg")

    @cached_property
    def points(self) -> Mapping[Point, Variant]:
        """Every point it measures, with the variant that asks for it."""
        try:
            return dict(points(self.data))
        except ValueError as error:
            raise self._malformed(str(error)) from None

    @cached_property
    def variants(self) -> tuple[Variant, ...]:
        """The variants of all its scenarios."""
        try:
            return tuple(variants(self.data))
        except ValueError as error:
            raise self._malformed(str(error)) from None

    def line_of(self, where: Where = ()) -> int:
        """The line of a value in it, or of the nearest one around it."""
        while where and where not in self.lines:
            where = where[:-1]
        return self.lines.get(where, 1)

    def place(self, where: Where = ()) -> str:
        """The entry or a value in it, as `FILE:LINE (KEY)`."""
        return f"{self.path}:{self.line_of(where)} ({self.key})"

    def _text(self, name: str) -> str:
        value = self.data.get(name)
        if not isinstance(value, str) or not value.strip():
            raise self._malformed(f"`{name}` is no text")
        return value.strip()

    def _flag(self, name: str) -> bool:
        value = self.data.get(name, False)
        if not isinstance(value, bool):
            raise self._malformed(f"`{name}` is neither true nor false")
        return value

    def _malformed(self, what: str) -> MissingEvidence:
        return MissingEvidence(f"{self.place()}: {what}; correct the entry")


@dataclass(frozen=True)
class EntryChange:
    """An entry that differs between two versions of the configurations."""

    key: str
    before: Entry | None
    after: Entry | None

    @cached_property
    def submitted(self) -> Mapping[Point, Variant]:
        """The points that are new or measured differently: what the change submits."""
        if self.after is None:
            return {}
        old = self.before.points if self.before else {}
        return {point: by for point, by in self.after.points.items() if point not in old}


@lru_cache(maxsize=16)
def changed_entries(before: str | None, after: str | None, path: str) -> tuple[EntryChange, ...]:
    """The entries that differ between two versions of a file, by key; None is an absent file.

    Raises:
        MissingEvidence: a version cannot be read.
    """
    old, new = _source(before or "", path), _source(after or "", path)
    changes = (
        EntryChange(key, old.entry(key), new.entry(key))
        for key in sorted(old.keys() | new.keys())
        if not old.same_text(new, key)
    )
    return tuple(change for change in changes if _differ(change.before, change.after))


def entries(
    text: str | None, path: str, *, mentioning: str = "", keys: Callable[[str], bool] | None = None
) -> Iterator[Entry]:
    """The entries of a file: those whose text holds a word, and whose keys are wanted.

    Raises:
        MissingEvidence: the file cannot be read.
    """
    source = _source(text or "", path)
    for key in sorted(source.keys()):
        if (keys is None or keys(key)) and source.mentions(key, mentioning):
            entry = source.entry(key)
            if entry is not None:
                yield entry


def merged(changes: Iterable[EntryChange]) -> tuple[EntryChange, ...]:
    """The changes of several files together: an entry that only moved between files is none."""
    by_key: dict[str, EntryChange] = {}
    for change in changes:
        other = by_key.get(change.key)
        by_key[change.key] = (
            EntryChange(change.key, change.before or other.before, change.after or other.after)
            if other
            else change
        )
    return tuple(c for c in by_key.values() if _differ(c.before, c.after))


def _differ(before: Entry | None, after: Entry | None) -> bool:
    if before is None or after is None:
        return before is not after
    return canonical_json(before.data) != canonical_json(after.data)


class _Source:
    """A file's text, read entry by entry where it can be taken apart."""

    def __init__(self, text: str, path: str) -> None:
        self._text = text
        self._path = path
        self._blocks = split_mapping(text)
        self._read: dict[str, Entry | None] = {}

    def keys(self) -> set[str]:
        return set(self._whole if self._blocks is None else self._blocks)

    def mentions(self, key: str, word: str) -> bool:
        return self._blocks is None or word in self._blocks[key].text

    def same_text(self, other: _Source, key: str) -> bool:
        if self._blocks is None or other._blocks is None:
            return False
        mine, theirs = self._blocks.get(key), other._blocks.get(key)
        return mine is not None and theirs is not None and mine.text == theirs.text

    def entry(self, key: str) -> Entry | None:
        if key not in self._read:
            self._read[key] = self._find(key)
        return self._read[key]

    def _find(self, key: str) -> Entry | None:
        if self._blocks is None:
            return self._whole.get(key)
        block = self._blocks.get(key)
        return None if block is None else _parse(block, self._path) or self._whole.get(key)

    @cached_property
    def _whole(self) -> dict[str, Entry]:
        if not self._text.strip():
            return {}
        try:
            document = read_yaml(self._text, self._path)
        except InvalidInput as error:
            raise MissingEvidence(" ".join(str(error).split())) from None
        if not isinstance(document.data, dict):
            raise MissingEvidence(f"{self._path} holds no mapping of config keys to entries")
        lines: dict[str, dict[Path, int]] = {key: {} for key in document.data}
        for where, line in document.lines.items():
            if where:
                lines[str(where[0])][where[1:]] = line
        return {key: self._entry(key, value, lines[key]) for key, value in document.data.items()}

    def _entry(self, key: str, value: Any, lines: Mapping[Path, int]) -> Entry:
        if not isinstance(value, dict):
            raise MissingEvidence(f"{self._path}:{lines[()]}: {key} is no mapping")
        return Entry(self._path, key, value, lines)


_source = lru_cache(maxsize=16)(_Source)


def _parse(block: Block, path: str) -> Entry | None:
    """The entry of a block, or None where the whole file must say what is wrong with it."""
    try:
        document = read_yaml(block.text, path)
    except InvalidInput:
        return None
    value = document.data.get(block.name) if isinstance(document.data, dict) else None
    if not isinstance(value, dict) or len(document.data) != 1:
        return None
    shift = block.line - 1
    lines = {where[1:]: line + shift for where, line in document.lines.items() if where}
    return Entry(path, block.name, value, lines)
