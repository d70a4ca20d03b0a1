"""Says in a pack author's words what the validation of a pack found.

Every message tells what is wrong and, where the choice is limited, what is allowed and which
allowed word is spelled most like the given one.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Iterator
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from signoff_bot.evidence.strict_json import canonical_json
from signoff_bot.reading.strict_yaml import Path

M = TypeVar("M", bound=BaseModel)

Wrong = tuple[Path, str]
"""Where something is wrong, and what."""

_LIST, _MAPPING = "a list", "a mapping"
_EXPECTED = {
    "string_type": "text",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "float_type": "a number",
    "list_type": _LIST,
    "tuple_type": _LIST,
    "set_type": _LIST,
    "frozen_set_type": _LIST,
    "dict_type": _MAPPING,
    "model_type": _MAPPING,
    "none_required": "null",
}


def choice(word: str, allowed: Iterable[str]) -> str:
    """What is allowed instead of a word, and the nearest spelling among it."""
    words = list(allowed)
    near = difflib.get_close_matches(word, words, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"; allowed: {', '.join(words)}{hint}" if words else ""


def validate(model: type[M], data: Any, at: Path = ()) -> tuple[M | None, list[Wrong]]:
    """The model of plain data, or None and everything that is wrong with it, below `at`."""
    try:
        # JSON mode is strict about types and yet takes a list where the model has a tuple.
        return model.model_validate_json(canonical_json(data)), []
    except ValidationError as error:
        return None, [(at + path, what) for path, what in _explain(error, model, data)]


def _explain(error: ValidationError, model: type[BaseModel], data: Any) -> Iterator[Wrong]:
    found = _of_likely_branches(error, data)
    expected: dict[Path, list[str]] = {}
    for path, detail in found:
        value, kind = detail["input"], detail["type"]
        below = any(other[: len(path)] == path and other != path for other, _ in found)
        if kind == "too_short" and below:
            continue  # the elements that are wrong were not counted; what is wrong is told
        if kind in _EXPECTED:
            expected.setdefault(path, []).append(_EXPECTED[kind])
        elif kind == "extra_forbidden":
            key = str(path[-1])
            yield path, f"unknown key{choice(key, _keys_at(model, path[:-1]))}"
        elif kind == "missing":
            yield path, "required, and missing"
        elif kind == "literal_error":
            allowed = re.findall(r"'([^']*)'", detail["ctx"]["expected"])
            yield path, f"{shown(value)} is not allowed{choice(str(value), allowed)}"
        elif kind == "string_pattern_mismatch":
            yield path, f"{shown(value)} does not match {detail['ctx']['pattern']}"
        elif isinstance(value, dict | list):
            yield path, _reworded(detail["msg"])
        else:
            yield path, f"{shown(value)}: {_reworded(detail['msg'])}"
    for path, kinds in expected.items():
        if not any(other[: len(path)] == path and other != path for other, _ in found):
            wanted = " or ".join(dict.fromkeys(kinds))
            yield path, f"must be {wanted}, not {shown(_at(data, path))}"


def _of_likely_branches(error: ValidationError, data: Any) -> list[tuple[Path, Any]]:
    """The errors with their paths; of a union, those of the branch that the data comes closest to.

    A union of which no branch fits even in type keeps one error for each of them.
    """
    plain: list[tuple[Path, Any]] = []
    unions: dict[Path, dict[str, list[tuple[Path, Any]]]] = {}
    for detail in error.errors(include_url=False):
        path, union, branch = _locate(detail["loc"], data)
        if union is None:
            plain.append((path, detail))
        else:
            unions.setdefault(union, {}).setdefault(branch, []).append((path, detail))
    for union, branches in unions.items():
        inside = [b for b in branches.values() if any(len(path) > len(union) for path, _ in b)]
        likely = [min(inside, key=len)] if inside else branches.values()
        plain += [found for branch in likely for found in branch]
    return plain


def _locate(loc: tuple[str | int, ...], data: Any) -> tuple[Path, Path | None, str]:
    """The path that a location speaks of, and the outermost union on it with its branch.

    What a location holds besides keys and positions are the names of the branches of unions.
    """
    path: Path = ()
    union: Path | None = None
    branch = ""
    for position, part in enumerate(loc):
        is_last = position == len(loc) - 1
        if part in _keys(data):
            path, data = (*path, part), data[part]
        elif part == "[key]":
            continue
        elif is_last and isinstance(data, dict):
            path = (*path, part)
        elif union is None:
            union, branch = path, str(part)
    return path, union, branch


def _keys(data: Any) -> Iterable[str | int]:
    if isinstance(data, dict):
        return data.keys()
    return range(len(data)) if isinstance(data, list) else ()


def _at(data: Any, path: Path) -> Any:
    for part in path:
        data = data[part] if part in _keys(data) else None
    return data


def _keys_at(annotation: Any, path: Path) -> list[str]:
    """The keys that the mapping at a path may have, in the order of the model."""
    models = list(_models(annotation))
    if path:
        below = (
            key
            for model in models
            for name, info in model.model_fields.items()
            if (info.alias or name) == path[0]
            for key in _keys_at(info.annotation, path[1:])
        )
        inside = (key for inner in _elements(annotation) for key in _keys_at(inner, path[1:]))
        return [*below, *inside]
    return [info.alias or name for model in models for name, info in model.model_fields.items()]


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    elif get_origin(annotation) in (Union, UnionType, Annotated):
        for part in get_args(annotation):
            yield from _models(part)


def _elements(annotation: Any) -> Iterator[Any]:
    """The types of what a list or mapping holds."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin in (Union, UnionType, Annotated):
        for part in parts:
            yield from _elements(part)
    elif origin in (tuple, list):
        yield parts[0]
    elif origin is dict:
        yield parts[1]


def shown(value: Any) -> str:
    """A value as an error message shows it: short, and on one line."""
    if isinstance(value, dict):
        return _MAPPING
    if isinstance(value, list):
        return _LIST
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _reworded(message: str) -> str:
    message = message.removeprefix("Value error, ").replace(" after validation", "")
    message = re.sub(r"^(Input|String|List|Tuple|Dictionary) should ", "must ", message)
    return message[:1].lower() + message[1:]
