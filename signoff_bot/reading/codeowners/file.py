"""A CODEOWNERS file as a whole: who owns a path, by which line."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from signoff_bot.reading.codeowners.index import Index
from signoff_bot.reading.codeowners.parser import Line, SkippedLine, read_lines
from signoff_bot.reading.codeowners.pattern import read_pattern
from signoff_bot.reading.codeowners.problems import LineProblem
from signoff_bot.reading.codeowners.trie import NONE


class Codeowners:
    """A parsed CODEOWNERS file. Paths are as git names them: from the root, with `/`, no `./`."""

    lines: tuple[Line, ...]
    """The valid lines."""
    skipped: tuple[SkippedLine, ...]
    """The lines that GitHub skips because they are invalid; they grant nothing."""

    def __init__(self, lines: tuple[Line, ...], skipped: tuple[SkippedLine, ...]) -> None:
        self.lines = lines
        self.skipped = skipped

    @property
    def problems(self) -> tuple[LineProblem, ...]:
        """What is wrong with the skipped lines."""
        return tuple(line.problem for line in self.skipped)

    @cached_property
    def listed_owners(self) -> tuple[str, ...]:
        """Every owner that a valid line names, once (letter case aside), as first written."""
        owners: dict[str, str] = {}
        for named in dict.fromkeys(line.owners for line in self.lines):
            for owner in named:
                owners.setdefault(owner.lower(), owner)
        return tuple(owners.values())

    def match(self, path: str) -> Line | None:
        """The line that decides who owns the path (the last that matches), or None.

        A line without owners decides too: then nobody owns the path.
        """
        number = self._index.last(path)
        return None if number == NONE else self.lines[number]

    def considered(self, path: str) -> tuple[Line, ...]:
        """All lines that match the path, in file order: the last one beats the others."""
        return tuple(self.lines[number] for number in self._index.all(path))

    def skipped_for(self, path: str) -> tuple[LineProblem, ...]:
        """The skipped lines that were probably meant to decide the path: worth a warning.

        Those are the ones after the line that decides it now.
        """
        decided = self.match(path)
        meant = (self._meant[number] for number in self._meant_index.all(path))
        return tuple(
            line.problem
            for line in meant
            if decided is None or line.problem.number > decided.number
        )

    def used(self, paths: Iterable[str]) -> frozenset[int]:
        """The numbers of the lines that match at least one of the paths, won or not."""
        return frozenset(self.lines[number].number for number in self._index.used(paths))

    def shadowing(self, line: Line) -> tuple[Line, ...]:
        """The later lines that match every path that a line of this file does; often none."""
        pattern = read_pattern(line.pattern)
        below, files = self._index.covering(pattern)
        needed = {below} if pattern.directory else set()
        needed |= {files} if pattern.file else set()
        lines = tuple(self.lines[number] for number in sorted(needed))
        return lines if all(other.number > line.number for other in lines) else ()

    @property
    def effort(self) -> int:
        """What `shadowing` has cost so far, in patterns tried."""
        return self._index.effort

    @cached_property
    def _index(self) -> Index:
        return Index(read_pattern(line.pattern) for line in self.lines)

    @cached_property
    def _meant(self) -> tuple[SkippedLine, ...]:
        return tuple(line for line in self.skipped if line.meant is not None)

    @cached_property
    def _meant_index(self) -> Index:
        return Index(read_pattern(line.meant) for line in self._meant if line.meant is not None)


def parse_codeowners(text: str) -> Codeowners:
    """Parses the text of a CODEOWNERS file; never raises, whatever the text."""
    return Codeowners(*read_lines(text))
