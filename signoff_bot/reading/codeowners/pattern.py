r"""What a CODEOWNERS pattern means: its normal form as path segments.

The rules are GitHub's documentation on code owners and git's own for ignore patterns, with one
documented exception (`docs/*` owns no subdirectories). Where GitHub leaves something open, git
decides: `foo/**/` owns the directories below `foo`, `**/` every directory. `\/` is a slash.
"""

from __future__ import annotations

import re
from typing import NamedTuple

ANY_DEPTH = "**"
"""The segment that stands for zero or more directories."""

_SPECIAL = re.compile(r"[*?\\]")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_WILDCARDS = re.compile(r"(\\.)|[*?]{2,}", re.DOTALL)


class Pattern(NamedTuple):
    r"""A pattern's normal form; patterns with equal forms match the same paths.

    `segments` are globs for one name each (`*`, `?`, `\` as in a shell), or `ANY_DEPTH`, counted
    from the root of the repository; there are none where the pattern owns everything.
    """

    segments: tuple[str, ...]
    directory: bool
    """Whether it matches a directory of that name, and so everything below it."""
    file: bool
    """Whether it matches a file of that name."""

    @property
    def catch_all(self) -> bool:
        """Whether it matches every path."""
        return not self.segments


def read_pattern(text: str) -> Pattern:
    """The normal form of a pattern that `check_pattern` finds nothing wrong with."""
    if "\\/" in text:
        text = plain_slashes(text)
    body = text.removesuffix("/")
    contents_only = text.endswith("/")
    anchored = "/" in body
    segments = body.removeprefix("/").split("/")
    if _SPECIAL.search(body):
        segments = [_canonical(segment) for segment in segments]
    elif anchored:
        return Pattern(tuple(segments), directory=True, file=not contents_only)
    direct_children = anchored and not contents_only and segments[-1] == "*"
    if not anchored:
        segments.insert(0, ANY_DEPTH)
    segments = [s for i, s in enumerate(segments) if s != ANY_DEPTH or segments[i - 1 : i] != [s]]
    if segments[-1] == ANY_DEPTH:
        # `foo/**` owns what is in foo; `foo/**/` what is in the directories in foo.
        segments[-1:] = ["*"] if contents_only else []
        contents_only = True
    if segments[-2:] == [ANY_DEPTH, "*"]:
        # Whatever lies at some depth below a directory lies below one of its children.
        segments[-2:] = ["*"] if contents_only else []
        contents_only, direct_children = True, False
    return Pattern(tuple(segments), directory=not direct_children, file=not contents_only)


def plain_slashes(text: str) -> str:
    r"""The pattern with `\/` written as `/`, which it means."""
    return _ESCAPED.sub(lambda found: "/" if found[1] == "/" else found[0], text)


def is_literal(segment: str) -> bool:
    """Whether a segment of a normal form stands for one name only."""
    bare = _ESCAPED.sub("", segment) if "\\" in segment else segment
    return "*" not in bare and "?" not in bare


def unescape(segment: str) -> str:
    """The name that a literal segment stands for."""
    return _ESCAPED.sub(r"\1", segment) if "\\" in segment else segment


def _canonical(segment: str) -> str:
    """The segment with one spelling for each meaning: `a**` is `a*`, and `*?` is `?*`."""
    if segment == ANY_DEPTH:
        return segment
    return _WILDCARDS.sub(_wildcards, segment)


def _wildcards(found: re.Match[str]) -> str:
    run = found[0]
    if found[1] is not None:
        return run
    return "?" * run.count("?") + ("*" if "*" in run else "")
