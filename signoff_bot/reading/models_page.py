"""Reads the page that says which benchmarked models and scenarios are deprecated (`MODELS.md`).

The page is read by its structure: the table of scenarios (`Scenario`, `ISL/OSL`, `Status`), the
matrix of models (`Prefix`, `Active scenarios`, `Deprecated scenarios`), and the sections whose
headings are dates, with tables (`Model`, `Deprecated` or `Deprecated arm`). Such a date is the last
day on which what its tables list may be submitted. A paragraph `Status: not yet enacted` suspends
the table above it. What only prose, or the title of a row, says is an uncertain deprecation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache

from signoff_bot.evidence.base import MissingEvidence
from signoff_bot.reading.deprecations import Deprecation, Scenario, iso_date, read_cell
from signoff_bot.reading.markdown_tables import Section, Table, Text, read_sections

_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_DAY = re.compile(rf"\b({'|'.join(_MONTHS)}) (\d{{1,2}}), (\d{{4}})\b", re.IGNORECASE)
_LENGTHS = re.compile(r"(\d+)\s*/\s*(\d+)")
_VERSION = re.compile(r"\d+(?:\.\d+)*")


@dataclass(frozen=True, slots=True)
class Models:
    """What the page says: its deprecations, and the models it knows."""

    deprecations: tuple[Deprecation, ...]
    prefixes: frozenset[str]
    titles: tuple[tuple[frozenset[str], frozenset[str]], ...]
    """Names of models that rows' titles hold, each with the prefixes of its row."""

    def of(self, prefix: str) -> tuple[Deprecation, ...]:
        """The deprecations of a model; uncertain ones where only a row's title names it."""
        own = [d for d in self.deprecations if d.prefixes is None or prefix in d.prefixes]
        if prefix not in self.prefixes:
            rows = [row for names, row in self.titles if prefix in names]
            own += [
                replace(d, certain=False)
                for d in self.deprecations
                if d.prefixes and any(d.prefixes & row for row in rows)
            ]
        return tuple(own)


@lru_cache(maxsize=4)
def read_models(text: str, source: str) -> Models:
    """Reads the page; `source` names it in messages.

    Remembered, since every sign-off is held against the same page.

    Raises:
        MissingEvidence: it lacks the table of scenarios or the matrix of models.
    """
    sections = read_sections(text)
    listing = _table(sections, source, "scenario", "isl/osl", "status")
    matrix = _table(sections, source, "prefix", "active scenarios", "deprecated scenarios")
    scenarios = [_scenario(row) for row in listing.rows]
    known = frozenset(prefix for row in matrix.rows for prefix in row["prefix"].codes)
    general = [d for row in listing.rows for d in _of_scenario(row)]
    dated = [d for section in sections for d in _of_section(section, scenarios, known)]
    listed = [d for row in matrix.rows for d in _of_model(row, scenarios, (*general, *dated))]
    return Models(
        deprecations=(*general, *dated, *listed),
        prefixes=known,
        titles=tuple(
            (_names(next(iter(row.values())).text), frozenset(row["prefix"].codes))
            for row in matrix.rows
        ),
    )


def _table(sections: Sequence[Section], source: str, *columns: str) -> Table:
    for section in sections:
        for table in section.tables:
            if table.has(*columns):
                return table
    raise MissingEvidence(
        f"{source} has no table with the columns {', '.join(columns)}, so it cannot be told what "
        "is deprecated; bring the page and the rules together again"
    )


def _scenario(row: dict[str, Text]) -> Scenario:
    lengths = _LENGTHS.search(row["isl/osl"].text)
    return Scenario(row["scenario"].text, (int(lengths[1]), int(lengths[2])) if lengths else None)


def _of_scenario(row: dict[str, Text]) -> Iterator[Deprecation]:
    """A scenario whose status says that it is deprecated, which then holds for all models."""
    status = row["status"]
    if status.text.lower().startswith("deprecated"):
        says = f"{row['scenario'].text}: {status.text}"
        yield Deprecation(
            status.line, says, None, scenario=_scenario(row), since=iso_date(status.text)
        )


