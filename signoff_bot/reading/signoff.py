"""Reads a comment's Markdown as a sign-off form: phrase, checklist, details, signature.

A comment completes a sign-off when the phrase is a visible line of its own in a top-level
paragraph and at least one item under it is ticked. What a reader cannot see never counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from signoff_bot.reading.form import Form, Item, Link, Problem
from signoff_bot.reading.parts import Parts, read_parts
from signoff_bot.reading.phrase import (
    clean_phrase,
    contains_phrase,
    is_phrase,
    may_hold_phrase,
    odd_characters,
    resembles_phrase,
)

if TYPE_CHECKING:  # the Markdown parser takes 35 ms to import, and most comments need none
    from signoff_bot.reading.markdown import Document, Line

__all__ = ["Form", "Item", "Link", "Problem", "read_form"]

MAX_LENGTH = 65_536
"""The most characters that GitHub takes for a comment; a longer one is not read."""

_NO_FORM = Form("none", (), None, None, (), (), ())
_CHECKLIST_WORD = "verified"
_SHOWN_DOUBTS = 3


@dataclass(frozen=True, slots=True)
class _Found:
    """How a comment speaks of a sign-off, and the index of the line its form begins after."""

    shape: Literal["complete", "attempt", "mention"]
    start: int
    problems: tuple[Problem, ...] = ()


def read_form(body: str, phrase: str) -> Form:
    """Reads a comment (GitHub-flavoured Markdown) as a sign-off that uses `phrase`.

    Never raises, whatever the comment holds; the same text always gives the same form.
    """
    phrase = clean_phrase(phrase)
    lowered = body.lower()
    if not (may_hold_phrase(lowered, phrase) or _may_hold_checklist(lowered)):
        return _NO_FORM
    if len(body) > MAX_LENGTH:
        return _too_long(len(body)) if phrase.lower() in lowered else _NO_FORM
    from signoff_bot.reading.markdown import read_document

    document = read_document(body)
    start = find_phrase(document.lines, phrase)
    found = (
        (None if start is None else _Found("complete", start))
        or _find_near_phrase(document.lines, phrase)
        or _find_checklist(document.lines, phrase)
        or _find_mention(document.lines, phrase)
    )
    return _NO_FORM if found is None else _form(document, found)


def _form(document: Document, found: _Found) -> Form:
    parts = read_parts(document.lines[found.start + 1 :])
    problems = found.problems + parts.problems + _doubts(document)
    if found.shape == "complete" and not any(item.ticked for item in parts.items):
        problems += (_nothing_ticked(document.lines[found.start], parts),)
    voided = any(problem.voids for problem in problems)
    return Form(
        shape="attempt" if found.shape == "complete" and voided else found.shape,
        items=parts.items,
        signed=parts.signed,
        signed_line=parts.signed_line,
        links=tuple(
            Link(line.number, link.text, link.url)
            for line in document.lines
            for link in line.span.links
        ),
        details=parts.details,
        problems=tuple(sorted(problems, key=lambda problem: problem.line)),
    )


def find_phrase(lines: Sequence[Line], phrase: str) -> int | None:
    """The index of the line that is the phrase, plain and in a top-level paragraph."""
    for index, line in enumerate(lines):
        plain = line.block == "paragraph" and line.span.markup is None
        if plain and is_phrase(line.span.text, phrase):
            return index
    return None


def _find_near_phrase(lines: Sequence[Line], phrase: str) -> _Found | None:
    for index, line in enumerate(lines):
        words = line.block != "table" and line.span.markup != "inline code"
        if words and resembles_phrase(line.span.prose, phrase):
            problem = Problem(line.number, _why_not_phrase(line, phrase))
            return _Found("attempt", index, (problem,))
    return None


def _why_not_phrase(line: Line, phrase: str) -> str:
    odd = odd_characters(line.span.prose, but=phrase)
    if odd:
        return f"this only looks like the phrase, it holds {', '.join(odd)}; type it: {phrase!r}"
    if line.block != "paragraph":
        where = "a heading" if line.block == "heading" else "a list item"
        return f"the phrase stands in {where}; write it as a line of plain text, without a marker"
    if line.span.markup is not None:
        return f"the phrase's line holds {line.span.markup}; write it as plain text: {phrase!r}"
    return f"this is not quite the phrase; write exactly {phrase!r}"


def _find_checklist(lines: Sequence[Line], phrase: str) -> _Found | None:
    """A sign-off that lacks only the phrase, which is more than a list of things to do.

    It has at least three boxes, one of them ticked, and beside them a `Signed:` line, a mention
    of the phrase, or three items that begin with "Verified".
    """
    parts = read_parts(lines)
    if len(parts.items) < 3 or not any(item.ticked for item in parts.items):
        return None
    verified = [item for item in parts.items if item.text.casefold().startswith(_CHECKLIST_WORD)]
    if parts.signed is None and len(verified) < 3 and _mention_line(lines, phrase) is None:
        return None
    return _Found(
        "attempt",
        -1,
        (
            Problem(
                parts.items[0].line,
                f"the checklist lacks its first line; write above it, on a line of its own: "
                f"{phrase!r}",
            ),
        ),
    )


def _find_mention(lines: Sequence[Line], phrase: str) -> _Found | None:
    number = _mention_line(lines, phrase)
    if number is None:
        return None
    message = (
        "the phrase is only mentioned here, so this is no sign-off; to sign, write the phrase on "
        "a line of its own with the ticked checklist under it"
    )
    return _Found("mention", -1, (Problem(number, message),))


def _mention_line(lines: Sequence[Line], phrase: str) -> int | None:
    for _, block in groupby(lines, key=lambda line: line.block_id):
        held = [line for line in block if line.block != "table"]
        if held and contains_phrase(" ".join(line.span.prose for line in held), phrase):
            return held[0].number
    return None


def _nothing_ticked(phrase_line: Line, parts: Parts) -> Problem:
    what = "no item under the phrase is ticked" if parts.items else "no checklist follows"
    return Problem(phrase_line.number, f"{what}; tick what you verified: `- [x] Verified ...`")


def _doubts(document: Document) -> tuple[Problem, ...]:
    return tuple(
        Problem(
            doubt.number,
            f"`{doubt.markup}` may hide parts of the sign-off from its readers; take it out",
        )
        for doubt in document.doubts[:_SHOWN_DOUBTS]
    )


def _may_hold_checklist(lowered: str) -> bool:
    """A cheap test: without these no text is a checklist that lacks only the phrase."""
    return (
        "[x]" in lowered
        and lowered.count("]") >= 3
        and ("signed" in lowered or lowered.count(_CHECKLIST_WORD) >= 3)
    )


def _too_long(length: int) -> Form:
    message = f"{length:,} characters, more than GitHub takes for a comment; it was not read"
    return Form("attempt", (), None, None, (), (), (Problem(1, message),))
