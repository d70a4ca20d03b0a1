"""Finds Python that rewrites or bends the serving stack, in files, here-documents and `python -c`.

Such a program finds out where a package is installed, changes text or copies a file, and writes it
there; or it puts something of its own in the place of a part of the package while that runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from signoff_bot.reading.branches import without_comment
from signoff_bot.reading.config_edits import WRITES, python_texts
from signoff_bot.reading.engine_commands import Sign
from signoff_bot.reading.engine_paths import EngineRules
from signoff_bot.reading.shell import ShellScript

_MOVES = re.compile(
    r"\bshutil\.(?:copy\w*|move)\(|\bos\.(?:replace|rename|symlink)\(|[\"']patch[\"']"
    r"|[\"']git[\"'],\s*[\"']apply[\"']|\bfileinput\b"
)
"""What puts a file in another's place."""
_EDITS = re.compile(r"\.replace\([\"'\w(]|\bre\.subn?\(|\.subn?\(")
_READS = re.compile(r"\.read(?:_text|lines)?\(")
_PLACES = re.compile(r"\bfind_spec\(|\.__file__\b|\b__path__\b|\bget_path\(|\bgetsitepackages\(")
_IMPORT = re.compile(r"\s*(?:from\s+(\w+)[\w.]*\s+)?import\s+(.+)$")
_PATCHED = re.compile(r"\s*([A-Za-z_]\w*)((?:\.\w+)+)\s*=(?!=)")
_SETATTR = re.compile(r"\bsetattr\(\s*([A-Za-z_]\w*)|\bsys\.modules\[")


def engine_programs(
    path: str, text: str, script: ShellScript, rules: EngineRules
) -> Iterator[Sign]:
    """The signs in the Python of a file."""
    for first, body in python_texts(path, text, script):
        lines = [(first + i, without_comment(line)) for i, line in enumerate(body.split("\n"))]
        if rules.packages.search(body) or rules.is_installed(body):
            yield from _rewriting(lines, rules)
            yield from _patching(lines, rules)


def _rewriting(lines: Sequence[tuple[int, str]], rules: EngineRules) -> Iterator[Sign]:
    """One sign for a program that writes, and knows where the serving stack is installed."""
    places = [
        line for line, text in lines if _PLACES.search(text) or rules.is_installed(f"{text}/")
    ]
    writes = [(line, text) for line, text in lines if WRITES.search(text)]
    moves = [(line, text) for line, text in lines if _MOVES.search(text)]
    edits = [(line, text) for line, text in lines if _EDITS.search(text)]
    edited = writes and edits and any(_READS.search(text) for _, text in lines)
    found = (*moves, *(edits if edited else ()), *writes)
    if places and found:
        certain = bool(moves or edited)
        how = "rewrites what is installed" if certain else "may write to what is installed"
        says = f"Python that {how}"
        yield Sign(found[0][0], frozenset((*places, *(n for n, _ in found))), certain, says)


def _patching(lines: Sequence[tuple[int, str]], rules: EngineRules) -> Iterator[Sign]:
    """Assignments to attributes of what is imported from the serving stack."""
    names: set[str] = set()
    for line, text in lines:
        names |= _imported(text, rules)
        patched, setting = _PATCHED.match(text), _SETATTR.search(text)
        if (patched and patched[1] in names) or (
            setting and (setting[1] in names or (not setting[1] and rules.packages.search(text)))
        ):
            yield Sign(line, frozenset({line}), True, "Python that bends the engine while it runs")


def _imported(text: str, rules: EngineRules) -> set[str]:
    """The names that a line imports from the serving stack."""
    found = _IMPORT.match(text)
    if found is None:
        return set()
    names: set[str] = set()
    for item in found[2].strip("() ").split(","):
        source, _, alias = item.strip().partition(" as ")
        package = found[1] or source.split(".")[0]
        if rules.packages.fullmatch(package):
            names.add(alias.strip() or source.split(".")[0])
    return names
