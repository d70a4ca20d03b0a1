"""Finds the globs, among many, that match a name, without trying them one after the other."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Generic, TypeVar

from signoff_bot.reading.codeowners.glob import Glob

V = TypeVar("V")
_WINDOWS = (8, 4, 2, 1)


class GlobFinder(Generic[V]):
    """An index of globs by the longest literal text that each demands: at its start, end or middle.

    Text in the middle is looked up at every position of a name, in windows of at most four
    lengths. Only the globs found so are tried; one that says no more than its prefix or suffix
    needs no trial, and has None in its place.
    """

    __slots__ = ("_inner", "_prefixes", "_suffixes", "_unkeyed")

    def __init__(self, globs: Iterable[tuple[Glob, V]]) -> None:
        suffixes: dict[str, list[tuple[Glob | None, V]]] = {}
        prefixes: dict[str, list[tuple[Glob | None, V]]] = {}
        inner: dict[int, dict[str, list[tuple[Glob | None, V]]]] = {}
        self._unkeyed: list[tuple[Glob | None, V]] = []
        for glob, value in globs:
            key = max(glob.suffix, glob.prefix, glob.fragment, key=len)
            entry = (None if glob.simple and glob.shortest == len(key) else glob, value)
            if not key:
                self._unkeyed.append(entry)
            elif key is glob.suffix:
                suffixes.setdefault(key[::-1], []).append(entry)
            elif key is glob.prefix:
                prefixes.setdefault(key, []).append(entry)
            else:
                size = next(size for size in _WINDOWS if size <= len(key))
                table = inner.setdefault(size, {})
                # The least crowded window keeps globs apart that share most of their text.
                window = min(_windows(key, size), key=lambda window: len(table.get(window, ())))
                table.setdefault(window, []).append(entry)
        self._suffixes = _Beginnings(suffixes) if suffixes else None
        self._prefixes = _Beginnings(prefixes) if prefixes else None
        self._inner = tuple(inner.items())

    def find(self, name: str) -> list[V]:
        """The values of all globs that match the name."""
        return [
            value for glob, value in self.candidates(name) if glob is None or glob.matches(name)
        ]

    def candidates(self, name: str) -> list[tuple[Glob | None, V]]:
        """The globs that may match the name, with their values; None for one that does."""
        candidates = self._unkeyed[:]
        if self._suffixes is not None:
            candidates += self._suffixes.of(name[::-1])
        if self._prefixes is not None:
            candidates += self._prefixes.of(name)
        for size, table in self._inner:
            for window in set(_windows(name, size)):
                if window in table:
                    candidates += table[window]
        return candidates


class _Beginnings(Generic[V]):
    """Lists of values by a key that a text may begin with; one search finds all such keys."""

    def __init__(self, values: dict[str, list[V]]) -> None:
        self._keys = sorted(values)
        # By position of the key; `shorter` is the longest key that a key itself begins with.
        self._values: list[list[V]] = []
        self._shorter: list[int] = []
        open_keys: list[int] = []
        for key in self._keys:
            while open_keys and not key.startswith(self._keys[open_keys[-1]]):
                open_keys.pop()
            self._shorter.append(open_keys[-1] if open_keys else -1)
            open_keys.append(len(self._values))
            self._values.append(values[key])

    def of(self, text: str) -> list[V]:
        """The values of the keys that the text begins with."""
        # All keys that the text begins with begin the last key in order before the text as well.
        at = bisect_right(self._keys, text) - 1
        while at >= 0 and not text.startswith(self._keys[at]):
            at = self._shorter[at]
        found: list[V] = []
        while at >= 0:
            found += self._values[at]
            at = self._shorter[at]
        return found


def _windows(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(len(text) - size + 1)]
