"""What an audit's exit status says: findings that matter, or that not everything was judged."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from signoff_bot.audit.report import CLASSES, Class, Report
from signoff_bot.errors import InvalidInput

FINDINGS: tuple[Class, ...] = ("rejected", "stale", "merged-unsigned", "merged-rejected")
"""The classes that fail an audit unless the user says otherwise."""
GOOD: tuple[Class, ...] = ("ready", "merged-ok")


def read_classes(texts: Sequence[str]) -> frozenset[Class]:
    """The classes that are to fail an audit: their names, `none`, or `any` (all but good ones).

    Raises:
        InvalidInput: there is no such class.
    """
    found: set[Class] = set()
    for name in (part.strip() for text in texts for part in text.split(",")):
        if name == "any":
            found.update(one for one in CLASSES if one not in GOOD)
        elif name != "none":
            found.add(_class(name))
    return frozenset(found)


def _class(name: str) -> Class:
    for one in CLASSES:
        if one == name:
            return one
    raise InvalidInput(
        f"--fail-on: {name!r} is no class; choose from {', '.join(CLASSES)}, none, any"
    )


def exit_status(report: Report, fail_on: Collection[Class]) -> int:
    """1 where a class of `fail_on` was found, else 3 where something was not judged, else 0."""
    if any(report.counts.get(one, 0) for one in fail_on):
        return 1
    return 0 if report.complete else 3
