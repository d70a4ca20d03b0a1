"""Compares the lint with what GitHub itself says of a CODEOWNERS file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from signoff_bot.reading.codeowners.problems import LineProblem

UNKNOWN_OWNER = "Unknown owner"
"""GitHub's kind for an owner that does not exist, cannot be seen, or may not write."""


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
    complained: set[int] = set()
    found = list(problems)
    for complaint in complaints:
        words = complaint.message.partition("\n")[0].removeprefix(
            f"{complaint.kind} on line {complaint.line}"
        )
        words = words.strip(" :") or complaint.kind
        if complaint.kind == UNKNOWN_OWNER:
            found.append(LineProblem(complaint.line, "unknown-owner", f"GitHub says: {words}"))
            continue
        complained.add(complaint.line)
        if complaint.line not in skipped:
            found.append(
                LineProblem(
                    complaint.line,
                    "github-rejects",
                    f"GitHub skips this line ({complaint.kind}: {words}), and signoff-bot reads it as "
                    "valid; write it differently, and report the difference",
                )
            )
    found += [
        LineProblem(
            number,
            "github-accepts",
            "GitHub does not complain about this line, and signoff-bot skips it; write it "
            "differently, and report the difference",
        )
        for number in skipped - complained
    ]
    return tuple(sorted(found, key=lambda problem: problem.number))
