"""Finds everything in a changed file that patches the serving stack, or may."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from signoff_bot.reading.code_text import code_of
from signoff_bot.reading.embedded_scripts import read_scripts
from signoff_bot.reading.engine_commands import MENTIONING, Sign, engine_commands
from signoff_bot.reading.engine_paths import EngineRules
from signoff_bot.reading.engine_programs import engine_programs
from signoff_bot.reading.globs import matching
from signoff_bot.reading.shell import ShellScript
from signoff_bot.reading.shell.nested import SHELLS, program

_RUNNERS = (*SHELLS, "source", ".", "exec", "sudo", "env")


def engine_signs(
    path: str, text: str, present: Collection[str], rules: EngineRules
) -> Iterator[Sign]:
    """The signs in a file; `present` are the names of the files of the same pull request."""
    script = read_scripts(path, text, MENTIONING)
    if script.cut_off:
        everything = frozenset(range(1, text.count("\n") + 2))
        yield Sign(1, everything, False, f"the script is not read to its end: {script.cut_off}")
    for line in script.problems:
        yield Sign(line, frozenset({line}), False, "the script cannot be followed here")
    yield from engine_commands(script, rules)
    yield from engine_programs(path, text, script, rules)
    yield from _hooks(path, text, rules)
    yield from _patch_scripts(script, present, rules)
    yield from _setup_scripts(path, text, present, rules)


def _hooks(path: str, text: str, rules: EngineRules) -> Iterator[Sign]:
    """A file that Python runs by itself, wherever it comes to lie."""
    name = program(path)
    if name in rules.hook_files or name.endswith(".pth"):
        lines = text.split("\n")
        engine = [i for i, line in enumerate(lines, 1) if rules.packages.search(line)]
        found = frozenset(engine or range(1, len(lines) + 1))
        yield Sign(min(found), found, bool(engine), "Python runs this file by itself")


def _patch_scripts(
    script: ShellScript, present: Collection[str], rules: EngineRules
) -> Iterator[Sign]:
    """Scripts that are run to patch, and that are not there to be read."""
    for command in script.commands:
        words = [text.text for text in command.argv]
        runner = program(words[0]) if words else ""
        if runner in _RUNNERS or runner.startswith("python"):
            words = words[1:]
        names = {program(word) for word in words[:3] if not word.startswith("-")}
        for name in sorted(set(matching(names, rules.patch_scripts)) - set(present)):
            if name.endswith((".sh", ".py")):
                says = f"runs {name}, which is not in this pull request"
                yield Sign(command.line, frozenset(command.lines), False, says, kept=True)


def _setup_scripts(
    path: str, text: str, present: Collection[str], rules: EngineRules
) -> Iterator[Sign]:
    """Scripts that a recipe prepares its nodes with, and that are not there to be read."""
    if not rules.setup_keys:
        return
    keys = "|".join(map(re.escape, rules.setup_keys))
    pattern = re.compile(rf"^\s*(?:- +)?[\"']?({keys})[\"']?\s*[:=]\s*[\"']?([^\s\"'#]+)")
    for number, line in enumerate(code_of(path, text).split("\n"), 1):
        found = pattern.match(line)
        if found and program(found[2]) not in present:
            says = f"{found[1]} names {found[2]}, which is not in this pull request"
            yield Sign(number, frozenset({number}), False, says)
