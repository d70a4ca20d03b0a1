"""Lints a CODEOWNERS file: lines that GitHub skips, and lines that do not do what they seem to.

docs/codeowners-lint.md explains every code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from signoff_bot.reading.codeowners.file import Codeowners, parse_codeowners
from signoff_bot.reading.codeowners.index import Index
from signoff_bot.reading.codeowners.parser import Line
from signoff_bot.reading.codeowners.pattern import read_pattern
from signoff_bot.reading.codeowners.problems import LineProblem
from signoff_bot.reading.codeowners.syntax import is_owner
from signoff_bot.reading.codeowners.text import (
    CodeownersFile,
    UnusableCodeowners,
    decode_codeowners,
)
from signoff_bot.reading.wording import some

EFFORT, EFFORT_PER_LINE = 100_000, 10
"""How many patterns are tried on each other at most; a file that needs more is a hostile one."""
_NOT_COMPARED = (
    "too many patterns with wildcards are alike, so not every line was compared with those below "
    "it; write fewer of them"
)
_NEEDLESS_ESCAPE = re.compile(r"\\(?:[^A-Za-z0-9_.-]|([A-Za-z0-9_.-]))", re.DOTALL)
_SPECIAL = re.compile(r"[/*?\\]")


def lint_file(file: CodeownersFile, files: Iterable[str] | None = None) -> tuple[LineProblem, ...]:
    """All problems of a file: those as a whole first, then by line, as `lint` finds them."""
    found = [
        LineProblem(
            0,
            "ignored-file",
            f"GitHub uses {file.path} alone and ignores {ignored}; merge the two and remove one",
            "warning",
        )
        for ignored in file.ignored
    ]
    try:
        codeowners = parse_codeowners(decode_codeowners(file.content))
    except UnusableCodeowners as problem:
        return (LineProblem(0, problem.code, str(problem)), *found)
    if not codeowners.listed_owners:
        found.append(
            LineProblem(
                0, "no-owners", "no line names an owner, so nobody owns anything; write `* @user`"
            )
        )
    return (*found, *lint(codeowners, files))


def lint(codeowners: Codeowners, files: Iterable[str] | None = None) -> tuple[LineProblem, ...]:
    """All problems, by line; `files` are all paths of the repository, where they are known."""
    paths = None if files is None else tuple(files)
    used = frozenset[int]() if paths is None else codeowners.used(paths)
    found = list(codeowners.problems)
    most = EFFORT + EFFORT_PER_LINE * len(codeowners.lines)
    for line in codeowners.lines:
        if line.number not in used:
            found += _misplaced(line)
        if codeowners.effort < most:
            found += _shadowed(codeowners, line)
    if codeowners.effort >= most:
        found.append(LineProblem(0, "not-compared", _NOT_COMPARED, "warning"))
    if paths is not None:
        known = used | {problem.number for problem in found}
        found += _unused([line for line in codeowners.lines if line.number not in known], paths)
        found += _ambiguous(codeowners.lines, paths)
    return tuple(sorted(found, key=lambda problem: problem.number))


def _misplaced(line: Line) -> Iterator[LineProblem]:
    """What is odd about a pattern by itself, unless files of that very name exist."""
    # `logo@2x.png @user` looks like an e-mail address, but has its owner.
    if is_owner(line.pattern) and (line.pattern.startswith("@") or not line.owners):
        owners = " ".join((line.pattern, *line.owners))
        yield LineProblem(
            line.number,
            "owner-as-pattern",
            f"`{line.pattern}` stands where the pattern belongs; write the pattern before it, "
            f"such as `* {owners}`",
        )
    odd = next((c for c in line.pattern if not c.isprintable() or c == "\u00a0"), None)
    if odd is not None:
        yield LineProblem(
            line.number,
            "invisible-character",
            f"the pattern holds the invisible character U+{ord(odd):04X}, which separates "
            "nothing; write a space or remove it",
        )
    needless = {found[1] for found in _NEEDLESS_ESCAPE.finditer(line.pattern) if found[1]}
    if needless:
        yield LineProblem(
            line.number,
            "needless-escape",
            f"`\\{min(needless)}` means `{min(needless)}`; remove the `\\`, or write `/` if it "
            "separates directories",
            "warning",
        )


def _shadowed(codeowners: Codeowners, line: Line) -> Iterator[LineProblem]:
    later = codeowners.shadowing(line)
    if later:
        named = " and ".join(f"line {other.number} (`{other.pattern}`)" for other in later)
        verb = "matches" if len(later) == 1 else "match"
        yield LineProblem(
            line.number,
            "shadowed",
            f"never decides: {named} below it {verb} all that `{line.pattern}` does; remove it, "
            "or move it further down",
            "warning",
        )


def _unused(lines: Sequence[Line], paths: Sequence[str]) -> Iterator[LineProblem]:
    hints = {
        **_would_match(
            lines, str.lower, [path.lower() for path in paths], "in another letter case"
        ),
        **_would_match(lines, _at_any_depth, paths, "further down; write `{}`"),
        **_would_match(lines, _as_file, paths, "as a file; write `{}`"),
    }
    for line in lines:
        hint = hints.get(line.number)
        advice = f"it would match {hint}" if hint else "correct it, or remove the line"
        yield LineProblem(
            line.number,
            "matches-nothing",
            f"`{line.pattern}` matches no file of the repository; {advice}",
            "warning",
        )


def _would_match(
    lines: Sequence[Line], change: Callable[[str], str], paths: Iterable[str], hint: str
) -> dict[int, str]:
    """By line number, a hint for the lines that match some path with their pattern changed."""
    changed = [change(line.pattern) for line in lines]
    found = Index(map(read_pattern, changed)).used(paths)
    return {lines[n].number: hint.format(changed[n]) for n in found}


def _at_any_depth(pattern: str) -> str:
    return pattern if pattern.startswith("**/") else f"**/{pattern.removeprefix('/')}"


def _as_file(pattern: str) -> str:
    return pattern.removesuffix("/")


def _ambiguous(lines: Iterable[Line], paths: Iterable[str]) -> Iterator[LineProblem]:
    """A bare name that stands for directories in several places, perhaps by surprise."""
    bare = {line.pattern: line for line in lines if not _SPECIAL.search(line.pattern)}
    places: dict[str, list[str]] = {}
    for directory in sorted(_directories(paths)):
        name = directory.rpartition("/")[2]
        if name in bare:
            places.setdefault(name, []).append(directory)
    for name, directories in places.items():
        if len(directories) > 1:
            yield LineProblem(
                bare[name].number,
                "ambiguous-directory",
                f"`{name}` owns directories of that name at any depth: {some(directories)}; "
                f"write `/{name}/` for the one at the root, or `**/{name}/` if all are meant",
                "warning",
            )


def _directories(paths: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for path in paths:
        directory = path.rpartition("/")[0]
        while directory and directory not in found:
            found.add(directory)
            directory = directory.rpartition("/")[0]
    return found
