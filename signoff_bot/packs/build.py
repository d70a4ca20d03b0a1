"""Makes rules of a pack's plain data, or says everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from signoff_bot import checks
from signoff_bot.checks.base import Parameters
from signoff_bot.evidence.strict_json import digest
from signoff_bot.packs.mistakes import Wrong, choice, validate
from signoff_bot.packs.model import Check, CheckEntry, PackFile, Rules


def build(data: Mapping[str, Any]) -> tuple[PackFile | None, list[Wrong]]:
    """The validated pack, or None and every mistake in its data."""
    pack, wrongs = validate(PackFile, data)
    entries = _entries(data)
    for name, entry in entries.items():
        wrongs += _kind_mistakes(name, entry)
    wrongs += _number_mistakes(entries) + _dependency_mistakes(entries) + _run_mistakes(entries)
    return (None if wrongs else pack), wrongs


def rules_of(pack: PackFile, data: Mapping[str, Any] | None = None) -> Rules:
    """The rules in force of a validated pack.

    `data` is what the digest is taken of: for a pack from a bundle, the very data that was saved;
    by default the pack with every default written out, so that the digest stands for all of it.
    """
    found = [_check(name, entry) for name, entry in pack.checks.items()]
    if data is None:
        data = _complete(pack, found)
    return Rules(
        name=pack.name,
        description=pack.description,
        signoff=pack.signoff,
        publish=pack.publish,
        time_zone=pack.time_zone,
        checks=_in_order(found),
        data=data,
        digest=digest(data),
        applies_when=pack.applies_when,
    )


def _entries(data: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The checks that are mappings; what is wrong with the others, validation says."""
    given = data.get("checks") if isinstance(data, dict) else None
    entries = given if isinstance(given, dict) else {}
    return {name: entry for name, entry in entries.items() if isinstance(entry, dict)}


def _kind_mistakes(name: str, entry: dict[str, Any]) -> list[Wrong]:
    kind, given = entry.get("kind"), entry.get("with", {})
    if not isinstance(kind, str):
        return []
    if kind not in checks.KINDS:
        return [(("checks", name, "kind"), f"unknown kind {kind!r}{choice(kind, checks.KINDS)}")]
    if not isinstance(given, dict):
        return []
    return validate(checks.KINDS[kind].parameters, given, ("checks", name, "with"))[1]


def _number_mistakes(entries: dict[str, dict[str, Any]]) -> list[Wrong]:
    wrongs: list[Wrong] = []
    first: dict[int, str] = {}
    for name, entry in entries.items():
        number = entry.get("number")
        if isinstance(number, int) and first.setdefault(number, name) != name:
            what = f"{number} is already the number of {first[number]!r}; give each its own"
            wrongs.append((("checks", name, "number"), what))
    return wrongs


def _dependency_mistakes(entries: dict[str, dict[str, Any]]) -> list[Wrong]:
    wrongs: list[Wrong] = []
    for name, entry in entries.items():
        needed = entry.get("depends_on")
        if not isinstance(needed, str):
            continue
        path = ("checks", name, "depends_on")
        if needed not in entries:
            others = [other for other in entries if other != name]
            wrongs.append((path, f"no such check: {needed!r}{choice(needed, others)}"))
        elif name in (chain := _chain(entries, name)):
            wrongs.append((path, f"goes in a circle: {' -> '.join([name, *chain])}"))
    return wrongs


def _run_mistakes(entries: dict[str, dict[str, Any]]) -> list[Wrong]:
    """The checks that judge the run of another one, which must be a sweep and be judged before."""
    wrongs: list[Wrong] = []
    for name, entry in entries.items():
        kind, given = checks.KINDS.get(str(entry.get("kind"))), entry.get("with", {})
        field = kind.parameters.model_fields.get("run_of") if kind else None
        if field is None or not isinstance(given, dict):
            continue
        needed = given.get("run_of", field.default)
        path = ("checks", name, "with", *(("run_of",) if "run_of" in given else ()))
        sweeps = [other for other, one in entries.items() if one.get("kind") == "sweep"]
        if needed not in sweeps:
            wrongs.append(
                (
                    path,
                    f"run_of: no such check of kind sweep: {needed!r}{choice(str(needed), sweeps)}",
                )
            )
        elif not _comes_first(entries, str(needed), name):
            what = f"run_of: {needed!r} is judged after this check; say `depends_on: {needed}`"
            wrongs.append((path, what))
    return wrongs


def _comes_first(entries: dict[str, dict[str, Any]], one: str, other: str) -> bool:
    """Whether a check is judged before another; odd numbers are another mistake."""
    first, second = entries[one].get("number"), entries[other].get("number")
    if one in _chain(entries, other) or not (isinstance(first, int) and isinstance(second, int)):
        return True
    return first < second and other not in _chain(entries, one)


def _chain(entries: dict[str, dict[str, Any]], name: str) -> list[str]:
    """What a check depends on, directly or not, up to the first that comes up again."""
    chain: list[str] = []
    needed: Any = entries[name].get("depends_on")
    while isinstance(needed, str) and needed in entries and needed not in chain:
        chain.append(needed)
        needed = entries[needed].get("depends_on")
    return chain


def _check(name: str, entry: CheckEntry) -> Check:
    kind = checks.KINDS[entry.kind]
    parameters, _ = validate(kind.parameters, entry.with_)
    assert isinstance(parameters, Parameters)  # noqa: S101 - the pack was validated
    return Check(
        id=name,
        number=entry.number,
        title=entry.title or name,
        kind=kind,
        parameters=parameters,
        blocking=entry.severity == "blocking",
        review_blocks=entry.review == "blocks",
        depends_on=entry.depends_on,
        applies_when=entry.applies_when,
    )


def _in_order(found: list[Check]) -> tuple[Check, ...]:
    """The checks by number, save that each comes after the one it depends on."""
    waiting = sorted(found, key=lambda check: check.number)
    ordered: dict[str, Check] = {}
    while waiting:
        ready = next(c for c in waiting if c.depends_on is None or c.depends_on in ordered)
        waiting.remove(ready)
        ordered[ready.id] = ready
    return tuple(ordered.values())


def _complete(pack: PackFile, found: list[Check]) -> dict[str, Any]:
    data = pack.model_dump(mode="json", by_alias=True)
    for check in found:
        entry = data["checks"][check.id]
        entry["with"] = check.parameters.model_dump(mode="json", by_alias=True)
    return data
