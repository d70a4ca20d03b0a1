"""Makes the reference in docs/rule-packs.md from the models; `python PATH_OF_THIS` renews it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from signoff_bot.checks import KINDS
from signoff_bot.packs.cases import CaseEntry
from signoff_bot.packs.model import PackFile
from signoff_bot.packs.shorthand import TELLING
from signoff_bot.reading.globs import Glob
from signoff_bot.reading.settings import Settings

PAGE = Path(__file__).parents[2] / "docs" / "rule-packs.md"
_BLOCK = re.compile(
    r"(<!-- (\w+): made by tests/support/pack_reference\.py -->\n).*?(<!-- end -->)", re.DOTALL
)
_SIMPLE = {
    str: "text",
    bool: "true or false",
    int: "whole number",
    float: "number",
    Any: "anything",
}
_PLURAL = {
    "glob": "globs",
    "mapping": "mappings",
    "number": "numbers",
    "whole number": "whole numbers",
    "list of text": "lists of text",
    "list of anything": "lists",
}


def block(name: str) -> str:
    """One part of the reference."""
    return {
        "pack": lambda: _table(PackFile),
        "case": lambda: _table(CaseEntry),
        "short": _short_forms,
        "kinds": _kinds,
    }[name]()


def with_reference(page: str) -> str:
    """The page with every made part made anew."""
    return _BLOCK.sub(lambda found: f"{found[1]}{block(found[2])}\n{found[3]}", page)


def _table(model: type[Settings]) -> str:
    head = "| key | value | default | meaning |\n|---|---|---|---|"
    return "\n".join([head, *_rows(model, "")])


def _rows(model: type[Settings], prefix: str) -> Iterator[str]:
    for name, info in model.model_fields.items():
        key = f"{prefix}{info.alias or name}"
        default = (
            "required"
            if info.is_required()
            else _default(info.get_default(call_default_factory=True))
        )
        kind, nested, suffix = _kind(info.annotation)
        yield f"| `{key}` | {kind} | {default} | {info.description} |"
        if nested is not None:
            yield from _rows(nested, f"{key}{suffix}.")


def _default(value: Any) -> str:
    if isinstance(value, Settings):
        value = {}
    text = json.dumps(value, ensure_ascii=False)
    return "" if text in ("null", "[]", "{}") else f"`{text}`"


def _kind(annotation: Any) -> tuple[str, type[Settings] | None, str]:
    """What a value is, in words; the settings in it, and how a path goes on to them."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if annotation == Glob:
        return "glob", None, ""
    if origin is Annotated:
        return _kind(parts[0])
    if origin in (Union, UnionType):
        kinds = [_kind(part) for part in parts if part is not type(None)]
        nested = next((kind for kind in kinds if kind[1] is not None), ("", None, ""))
        return " or ".join(dict.fromkeys(kind[0] for kind in kinds)), *nested[1:]
    if origin is Literal:
        return " or ".join(f"`{part}`" for part in parts), None, ""
    if origin is tuple:
        kind, nested, suffix = _kind(parts[0])
        return f"list of {_PLURAL.get(kind, kind)}", nested, f"[]{suffix}"
    if origin is dict:
        kind, nested, suffix = _kind(parts[1])
        return f"mapping of names to {_PLURAL.get(kind, kind)}", nested, f".NAME{suffix}"
    if isinstance(annotation, type) and issubclass(annotation, Settings):
        return "mapping", annotation, ""
    return _SIMPLE[annotation], None, ""


def _short_forms() -> str:
    rows = [f"| {_words(fact.__name__)} | its `{field}` |" for fact, field in TELLING.items()]
    return "\n".join(["| instead of | write |", "|---|---|", *rows])


def _words(name: str) -> str:
    return re.sub(r"(?<!^)([A-Z])", r" \1", name).lower()


def _kinds() -> str:
    return "\n\n".join(
        f"### `{name}`\n\n{kind.doc.strip().splitlines()[0]}\n\n{_parameters(kind.parameters)}"
        for name, kind in KINDS.items()
    )


def _parameters(model: type[Settings]) -> str:
    return _table(model) if model.model_fields else "No parameters."


if __name__ == "__main__":
    PAGE.write_text(with_reference(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
