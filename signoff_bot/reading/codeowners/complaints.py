"""Compares the lint with what GitHub itself says of a CODEOWNERS file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from signoff_bot.reading.codeowners.problems import LineProblem

UNKNOWN_OWNER = "Unknown owner"
"""GitHub's kind for an owner that does not exist, cannot be seen, or may not write."""


_REPORT = "write it in another way, and report the difference"


@dataclass(frozen=True, slots=True)
class Complaint:
    """A line that GitHub complains about, in its own words."""

    line: int
    kind: str
    message: str


def with_complaints(
    problems: Sequence[LineProblem], complaints: Iterable[Complaint]
) -> tuple[LineProblem, ...]:
    """The lint's problems, with GitHub's where the lint cannot know or sees it otherwise.

    A difference in what is a valid line is a problem of its own: one of both is wrong about who
    owns the code.
    """
    skipped = {problem.number for problem in problems if problem.skipped}
    complaints = tuple(complaints)
    rejected = {complaint.line for complaint in complaints if complaint.kind != UNKNOWN_OWNER}
    found = list(problems)
    for complaint in complaints:
        if complaint.kind == UNKNOWN_OWNER:
            found.append(LineProblem(complaint.line, "unknown-owner", _words(complaint)))
        elif complaint.line not in skipped:
            message = f"{_words(complaint)}; signoff-bot reads the line as valid, so {_REPORT}"
            found.append(LineProblem(complaint.line, "github-rejects", message))
    message = f"GitHub does not complain about this line, which signoff-bot skips; {_REPORT}"
    found += [LineProblem(number, "github-accepts", message) for number in skipped - rejected]
    return tuple(sorted(found, key=lambda problem: problem.number))


def _words(complaint: Complaint) -> str:
    """The first line of the message, without the place that is shown anyway."""
    place = f"{complaint.kind} on line {complaint.line}"
    words = complaint.message.partition("\n")[0].removeprefix(place).strip(" :")
    return f"GitHub says: {complaint.kind}" + (f", {words}" if words else "")
