"""Finds the last pattern that matches a path, at a cost that hardly depends on their number.

Three kinds of patterns, three ways:

- Literal paths (`/apps/web/`, `docs/*`) are keys of a dictionary that each directory of a path is
  looked up in.
- Patterns with wildcards hang below their literal beginning as a trie with one node for a segment.
  The nodes that a directory reaches are *live*: they are tried on the names in it.
- `**` makes a node that stays live in all directories below.

What a directory inherits and which nodes are live in it is remembered, so a path costs a few
look-ups and its last name. Rules are numbers in file order: a node whose highest rule is lower
than what the directory already inherits can no longer win and is dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from signoff_bot.reading.codeowners.finder import GlobFinder
from signoff_bot.reading.codeowners.glob import Glob
from signoff_bot.reading.codeowners.pattern import ANY_DEPTH, Pattern, is_literal, unescape

NONE = -1
_FEW = 4
"""Up to this many globs are tried one by one: an index of them would not pay."""
_LONGEST_KEY = 4096
"""Longest path of a directory, in characters, that is kept as a key: git's paths are shorter."""


class _Node:
    """A position in patterns: what may follow, and the rules that end here."""

    __slots__ = (
        "deeper", "finder", "globs", "highest", "highest_file", "literals", "loops", "on_directory",
        "on_file",
    )  # fmt: skip

    def __init__(self, *, loops: bool = False) -> None:
        self.literals: dict[str, _Node] | None = None
        self.globs: dict[str, tuple[Glob, _Node]] | None = None
        self.finder: GlobFinder[_Node] | None = None
        self.deeper: _Node | None = None
        self.loops = loops
        self.on_directory = self.on_file = NONE
        self.highest = self.highest_file = NONE

    def reached_by(self, name: str) -> list[_Node]:
        """The nodes that one more name leads to."""
        found: list[_Node] = []
        if self.literals is not None and (child := self.literals.get(name)) is not None:
            found.append(child)
        if self.globs is not None:
            if len(self.globs) <= _FEW:
                found += [node for glob, node in self.globs.values() if glob.matches(name)]
            else:
                if self.finder is None:
                    self.finder = GlobFinder(self.globs.values())
                found += self.finder.find(name)
        return found


class _Directory(NamedTuple):
    """What is known of a directory: the rule it and all below it inherits, and the live nodes."""

    inherited: int
    nodes: tuple[_Node, ...]
    files: int
    """The rule for files right in it that no node decides."""
    file_nodes: tuple[_Node, ...]


