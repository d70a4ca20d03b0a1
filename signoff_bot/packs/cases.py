"""The cases of a rule pack: evidence, and the verdict that the pack must reach on it.

The cases of the pack NAME are the YAML files in `cases/NAME/` beside the pack's own file. A file
is a mapping of names to cases; a case builds on another one, on a saved evidence bundle, or on an
empty pull request, and states what it changes and what it expects.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from pydantic import Field

from signoff_bot.errors import InvalidInput
from signoff_bot.evidence.bundle import read_bundle
from signoff_bot.evidence.model import Evidence
from signoff_bot.packs.changes import apply_changes
from signoff_bot.packs.expectation import Expectation
from signoff_bot.packs.load import read_yaml_file
from signoff_bot.packs.mistakes import Wrong, choice, shown, validate
from signoff_bot.packs.model import Rules
from signoff_bot.packs.shipped import shipped_folder, shipped_names
from signoff_bot.packs.shorthand import complete, unfold
from signoff_bot.reading.settings import Settings
from signoff_bot.reading.strict_yaml import Document, Mistake, path_text, refuse

_LONGEST_CHAIN = 20


class CaseEntry(Settings):
    """A case as its file says it."""

    about: str | None = Field(default=None, description="What the case shows, in a sentence.")
    base: str | None = Field(
        default=None,
        description="What it builds on: a CASE of the same file, FILE/CASE, PACK:FILE/CASE of a "
        "shipped pack, or a saved bundle FILE.json beside it; default: an empty pull request.",
    )
    set_: dict[str, Any] = Field(
        alias="set", default_factory=dict, description="New values in the evidence, by path."
    )
    add: dict[str, tuple[Any, ...]] = Field(
        default_factory=dict, description="New elements of lists in the evidence, by path."
    )
    remove: tuple[str, ...] = Field(
        default=(), description="Paths of what is to be taken out of the evidence."
    )
    expect: Expectation = Field(description="What the pack must find.")


@dataclass(frozen=True, slots=True)
class RuleCase:
    """A case, ready to be judged. `name` is `FILE/CASE`, without the file's suffix."""

    name: str
    about: str | None
    evidence: Evidence
    expected: Expectation


@dataclass(frozen=True, slots=True)
class _Draft:
    """A case's evidence in short and what it expects, both with those of its base."""

    evidence: Mapping[str, Any]
    expected: Expectation


class _CaseMistakes(Exception):
    """Something is wrong with a case, at a path in it."""

    def __init__(self, wrongs: list[Wrong]) -> None:
        self.wrongs = wrongs


class _Circle(_CaseMistakes):
    """A case builds on itself, or on a chain of cases that nobody could follow."""


def cases_folder(pack: Path, name: str) -> Path:
    """Where the cases of a pack are: the pack's file, and the name that it gives itself."""
    return pack.parent / "cases" / name


def load_cases(folder: Path, rules: Rules) -> list[RuleCase]:
    """The cases in a folder, file by file in alphabetical order, each in the order of its file.

    Raises:
        InvalidInput: there are none, or a file is invalid; all mistakes of the file are listed.
    """
    files = sorted(folder.glob("*.yaml"))
    if not files:
        raise InvalidInput(
            f"the rule pack {rules.name!r} has no cases; write some in {folder}/NAME.yaml"
        )
    book = _Book(folder)
    return [case for file in files for case in _load_file(book, file.stem, rules)]


def _load_file(book: _Book, file: str, rules: Rules) -> list[RuleCase]:
    document, loaded, mistakes = book.document(file), [], []
    for case in document.data:
        try:
            loaded.append(_ready(book, file, case, rules))
        except _CaseMistakes as error:
            for path, what in error.wrongs:
                place = (case, *path)
                mistakes.append(Mistake(document.source, document.line_of(place), place, what))
    if mistakes:
        refuse(document.source, sorted(mistakes, key=lambda mistake: mistake.line))
    return loaded


def _ready(book: _Book, file: str, case: str, rules: Rules) -> RuleCase:
    entry = book.entry(file, case)
    draft = book.draft(file, case)
    ids = [check.id for check in rules.checks]
    wrongs = _unstated(draft.expected, ids) + _unknown(entry.expect, ids)
    evidence, found = validate(Evidence, complete(draft.evidence))
    wrongs += [((), f"in the evidence, {path_text(path)}: {what}") for path, what in found]
    if evidence is None or wrongs:
        raise _CaseMistakes(wrongs)
    return RuleCase(f"{file}/{case}", entry.about, evidence, draft.expected)


