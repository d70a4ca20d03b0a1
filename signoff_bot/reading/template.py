"""Reads the form that reviewers copy: its checklist items and the links it already holds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from signoff_bot.reading.parts import read_parts
from signoff_bot.reading.phrase import clean_phrase
from signoff_bot.reading.signoff import Item, find_phrase, read_form

MAX_LENGTH = 262_144
"""A longer file, in characters, is not read: no form to be copied is that long."""

_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Template:
    """The form at the base. `links` are the addresses in it: copying them proves nothing."""

    items: tuple[Item, ...]
    links: frozenset[str]
    details: tuple[str, ...]
    """Its other lines, such as headings and placeholders: copying them says nothing either."""
    form: str
    """The form's own Markdown, ready to be copied: from the phrase to the `Signed:` line, or to the
    end of the file or fence where there is none."""


@lru_cache(maxsize=8)
def read_template(text: str, phrase: str) -> Template | None:
    """The form within a Markdown file (plain, or in a code fence), or None when there is none.

    Remembered, since every sign-off is held against the same form.
    """
    if len(text) > MAX_LENGTH:
        return None
    from signoff_bot.reading.markdown import read_fences

    for part in (text, *read_fences(text)):
        form = _cut(part, phrase)
        read = None if form is None else read_form(form, phrase)
        if form is not None and read is not None and read.items:
            return Template(
                items=read.items,
                links=frozenset(link.url for link in read.links),
                details=tuple(source for _, source in read.details),
                form=form,
            )
    return None


def _cut(text: str, phrase: str) -> str | None:
    from signoff_bot.reading.markdown import read_document

    lines = read_document(text).lines
    start = find_phrase(lines, clean_phrase(phrase))
    if start is None:
        return None
    after = lines[start + 1 :]
    signed = next((line.number for line in after if read_parts([line]).signed is not None), None)
    return "\n".join(_LINE_END.split(text)[lines[start].number - 1 : signed]).rstrip() + "\n"
