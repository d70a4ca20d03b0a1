"""What is wrong with a line: a stable code, the place, and what to write instead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class LineProblem:
    """A line that GitHub skips, or that does not do what its writer meant.

    `code` is stable, and docs/codeowners-lint.md explains each; `message` says what to write
    instead. An `error` is a line (or a file) that cannot do its job, a `warning` one that may be
    meant as it is.
    """

    number: int
    """Counted from 1; 0 for the file as a whole."""
    code: str
    message: str
    severity: Literal["error", "warning"] = "error"
    skipped: bool = False
    """Whether GitHub skips the line, so that earlier lines decide."""