def _unstated(expected: Expectation, ids: list[str]) -> list[Wrong]:
    wrongs: list[Wrong] = []
    if expected.verdict is None:
        wrongs.append((("expect", "verdict"), "required, since no base states it"))
    missing = [name for name in ids if name not in expected.checks]
    if missing:
        wrongs.append((("expect", "checks"), f"no status for {', '.join(missing)}"))
    return wrongs


def _unknown(expected: Expectation, ids: list[str]) -> list[Wrong]:
    return [
        (("expect", key, name), f"the pack has no such check{choice(name, ids)}")
        for key, names in (("checks", expected.checks), ("says", expected.says))
        for name in names
        if name not in ids
    ]


class _Book:
    """The case files of one pack; each is read once, each base made once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._documents: dict[str, Document] = {}
        self._entries: dict[tuple[str, str], CaseEntry] = {}
        self._drafts: dict[tuple[str, str], _Draft] = {}
        self._shipped: dict[str, _Book] = {}

    def document(self, file: str) -> Document:
        """A case file, which holds a mapping."""
        if file not in self._documents:
            document = read_yaml_file(self._folder / f"{file}.yaml")
            if not isinstance(document.data, dict):
                what = f"must be a mapping of names to cases, not {shown(document.data)}"
                refuse(document.source, [Mistake(document.source, 1, (), what)])
            self._documents[file] = document
        return self._documents[file]

    def entry(self, file: str, case: str) -> CaseEntry:
        """A case as it was written."""
        if (file, case) not in self._entries:
            entry, wrongs = validate(CaseEntry, self.document(file).data[case])
            if entry is None:
                raise _CaseMistakes(wrongs)
            self._entries[file, case] = entry
        return self._entries[file, case]

    def draft(self, file: str, case: str, depth: int = 0) -> _Draft:
        """A case with all that it builds on; `depth` cases build on it."""
        if (file, case) not in self._drafts:
            if depth > _LONGEST_CHAIN:
                what = f"goes in a circle, or over more than {_LONGEST_CHAIN} cases"
                raise _Circle([(("base",), what)])
            entry = self.entry(file, case)
            base = self._base(entry.base, file, depth + 1)
            try:
                evidence = apply_changes(base.evidence, entry.set_, entry.add, entry.remove)
            except ValueError as error:
                raise _CaseMistakes([((), str(error))]) from None
            self._drafts[file, case] = _Draft(unfold(evidence), entry.expect.over(base.expected))
        return self._drafts[file, case]

    def _base(self, name: str | None, file: str, depth: int) -> _Draft:
        if name is None:
            return _Draft({}, Expectation())
        if name.endswith(".json"):
            return self._bundle(name)
        pack, colon, rest = name.rpartition(":")
        book = self._shipped_book(pack) if colon else self
        return book.draft_named(rest, file, depth)

    def draft_named(self, name: str, file: str, depth: int) -> _Draft:
        """The case that CASE, of `file`, or FILE/CASE names."""
        other, _, case = name.rpartition("/")
        file = other or file
        files = sorted(path.stem for path in self._folder.glob("*.yaml"))
        if file not in files:
            _wrong_base(f"no case file {file!r}{choice(file, files)}")
        cases = self.document(file).data
        if case not in cases:
            _wrong_base(f"no case {case!r} in {file}.yaml{choice(case, cases)}")
        try:
            return self.draft(file, case, depth)
        except _Circle:
            raise
        except _CaseMistakes:
            _wrong_base(f"{file}/{case} has mistakes of its own")

    def _shipped_book(self, pack: str) -> _Book:
        if pack not in shipped_names():
            _wrong_base(f"no shipped pack {pack!r}{choice(pack, shipped_names())}")
        folder = cases_folder(shipped_folder() / f"{pack}.yaml", pack)
        return self._shipped.setdefault(pack, _Book(folder))

    def _bundle(self, name: str) -> _Draft:
        try:
            content = (self._folder / name).read_bytes()
        except OSError as error:
            _wrong_base(f"cannot read {self._folder / name}: {error.strerror}")
        evidence = read_bundle(content, str(self._folder / name)).evidence
        return _Draft(evidence.model_dump(mode="json"), Expectation())


def _wrong_base(what: str) -> NoReturn:
    raise _CaseMistakes([(("base",), what)])
