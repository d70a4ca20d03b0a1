"""Reads a Markdown page as sections of paragraphs and tables, each as the plain text it shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the parser takes 35 ms to import, and most pull requests do without
    from markdown_it import MarkdownIt
    from markdown_it.token import Token


@dataclass(frozen=True, slots=True)
class Text:
    """What a paragraph or a cell shows, and the code spans in it. `line` counts from 1."""

    text: str
    codes: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its column heads in lower case, and its rows by them."""

    columns: tuple[str, ...]
    rows: tuple[dict[str, Text], ...]

    def has(self, *columns: str) -> bool:
        """Whether it has all of these columns."""
        return set(columns) <= set(self.columns)


@dataclass(slots=True)
class Section:
    """A heading, empty for what stands above the first, and what follows up to the next one."""

    heading: str
    blocks: list[Text | Table] = field(default_factory=list)

    @property
    def tables(self) -> list[Table]:
        """Its tables."""
        return [block for block in self.blocks if isinstance(block, Table)]


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table")


def read_sections(text: str) -> tuple[Section, ...]:
    """The sections of a page, in their order."""
    tokens = _parser().parse(text)
    sections = [Section("")]
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.type == "heading_open":
            sections.append(Section(_text(tokens[index + 1], token).text))
        elif token.type == "paragraph_open" and token.level == 0:
            sections[-1].blocks.append(_text(tokens[index + 1], token))
        elif token.type == "table_open":
            end = next(i for i, t in enumerate(tokens[index:], index) if t.type == "table_close")
            sections[-1].blocks.append(_table(tokens[index:end]))
            index = end
        index += 1
    return tuple(sections)


def _table(tokens: Sequence[Token]) -> Table:
    head, *body = _rows(tokens)
    columns = tuple(cell.text.lower() for cell in head)
    return Table(columns, tuple(dict(zip(columns, row, strict=True)) for row in body))


def _rows(tokens: Sequence[Token]) -> Iterator[list[Text]]:
    row = tokens[0]
    cells: list[Text] = []
    for token in tokens:
        if token.type == "tr_open":
            row, cells = token, []
        elif token.type == "inline":
            cells.append(_text(token, row))
        elif token.type == "tr_close":
            yield cells


def _text(inline: Token, block: Token) -> Text:
    children = inline.children or []
    shown = (" " if "break" in child.type else child.content for child in children)
    codes = (child.content for child in children if child.type == "code_inline")
    line = block.map[0] + 1 if block.map else 1
    return Text(" ".join("".join(shown).split()), tuple(codes), line)
