"""Cases of changed launch scripts, judged by the parameters of the InferenceX standard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from difflib import unified_diff
from typing import Any

from support.standard import case_of, judged, parameters

from signoff_bot.checks.base import Case
from signoff_bot.evidence.pull import ChangedFile
from signoff_bot.reading.form import Link

__all__ = ["judged", "linked", "parameters", "script_case"]


def script_case(texts: Mapping[str, Any], **others: Any) -> Case:
    """Changed files by path: the text of a new one, or the texts before and after.

    Each file carries the diff that GitHub would show.
    """
    pairs = {
        path: text if isinstance(text, tuple) else (None, text) for path, text in texts.items()
    }
    case = case_of(pairs, **others)
    files = tuple(
        _with_diff(file, *pairs.get(file.path, (None, None))) for file in case.evidence.files
    )
    return replace(case, evidence=case.evidence.model_copy(update={"files": files}))


def linked(case: Case, *urls: str) -> Case:
    """The case with these links in its sign-off, from line 20 on."""
    assert case.signoff is not None
    links = tuple(Link(20 + at, "seen", url) for at, url in enumerate(urls))
    form = replace(case.signoff.form, links=links)
    return replace(case, signoff=replace(case.signoff, form=form))


def _with_diff(file: ChangedFile, before: str | None, after: str | None) -> ChangedFile:
    if file.patch is not None or (before is None and after is None):
        return file
    return file.model_copy(update={"patch": diff_of(before, after)})


def diff_of(before: str | None, after: str | None) -> str:
    """The hunks of a unified diff, as GitHub gives them."""
    lines = unified_diff(*(_lines(text) for text in (before, after)), lineterm="")
    return "\n".join(list(lines)[2:])


def _lines(text: str | None) -> list[str]:
    return [] if not text else text.removesuffix("\n").split("\n")


def text_of(patch: str) -> str:
    """A file that a diff fits: what the diff shows of it, with blank lines elsewhere."""
    lines: list[str] = []
    number = 0
    for line in patch.split("\n"):
        if line.startswith("@@"):
            number = int(line.split("+")[1].split(",")[0].split(" ")[0])
            lines += [""] * (number - 1 - len(lines))
        elif line[:1] in ("+", " "):
            lines.append(line[1:])
    return "\n".join(lines) + "\n"
