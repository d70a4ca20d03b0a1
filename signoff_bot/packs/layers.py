"""Lays a pack over the one it extends, and keeps in mind where each value was written.

Mappings merge key by key, any other value replaces what was there, and `null` in place of a check
removes the check.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from signoff_bot.packs.mistakes import Wrong, choice
from signoff_bot.reading.strict_yaml import Document, Mistake, Path


@dataclass(frozen=True, slots=True)
class Layers:
    """The files of one pack, the pack itself first and the pack that extends nothing last."""

    documents: Sequence[Document]

    def merged(self) -> dict[str, Any]:
        """The data of all files together; each must hold a mapping. A name is not inherited."""
        *upper, lowest = self.documents
        data = lowest.data
        for document in reversed(upper):
            inherited = {key: value for key, value in data.items() if key != "name"}
            data = _without_removed(merge(_own_kinds(inherited, document.data), document.data))
        return {key: value for key, value in data.items() if key != "extends"}

    def unremovable(self) -> list[Mistake]:
        """Checks that a file removes although the pack it extends has no such check."""
        mistakes = []
        known: set[str] = set()
        for document in reversed(self.documents):
            checks = _checks(document.data)
            if document is not self.documents[-1]:
                for name, entry in checks.items():
                    if entry is None and name not in known:
                        what = f"no such check to remove{choice(name, sorted(known))}"
                        mistakes.append(_mistake(document, ("checks", name), what))
            known |= {name for name, entry in checks.items() if entry is not None}
            known -= {name for name, entry in checks.items() if entry is None}
        return mistakes

    def mistake(self, wrong: Wrong) -> Mistake:
        """The mistake at a path of the merged data, in the file that wrote the value."""
        path, what = wrong
        own, *_ = self.documents
        place = path
        while True:
            for document in [own] if path == ("name",) else self.documents:
                if place in document.lines:
                    return Mistake(document.source, document.lines[place], path, what)
            place = place[:-1]  # the empty place is in every document

    def in_order(self, mistakes: Sequence[Mistake]) -> list[Mistake]:
        """Mistakes file by file, the pack's own first, and by line in each."""
        order = {document.source: rank for rank, document in enumerate(self.documents)}
        return sorted(mistakes, key=lambda m: (order[m.source], m.line))


def merge(base: Any, over: Any) -> Any:
    """One value laid over another: mappings key by key, anything else whole. Neither is changed."""
    if not isinstance(base, dict) or not isinstance(over, dict):
        return over
    return {**base, **{key: merge(base.get(key), value) for key, value in over.items()}}


def _without_removed(data: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(data.get("checks"), dict):
        return data
    kept = {name: entry for name, entry in data["checks"].items() if entry is not None}
    return {**data, "checks": kept}


def _own_kinds(base: dict[str, Any], layer: dict[str, Any]) -> dict[str, Any]:
    """The base without the checks to which the layer gives another kind: those start afresh."""
    inherited, own = _checks(base), _checks(layer)
    kept = {
        name: entry
        for name, entry in inherited.items()
        if _kind(own.get(name)) in (None, _kind(entry))
    }
    return {**base, "checks": kept} if len(kept) < len(inherited) else base


def _checks(data: dict[str, Any]) -> dict[str, Any]:
    checks = data.get("checks")
    return checks if isinstance(checks, dict) else {}


def _kind(entry: Any) -> Any:
    return entry.get("kind") if isinstance(entry, dict) else None


def _mistake(document: Document, path: Path, what: str) -> Mistake:
    return Mistake(document.source, document.line_of(path), path, what)
