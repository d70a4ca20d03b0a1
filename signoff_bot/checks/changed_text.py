"""What checks share that judge the text of changed files: the text, and which lines are new."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from signoff_bot.checks.base import Case
from signoff_bot.checks.configs import changed_files
from signoff_bot.evidence.base import known
from signoff_bot.reading.unified_diff import Diff, read_diff


@dataclass(frozen=True)
class ChangedText:
    """A changed file as it stands at the head."""

    path: str
    text: str
    diff: Diff | None
    """None where the whole file is new, or GitHub shows no diff that fits the text."""
    new: bool
    """Whether it was not there before, under any name that the check looks at."""

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Its lines; the first one has the number 1."""
        return tuple(self.text.split("\n"))

    @property
    def unclear(self) -> bool:
        """Whether it cannot be told which of its lines are new."""
        return self.diff is None and not self.new

    def added(self, lines: Iterable[int]) -> bool:
        """Whether any of these lines is new, or may be."""
        return self.diff is None or any(line in self.diff.added for line in lines)

    @cached_property
    def added_text(self) -> str:
        """The lines that are new or may be."""
        return self.text if self.diff is None else "\n".join(self.diff.added.values())


def changed_texts(case: Case, globs: Sequence[str]) -> Iterator[ChangedText]:
    """The changed files that the globs let in and that are there at the head.

    Raises:
        MissingEvidence: the changed files, or the text of one, could not be read.
    """
    patches = {file.path: file.patch for file in known(case.evidence.files)}
    for file in changed_files(case, globs):
        if file.after is not None:
            patch = patches[file.path]
            diff = read_diff(patch) if patch is not None and file.before_path else None
            fitting = diff if diff is not None and diff.fits(file.after) else None
            yield ChangedText(file.path, file.after, fitting, file.before_path is None)
