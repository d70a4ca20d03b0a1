"""Finds what looks like a pattern in a text: a glob for words, with no regular expression.

In a pattern, `{number}` stands for a whole number, and `*` for one or more letters, digits and any
of `-_./`. Everything else stands for itself, letter case included. A find must not begin or end
within a word: `ACME-{number}` is in `fix/ACME-12-login`, but neither in `XACME-12` nor `ACME-12b`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Annotated

from pydantic import AfterValidator

_PARTS = re.compile(r"(\{number\}|\*)")
_STAND_FOR = {"{number}": "[1-9][0-9]{0,17}", "*": "[A-Za-z0-9_./-]{1,100}"}


def _check_pattern(pattern: str) -> str:
    literal = _PARTS.sub("", pattern)
    if not literal.strip():
        raise ValueError("a pattern that finds anything; write what it looks like: ACME-{number}")
    if pattern != pattern.strip():
        raise ValueError("white space at the end of a pattern; remove it")
    if pattern.count("*") > 1:
        raise ValueError("more than one `*` in a pattern; write several simpler ones")
    if "{" in literal or "}" in literal:
        raise ValueError("only `{number}` means something in braces")
    return pattern


Pattern = Annotated[str, AfterValidator(_check_pattern)]
"""A pattern as described; the type of every parameter that holds one."""


def find(pattern: str, text: str) -> str | None:
    """The first place in the text that the pattern stands for, or None."""
    found = _compiled(pattern).search(text)
    return None if found is None else found[0]


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str]:
    parts = (_STAND_FOR.get(part) or re.escape(part) for part in _PARTS.split(pattern))
    return re.compile(rf"(?<![\w&]){''.join(parts)}(?!\w)")
