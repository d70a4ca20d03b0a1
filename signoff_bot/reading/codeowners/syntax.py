"""Checks the two parts of a line, pattern and owners, and says what to write instead."""

from __future__ import annotations

import re
from typing import NamedTuple

from signoff_bot.reading.codeowners.pattern import plain_slashes

_SUSPICIOUS = re.compile(r"[\[\]\x00-\x1f\x7f]|\*\*\*|//|\\/|\\$|^!|^\\#|^/$")
_ESCAPED = re.compile(r"\\.", re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_BRACKETS = re.compile(r"\\.|(\[[^\]/]*\]|[\[\]])", re.DOTALL)
_STARS = re.compile(r"\\.|(\*{3,})", re.DOTALL)
_OWNER = re.compile(
    r"@[A-Za-z0-9][\w-]*(?:/(?:ent:)?\w[\w.-]*)?"
    r"|(?!\.)[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+",
    re.ASCII,
)
_GLUED = re.compile(r"(?=@)|[,;]+")


class Mistake(NamedTuple):
    """What is wrong with a part of a line.

    `meant` is the pattern its writer probably had in mind, or None where there is no telling.
    """

    code: str
    message: str
    meant: str | None


def check_pattern(pattern: str) -> Mistake | None:
    """Why GitHub skips a line with this pattern, or None for a valid one."""
    if _SUSPICIOUS.search(pattern) is None:
        return None
    mistake = _find_mistake(plain_slashes(pattern))
    if mistake is None or mistake.meant is None:
        return mistake
    meant = mistake.meant if mistake.meant and check_pattern(mistake.meant) is None else None
    return mistake._replace(meant=meant)


def is_owner(word: str) -> bool:
    """Whether a word has the form of an owner: `@user`, `@org/team` or an e-mail address."""
    return _OWNER.fullmatch(word) is not None


def check_owners(words: tuple[str, ...], pattern: str) -> Mistake | None:
    """Why GitHub skips a line with these owners, or None for valid ones."""
    for word in words:
        if not is_owner(word):
            return _owner_mistake(word, pattern)
    return None


def _find_mistake(pattern: str) -> Mistake | None:
    bare = _ESCAPED.sub("x", pattern)
    if (control := _CONTROL.search(pattern)) is not None:
        return Mistake(
            "control-character",
            f"the pattern holds the control character U+{ord(control[0]):04X}; remove it",
            _CONTROL.sub("?", pattern),
        )
    if pattern.startswith("!"):
        return Mistake(
            "negated-pattern",
            "CODEOWNERS has no negation with `!`; take paths out with a later line that names "
            "their owners, or no owner",
            pattern.lstrip("!"),
        )
    if pattern.startswith("\\#"):
        return Mistake(
            "escaped-hash",
            f"a pattern cannot begin with `\\#`; write `**/{pattern[1:]}`",
            f"**/{pattern[1:]}",
        )
    if bare.endswith("\\"):
        return Mistake(
            "trailing-backslash",
            "a `\\` at the end of a pattern escapes nothing; remove it, or write `\\ ` for a space",
            pattern[:-1],
        )
    if "[" in bare or "]" in bare:
        return Mistake(
            "bracket",
            "CODEOWNERS has no character ranges; write `\\[` and `\\]` for the characters "
            "themselves, or a line for each name",
            _STARS.sub(
                _two_stars, _BRACKETS.sub(lambda found: "*" if found[1] else found[0], pattern)
            ),
        )
    if "***" in bare:
        fixed = _STARS.sub(_two_stars, pattern)
        return Mistake("triple-star", f"`***` is no wildcard; write `{fixed}`", fixed)
    if pattern == "/":
        return Mistake(
            "bare-slash",
            "`/` alone matches nothing; write `*` for every file of the repository",
            "*",
        )
    if pattern.startswith("//"):
        return Mistake("empty-segment", "`//` matches no path; a comment begins with `#`", None)
    if "//" in pattern:
        fixed = re.sub("/{2,}", "/", pattern)
        return Mistake("empty-segment", f"`//` matches no path; write `{fixed}`", fixed)
    return None


def _two_stars(found: re.Match[str]) -> str:
    return "**" if found[1] else found[0]


def _owner_mistake(word: str, pattern: str) -> Mistake:
    parts = [part for part in _GLUED.split(word) if part]
    if len(parts) > 0 and parts != [word] and all(map(is_owner, parts)):
        return Mistake(
            "glued-owners",
            f"owners are separated by spaces; write `{' '.join(parts)}` for `{word}`",
            pattern,
        )
    if is_owner(f"@{word}"):
        return Mistake("invalid-owner", f"`{word}` is no owner; write `@{word}`", pattern)
    return Mistake(
        "invalid-owner",
        f"`{word}` is no owner; write `@user`, `@org/team` or an e-mail address",
        pattern,
    )
