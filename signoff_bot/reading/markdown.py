"""Reads GitHub-flavoured Markdown as the lines of text that a reader of the comment sees.

Quotes, code blocks, HTML comments, folded sections, footnotes and link definitions are not the
author's own visible words and give no lines. The parser is markdown-it-py; what GitHub adds to
CommonMark (tables, strikethrough, footnotes, formulas, bare links) is dealt with here, so that
nothing counts that GitHub would hide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, reference, table
from markdown_it.token import Token

from signoff_bot.reading.inline import Span, read_inline
from signoff_bot.reading.raw_html import read_html

_LINE_END = re.compile(r"\r\n|\r|\n")

_GLUED = "definitions without an empty line below"

Block = Literal["paragraph", "item", "heading", "table"]


@dataclass(frozen=True, slots=True)
class Line:
    """One visible line. `number` counts from 1 in the comment."""

    number: int
    block: Block
    block_id: int
    """Lines of the same paragraph share it."""
    span: Span
    items: tuple[int, ...]
    """The list items it stands in, the innermost last."""
    level: int
    """How deep its list is nested, from 0."""
    opens_item: bool
    """Whether it stands right after the marker of its list item, where a tick box can be."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Raw HTML or a footnote that may hide what stands around it from a reader."""

    number: int
    markup: str


@dataclass(frozen=True, slots=True)
class Document:
    """What a reader sees, and what may keep them from seeing it."""

    lines: tuple[Line, ...]
    doubts: tuple[Doubt, ...]


class _Verbatim(MarkdownIt):
    """A parser that leaves addresses as they are: to judge one, its every character counts."""

    def normalizeLink(self, url: str) -> str:  # noqa: N802
        return url

    def validateLink(self, url: str) -> bool:  # noqa: ARG002, N802
        return True


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = _Verbatim("commonmark").enable(["table", "strikethrough"])
    parser.block.ruler.at("reference", _link_definition)
    parser.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
    return parser.disable("text_join")  # keeps characters written as entities apart


def _link_definition(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    """Keeps to GitHub's reading of what follows a definition without an empty line.

    There it is the same paragraph, so within a list or quote it belongs to that; at the top level
    it is reported. What looks like the definition of `[^note]` is a footnote, lines after it too.
    """
    nested = state.level > 0
    footnote = _line_at(state, line).startswith("[^")
    if nested or footnote or not reference(state, line, end, silent):
        return False
    after = _line_at(state, state.line) if state.line < end else ""
    if after and not after.startswith("["):
        state.env.setdefault(_GLUED, []).append(line)
    return True


def _table(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    """On GitHub a line of dashes alone underlines a heading; it never begins a table."""
    below = _line_at(state, line + 1) if line + 1 < end else ""
    return bool(below.strip("- \t")) and table(state, line, end, silent)


def _line_at(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def read_document(text: str) -> Document:
    """Reads a comment; never raises on any text."""
    walk = _Walk(_LINE_END.split(text))
    env: dict[str, list[int]] = {}
    for token in _parser().parse(text, env):
        walk.take(token)
    for line in env.get(_GLUED, ()):
        walk.doubts.append(Doubt(line + 1, "[...]:"))
    return walk.finish()


def read_fences(text: str) -> Iterator[str]:
    """The contents of the fenced code blocks in a Markdown file."""
    return (token.content for token in _parser().parse(text) if token.type == "fence")


@dataclass
class _Item:
    id: int
    line: int
    at_marker: bool


@dataclass
class _Walk:
    """Goes through the parser's tokens once and keeps what is visible."""

    source: list[str]
    lines: list[Line] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    quotes: int = 0
    lists: int = 0
    items: list[_Item] = field(default_factory=list)
    block: Block = "paragraph"
    blocks: int = 0
    item_ids: int = 0
    folds: list[tuple[int, int]] = field(default_factory=list)
    """The open `<details>`: line and nesting of each."""

    def take(self, token: Token) -> None:
        match token.type:
            case "blockquote_open" | "blockquote_close":
                self.quotes += token.nesting
            case "bullet_list_open" | "ordered_list_open":
                self._leave_marker()
                self.lists += 1
            case "bullet_list_close" | "ordered_list_close":
                self.lists -= 1
            case "list_item_open":
                self._open_item(_line(token))
            case "list_item_close":
                self.items.pop()
            case "paragraph_open":
                self.block = "item" if self.items else "paragraph"
            case "heading_open":
                self.block = "heading"
            case "table_open":
                self.block = "table"
            case "tr_open":
                self._take_row(_line(token))
            case "inline":
                self._take_text(token)
            case "html_block":
                self._leave_marker()
                self._take_html(token)
            case "fence" | "code_block":
                self._leave_marker()

    def finish(self) -> Document:
        self.doubts += [Doubt(line, "<details>") for line, _ in self.folds]
        return Document(tuple(self.lines), tuple(sorted(self.doubts, key=lambda d: d.number)))

    def _open_item(self, line: int) -> None:
        self.item_ids += 1
        shares_line = bool(self.items) and self.items[-1].line == line
        self.items.append(_Item(self.item_ids, line, at_marker=not shares_line))

    def _leave_marker(self) -> None:
        if self.items:
            self.items[-1].at_marker = False

    def _take_text(self, token: Token) -> None:
        self.blocks += 1
        first = _line(token)
        inline = read_inline(token, nested=bool(self.items or self.quotes))
        self.doubts += [Doubt(first + row, markup) for row, markup in inline.doubts]
        item = self.items[-1] if self.items else None
        if not self.quotes and not self.folds:
            self.lines += [
                Line(
                    number=first + span.row,
                    block=self.block,
                    block_id=self.blocks,
                    span=span,
                    items=tuple(item.id for item in self.items),
                    level=max(self.lists - 1, 0),
                    opens_item=item is not None
                    and item.at_marker
                    and span.row == 0
                    and first == item.line
                    and self.block == "item",
                )
                for span in inline.spans
            ]
        self._leave_marker()

    def _take_row(self, number: int) -> None:
        """On GitHub a line that begins with a tag ends the table, and raw HTML follows."""
        row = self.source[number - 1].lstrip()
        if row.startswith("<"):
            self.doubts.append(Doubt(number, row.split()[0][:20]))

    def _take_html(self, token: Token) -> None:
        html = read_html(token.content, inline=False, folded=bool(self.folds))
        if html.doubtful is not None:
            self.doubts.append(Doubt(_line(token), html.doubtful))
        for fold in html.folds:
            if fold == "details":
                self.folds.append((_line(token), token.level))
            elif not self.folds or self.folds.pop()[1] != token.level:
                self.doubts.append(Doubt(_line(token), "</details>"))


def _line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 1
