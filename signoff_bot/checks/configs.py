"""What checks share that judge benchmark configurations: their files, their changes, exceptions.

What a pull request changes is the difference between its merge base and its head, so that an entry
that the base branch mended or retired meanwhile is not laid at its door.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property
from zoneinfo import ZoneInfo

from signoff_bot.checks.base import Case, Finding, Reference
from signoff_bot.checks.needs import ContentNeed
from signoff_bot.evidence.base import MissingEvidence, known
from signoff_bot.evidence.repository import Place
from signoff_bot.reading.changelog import LogAdditions, read_additions
from signoff_bot.reading.config_entries import Entry, EntryChange, changed_entries, entries, merged
from signoff_bot.reading.globs import let_in
from signoff_bot.reading.wording import count

MOST_ISSUES = 20
"""Issues shown one by one; the rest are counted."""


@dataclass(frozen=True)
class FileVersions:
    """A changed file, by its name at the head; its texts are looked up when asked for.

    Raises:
        MissingEvidence: by `before` and `after`, where the text could not be read.
    """

    case: Case
    path: str
    before_path: str | None
    after_path: str | None

    @cached_property
    def before(self) -> str | None:
        """Its text at the merge base, or None when it was not there."""
        return self._text(self.before_path, "merge base")

    @cached_property
    def after(self) -> str | None:
        """Its text at the head, or None when it is not there."""
        return self._text(self.after_path, "head")

    def _text(self, path: str | None, at: Place) -> str | None:
        return None if path is None else known(known(self.case.evidence.content(path, at)).text)


def content_needs(globs: Iterable[str], *places: Place) -> frozenset[ContentNeed]:
    """The need for files at some places."""
    return frozenset(ContentNeed(glob, at) for glob in globs for at in places)


def base_text(case: Case, path: str) -> str | None:
    """A file's text at the base, or None when there is none.

    Raises:
        MissingEvidence: it could not be read.
    """
    return known(known(case.evidence.content(path)).text)


def changed_files(case: Case, globs: Sequence[str]) -> Iterator[FileVersions]:
    """The changed files that the globs let in.

    A file that is moved to where the globs let it in is new there, and one moved away is gone.

    Raises:
        MissingEvidence: the changed files could not be read.
    """
    files = known(case.evidence.files)
    names = frozenset(name for file in files for name in (file.path, file.previous_path) if name)
    chosen = let_in(names, tuple(globs))
    for file in files if chosen else ():
        now = None if file.status == "removed" else file.path
        former = file.previous_path or file.path
        after = now if now in chosen else None
        before = former if former in chosen and file.status not in ("added", "copied") else None
        if after or before:
            yield FileVersions(case, file.path, before, after)


def config_changes(case: Case, globs: Sequence[str]) -> tuple[EntryChange, ...]:
    """The configuration entries that the pull request adds, changes or removes.

    Raises:
        MissingEvidence: a configuration could not be read.
    """
    return merged(
        change
        for file in changed_files(case, globs)
        for change in changed_entries(file.before, file.after, file.path)
    )


def known_entries(
    case: Case,
    globs: Sequence[str],
    base_paths: Sequence[str],
    *,
    mentioning: str = "",
    keys: Callable[[str], bool] | None = None,
) -> Iterator[Entry]:
    """The entries in force with the pull request merged, chosen as by `entries`.

    The files that it changes count as they are at its head; the others, so far as `base_paths`
    names them, as they are at the base.

    Raises:
        MissingEvidence: a configuration could not be read.
    """
    texts = {file.path: file.after for file in changed_files(case, globs)}
    for path in base_paths:
        if path not in texts:
            texts[path] = base_text(case, path)
    for path, text in sorted(texts.items()):
        yield from entries(text, path, mentioning=mentioning, keys=keys)


def log_additions(case: Case, path: str) -> LogAdditions:
    """What the pull request appends to the change log; nothing where it leaves the log alone.

    Raises:
        MissingEvidence: the changed files, or the diff of the log, could not be read.
    """
    for file in known(case.evidence.files):
        if file.path == path and file.status != "removed":
            if file.patch is None:
                raise MissingEvidence(
                    f"GitHub shows no diff of {path}, so what it gains cannot be told; append to "
                    "it at its end only"
                )
            return read_additions(file.patch, path)
    return LogAdditions((), ())


def review_date(case: Case) -> date:
    """The day a deadline is judged by: that of the sign-off, in the rules' time zone.

    While nobody has signed it is the day of the evidence; it is never after the merge.
    """
    at = case.signoff.at if case.signoff else case.evidence.collected_at
    moment = min(at, case.evidence.pull.merged_at or at)
    utc = datetime.strptime(moment, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    return utc.astimezone(ZoneInfo(case.time_zone)).date()


def stated(case: Case, *names: str) -> str | None:
    """The line of the sign-off's detail section that names one of these things, or None."""
    if case.signoff is None:
        return None
    pattern = "|".join(rf"(?<![\w.-]){re.escape(name)}(?![\w-]|\.\w)" for name in names)
    for number, line in case.signoff.form.details:
        if re.search(pattern, line, re.IGNORECASE):
            return f"sign-off line {number}: {line.strip()}"
    return None


def conclude(
    *,
    failures: Sequence[str],
    doubts: Sequence[str],
    passed: str,
    remarks: Sequence[str] = (),
    fix: str,
    look: str,
    links: Sequence[Reference] = (),
) -> Finding:
    """`fail` with any failure, else `review` with any doubt, else `pass`.

    `fix` says what to do about failures, and `look` what a person must decide about doubts.
    """
    if failures:
        lines = [*failures, *(f"to be looked at: {doubt}" for doubt in doubts)]
        return Finding("fail", _headline(failures), _shown(lines, remarks), fix, tuple(links))
    if doubts:
        return Finding("review", _headline(doubts), _shown(doubts, remarks), look, tuple(links))
    return Finding("pass", passed, _shown((), remarks), links=tuple(links))


def _headline(issues: Sequence[str]) -> str:
    more = f" (and {count(len(issues) - 1, 'more issue')})" if len(issues) > 1 else ""
    return issues[0] + more


def _shown(issues: Sequence[str], remarks: Sequence[str]) -> tuple[str, ...]:
    lines = [*issues, *remarks]
    rest = len(lines) - MOST_ISSUES
    return (*lines[:MOST_ISSUES], *([f"and {rest} more"] if rest > 0 else []))
