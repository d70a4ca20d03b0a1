"""What a run leaves for the workflow and its readers: outputs, a job summary, a report.

An output stands between two lines with a random word, so that no value can end it and begin
another.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from secrets import token_hex

from signoff_bot.errors import InvalidInput


def write_outputs(environ: Mapping[str, str], outputs: Mapping[str, str]) -> None:
    """Hands outputs to the workflow.

    Raises:
        InvalidInput: the runner's file cannot be written.
    """
    lines = []
    for name, value in outputs.items():
        end = f"end_{token_hex(16)}"
        lines.append(f"{name}<<{end}\n{value}\n{end}\n")
    _append(environ, "GITHUB_OUTPUT", "".join(lines))


def write_summary(environ: Mapping[str, str], markdown: str) -> None:
    """Adds Markdown to the summary of the job.

    Raises:
        InvalidInput: the runner's file cannot be written.
    """
    _append(environ, "GITHUB_STEP_SUMMARY", markdown)


def write_report(environ: Mapping[str, str], report: str) -> str:
    """Writes a report as JSON to a new file; returns its path.

    Raises:
        InvalidInput: the runner's folder for such files cannot be written.
    """
    folder = environ.get("RUNNER_TEMP") or tempfile.gettempdir()
    path = Path(folder, f"signoff-bot-{token_hex(8)}.json")
    _write(path, "x", report)
    return str(path)


def _append(environ: Mapping[str, str], variable: str, text: str) -> None:
    path = environ.get(variable)
    if path:
        _write(Path(path), "a", text)


def _write(path: Path, mode: str, text: str) -> None:
    try:
        with path.open(mode, encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise InvalidInput(f"cannot write {path}: {error.strerror}") from None
