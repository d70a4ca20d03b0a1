"""JSON without its traps: one reading only, and one writing only.

Read strictly, because what two parsers read differently can be used to deceive one of them:
repeated keys, NaN and infinities (`1e999` is one), and nesting that exhausts the stack are refused.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from typing import Any, NoReturn


def parse_json(text: str | bytes) -> Any:
    """The plain data that a JSON text holds.

    Raises:
        ValueError: it is no JSON, or JSON of a kind that is refused; the message says which.
    """
    try:
        return json.loads(
            text, object_pairs_hook=_object, parse_constant=_constant, parse_float=_float
        )
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def canonical_json(data: Any) -> bytes:
    """The one writing of plain data: UTF-8, keys sorted by code point, no white space."""
    return json.dumps(
        data, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False
    ).encode("utf-8", "surrogatepass")


def digest(data: Any) -> str:
    """`sha256:` and the hexadecimal SHA-256 of the canonical JSON of plain data."""
    return digest_of_bytes(canonical_json(data))


def digest_of_bytes(content: bytes) -> str:
    """`sha256:` and the hexadecimal SHA-256 of bytes, such as canonical JSON at hand."""
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        # Counted once: a hostile object may have a million keys.
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return found


def _float(written: str) -> float:
    number = float(written)
    if math.isinf(number):
        raise ValueError(f"{written[:40]} is too large for a JSON number")
    return number


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")