def _of_section(
    section: Section, scenarios: Sequence[Scenario], known: frozenset[str]
) -> Iterator[Deprecation]:
    """What a section under a date deprecates after that day."""
    last_day = _day(section.heading)
    if last_day is None:
        return
    since = last_day + timedelta(days=1)
    for index, block in enumerate(section.blocks):
        if isinstance(block, Text):
            yield from _of_prose(block, scenarios, known, since)
        elif not _suspended(section, index):
            for row in block.rows:
                cell = row.get("deprecated") or row.get("deprecated arm")
                if cell is None or "model" not in row:
                    continue
                model = row["model"]
                prefixes = frozenset(model.codes) or _names(model.text)
                for found in read_cell(cell.text, cell.line, prefixes, scenarios):
                    certain = found.certain and bool(model.codes)
                    yield replace(found, since=since, certain=certain)


def _suspended(section: Section, index: int) -> bool:
    """Whether the paragraphs below a table, up to the next table, put it off."""
    for block in section.blocks[index + 1 :]:
        if isinstance(block, Table):
            return False
        if block.text.lower().startswith("status: not yet enacted"):
            return True
    return False


def _of_prose(
    paragraph: Text, scenarios: Sequence[Scenario], known: frozenset[str], since: date
) -> Iterator[Deprecation]:
    prefixes = known.intersection(paragraph.codes)
    if prefixes and "last day" in paragraph.text.lower():
        named = [s for s in scenarios if s.name.lower() in paragraph.text.lower()]
        yield Deprecation(
            paragraph.line,
            paragraph.text,
            prefixes,
            scenario=named[0] if len(named) == 1 else None,
            since=since,
            certain=False,
        )


def _of_model(
    row: dict[str, Text], scenarios: Sequence[Scenario], dated: Sequence[Deprecation]
) -> Iterator[Deprecation]:
    """What the matrix deprecates of a row's models, and the whole row if nothing is active."""
    prefixes = frozenset(row["prefix"].codes)
    active, cell = row["active scenarios"], row["deprecated scenarios"]
    retired = active.text.lower().startswith("none")
    retired_on = iso_date(active.text) if retired else None
    if retired:
        title = next(iter(row.values())).text
        yield Deprecation(active.line, f"{title}: {active.text}", prefixes, since=retired_on)
    for found in read_cell(cell.text, cell.line, prefixes, scenarios):
        yield replace(found, since=found.since or _since(found, dated) or retired_on)


def _since(undated: Deprecation, dated: Sequence[Deprecation]) -> date | None:
    """The day on which another part of the page says the same to come into force."""
    for other in dated:
        same = (undated.scenario, undated.precision, undated.arm) == (
            other.scenario,
            other.precision,
            other.arm,
        )
        covers = other.prefixes is None or bool((undated.prefixes or frozenset()) & other.prefixes)
        if same and covers and other.since:
            return other.since
    return None


def _day(heading: str) -> date | None:
    """The day that a heading names: `Monday, August 3, 2026`, or an ISO date."""
    found = _DAY.search(heading)
    if found is None:
        return iso_date(heading)
    try:
        return date(int(found[3]), _MONTHS.index(found[1].lower()) + 1, int(found[2]))
    except ValueError:
        return None


def _names(title: str) -> frozenset[str]:
    """The models that a title such as `Kimi-K2.5/2.6` names, written as prefixes are."""
    first, *others = (re.sub(r"[^a-z0-9.]", "", part) for part in title.lower().split("/"))
    family = re.sub(r"[0-9.]+$", "", first)
    versions = (_VERSION.match(other) for other in others)
    return frozenset(
        {first} | {family + v[0] if v else other for v, other in zip(versions, others, strict=True)}
    )
