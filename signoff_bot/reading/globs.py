"""Path patterns of rule packs, in the dialect of `.gitignore` (pathspec)."""

from __future__ import annotations

from collections.abc import Iterable

from pathspec import PathSpec


def matching(paths: Iterable[str], globs: Iterable[str]) -> tuple[str, ...]:
    """The paths that one of the globs matches, in the order given."""
    spec = PathSpec.from_lines("gitignore", globs, backend="simple")
    return tuple(path for path in paths if spec.match_file(path))
