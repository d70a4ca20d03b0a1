"""The git work tree that the user stands in: its files, and its CODEOWNERS."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from signoff_bot.cli.files import read_file
from signoff_bot.cli.paths import from_top, name_of
from signoff_bot.errors import InvalidInput
from signoff_bot.reading.codeowners.text import LOCATIONS, MAX_BYTES, CodeownersFile


@dataclass(frozen=True)
class WorkTree:
    """A directory whose paths are named from its top; `git` tells whether git knows its files."""

    top: Path
    git: bool

    @classmethod
    def here(cls) -> WorkTree:
        """The work tree around the current directory, or just that directory without one."""
        top = _git(Path.cwd(), "rev-parse", "--show-toplevel")
        if top is None:
            return cls(Path.cwd(), git=False)
        return cls(Path(os.fsdecode(top.removesuffix(b"\n"))), git=True)

    @cached_property
    def files(self) -> tuple[str, ...] | None:
        """All files that git tracks, or None where there is no git to tell."""
        listed = _git(self.top, "ls-files", "-z") if self.git else None
        if listed is None:
            return None
        return tuple(dict.fromkeys(name_of(path) for path in listed.split(b"\0") if path))

    def codeowners(self) -> CodeownersFile:
        """The CODEOWNERS file that GitHub would use.

        Raises:
            InvalidInput: there is none, or it cannot be read.
        """
        found = [path for path in LOCATIONS if (self.top / path).is_file()]
        if not found:
            raise InvalidInput(
                f"no CODEOWNERS in {self.top}: GitHub looks for {', '.join(LOCATIONS)}; "
                "name another file with --codeowners"
            )
        content = read_file(str(self.top / found[0]), MAX_BYTES)
        return CodeownersFile(found[0], content, tuple(found[1:]))

    def named(self, path: str) -> str:
        """A path of the command line, relative to the current directory, named from the top.

        Raises:
            InvalidInput: it is empty, lies outside, or says that it is a directory and is none.
        """
        if not path:
            raise InvalidInput(f"{path!r} names no file; write `.` for this directory")
        if path.endswith("/") and not Path(path).is_dir():
            raise InvalidInput(f"{path}: there is no such directory")
        # The last name is never followed: a link in the repository has an owner of its own.
        full = Path(os.path.normpath(Path.cwd() / path))
        for place in (full, full.parent.resolve() / full.name):
            if place.is_relative_to(self.top):
                return from_top(place.relative_to(self.top).as_posix())
        raise InvalidInput(f"{path}: outside of {self.top}; name files in it")

    def below(self, path: str) -> tuple[str, ...]:
        """The path itself if it is a file (there or not), else the files in the directory.

        Raises:
            InvalidInput: it is a directory without files, or whose files are not known.
        """
        if path and not (self.top / path).is_dir():
            return (path,)
        if self.files is None:
            raise InvalidInput(
                f"{path or self.top}: a directory; name the files in it, or run this in a git "
                "work tree"
            )
        if not path:
            return self.files
        # A submodule is a directory here, and one path to git.
        found = tuple(f for f in self.files if f == path or f.startswith(f"{path}/"))
        if not found:
            raise InvalidInput(f"{path}: git tracks no file in this directory; add some first")
        return found


def _git(directory: Path, *arguments: str) -> bytes | None:
    """What git prints, or None where there is no git or it fails."""
    try:
        done = subprocess.run(  # noqa: S603 - fixed arguments, no shell
            ["git", "-C", str(directory), *arguments],  # noqa: S607 - the user's own git
            capture_output=True,
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode == 0 else None
