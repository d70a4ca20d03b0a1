"""The hidden first lines by which our own comments are known again: of a verdict, and of a welcome.

    <!-- signoff-bot sha=<40 hex digits> signoff=issuecomment-123 -->
    <!-- signoff-bot welcome -->

The name is the rule pack's. A marker is only text, which anybody can write: a comment is ours when
its author is us as well. One without `signoff=` is another program's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_VERDICT = re.compile(
    r"<!-- (?P<context>.+) sha=(?P<sha>[0-9a-f]{40}(?:[0-9a-f]{24})?) signoff=(?P<signoff>\S+) -->"
)


@dataclass(frozen=True, slots=True)
class Marker:
    """What a marker says: the head, and the anchor of the sign-off. Both None for a welcome."""

    sha: str | None
    signoff: str | None


def verdict_marker(context: str, sha: str, signoff: str) -> str:
    """The first line of a verdict on a head, about the sign-off of that anchor."""
    return f"<!-- {context} sha={sha} signoff={signoff} -->"


def welcome_marker(context: str) -> str:
    """The first line of the comment that welcomes a pull request."""
    return f"<!-- {context} welcome -->"


def read_marker(body: str, context: str) -> Marker | None:
    """What the first line of a comment says, or None when it is no marker of that name."""
    line = body.partition("\n")[0].rstrip()
    if line == welcome_marker(context):
        return Marker(None, None)
    found = _VERDICT.fullmatch(line)
    if found is None or found["context"] != context:
        return None
    return Marker(found["sha"], found["signoff"])


def claims_to_be_ours(body: str, context: str) -> bool:
    """Whether a comment begins like one of ours, whoever wrote it."""
    return body.startswith((f"<!-- {context} sha=", welcome_marker(context)))
