"""Finds what comes alive when GitHub renders Markdown: the eyes of the tests on comments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

_GFM = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
# What GitHub looks for in rendered text, outside of code.
_ALIVE = {
    "mention": r"(?<![A-Za-z0-9])@[A-Za-z0-9]",
    "e-mail": r"[\w.+-]+@[\w-]+\.",
    "issue": r"(?<![A-Za-z0-9])(?:#[0-9]|GH-[0-9])|[A-Za-z0-9]#[0-9]",
    "commit": r"(?<![A-Za-z0-9])[0-9a-fA-F]{7,64}(?![A-Za-z0-9])",
    "address": r"(?i)\bwww\.|[a-z]+://|\b(?:mailto|xmpp):",
    "emoji": r":[A-Za-z0-9_+-]+:",
    "formula": r"\$",
    "alert or task": r"\[[ xX!]",
    "hidden character": r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]",
}


def tokens(markdown: str) -> Iterator[Token]:
    """All tokens, those of running text included."""
    for token in _GFM.parse(markdown):
        yield token
        yield from token.children or ()


def kinds(markdown: str) -> set[str]:
    """The types of all tokens."""
    return {token.type for token in tokens(markdown)}


def links(markdown: str) -> list[str]:
    """The targets of links and images."""
    return [
        str(token.attrs[name])
        for token in tokens(markdown)
        for name in ("href", "src")
        if name in token.attrs
    ]


def html(markdown: str) -> list[str]:
    """Raw HTML as it stands."""
    return [t.content for t in tokens(markdown) if t.type in ("html_inline", "html_block")]


def alive(markdown: str) -> list[str]:
    """What GitHub would make of the running text, code left out: `mention: @octavia`."""
    text = " ".join(token.content for token in tokens(markdown) if token.type == "text")
    return [
        f"{what}: {found[0]}"
        for what, pattern in _ALIVE.items()
        for found in re.finditer(pattern, text)
    ]


def code_texts(markdown: str) -> list[str]:
    """The contents of code spans."""
    return [token.content for token in tokens(markdown) if token.type == "code_inline"]
