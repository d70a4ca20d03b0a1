"""A trie of patterns with one node for each segment; the part of the index behind wildcards."""

from __future__ import annotations

from signoff_bot.reading.codeowners.finder import GlobFinder
from signoff_bot.reading.codeowners.glob import Glob
from signoff_bot.reading.codeowners.pattern import ANY_DEPTH, is_literal, unescape

NONE = -1
"""Stands for "no rule", since rules are numbered from 0."""

_FEW = 4
"""Up to this many globs are tried one by one: an index of them would not pay."""


class Node:
    """A position in patterns: what may follow, and the rules that end here.

    Rules are numbered in file order, and of the rules that end in the same place only the last
    can win: `on_directory` owns all below a directory that leads here, `on_file` such a file, and
    `children` the files right in such a directory (`docs/*`). `highest` is the last rule that ends
    below this node, `highest_file` the last of those that match a file whose name alone follows.
    """

    __slots__ = (
        "_deeper",
        "_entered",
        "_finder",
        "_globs",
        "_literals",
        "children",
        "highest",
        "highest_file",
        "live",
        "loops",
        "on_directory",
        "on_file",
    )

    def __init__(self, *, loops: bool = False) -> None:
        self._literals: dict[str, Node] = _NO_LITERALS
        self._globs: dict[str, tuple[Glob, Node]] | None = None
        self._finder: GlobFinder[Node] | None = None
        self._entered: dict[str, list[Node]] | None = None
        self._deeper: Node | None = None
        self.loops = loops
        """Whether it stays live in all directories below."""
        self.live: tuple[Node, ...] = ()
        """The nodes that are live in a directory that leads here: none if nothing may follow."""
        self.children = self.on_directory = self.on_file = NONE
        self.highest = self.highest_file = NONE

    def after(self, name: str) -> list[Node]:
        """The nodes that one more name of a path leads to."""
        child = self._literals.get(name)
        found = [] if child is None else [child]
        if self._globs is None:
            return found
        if len(self._globs) > _FEW:
            return found + self._find().find(name)
        for glob, node in self._globs.values():
            if glob.matches(name):
                found.append(node)
        return found

    def cost(self, name: str) -> int:
        """How many globs `after` must try for the name, at most."""
        globs = len(self._globs or ())
        return globs if globs <= _FEW else len(self._find().candidates(name))

    def _find(self) -> GlobFinder[Node]:
        if self._finder is None:
            self._finder = GlobFinder((self._globs or {}).values())
        return self._finder

    def entered(self, name: str) -> list[Node]:
        """`after` for the name of a directory: names recur, so that of many globs is remembered."""
        if self._globs is None or len(self._globs) <= _FEW:
            return self.after(name)
        if self._entered is None:
            self._entered = {}
        found = self._entered.get(name)
        if found is None:
            found = self._entered[name] = self.after(name)
        return found

    def child(self, segment: str, globs: dict[str, Glob]) -> Node:
        """The node that one more segment leads to, made if there is none; `globs` are shared."""
        if segment == ANY_DEPTH:
            if self._deeper is None:
                self._deeper = Node(loops=True)
                self.live += (self._deeper,)
            return self._deeper
        if self not in self.live:
            self.live += (self,)
        if is_literal(segment):
            if self._literals is _NO_LITERALS:
                self._literals = {}
            name = unescape(segment)
            if name not in self._literals:
                self._literals[name] = Node()
            return self._literals[name]
        if self._globs is None:
            self._globs = {}
        if segment not in self._globs:
            if segment not in globs:
                globs[segment] = Glob(segment)
            self._globs[segment] = (globs[segment], Node())
        return self._globs[segment][1]


_NO_LITERALS: dict[str, Node] = {}
