"""Keeps tokens out of the evidence: bundles are saved, attached and sent around.

Our own token is struck out wherever it may turn up. Whatever merely looks like one is struck out of
what people wrote and of the reasons why something could not be read; never out of names and file
contents, where a made-up token could be used to change what the rules see.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from signoff_bot.evidence.model import Evidence
from signoff_bot.evidence.strict_json import canonical_json

STRUCK_OUT = "[token removed]"

_TOKEN = re.compile(
    r"(?<![A-Za-z0-9])(?:gh[pousr]_|github_pat_)[A-Za-z0-9_]{16,}(?:[.-][A-Za-z0-9_.-]+)?"
    r"|(?<=authorization)[\"']?: *[\"']?(?:(?:bearer|token|basic) +)?[^\s\"']+",
    re.IGNORECASE,
)
_FREE_TEXT = frozenset({"body", "title", "unread"})


def without_tokens(text: str) -> str:
    """The text with everything struck out that looks like a GitHub token or a credential header."""
    return _TOKEN.sub(STRUCK_OUT, text)


def without_secrets(evidence: Evidence, secrets: Sequence[str]) -> Evidence:
    """The evidence without tokens; `secrets` are those that we used ourselves."""
    data = evidence.model_dump(mode="json")
    clean = _clean(data, None, [secret for secret in secrets if secret])
    return evidence if clean == data else Evidence.model_validate_json(canonical_json(clean))


def _clean(data: Any, key: str | None, secrets: Sequence[str]) -> Any:
    if isinstance(data, str):
        for secret in secrets:
            data = data.replace(secret, STRUCK_OUT)
        return without_tokens(data) if key in _FREE_TEXT else data
    if isinstance(data, list):
        return [_clean(item, key, secrets) for item in data]
    if isinstance(data, dict):
        return {name: _clean(item, name, secrets) for name, item in data.items()}
    return data
