r"""What a CODEOWNERS pattern means: its normal form.

The rules are GitHub's documentation on code owners and git's own for ignore patterns, with one
documented exception (`docs/*` owns no subdirectories). Where GitHub leaves something open, git
decides: `foo/**/` owns the directories below `foo`, `**/` every directory. `\/` is a slash.
"""

from __future__ import annotations

import re
from typing import NamedTuple

ANY_DEPTH = "**"
"""The segment that stands for zero or more directories."""

_NEEDLESS_ESCAPE = re.compile(r"\\(?:([^*?\\])|(.))", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_SPECIAL = re.compile(r"[*?\\]")
_WILDCARDS = re.compile(r"(\\.)|[*?]{2,}", re.DOTALL)


class Pattern(NamedTuple):
    r"""A pattern's normal form; patterns with equal forms match the same paths.

    A path matches that has the directories of `head`, in which nothing is special, and then names
    that match `tail`: globs for one name each (`*`, `?`, `\` as in a shell), or `ANY_DEPTH`.
    Both begin at the root of the repository, and both are empty where everything matches.
    """

    head: str
    tail: tuple[str, ...]
    directory: bool
    """Whether it matches a directory of that name, and so everything below it."""
    file: bool
    """Whether it matches a file of that name."""

    @property
    def catch_all(self) -> bool:
        """Whether it matches every path."""
        return not self.head and not self.tail


def read_pattern(text: str) -> Pattern:
    """The normal form of a pattern that `check_pattern` finds nothing wrong with."""
    if "\\" in text:
        text = simplify(text)
    contents_only = text[-1] == "/"
    anchored = "/" in text[:-1]
    body = text.strip("/")
    if "*" not in body and "?" not in body and "\\" not in body:
        if anchored:
            return Pattern(body, (), True, not contents_only)
        return Pattern("", (ANY_DEPTH, body), True, not contents_only)
    cut = body.rfind("/", 0, len(_SPECIAL.split(body, 1)[0]))
    tail = body[cut + 1 :].split("/")
    direct_children = anchored and not contents_only and tail[-1] == "*"
    tail = [_canonical(segment) for segment in tail]
    if not anchored:
        tail.insert(0, ANY_DEPTH)
    if tail.count(ANY_DEPTH) > 1:
        tail = [s for i, s in enumerate(tail) if s != ANY_DEPTH or tail[i - 1 : i] != [ANY_DEPTH]]
    if tail[-1] == ANY_DEPTH:
        # `foo/**` owns what is in foo; `foo/**/` what is in the directories in foo.
        tail[-1:] = ["*"] if contents_only else []
        contents_only = True
    if tail[-2:] == [ANY_DEPTH, "*"]:
        # Whatever lies at some depth below a directory lies below one of its children.
        tail[-2:] = ["*"] if contents_only else []
        contents_only, direct_children = True, False
    return Pattern(body[: max(cut, 0)], tuple(tail), not direct_children, not contents_only)


def simplify(text: str) -> str:
    r"""The pattern without the escapes that change nothing: `\ ` is a space, `\/` a slash."""
    return _NEEDLESS_ESCAPE.sub(lambda found: found[1] or found[0], text)


def is_literal(segment: str) -> bool:
    """Whether a segment of a normal form stands for one name only."""
    bare = _ESCAPED.sub("", segment) if "\\" in segment else segment
    return "*" not in bare and "?" not in bare


def unescape(segment: str) -> str:
    """The name that a literal segment stands for."""
    return _ESCAPED.sub(r"\1", segment) if "\\" in segment else segment


def _canonical(segment: str) -> str:
    """The segment with one spelling for each meaning: `a**` is `a*`, and `a*?` is `a?*`."""
    if segment == ANY_DEPTH:
        return segment
    if "**" in segment or "*?" in segment:
        segment = _WILDCARDS.sub(_wildcards, segment)
    return "*" if segment == "?*" else segment  # no name is empty


def _wildcards(found: re.Match[str]) -> str:
    run = found[0]
    if found[1] is not None:
        return run
    return "?" * run.count("?") + ("*" if "*" in run else "")
