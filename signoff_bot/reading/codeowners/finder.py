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
    position of the name, in windows of at most four lengths. Only the globs found so are tried;
    one that is its prefix or suffix and a `*` needs no trial (its entry holds None).
    """

    __slots__ = ("_inner", "_prefixes", "_suffixes", "_unkeyed")

    def __init__(self, globs: Iterable[tuple[Glob, V]]) -> None:
        suffixes: dict[int, dict[str, list[tuple[Glob | None, V]]]] = {}
        prefixes: dict[int, dict[str, list[tuple[Glob | None, V]]]] = {}
        inner: dict[int, dict[str, list[tuple[Glob | None, V]]]] = {}
        self._unkeyed: list[tuple[Glob | None, V]] = []
        for glob, value in globs:
            key = max(glob.suffix, glob.prefix, glob.fragment, key=len)
            if not key:
                self._unkeyed.append((glob, value))
                continue
            if key is glob.suffix:
                table = suffixes.setdefault(len(key), {})
            elif key is glob.prefix:
                table = prefixes.setdefault(len(key), {})
            else:
                size = next(size for size in _WINDOWS if size <= len(key))
                table = inner.setdefault(size, {})
                # The least crowded window keeps globs apart that share most of their text.
                key = min(_windows(key, size), key=lambda window: len(table.get(window, ())))
            sure = glob.simple and glob.shortest == len(key)
            table.setdefault(key, []).append((None if sure else glob, value))
        self._suffixes = sorted(suffixes.items())
        self._prefixes = sorted(prefixes.items())
        self._inner = list(inner.items())

    def find(self, name: str) -> list[V]:
        """The values of all globs that match the name."""
        candidates = self._unkeyed[:]
        length = len(name)
        for size, table in self._suffixes:
            if size > length:
                break
            if (bucket := table.get(name[length - size :])) is not None:
                candidates += bucket
        for size, table in self._prefixes:
            if size > length:
                break
            if (bucket := table.get(name[:size])) is not None:
                candidates += bucket
        for size, table in self._inner:
            for window in dict.fromkeys(_windows(name, size)):
                if (bucket := table.get(window)) is not None:
                    candidates += bucket
        return [value for glob, value in candidates if glob is None or glob.matches(name)]


def _windows(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(len(text) - size + 1)]
