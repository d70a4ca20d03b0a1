"""CODEOWNERS as GitHub reads it: which line owns a path, and what is wrong with the others."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """A valid line: `owners` as written (`@user`, `@org/team`, e-mail), possibly none."""

    number: int
    pattern: str
    owners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LineProblem:
    """A line that GitHub skips, or that does not do what its writer meant."""

    number: int
    code: str
    message: str


class Codeowners:
    """A parsed and indexed CODEOWNERS file."""

    lines: tuple[Line, ...]
    problems: tuple[LineProblem, ...]

    def match(self, path: str) -> Line | None:
        """The line that decides who owns the path (the last that matches), or None."""
        raise NotImplementedError


def parse_codeowners(text: str) -> Codeowners:
    """Parses the text of a CODEOWNERS file; never raises on any text."""
    raise NotImplementedError
