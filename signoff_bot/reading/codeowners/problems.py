"""What is wrong with a line: a stable code, the place, and what to write instead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class LineProblem:
    """A line that GitHub skips, or that does not do what its writer meant.

    `number` counts lines from 1; `code` is stable, docs/codeowners-lint.md explains each; `message`
    says what to write instead. An `error` keeps the line from naming owners, a `warning` does not.
    """

    number: int
    code: str
    message: str
    severity: Literal["error", "warning"] = "error"
