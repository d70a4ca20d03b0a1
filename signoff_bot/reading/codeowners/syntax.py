"""Checks the two parts of a line, pattern and owners, and says what to write instead."""

from __future__ import annotations

import re
from typing import NamedTuple

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

    Of a pattern, `meant` is what its writer probably had in mind, if there is any telling.
    """

    code: str
    message: str
    meant: str | None = None


def check_pattern(pattern: str) -> Mistake | None:
    """Why GitHub skips a line with this pattern, or None for a valid one."""
    if not (
        "[" in pattern
        or "]" in pattern
        or "\\" in pattern
        or "***" in pattern
        or "//" in pattern
        or pattern == "/"
        or pattern[0] == "!"
        or not pattern.isprintable()
    ):
        return None
    mistake = _find_mistake(_ESCAPED.sub(_plain_slash, pattern))
    if mistake is None or mistake.meant is None:
        return mistake
    meant = mistake.meant if mistake.meant and check_pattern(mistake.meant) is None else None
    return mistake._replace(meant=meant)


def is_owner(word: str) -> bool:
    """Whether a word has the form of an owner: `@user`, `@org/team` or an e-mail address."""
    return _OWNER.fullmatch(word) is not None


def check_owners(words: tuple[str, ...]) -> Mistake | None:
    """Why GitHub skips a line with these owners, or None for valid ones."""
    for word in words:
        if not is_owner(word):
            return _owner_mistake(word)
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
        fixed = ("/" if "/" in pattern[:-1] else "**/") + pattern[1:]
        return Mistake("escaped-hash", f"a pattern cannot begin with `\\#`; write `{fixed}`", fixed)
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
        return Mistake("empty-segment", "`//` matches no path; a comment begins with `#`")
    if "//" in pattern:
        fixed = re.sub("/{2,}", "/", pattern)
        return Mistake("empty-segment", f"`//` matches no path; write `{fixed}`", fixed)
    return None


def _plain_slash(found: re.Match[str]) -> str:
    return "/" if found[0] == "\\/" else found[0]


def _two_stars(found: re.Match[str]) -> str:
    return "**" if found[1] else found[0]


def _owner_mistake(word: str) -> Mistake:
    parts = [part for part in _GLUED.split(word) if part]
    if parts != [word] and parts and all(map(is_owner, parts)):
        wanted = " ".join(parts)
        return Mistake(
            "glued-owners", f"owners are separated by spaces; write `{wanted}` for `{word}`"
        )
    wanted = f"`@{word}`" if is_owner(f"@{word}") else "`@user`, `@org/team` or an e-mail address"
    return Mistake("invalid-owner", f"`{word}` is no owner; write {wanted}")