class Index:
    """An index of patterns; a pattern's number is its position in the order given."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        self._below: dict[str, int] = {}
        self._exactly: dict[str, int] = {}
        self._children: dict[str, int] = {}
        self._tails: dict[str, _Node] = {}
        # The rule that had the same place in the index before, for directories and for files.
        self._beaten_below: dict[int, int] = {}
        self._beaten_file: dict[int, int] = {}
        globs: dict[str, Glob] = {}
        for number, pattern in enumerate(patterns):
            self._add(number, pattern, globs)
        self._known = {"": self._directory((), NONE, "", "")}

    def last(self, path: str) -> int:
        """The highest number of a pattern that matches the path, or `NONE`."""
        parent, _, name = path.rpartition("/")
        directory = self._known.get(parent)
        if directory is None:
            directory = self._enter(parent)
        best = self._exactly.get(path, NONE)
        if directory.files > best:
            best = directory.files
        for node in directory.file_nodes:
            if node.highest_file > best:
                for child in node.reached_by(name):
                    if child.on_file > best:
                        best = child.on_file
        return best

    def all(self, path: str) -> list[int]:
        """The numbers of all patterns that match the path, in ascending order."""
        parent, _, name = path.rpartition("/")
        below: list[int] = []
        nodes: Iterable[_Node] = ()
        for step, key in _steps(parent):
            nodes = self._live(nodes, step, key)
            below += [self._below.get(key, NONE), *(node.on_directory for node in nodes)]
        files = [self._exactly.get(path, NONE), self._children.get(parent, NONE)]
        files += [child.on_file for node in nodes for child in node.reached_by(name)]
        return sorted(
            {
                *_with_beaten(below, self._beaten_below),
                *_with_beaten(files, self._beaten_file),
            }
        )

    def _enter(self, path: str) -> _Directory:
        directory = None
        for name, key in _steps(path):
            known = self._known.get(key)
            if known is None:
                assert directory is not None  # noqa: S101 - the root is always known
                known = self._directory(directory.nodes, directory.inherited, name, key)
                if len(key) <= _LONGEST_KEY:
                    self._known[key] = known
            directory = known
        assert directory is not None  # noqa: S101
        return directory

    def _directory(
        self, parents: Iterable[_Node], inherited: int, name: str, key: str
    ) -> _Directory:
        live = self._live(parents, name, key)
        inherited = max(
            inherited, self._below.get(key, NONE), *(node.on_directory for node in live)
        )
        files = max(inherited, self._children.get(key, NONE))
        return _Directory(
            inherited,
            tuple(node for node in live if node.highest > inherited),
            files,
            tuple(node for node in live if node.highest_file > files),
        )

    def _live(self, parents: Iterable[_Node], name: str, key: str) -> Iterable[_Node]:
        """The nodes live in a directory, given those live in the one that it lies in."""
        live: list[_Node] = []
        for node in parents:
            if node.loops:
                live.append(node)
            live += node.reached_by(name)
        if (tail := self._tails.get(key)) is not None:
            live.append(tail)
        live += [node.deeper for node in live if node.deeper is not None]
        return dict.fromkeys(live)

    def _add(self, number: int, pattern: Pattern, globs: dict[str, Glob]) -> None:
        segments = pattern.segments
        depth = size = 0
        for segment in segments:
            size += len(segment) + 1
            if not is_literal(segment) or size > _LONGEST_KEY:
                break
            depth += 1
        head = "/".join(map(unescape, segments[:depth]))
        tail = segments[depth:]
        if not tail:
            if pattern.directory:
                _put(self._below, head, number, self._beaten_below)
            if pattern.file:
                _put(self._exactly, head, number, self._beaten_file)
        elif tail == ("*",) and not pattern.directory:
            _put(self._children, head, number, self._beaten_file)
        else:
            node = self._tails.get(head)
            if node is None:
                node = self._tails[head] = _Node()
            self._hang(node, tail, number, pattern, globs)

    def _hang(
        self,
        node: _Node,
        tail: tuple[str, ...],
        number: int,
        pattern: Pattern,
        globs: dict[str, Glob],
    ) -> None:
        for segment in tail:
            node.highest = number
            above = node
            node = _child(node, segment, globs)
        if pattern.directory:
            if node.on_directory != NONE:
                self._beaten_below[number] = node.on_directory
            node.on_directory = number
        if pattern.file:
            if node.on_file != NONE:
                self._beaten_file[number] = node.on_file
            node.on_file = above.highest_file = number


def _child(node: _Node, segment: str, globs: dict[str, Glob]) -> _Node:
    """The node that a segment leads to from another, made if there is none yet."""
    if segment == ANY_DEPTH:
        if node.deeper is None:
            node.deeper = _Node(loops=True)
        return node.deeper
    if is_literal(segment):
        if node.literals is None:
            node.literals = {}
        return node.literals.setdefault(unescape(segment), _Node())
    if node.globs is None:
        node.globs = {}
    if segment not in node.globs:
        if segment not in globs:
            globs[segment] = Glob(segment)
        node.globs[segment] = (globs[segment], _Node())
    return node.globs[segment][1]


def _put(places: dict[str, int], key: str, number: int, beaten: dict[int, int]) -> None:
    if key in places:
        beaten[number] = places[key]
    places[key] = number


def _with_beaten(numbers: Iterable[int], beaten: dict[int, int]) -> Iterator[int]:
    for number in numbers:
        current = number
        while current != NONE:
            yield current
            current = beaten.get(current, NONE)


def _steps(directory: str) -> Iterator[tuple[str, str]]:
    """The directories from the root down to one: the name of each, and its key in the index.

    A path too long to be a key of the index gets a key that is in no index, so that a path of any
    length costs linear time.
    """
    yield "", ""
    end = -1
    for name in directory.split("/") if directory else ():
        end += len(name) + 1
        yield name, directory[: min(end, _LONGEST_KEY + 1)]
