"""Reads the inline part of a Markdown block, line by line: the words, the links, what hides."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from markdown_it.token import Token

from signoff_bot.reading.raw_html import read_html

_FOOTNOTE = re.compile(r"\[\^[^\]\s]+\]:")
_SCHEME = re.compile(r"(?<![A-Za-z0-9])https?://(?=[^\s<])", re.IGNORECASE)
_URL = re.compile(r"[^\s<]+")
_TRAILING_ENTITY = re.compile(r"&[A-Za-z0-9]+;\Z")
_ONE_TILDE = re.compile(r"(?<!~)~(?![~\s])[^~]+(?<!\s)~(?!~)")
_UNCERTAIN = {"$": "a `$`, which may begin a formula", "~": "a `~`, which may strike text out"}


@dataclass(frozen=True, slots=True)
class SpanLink:
    """A link within a line: its visible text, and the address as written."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Span:
    """One line of a block. `row` counts from 0 within the block."""

    row: int
    source: str
    """The line as it was typed, without the indentation of its block."""
    text: str
    """What a reader sees, struck text left out."""
    prose: str
    """The same without the texts of links: words the author says rather than points at."""
    markup: str | None
    """What it holds beside plain and emphasised text, such as "inline code"; None if nothing."""
    links: tuple[SpanLink, ...]


@dataclass(frozen=True, slots=True)
class Inline:
    """The lines of a block, and the markup in them that may hide something, by row."""

    spans: tuple[Span, ...]
    doubts: tuple[tuple[int, str], ...]


def read_inline(token: Token, *, nested: bool) -> Inline:
    """Reads a block's `inline` token; what a footnote holds is left out.

    `nested` tells of a block within a list or quote. There, a line that is nothing but a tag ends
    the paragraph on GitHub, and the lines after it are raw HTML.
    """
    reader = _Reader(token.content, nested)
    for child in token.children or ():
        reader.take(child)
    return reader.finish()


@dataclass
class _Reader:
    content: str
    nested: bool
    at: int = 0
    """How far `content` has been read; tokens do not carry their position."""
    row: int = 0
    row_start: int = 0
    struck: int = 0
    styled: bool = False
    """Whether raw HTML earlier in the block may change how the rest looks."""
    link: tuple[str, list[str]] | None = None
    """The address of the link being read, and its words so far."""
    url_end: int = 0
    text: list[str] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)
    markup: str | None = None
    links: list[SpanLink] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    doubts: list[tuple[int, str]] = field(default_factory=list)

    def take(self, token: Token) -> None:
        match token.type:
            case "softbreak" | "hardbreak":
                self._end_line()
            case "text":
                self._take_text(token.content)
            case "text_special":
                self._say(token.content, "an HTML entity or a backslash")
            case "code_inline":
                self._say(token.content, "inline code")
                self._pass_code(token)
            case "html_inline":
                self._take_html(token.content)
            case "image":
                self._say("", "an image")
            case "s_open" | "s_close":
                self.struck += token.nesting
                self._say("", "struck text")
            case "link_open":
                self.link = (str(token.attrGet("href")), [])
                self._say("", "a link")
            case "link_close":
                self._close_link()

    def finish(self) -> Inline:
        self._end_line()
        for i, span in enumerate(self.spans):
            note = _FOOTNOTE.match(span.source)
            if note is not None:
                self.doubts.append((span.row, note[0]))
                del self.spans[i:]
                break
        return Inline(tuple(self.spans), tuple(self.doubts))

    def _say(self, words: str, markup: str | None = None) -> None:
        self.markup = self.markup or markup
        if not self.struck:
            self.text.append(words)
            (self.prose if self.link is None else self.link[1]).append(words)

    def _take_text(self, words: str) -> None:
        start = self.content.find(words, self.at)
        if start >= 0:
            self.at = start + len(words)
            if self.link is None and not self.struck:
                self._find_urls(start, self.at)
        self._say(words)

    def _find_urls(self, start: int, end: int) -> None:
        """Bare addresses become links on GitHub, up to white space and less closing marks."""
        for scheme in _SCHEME.finditer(self.content, start, end):
            if scheme.start() < self.url_end:
                continue  # an address within an address, which would be read to its end each time
            rest = _URL.match(self.content, scheme.start())
            if rest is not None:
                self.url_end = rest.end()
                url = _trim_url(rest[0])
                self.links.append(SpanLink(url, url))

    def _pass_code(self, token: Token) -> None:
        start = self.content.find(token.markup, self.at)
        end = self.content.find(token.markup, start + len(token.markup) + len(token.content))
        if 0 <= start < end:
            self.at = end + len(token.markup)

    def _take_html(self, tag: str) -> None:
        html = read_html(tag, inline=True, folded=False)
        if html.doubtful is not None:
            self.doubts.append((self.row, html.doubtful))
        elif self.nested and self.row and self._source() == tag:
            self.doubts.append((self.row, tag))
        self.styled = self.styled or html.styles
        self._say(" " if tag.lower().startswith("<br") else "", "raw HTML")

    def _close_link(self) -> None:
        if self.link is not None and not self.struck:
            url, words = self.link
            self.links.append(SpanLink("".join(words), url))
        self.link = None

    def _end_line(self) -> None:
        self.spans.append(
            Span(
                row=self.row,
                source=self._source(),
                text=_ONE_TILDE.sub("", "".join(self.text)).strip(),
                prose=_ONE_TILDE.sub("", "".join(self.prose)).strip(),
                markup=self.markup or ("raw HTML" if self.styled else self._uncertain),
                links=tuple(self.links),
            )
        )
        self.text, self.prose, self.markup, self.links = [], [], None, []
        if self.link is not None:
            self.markup = "a link"
            self.link[1].append(" ")
        if self.struck:
            self.markup = "struck text"
        newline = self.content.find("\n", self.at)
        if newline >= 0:
            self.row += self.content.count("\n", self.row_start, newline) + 1
            self.row_start = self.at = newline + 1

    def _source(self) -> str:
        row_end = self.content.find("\n", self.row_start)
        return self.content[self.row_start : row_end if row_end >= 0 else None].strip()

    @cached_property
    def _uncertain(self) -> str | None:
        """What in the block may mean more than it shows; asked for line by line."""
        return next((why for mark, why in _UNCERTAIN.items() if mark in self.content), None)


def _trim_url(url: str) -> str:
    """Drops what GitHub does not count as part of a bare address at the end of a sentence."""
    surplus, end = url.count(")") - url.count("("), len(url)
    while True:
        last = url[end - 1]
        entity = _TRAILING_ENTITY.search(url[max(end - 40, 0) : end]) if last == ";" else None
        if last in "?!.,:*_~'\"":
            end -= 1
        elif last == ")" and surplus > 0:
            end, surplus = end - 1, surplus - 1
        elif entity is not None:
            end -= len(entity[0])
        else:
            return url[:end]
