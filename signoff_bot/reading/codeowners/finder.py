"""Finds the globs, among many, that match a name, without trying them one after the other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

from signoff_bot.reading.codeowners.glob import Glob

V = TypeVar("V")
_WINDOWS = (8, 4, 2, 1)


class GlobFinder(Generic[V]):
    """An index of globs by the longest literal text each one demands.

    A prefix or suffix is one look-up per distinct length. Text in the middle is looked up at each
    position of the name, in windows of at most four lengths. Only the globs found so are tried.
    """

    __slots__ = ("_inner", "_prefixes", "_suffixes", "_unkeyed")

    def __init__(self, globs: Iterable[tuple[Glob, V]]) -> None:
        self._suffixes: dict[int, dict[str, list[tuple[Glob, V]]]] = {}
        self._prefixes: dict[int, dict[str, list[tuple[Glob, V]]]] = {}
        self._inner: dict[int, dict[str, list[tuple[Glob, V]]]] = {}
        self._unkeyed: list[tuple[Glob, V]] = []
        for entry in globs:
            self._bucket(entry[0]).append(entry)
        self._suffixes = dict(sorted(self._suffixes.items()))
        self._prefixes = dict(sorted(self._prefixes.items()))

    def find(self, name: str) -> list[V]:
        """The values of all globs that match the name."""
        candidates: list[tuple[Glob, V]] = []
        length = len(name)
        for size, table in self._suffixes.items():
            if size > length:
                break
            if (bucket := table.get(name[-size:])) is not None:
                candidates += bucket
        for size, table in self._prefixes.items():
            if size > length:
                break
            if (bucket := table.get(name[:size])) is not None:
                candidates += bucket
        for size, table in self._inner.items():
            for window in {name[at : at + size] for at in range(length - size + 1)}:
                if (bucket := table.get(window)) is not None:
                    candidates += bucket
        candidates += self._unkeyed
        return [value for glob, value in candidates if glob.matches(name)]

    def _bucket(self, glob: Glob) -> list[tuple[Glob, V]]:
        longest = max(glob.suffix, glob.prefix, glob.fragment, key=len)
        if not longest:
            return self._unkeyed
        if longest is glob.suffix:
            table = self._suffixes.setdefault(len(longest), {})
        elif longest is glob.prefix:
            table = self._prefixes.setdefault(len(longest), {})
        else:
            size = next(size for size in _WINDOWS if size <= len(longest))
            table = self._inner.setdefault(size, {})
            # The least crowded window keeps globs apart that share most of their text.
            longest = min(
                (longest[at : at + size] for at in range(len(longest) - size + 1)),
                key=lambda window: len(table.get(window, ())),
            )
        return table.setdefault(longest, [])
