"""Puts each pattern in its place: a dictionary of literal paths, or a trie below one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from signoff_bot.reading.codeowners.glob import Glob
from signoff_bot.reading.codeowners.pattern import Pattern
from signoff_bot.reading.codeowners.trie import NONE, Node

LONGEST_KEY = 500
"""Longest path of a directory, in characters, that is kept as a key; real ones are shorter.

Longer ones are matched all the same, in linear time, segment by segment.
"""


class Places:
    """The places of all patterns. A pattern's number is its position in the order given.

    Of patterns that have the same place only the last can win; the others are kept aside.
    """

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        self.below: dict[str, int] = {}
        """By directory: the pattern that owns all below it."""
        self.exactly: dict[str, int] = {}
        """By path: the pattern that names this very file."""
        self.tails: dict[str, Node] = {}
        """By directory: the trie of what follows it in patterns with wildcards."""
        self._beaten_below: dict[int, int] = {}
        self._beaten_files: dict[int, int] = {}
        below, exactly = self.below, self.exactly
        globs: dict[str, Glob] = {}
        for number, (head, tail, directory, file) in enumerate(patterns):
            if len(head) > LONGEST_KEY:
                self._hang("", (*head.split("/"), *tail), number, directory, file, globs)
            elif tail:
                self._hang(head, tail, number, directory, file, globs)
            else:
                if head in below:
                    self._beaten_below[number] = below[head]
                below[head] = number
                if file:
                    if head in exactly:
                        self._beaten_files[number] = exactly[head]
                    exactly[head] = number

    def with_beaten(self, below: Iterable[int], files: Iterable[int]) -> set[int]:
        """The numbers found for directories and for files, and all that had the same places."""
        found = {*_chain(below, self._beaten_below), *_chain(files, self._beaten_files)}
        return found - {NONE}

    def _hang(
        self,
        head: str,
        tail: tuple[str, ...],
        number: int,
        directory: bool,
        file: bool,
        globs: dict[str, Glob],
    ) -> None:
        node = self.tails.get(head)
        if node is None:
            node = self.tails[head] = Node()
        if tail == ("*",) and not directory:
            if node.children != NONE:
                self._beaten_files[number] = node.children
            node.children = number
            return
        for segment in tail:
            above, node = node, node.child(segment, globs)
            above.highest = number
        if directory:
            if node.on_directory != NONE:
                self._beaten_below[number] = node.on_directory
            node.on_directory = number
        if file:
            if node.on_file != NONE:
                self._beaten_files[number] = node.on_file
            node.on_file = above.highest_file = number


def _chain(numbers: Iterable[int], beaten: dict[int, int]) -> Iterator[int]:
    for number in numbers:
        current = number
        while current != NONE:
            yield current
            current = beaten.get(current, NONE)
