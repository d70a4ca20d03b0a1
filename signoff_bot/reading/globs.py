"""Path globs as rule packs write them: gitignore patterns, later ones taking precedence.

`configs/**` is everything under `configs/` at the root, `*.md` any Markdown file at any depth, and
`!docs/` takes out what an earlier glob let in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Any

from pathspec import PathSpec
from pydantic import AfterValidator

# Globs become regular expressions, which backtrack. With this many `*` in one name of a path, and
# this many `**`, the time grows with the square of a hostile file name; each more adds a power.
_MAX_STARS = 2
_ODD_SET = re.compile(r"\[[^\]]*(?:\[|--|&&|~~|\|\|)")
"""A set such as `[[:alpha:]]` or `[a--b]`, which git and regular expressions read differently."""
_WHOLE = re.compile(r"\\.|\[[!^]?+(?:\][^\]/]*|[^\]/]+)\]")
"""An escaped character, or a set with both its brackets; a `]` that comes first is in the set."""
_BRACES = re.compile(r"(?<!\\)\{[^{}/]*,[^{}/]*\}")


def _check_glob(glob: str) -> str:
    pattern = glob.removeprefix("!")
    if not pattern.strip("/"):
        raise ValueError("a glob that matches nothing; write `**` for every path")
    if glob != glob.strip():
        raise ValueError("white space at the end of a glob; remove it")
    if pattern.startswith("#"):
        raise ValueError("`#` starts a comment in a glob; write `\\#`")
    if "***" in pattern:
        raise ValueError("`***` means nothing in a glob; write `**`")
    names = pattern.split("/")
    _check_names(names, pattern)
    if names.count("**") > _MAX_STARS:
        raise ValueError(f"more than {_MAX_STARS} `**` in a glob; write several simpler ones")
    if any(name.count("*") > _MAX_STARS for name in names):
        raise ValueError(f"more than {_MAX_STARS} `*` in one name; write several simpler globs")
    if _ODD_SET.search(pattern):
        raise ValueError("a set that tools read differently; name its characters, as in `[a-z]`")
    if "[" in _WHOLE.sub("", pattern):
        raise ValueError("a `[` that is never closed; close it, or write `\\[` for the character")
    try:
        _compile((glob,))
    except (ValueError, re.error):
        raise ValueError("not a gitignore pattern; see `git help gitignore`") from None
    return glob


def _check_names(names: list[str], pattern: str) -> None:
    """Refuse what other tools' globs mean and gitignore patterns do not: it would match nothing."""
    # A slash at the start is the root, and one at the end a directory.
    if {".", ".."} & set(names) or "" in names[1:-1]:
        raise ValueError("a path with `.`, `..` or `//`, which no file has; write it from the root")
    if any("**" in name and name != "**" for name in names):
        raise ValueError("`**` stands for whole directories alone; write `**/*.py`, not `**.py`")
    if _BRACES.search(pattern):
        raise ValueError("a glob has no `{a,b}`; write one for each, or `\\{` for the character")
    if re.search(r"\\[A-Za-z0-9]", pattern):
        raise ValueError("`\\` only takes a character's meaning away; write `/` between names")


Glob = Annotated[str, AfterValidator(_check_glob)]
"""A gitignore pattern; the type of every parameter that holds one."""


def matching(paths: Iterable[str], globs: Iterable[str]) -> tuple[str, ...]:
    """The paths that the globs let in, in the order given."""
    spec = _compile(tuple(globs))
    return tuple(path for path in paths if spec.match_file(path))


@lru_cache(maxsize=64)
def let_in(paths: frozenset[str], globs: tuple[str, ...]) -> frozenset[str]:
    """The same without an order; remembered, since checks ask again and again."""
    return frozenset(matching(paths, globs))


@lru_cache(maxsize=256)
def _compile(globs: tuple[str, ...]) -> PathSpec[Any]:
    # The backend is pinned: the others may be absent, and must not decide what a pack means.
    return PathSpec.from_lines("gitignore", globs, backend="simple")
