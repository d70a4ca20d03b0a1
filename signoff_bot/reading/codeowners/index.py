"""Finds the last pattern that matches a path, at a cost that hardly depends on their number.

Three kinds of patterns, three ways:

- Literal paths (`/apps/web/`, `docs/*`) are keys of dictionaries that each directory of a path is
  looked up in.
- Patterns with wildcards hang below their literal beginning as a trie. The nodes that a directory
  leads to are *live* in it: they are tried on the names in it.
- `**` makes a node that stays live in all directories below.

What a directory inherits and which nodes are live in it is remembered, so a path costs a few
look-ups and its last name. A node whose highest rule comes before the one that a directory already
inherits can no longer win and is dropped there.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Generic, NamedTuple, TypeVar

from signoff_bot.reading.codeowners.glob import as_name
from signoff_bot.reading.codeowners.pattern import ANY_DEPTH, Pattern
from signoff_bot.reading.codeowners.places import LONGEST_KEY, Places
from signoff_bot.reading.codeowners.trie import NONE, Node

D = TypeVar("D")


class Index:
    """An index of patterns; a pattern's number is its position in the order given."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        self._places = Places(patterns)
        self._directories = _Directories(self._places)
        self.effort = 0
        """How many globs `covering` has tried so far: hostile patterns can make that many."""

    @cached_property
    def _visits(self) -> _Visits:
        return _Visits(self._places)

    def last(self, path: str) -> int:
        """The highest number of a pattern that matches the path, or `NONE`."""
        parent, _, name = path.rpartition("/")
        directory = self._directories[parent]
        best = self._places.exactly.get(path, NONE)
        if directory.files > best:
            best = directory.files
        for node in directory.file_nodes:
            if node.highest_file > best:
                for child in node.after(name):
                    if child.on_file > best:
                        best = child.on_file
        return best

    def all(self, path: str) -> list[int]:
        """The numbers of all patterns that match the path, in ascending order."""
        directory, files = self._every(path)
        return sorted(self._places.with_beaten(directory.below, files))

    def used(self, paths: Iterable[str]) -> set[int]:
        """The numbers of the patterns that match at least one of the paths."""
        below: set[int] = set()
        matched: set[int] = set()
        for path in paths:
            directory, files = self._every(path)
            below.update(directory.below)
            matched.update(files)
        return self._places.with_beaten(below, matched)

    def covering(self, pattern: Pattern) -> tuple[int, int]:
        """The last patterns that match all of what another one does.

        Returns:
            The highest number of one for the directories that it matches, with all below them, and
            for the files. A pattern of the index is covered by itself at least.
        """
        head, tail, _, _ = pattern
        directory = self._directories[head]
        below = directory.inherited
        if not tail:
            return below, self.last(head)
        files = directory.files if len(tail) == 1 else NONE
        nodes = directory.nodes
        reached: list[Node] = []
        for segment in tail:
            before = below
            live = [node for node in nodes if node.loops]
            if segment != ANY_DEPTH:
                name = as_name(segment)
                self.effort += sum(node.cost(name) for node in nodes)
                reached = [child for node in nodes for child in node.after(name)]
                below = max(below, *(child.on_directory for child in reached), NONE)
                live += [node for child in reached for node in child.live]
            nodes = list(dict.fromkeys(live))
        return below, max(before, files, *(child.on_file for child in reached))

    def _every(self, path: str) -> tuple[_Visit, list[int]]:
        parent, _, name = path.rpartition("/")
        directory = self._visits[parent]
        files = [child.on_file for node in directory.nodes for child in node.after(name)]
        files += (self._places.exactly.get(path, NONE), directory.children)
        return directory, files


class _PerDirectory(dict[str, D], Generic[D]):
    """Facts of each directory, each learnt from those of the directory above when first asked."""

    def __init__(self, places: Places, nowhere: D) -> None:
        super().__init__()
        self._places = places
        self[""] = self._learn(nowhere, "", "")

    def __missing__(self, path: str) -> D:
        if len(path) > LONGEST_KEY:
            cut = path.rfind("/", 0, LONGEST_KEY)
            facts = self[path[: max(cut, 0)]]
            for name in path[cut + 1 :].split("/"):
                facts = self._learn(facts, name, path)
            return facts
        above, _, name = path.rpartition("/")
        facts = self[path] = self._learn(self[above], name, path)
        return facts

    def _learn(self, above: D, name: str, path: str) -> D:
        """The facts of the directory `name`; `path` is its key, or in no dictionary if too long."""
        raise NotImplementedError


class _Directory(NamedTuple):
    """What decides in a directory: the rule that all below it inherits, and the live nodes."""

    inherited: int
    nodes: list[Node]
    files: int
    """The rule for the files right in it, unless one of `file_nodes` has a later one."""
    file_nodes: list[Node]
    steady: bool
    """Whether a directory in it is like it, unless a pattern speaks of it."""


class _Directories(_PerDirectory[_Directory]):
    def __init__(self, places: Places) -> None:
        super().__init__(places, _Directory(NONE, [], NONE, [], steady=False))

    def _learn(self, above: _Directory, name: str, path: str) -> _Directory:
        inherited = self._places.below.get(path, NONE)
        tail = self._places.tails.get(path)
        reached: list[Node] = []
        for node in above.nodes:
            reached += node.entered(name)
        if above.steady and not reached and tail is None and inherited <= above.inherited:
            return above
        inherited = max(inherited, above.inherited, *(node.on_directory for node in reached))
        live = [node for node in above.nodes if node.loops]
        for node in reached:
            live += node.live
        if tail is not None:
            live += tail.live
        nodes = [node for node in dict.fromkeys(live) if node.highest > inherited]
        files = inherited if tail is None else max(inherited, tail.children)
        return _Directory(
            inherited,
            nodes,
            files,
            [node for node in nodes if node.highest_file > files],
            files == inherited and all(node.loops for node in nodes),
        )


class _Visit(NamedTuple):
    """All that matches a directory, won or not: its rules, and all live nodes."""

    below: set[int]
    nodes: list[Node]
    children: int


class _Visits(_PerDirectory[_Visit]):
    def __init__(self, places: Places) -> None:
        super().__init__(places, _Visit(set(), [], NONE))

    def _learn(self, above: _Visit, name: str, path: str) -> _Visit:
        reached = [child for node in above.nodes for child in node.after(name)]
        live = [node for node in above.nodes if node.loops]
        live += [node for child in reached for node in child.live]
        tail = self._places.tails.get(path)
        if tail is not None:
            live += tail.live
        below = {*above.below, self._places.below.get(path, NONE)}
        below.update(node.on_directory for node in reached)
        children = NONE if tail is None else tail.children
        return _Visit(below, list(dict.fromkeys(live)), children)
