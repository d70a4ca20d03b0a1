"""Expands a benchmark's configuration entry into the points it measures.

An entry holds scenarios, a scenario's search space holds variants, and a variant runs at several
concurrencies: those of `conc-list`, or those from `conc-start` to `conc-end`, doubling, the end
always included (so 4 to 100 gives 4, 8, 16, 32, 64, 100). Each of them is a *point*. What a variant
leaves out has the value that the benchmark's own matrix generator gives it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from signoff_bot.evidence.strict_json import canonical_json

NO_SPECULATION = "none"
_DEFAULTS = {"ep": 1, "dp-attn": False, "spec-decoding": NO_SPECULATION}
_CONCURRENCY = ("conc-list", "conc-start", "conc-end")

Where = tuple[str | int, ...]
"""Keys and positions that lead to a value within an entry."""


@dataclass(frozen=True, slots=True)
class Point:
    """One measurement that an entry asks for. Equal points measure the same thing alike."""

    scenario: str
    """The key under `scenarios`, such as `fixed-seq-len`."""
    isl: int | None
    osl: int | None
    """Input and output lengths of a fixed-length scenario."""
    conc: int
    speculation: str
    """The variant's `spec-decoding`; `none` where it has none."""
    recipe: str
    """Everything else that makes the point what it is, image and topology included, as JSON."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One element of a search space."""

    scenario: str
    isl: int | None
    osl: int | None
    speculation: str
    concurrencies: tuple[int, ...]
    data: Mapping[str, Any]
    around: Mapping[str, Any]
    """The keys of the scenario that hold for all its variants."""
    where: Where

    def settings(self, role: str) -> tuple[tuple[str, str], ...]:
        """The `additional-settings` (`NAME=VALUE`) of a role, `prefill` or `decode`."""
        worker = self.data.get(role)
        listed = worker.get("additional-settings", ()) if isinstance(worker, dict) else ()
        pairs = (str(item).partition("=") for item in listed) if isinstance(listed, list) else ()
        return tuple((name.strip(), value.strip()) for name, _, value in pairs)


def variants(entry: Mapping[str, Any]) -> Iterator[Variant]:
    """The variants of all scenarios of an entry, in their order.

    Raises:
        ValueError: the scenarios are not of the form described; the message says where.
    """
    scenarios = _expect(entry.get("scenarios"), dict, "`scenarios` is no mapping")
    for name, settings in scenarios.items():
        for i, setting in enumerate(_expect(settings, list, f"{name}: no list of settings")):
            where = f"{name}[{i}]"
            setting = _expect(setting, dict, f"{where}: no mapping")
            space = _expect(setting.get("search-space"), list, f"{where}: no `search-space` list")
            around = {key: value for key, value in setting.items() if key != "search-space"}
            for j, item in enumerate(space):
                item = _expect(item, dict, f"{where}.search-space[{j}]: no mapping")
                yield Variant(
                    scenario=name,
                    isl=_length(setting, "isl", where),
                    osl=_length(setting, "osl", where),
                    speculation=str(item.get("spec-decoding", NO_SPECULATION)).lower(),
                    concurrencies=_concurrencies(item, f"{where}.search-space[{j}]"),
                    data=item,
                    around=around,
                    where=("scenarios", name, i, "search-space", j),
                )


def points(entry: Mapping[str, Any]) -> Iterator[tuple[Point, Variant]]:
    """Every point of an entry, with the variant it comes from.

    Raises:
        ValueError: the scenarios are not of the form described; the message says where.
    """
    common = {key: value for key, value in entry.items() if key != "scenarios"}
    for variant in variants(entry):
        own = {key: value for key, value in variant.data.items() if key not in _CONCURRENCY}
        recipe = canonical_json([common, variant.around, _DEFAULTS | own]).decode()
        for conc in variant.concurrencies:
            yield (
                Point(
                    variant.scenario, variant.isl, variant.osl, conc, variant.speculation, recipe
                ),
                variant,
            )


def _concurrencies(item: Mapping[str, Any], where: str) -> tuple[int, ...]:
    listed = item.get("conc-list")
    if listed is not None:
        values = _expect(listed, list, f"{where}: `conc-list` is no list")
        return tuple(_whole(value, f"{where}.conc-list") for value in values)
    start = _whole(item.get("conc-start"), f"{where}.conc-start")
    end = _whole(item.get("conc-end"), f"{where}.conc-end")
    if start > end:
        raise ValueError(f"{where}: `conc-start` is above `conc-end`")
    doubled = (start << step for step in range(end.bit_length()))
    return (*(conc for conc in doubled if conc < end), end)


def _length(setting: Mapping[str, Any], key: str, where: str) -> int | None:
    return None if setting.get(key) is None else _whole(setting[key], f"{where}.{key}")


def _whole(value: Any, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(f"{where} is no whole number above 0")
    return value


def _expect(value: Any, kind: type, otherwise: str) -> Any:
    if not isinstance(value, kind):
        raise ValueError(otherwise)
    return value
