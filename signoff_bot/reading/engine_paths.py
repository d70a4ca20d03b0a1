"""Tells paths of the serving stack, as its image ships it, from those of the benchmark's own files.

A path of a script is rarely written out: `$ROOT/vllm/config.py` is in the engine when `ROOT` is
what Python tells of where `vllm` is installed. So a path is judged by what is written of it, the
commands that it is taken from included.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Literal

from pydantic import Field

from signoff_bot.reading.globs import Glob
from signoff_bot.reading.settings import Settings
from signoff_bot.reading.shell import Text

Home = Literal["engine", "own", "open"]
"""Where a path leads: into the serving stack, elsewhere, or only a run would tell."""


_COMMAND = re.compile(r"\$\((?!\()|`")
_HARMLESS = re.compile(
    r"[$(`\s\"]*(?:mktemp|pwd|dirname|basename|realpath|date|hostname|nproc|id|cd\b.*&&\s*pwd)\b"
)
"""Commands whose output is a place that does not depend on what is installed."""


class EngineRules(Settings):
    """What belongs to the serving stack, and what to the benchmark."""

    engine_paths: tuple[str, ...] = Field(
        min_length=1,
        description="Parts of paths that are the serving stack's wherever they stand, such as "
        "`/site-packages/`.",
    )
    engine_packages: tuple[str, ...] = Field(
        min_length=1, description="Packages of the serving stack, such as `vllm`."
    )
    client_paths: tuple[str, ...] = Field(
        default=(),
        description="Beginnings of paths that are the benchmark's own, as scripts write them.",
    )
    client_packages: tuple[str, ...] = Field(
        default=(), description="Packages of the benchmark, that it may install."
    )
    installers: tuple[str, ...] = Field(
        default=("pip install", "pip3 install", "-m pip install", "uv pip install"),
        description="The words that install Python packages.",
    )
    hook_files: tuple[str, ...] = Field(
        default=("sitecustomize.py", "usercustomize.py"),
        description="Names of files that Python runs by itself; `.pth` files are among them.",
    )
    hook_variables: tuple[str, ...] = Field(
        default=("PYTHONPATH", "PYTHONSTARTUP", "LD_PRELOAD"),
        description="Variables that slip other code into the serving stack.",
    )

    setup_keys: tuple[str, ...] = Field(
        default=(), description="Keys of recipes whose value names a script that prepares a node."
    )
    patch_scripts: tuple[Glob, ...] = Field(
        default=("*patch*",), description="Names of scripts that are run to patch."
    )

    @cached_property
    def packages(self) -> re.Pattern[str]:
        """A package of the serving stack, as a word."""
        names = (re.escape(name).replace("_", "[-_]") for name in _spellings(self.engine_packages))
        return re.compile(rf"(?<![\w-])(?:{'|'.join(names)})(?![\w-])")

    @cached_property
    def _installed(self) -> re.Pattern[str]:
        return re.compile("|".join(map(re.escape, self.engine_paths)))

    @cached_property
    def _component(self) -> re.Pattern[str]:
        names = map(re.escape, _spellings(self.engine_packages))
        return re.compile(rf"(?:^|/)(?:{'|'.join(names)})(?:/|$)")

    def is_installed(self, written: str) -> bool:
        """Whether a text names the place where the serving stack is installed."""
        return self._installed.search(written) is not None

    def home(self, path: Text, directory: Text | None = None) -> Home:
        """Where a path of a script leads, from the directory that the script is in by then."""
        written = path.text
        if directory is not None and not written.startswith(("/", "$", "~")):
            return self.home(Text((*directory.pieces, *_slash(path).pieces)))
        commands = [p.text for p in path.pieces if not p.known and _COMMAND.match(p.text)]
        plain = f"{written}/"
        if self.is_installed(plain) or any(self.packages.search(text) for text in commands):
            return "engine"
        if written.startswith(self.client_paths) and "/../" not in written:
            return "own"
        if self._component.search(written):
            return "engine"
        return "own" if all(_HARMLESS.match(text) for text in commands) else "open"


def _slash(path: Text) -> Text:
    first = path.pieces[0] if path.pieces else None
    if first is None:
        return path
    return Text((type(first)("/", first.line), *path.pieces))


def _spellings(names: tuple[str, ...]) -> list[str]:
    """The names, with hyphens and with underscores."""
    return sorted({*names, *(name.replace("-", "_") for name in names)})
