"""The faces of `signoff-bot owners`: a table, explanations, lint messages, and JSON.

JSON is contract `signoff-bot/owners/v1`; its consumers ignore keys that they do not know.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from signoff_bot.reading.codeowners.parser import Line
from signoff_bot.reading.codeowners.problems import LineProblem
from signoff_bot.reading.codeowners.report import OwnersReport, PathReport
from signoff_bot.reading.wording import count
from signoff_bot.render.inert import visible

SCHEMA = "signoff-bot/owners/v1"
NO_LINE = "(no line matches)"
NOBODY = "(nobody)"
_LONGEST = 5_000


def owners_json(report: OwnersReport) -> str:
    """The report as JSON. A problem of the file as a whole has no line."""
    found = {
        "schema": SCHEMA,
        "codeowners": report.file,
        "problems": [_problem(problem) for problem in report.problems],
        "paths": [_path(path, explained=report.explained) for path in report.paths],
    }
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def owners_table(report: OwnersReport) -> str:
    """A table of path, owners and line, with a heading; a sentence if there are no paths."""
    if not report.paths:
        return "No paths.\n"
    rows = [("PATH", "OWNERS", "LINE")]
    rows += [(_shown(path.path), _owners(path), _line(path.line)) for path in report.paths]
    wide = [max(len(row[column]) for row in rows) for column in (0, 1)]
    return "".join(f"{a:{wide[0]}}  {b:{wide[1]}}  {c}".rstrip() + "\n" for a, b, c in rows)


def owners_explained(report: OwnersReport) -> str:
    """For each path the line that decides it, those that it beats, and skipped ones."""
    return "\n".join(map(_explanation, report.paths)) if report.paths else "No paths.\n"


def problems_text(file: str, problems: Sequence[LineProblem]) -> str:
    """The problems one a line, as compilers write them, and a line that counts them."""
    shown = [
        f"{_shown(file)}:{f'{problem.number}:' if problem.number else ''} "
        f"{problem.severity}: {_shown(problem.message)} [{problem.code}]"
        for problem in problems
    ]
    errors = sum(problem.severity == "error" for problem in problems)
    shown.append(
        f"{_shown(file)}: {count(errors, 'error')}, {count(len(problems) - errors, 'warning')}"
    )
    return "\n".join(shown) + "\n"


def _problem(problem: LineProblem) -> dict[str, Any]:
    return {
        "line": problem.number or None,
        "code": problem.code,
        "severity": problem.severity,
        "message": problem.message,
    }


def _path(path: PathReport, *, explained: bool) -> dict[str, Any]:
    found: dict[str, Any] = {
        "path": path.path,
        "owners": None if path.owners is None else list(path.owners),
        "line": None if path.line is None else path.line.number,
        "pattern": None if path.line is None else path.line.pattern,
    }
    if explained:
        found["beaten"] = [
            {"line": line.number, "pattern": line.pattern, "owners": list(line.owners)}
            for line in path.beaten
        ]
        found["skipped"] = [_problem(problem) for problem in path.skipped]
    return found


def _explanation(path: PathReport) -> str:
    lines = [f"{_shown(path.path)}: {_owners(path)}"]
    if path.line is not None:
        lines.append(f"  line {_line(path.line)}  decides, being the last that matches")
    lines += [
        f"  line {_line(line)}  matches too: {_names(line.owners)}"
        for line in reversed(path.beaten)
    ]
    lines += [
        f"  line {problem.number}  is skipped by GitHub: {_shown(problem.message)}"
        for problem in path.skipped
    ]
    return "\n".join(lines) + "\n"


def _owners(path: PathReport) -> str:
    return NO_LINE if path.owners is None else _names(path.owners)


def _names(owners: Iterable[str]) -> str:
    return _shown(" ".join(owners)) or NOBODY


def _line(line: Line | None) -> str:
    return "-" if line is None else f"{line.number}  {_shown(line.pattern)}"


def _shown(text: str) -> str:
    """The text as one that can reach a terminal; plain ASCII, by far the most, as it is."""
    return text if text.isascii() and text.isprintable() else visible(text, _LONGEST)
