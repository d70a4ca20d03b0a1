"""JSON Schemas of what other programs read: verdicts, audits, bundles, rule packs and owners.

They are made from the models where there are some, so they cannot disagree with them. `python -m
signoff_bot.schemas DIR` writes them; `docs/schemas` holds the copies that are published, and a test
keeps them in step.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from signoff_bot.audit.report import Report
from signoff_bot.evidence import bundle
from signoff_bot.evidence.model import Evidence
from signoff_bot.packs.schema import pack_schema
from signoff_bot.render.owners import SCHEMA as OWNERS
from signoff_bot.verdict import Verdict

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_DIGEST = {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"}


def verdict_schema() -> dict[str, Any]:
    """The schema of `signoff-bot/verdict/v1`. It allows unknown keys: version 1 may gain some."""
    return _written(Verdict)


def audit_schema() -> dict[str, Any]:
    """The schema of `signoff-bot/audit/v1`. It allows unknown keys: version 1 may gain some."""
    return _written(Report)


def evidence_schema() -> dict[str, Any]:
    """The schema of `signoff-bot/evidence/v1`, as this version writes it and reads it."""
    evidence = Evidence.model_json_schema(ref_template="#/$defs/{model}")
    parts = evidence.pop("$defs")
    return {
        "$schema": _DIALECT,
        "title": "Evidence bundle",
        "description": (bundle.__doc__ or "").partition("\n")[0],
        "type": "object",
        "properties": {
            "schema": {"const": bundle.SCHEMA},
            "digest": _DIGEST,
            "evidence": {"$ref": "#/$defs/Evidence"},
            "rules": {
                "description": "The resolved rule pack; see `signoff-bot rules schema`.",
                "type": "object",
            },
        },
        "required": ["schema", "digest", "evidence", "rules"],
        "$defs": {"Evidence": evidence, **parts},
    }


def owners_schema() -> dict[str, Any]:
    """The schema of `signoff-bot/owners/v1`. It allows unknown keys: version 1 may gain some."""
    line = {"type": ["integer", "null"], "minimum": 1}
    text, names = {"type": "string"}, {"type": "array", "items": {"type": "string"}}
    pattern = {"type": ["string", "null"]}
    problem = {
        "line": {**line, "description": "null: the file as a whole."},
        "code": {**text, "description": "See docs/codeowners-lint.md."},
        "severity": {"enum": ["error", "warning"]},
        "message": text,
    }
    beaten = {"line": {"type": "integer", "minimum": 1}, "pattern": text, "owners": names}
    path = {
        "path": {**text, "description": "From the top of the repository."},
        "owners": {
            "type": ["array", "null"],
            "items": text,
            "description": "As written; empty: the line names nobody; null: no line matches.",
        },
        "line": {**line, "description": "The line that decides."},
        "pattern": pattern,
    }
    explained = {
        "beaten": {"type": "array", "items": _object(beaten)},
        "skipped": {"type": "array", "items": _object(problem)},
    }
    return {
        "$schema": _DIALECT,
        "title": "Owners",
        "description": "Who owns paths by CODEOWNERS, in the order they were asked about.",
        **_object(
            {
                "schema": {"const": OWNERS},
                "codeowners": {**text, "description": "The file that was read."},
                "problems": {"type": "array", "items": _object(problem)},
                "paths": {"type": "array", "items": _object(path, explained)},
            }
        ),
    }


def _object(properties: dict[str, Any], optional: dict[str, Any] | None = None) -> dict[str, Any]:
    """An object that has all `properties`, and maybe the optional ones (those of `--explain`)."""
    return {
        "type": "object",
        "properties": {**properties, **(optional or {})},
        "required": list(properties),
    }


SCHEMAS = {
    "verdict-v1.json": verdict_schema,
    "audit-v1.json": audit_schema,
    "evidence-v1.json": evidence_schema,
    "rules-v1.json": pack_schema,
    "owners-v1.json": owners_schema,
}
"""The published files, each with what makes it."""


def _written(model: type[BaseModel]) -> dict[str, Any]:
    return {"$schema": _DIALECT, **_open(model.model_json_schema(mode="serialization"))}


def _open(schema: Any) -> Any:
    """The schema without its bans on unknown keys."""
    if isinstance(schema, dict):
        return {key: _open(value) for key, value in schema.items() if key != "additionalProperties"}
    return [_open(item) for item in schema] if isinstance(schema, list) else schema


def write(folder: Path) -> None:
    """Writes all schemas into a folder."""
    for name, make in SCHEMAS.items():
        text = json.dumps(make(), indent=2, ensure_ascii=False)
        (folder / name).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
