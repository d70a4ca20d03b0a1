"""The JSON Schema of pack files, made of the models that validate them.

A file that extends another pack may leave out what it inherits and remove checks with `null`, so it
has a schema of its own: each definition `X` has a twin `X-patch` in which nothing is required.
Beyond the schema, loading checks what no schema can: globs, time zones, numbers and dependencies.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from signoff_bot import checks
from signoff_bot.packs.model import CheckEntry, PackFile

Schema = dict[str, Any]

_REF = "#/$defs/"
_PATCH = "-patch"
_EXTENDS: Schema = {
    "type": "string",
    "description": "The pack that this one changes: a shipped one by name, or a file by its path.",
}


def pack_schema() -> Schema:
    """The schema of a pack file, check parameters included (JSON Schema 2020-12)."""
    kinds = {name: kind.parameters for name, kind in checks.KINDS.items()}
    models: list[type[BaseModel]] = [PackFile, *kinds.values()]
    refs, root = models_json_schema(
        [(model, "validation") for model in models],
        ref_template=f"{_REF}{{model}}",
    )
    defs: dict[str, Schema] = _closed(root["$defs"])
    patches = {f"{name}{_PATCH}": _patch(schema) for name, schema in defs.items()}
    parameters = {name: refs[model, "validation"]["$ref"] for name, model in kinds.items()}
    name = CheckEntry.__name__
    _tie_to_kinds(defs[name], parameters, defs)
    _tie_to_kinds(patches[f"{name}{_PATCH}"], {k: r + _PATCH for k, r in parameters.items()}, {})
    extension = patches[f"{PackFile.__name__}{_PATCH}"]
    extension["properties"] = {"extends": _EXTENDS, **extension["properties"]}
    extension["required"] = ["extends", "name"]
    entries = extension["properties"]["checks"]["patternProperties"]
    for pattern, entry in entries.items():
        entries[pattern] = {"anyOf": [entry, {"type": "null"}]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Rule pack of signoff-bot",
        "type": "object",
        "if": {"required": ["extends"]},
        "then": {"$ref": f"{_REF}{PackFile.__name__}{_PATCH}"},
        "else": {"$ref": f"{_REF}{PackFile.__name__}"},
        "$defs": dict(sorted({**defs, **patches}.items())),
    }


def _tie_to_kinds(entry: Schema, parameters: Mapping[str, str], defs: Mapping[str, Schema]) -> None:
    """Lets the kind of a check decide what stands under `with`."""
    entry["properties"]["kind"]["enum"] = list(parameters)
    entry["allOf"] = [
        {
            "if": {"properties": {"kind": {"const": kind}}, "required": ["kind"]},
            "then": {
                "properties": {"with": {"$ref": ref}},
                "required": ["with"]
                if defs.get(ref.removeprefix(_REF), {}).get("required")
                else [],
            },
        }
        for kind, ref in parameters.items()
    ]


def _closed(schema: Any) -> Any:
    """The schema, with every mapping whose keys follow a pattern closed to other keys."""
    if isinstance(schema, list):
        return [_closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: _closed(part) for key, part in schema.items()}
    return {**closed, "additionalProperties": False} if "patternProperties" in closed else closed


def _patch(schema: Schema) -> Schema:
    """The schema of what is laid over what the schema describes: nothing is required."""
    patch = {
        key: value for key, value in schema.items() if key not in ("required", "minProperties")
    }
    if "$ref" in patch:
        patch["$ref"] += _PATCH
    for key in ("anyOf", "oneOf", "allOf"):
        if key in patch:
            patch[key] = [_patch(part) for part in patch[key]]
    for key in ("properties", "patternProperties"):
        if key in patch:
            patch[key] = {name: _patch(part) for name, part in patch[key].items()}
    if isinstance(patch.get("additionalProperties"), dict):
        patch["additionalProperties"] = _patch(patch["additionalProperties"])
    return patch
