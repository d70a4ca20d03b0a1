"""Who owns which paths, ready to be shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from signoff_bot.reading.codeowners.file import Codeowners
from signoff_bot.reading.codeowners.parser import Line
from signoff_bot.reading.codeowners.problems import LineProblem

Selection = Callable[[tuple[str, ...] | None], bool]
"""Tells from a path's owners (see `PathReport.owners`) whether it is wanted."""


@dataclass(frozen=True, slots=True)
class PathReport:
    """One path: the line that decides who owns it, or None where no line matches."""

    path: str
    line: Line | None
    beaten: tuple[Line, ...] = ()
    """The earlier lines that match too, where an explanation was asked for."""
    skipped: tuple[LineProblem, ...] = ()
    """Later lines that were probably meant for it but are invalid, where one was asked for."""

    @property
    def owners(self) -> tuple[str, ...] | None:
        """The owners as written; empty where the line names none, None where no line matches."""
        return None if self.line is None else self.line.owners


@dataclass(frozen=True, slots=True)
class OwnersReport:
    """What one CODEOWNERS file says about some paths, in the order they were asked."""

    file: str
    """Where it was found, for people."""
    problems: tuple[LineProblem, ...]
    paths: tuple[PathReport, ...]
    explained: bool = False

    def only(self, wanted: Selection) -> OwnersReport:
        """The report on those paths whose owners are wanted."""
        return replace(self, paths=tuple(path for path in self.paths if wanted(path.owners)))


def report_owners(
    file: str, codeowners: Codeowners, paths: Iterable[str], *, explain: bool = False
) -> OwnersReport:
    """Looks up each path; `explain` adds the other lines that were considered."""
    if not explain:
        found = tuple(PathReport(path, codeowners.match(path)) for path in paths)
    else:
        found = tuple(
            PathReport(
                path,
                codeowners.match(path),
                codeowners.considered(path)[:-1],
                codeowners.skipped_for(path),
            )
            for path in paths
        )
    return OwnersReport(file, codeowners.problems, found, explain)
