"""Reads the form that reviewers copy: its checklist items and the links it already holds."""

from __future__ import annotations

from dataclasses import dataclass

from signoff_bot.reading.signoff import Item


@dataclass(frozen=True, slots=True)
class Template:
    """The form at the base. `links` are the addresses in it: copying them proves nothing."""

    items: tuple[Item, ...]
    links: frozenset[str]
    form: str
    """The form's own Markdown, from the phrase to the signature, ready to be copied."""


def read_template(text: str, phrase: str) -> Template | None:
    """The form within a Markdown file (plain, or in a code fence), or None when there is none."""
    raise NotImplementedError
