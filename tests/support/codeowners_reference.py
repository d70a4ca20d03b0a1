"""A second reading of CODEOWNERS patterns, as plain as can be: one rule at a time, no index."""

from __future__ import annotations

import re
from functools import lru_cache


def reference_match(pattern: str, path: str) -> bool:
    """Whether a valid pattern matches a file."""
    body = pattern.removesuffix("/")
    directories_only = pattern.endswith("/")
    segments = tuple(body.removeprefix("/").split("/"))
    anchored = "/" in body
    names = tuple(path.split("/"))
    for end in range(1, len(names) + 1):
        is_file = end == len(names)
        if is_file and directories_only:
            continue
        if not is_file and anchored and segments[-1] == "*" and not directories_only:
            continue  # GitHub's exception: `docs/*` owns no subdirectories
        if anchored and _path_matches(segments, names[:end]):
            return True
        if not anchored and name_matches(segments[0], names[end - 1]):
            return True
    return False


def reference_last(patterns: list[str], path: str) -> int | None:
    """The position of the last pattern that matches, or None."""
    return max((i for i, p in enumerate(patterns) if reference_match(p, path)), default=None)


def _path_matches(segments: tuple[str, ...], names: tuple[str, ...]) -> bool:
    if not segments:
        return not names
    if segments[0] == "**":
        if len(segments) == 1:
            return bool(names)
        return any(_path_matches(segments[1:], names[skip:]) for skip in range(len(names) + 1))
    return bool(names) and (
        name_matches(segments[0], names[0]) and _path_matches(segments[1:], names[1:])
    )


def name_matches(glob: str, name: str) -> bool:
    """Whether a glob matches one whole name."""
    return _regex(glob).fullmatch(name) is not None


@lru_cache(maxsize=10_000)
def _regex(glob: str) -> re.Pattern[str]:
    parts = re.findall(r"\\.|.", glob, re.DOTALL)
    wild = {"*": ".*", "?": "."}
    return re.compile("".join(wild.get(p, re.escape(p[-1])) for p in parts), re.DOTALL)
