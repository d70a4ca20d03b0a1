"""Changes to evidence as a case writes them: `set`, `add` and `remove`, each at a path.

A path is `pull.draft`, `comments[0].body` or `runs[0].jobs[name=eval / x].conclusion`: keys joined
by dots, and after a list's key which of its elements: by position from 0, by the value of a field,
or `[*]` for all. Setting replaces whatever stands there. Every path speaks of the lists as they
were before the case's changes.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Slot = tuple[Any, str | int]
"""A mapping or list, and the key or position in it."""

_STEP = re.compile(r"(?P<key>\w+)(?P<which>(?:\[[^]]*\])*)(?:\.|$)")
_WHICH = re.compile(r"\[([^]]*)\]")


def apply_changes(
    data: Mapping[str, Any],
    set_: Mapping[str, Any],
    add: Mapping[str, Sequence[Any]],
    remove: Sequence[str],
) -> dict[str, Any]:
    """A changed copy of the data.

    Raises:
        ValueError: a path cannot be read, or nothing stands there; the message says so.
    """
    changed: dict[str, Any] = copy.deepcopy(dict(data))
    doomed = {(id(slot[0]), slot[1]): slot for path in remove for slot in _existing(changed, path)}
    for path, value in set_.items():
        for holder, key in _slots(changed, path):
            holder[key] = copy.deepcopy(value)
    for path, values in add.items():
        for holder, key in _slots(changed, path):
            listed = holder.setdefault(key, []) if isinstance(holder, dict) else holder[key]
            if not isinstance(listed, list):
                raise ValueError(f"{path}: not a list, so nothing can be added")
            listed.extend(copy.deepcopy(list(values)))
    # From the last position to the first, so that none shifts before its turn.
    for holder, key in sorted(
        doomed.values(), key=lambda slot: str(slot[1]).zfill(9), reverse=True
    ):
        del holder[key]
    return changed


def _existing(data: dict[str, Any], path: str) -> Iterator[Slot]:
    for holder, key in _slots(data, path):
        if isinstance(holder, dict) and key not in holder:
            raise ValueError(f"{path}: nothing to remove there")
        yield holder, key


def _slots(data: dict[str, Any], path: str) -> list[Slot]:
    """The places that a path means; mappings on the way to them are made where they miss."""
    slots: list[Slot] = [({"": data}, "")]
    for key, selectors in _steps(path):
        slots = [(_mapping(slot, path, key), key) for slot in slots]
        for selector in selectors:
            slots = [found for slot in slots for found in _elements(slot, selector)]
            if not slots:
                raise ValueError(f"{path}: no element [{selector}]")
    return slots


def _steps(path: str) -> Iterator[tuple[str, list[str]]]:
    position = 0
    while position < len(path) or not path:
        step = _STEP.match(path, position)
        if step is None or path.endswith("."):
            raise ValueError(f"{path}: not a path such as `pull.draft` or `comments[0].body`")
        yield step["key"], _WHICH.findall(step["which"])
        position = step.end()


def _mapping(slot: Slot, path: str, key: str) -> dict[str, Any]:
    holder, own = slot
    value = holder.setdefault(own, {}) if isinstance(holder, dict) else holder[own]
    if isinstance(value, list):
        raise ValueError(f"{path}: before `{key}`, say which element: [0], [FIELD=VALUE] or [*]")
    if not isinstance(value, dict):
        raise ValueError(f"{path}: what stands before `{key}` has no keys")
    return value


def _elements(slot: Slot, selector: str) -> list[Slot]:
    holder, key = slot
    listed = holder.get(key) if isinstance(holder, dict) else holder[key]
    if not isinstance(listed, list):
        return []
    field, equals, wanted = selector.partition("=")
    if equals:
        chosen = [n for n, each in enumerate(listed) if _field_is(each, field, wanted)]
    elif selector == "*":
        chosen = list(range(len(listed)))
    else:
        number = int(selector) if re.fullmatch(r"[0-9]{1,6}", selector) else len(listed)
        chosen = [number] if number < len(listed) else []
    return [(listed, number) for number in chosen]


def _field_is(element: Any, field: str, wanted: str) -> bool:
    return isinstance(element, dict) and field in element and str(element[field]) == wanted
