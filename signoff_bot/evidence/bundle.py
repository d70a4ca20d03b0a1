"""The evidence bundle: one file that holds the evidence and the rules, and shows if it was altered.

Format `signoff-bot/evidence/v1`: a JSON object with `schema`, `digest`, `evidence` (see `Evidence`)
and `rules` (the resolved rule pack). The digest is that of the canonical JSON of `evidence` and
`rules` together (`strict_json.digest`). Fields may be added to version 1, with defaults, so that an
older bundle stays readable; a reader refuses what it does not know.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from signoff_bot.errors import InvalidInput
from signoff_bot.evidence.model import Evidence
from signoff_bot.evidence.strict_json import (
    canonical_json,
    digest,
    digest_of_bytes,
    parse_json,
)

SCHEMA = "signoff-bot/evidence/v1"
MAX_BYTES = 256 * 1024 * 1024
_PARTS = ("evidence", "rules")


@dataclass(frozen=True, slots=True)
class Bundle:
    """What a bundle holds: the evidence, and the rule pack as plain data."""

    evidence: Evidence
    rules: Mapping[str, Any]


class _Parts(BaseModel):
    """What is read of the parts that the digest covers; the rules stay plain data."""

    evidence: Evidence


def digest_of(evidence: Evidence) -> str:
    """The digest that a verdict on this evidence carries.

    It covers the facts, not the time at which they were collected: as long as nothing changes, a
    later verdict is the same to the byte.
    """
    return digest(evidence.model_dump(mode="json", exclude={"collected_at"}))


def write_bundle(bundle: Bundle) -> bytes:
    """The bundle as a file's bytes; the same bundle always gives the same bytes."""
    parts = {"evidence": bundle.evidence.model_dump(mode="json"), "rules": bundle.rules}
    return canonical_json({"schema": SCHEMA, "digest": digest(parts), **parts}) + b"\n"


def read_bundle(content: bytes, source: str) -> Bundle:
    """Reads and checks a bundle; `source` names it in messages.

    Raises:
        InvalidInput: it is no bundle, was cut off or altered, or comes from a newer version.
    """
    data = _parse(content, source)
    if "schema" not in data:
        raise InvalidInput(
            f"{source}: not an evidence bundle, which says its `schema`; "
            "write one with --save-evidence"
        )
    if data["schema"] != SCHEMA:
        raise InvalidInput(
            f"{source}: schema is {data['schema']!r}, and this version reads {SCHEMA!r}; "
            "use the version of signoff-bot that wrote the bundle, or a newer one"
        )
    for key in ("digest", *_PARTS):
        if key not in data:
            raise InvalidInput(f"{source}: the bundle has no {key!r}; it is not complete")
    parts = canonical_json({part: data[part] for part in _PARTS})
    if digest_of_bytes(parts) != data["digest"]:
        raise InvalidInput(
            f"{source}: the content does not fit its digest, so it was altered after it was "
            "saved; collect the evidence again"
        )
    try:
        evidence = _Parts.model_validate_json(parts).evidence
    except ValidationError as error:
        raise InvalidInput(f"{source}: {_first_error(error)}") from None
    return Bundle(evidence, data["rules"])


def _parse(content: bytes, source: str) -> dict[str, Any]:
    if len(content) > MAX_BYTES:
        raise InvalidInput(f"{source}: over {MAX_BYTES} bytes; that is no evidence bundle")
    try:
        data = parse_json(content)
    except ValueError as error:
        raise InvalidInput(
            f"{source}: not a complete JSON file ({error}); it may have been cut off"
        ) from None
    if not isinstance(data, dict):
        raise InvalidInput(f"{source}: not an evidence bundle, which is a JSON object")
    return data


def _first_error(error: ValidationError) -> str:
    """The first offending field and what is wrong with it.

    Where a fact may also be an `Unread`, pydantic reports both alternatives and puts their type
    names into the location; the field's own names are in lower case.
    """
    errors = error.errors(include_url=False, include_input=False)
    first = next((e for e in errors if "Unread" not in e["loc"]), errors[0])
    names = (str(part) for part in first["loc"] if part != "str")
    where = ".".join(name for name in names if re.fullmatch(r"[a-z_]+|\d+", name))
    return f"{where}: {first['msg']}"
