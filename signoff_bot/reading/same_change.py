"""Tells whether two commits of a pull request change the very same things of the base.

The proof is git's own: the same files, each with the same content and the same diff, so that what
they are set against is the same as well. Whatever GitHub does not show proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from signoff_bot.evidence.base import MissingEvidence, Sha, Unread, known
from signoff_bot.evidence.pull import ChangedFile

Files = Iterable[ChangedFile] | Unread


def difference(before: Files, after: Files) -> str | None:
    """The first difference between two lists of changed files, or None when they are the same.

    In words that complete "... is not the same: ...".

    Raises:
        MissingEvidence: one of the lists could not be read.
    """
    old, new = ({file.path: file for file in known(files)} for files in (before, after))
    for path in sorted(old.keys() | new.keys()):
        if path not in new:
            return f"{path} is no longer among the changed files"
        if path not in old:
            return f"{path} was not among the changed files"
        if old[path] != new[path]:
            return f"{path} is changed differently"
        if not _shown(new[path]):
            return f"GitHub shows no diff of {path}"
    return None


def changes_since(shas: Iterable[Sha], at: Callable[[Sha], Files], now: Files) -> dict[Sha, str]:
    """The commits at which the change is not proven to be what it is now, each with the reason.

    `at` gives the changed files at a commit. The reasons are clauses of their own.
    """
    doubts: dict[Sha, str] = {}
    for sha in shas:
        doubt = _doubt(at(sha), now)
        if doubt is not None:
            doubts[sha] = doubt
    return doubts


def _doubt(before: Files, now: Files) -> str | None:
    try:
        found = difference(before, now)
    except MissingEvidence as missing:
        return f"whether the change is the same now is not known: {missing}"
    return f"the change is not the same now: {found}" if found else None


def _shown(file: ChangedFile) -> bool:
    """Whether content and diff are told; a new file is set against nothing."""
    return file.sha is not None and (file.patch is not None or file.status == "added")
