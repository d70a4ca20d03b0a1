"""Splits a shell script into words and operators.

It reads bash as people write launch scripts in it: quotes, continuation lines, comments, arrays,
here-documents and every kind of expansion. It never fails: what is not closed ends with the text,
and `Lexer.problems` says where.
"""

from __future__ import annotations

import re
from functools import lru_cache

from signoff_bot.reading.shell.expansions import read_backticks, read_dollar, read_double
from signoff_bot.reading.shell.scan import closing, document_end
from signoff_bot.reading.shell.source import Source
from signoff_bot.reading.shell.words import (
    HereDocument,
    Literal,
    Operator,
    Part,
    ScriptToken,
    Unknown,
    Word,
)

MAX_LENGTH = 256 * 1024
"""Characters of a script; a longer one is not read, and no hand-written launch script is."""

MAX_NAME = 200
"""Characters before an array's bracket; a longer word is no assignment."""

_BLANK = re.compile(r"(?:[ \t\r\0]|\\\r?\n)++")
_COMMENT = re.compile(r"#[^\n]*+")
_OPERATOR = re.compile(r"\n|;;&?|;&|;|&&|&>>|&>|&|\|\||\|&|\||<<<|<<-?|<>|<&|>>|>\||>&|<|>|\(|\)")
_DESCRIPTOR = re.compile(r"(?:[0-9]+|\{\w+\})(?=[<>])")
_PLAIN = re.compile(r"[^\s\0\\'\"`$;&|<>()]++")
_ARRAY = re.compile(r"[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=")
_ANSI = re.compile(r"(?:[^\\']|\\.)*+", re.DOTALL)
_ANSI_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", "'": "'", '"': '"', "r": "\r", "e": "\x1b"}


class Lexer:
    """The tokens of a script, its comments, and the lines where something is left open."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._text = source.text
        self._at = 0
        self._documents: list[HereDocument] = []
        self.tokens: list[ScriptToken] = []
        self.problems: list[int] = []
        self.comments: list[tuple[int, int]] = []
        """Where comments begin and end."""
        while self._at < len(self._text):
            self._next()

    def _line(self) -> int:
        return self._source.line_at(self._at)

    def _next(self) -> None:
        if blank := _BLANK.match(self._text, self._at):
            self._at = blank.end()
        elif comment := _COMMENT.match(self._text, self._at):
            self.comments.append(comment.span())
            self._at = comment.end()
        elif descriptor := _DESCRIPTOR.match(self._text, self._at):
            self._at = descriptor.end()
        elif self._text.startswith(("<(", ">("), self._at):
            self._word()
        elif operator := _OPERATOR.match(self._text, self._at):
            self._operator(operator[0])
        else:
            self._word()

    def _operator(self, text: str) -> None:
        line = self._line()
        self._at += len(text)
        if text == "\n":
            self.tokens.append(Operator("\n", line))
            self._read_documents()
        elif text in ("<<", "<<-"):
            self._open_document(text, line)
        elif text == "(" and self._text.startswith("(", self._at) and self._starts_command():
            self._at = self._closed(self._at + 1, "))")
            self.tokens.append(Word((Literal("((", line), Unknown("...", line)), line, line))
        else:
            self.tokens.append(Operator(text, line))

    def _starts_command(self) -> bool:
        """Whether the next token begins a command (so that `((` is arithmetic)."""
        last = self.tokens[-1] if self.tokens else None
        if isinstance(last, Word):
            return last.bare in ("if", "elif", "while", "until", "for", "then", "do", "else", "!")
        return last is None or last.text in ("\n", ";", "&", "&&", "||", "|", "(", ";;")

    def _open_document(self, text: str, line: int) -> None:
        while blank := _BLANK.match(self._text, self._at):
            self._at = blank.end()
        before = len(self.tokens)
        if self._at < len(self._text) and not _OPERATOR.match(self._text, self._at):
            self._word()
        words = [token for token in self.tokens[before:] if isinstance(token, Word)]
        del self.tokens[before:]
        parts = words[0].parts if words else ()
        delimiter = "".join(p.text if isinstance(p, Literal) else p.written for p in parts)
        quoted = any(isinstance(part, Literal) and part.quoted for part in parts)
        document = HereDocument(quoted, text == "<<-", delimiter)
        self._documents.append(document)
        self.tokens.append(Operator("<<", line, document))

    def _read_documents(self) -> None:
        for document in self._documents:
            document.line = self._line()
            ends, goes_on = document_end(
                self._text, self._at, document.delimiter, document.strip_tabs
            )
            document.text = self._text[self._at : ends]
            if goes_on == len(self._text) and ends == goes_on:
                self.problems.append(document.line)
            self._at = goes_on
        self._documents = []

    def _word(self) -> None:
        start, first = self._at, self._line()
        parts: list[Part] = []
        while self._at < len(self._text) and self._part(parts, start):
            pass
        if self._at == start:  # a lone backslash at the very end
            self._at += 1
        self.tokens.append(Word(_joined(parts), first, self._line()))
        assigned = parts and isinstance(parts[0], Literal) and not parts[0].quoted
        if assigned and self._text.startswith("(", self._at):
            written = self._text[start : self._at]
            if len(written) < MAX_NAME and _ARRAY.fullmatch(written):
                self.tokens.append(Operator("=(", self._line()))
                self._at += 1

    def _part(self, parts: list[Part], start: int) -> bool:
        """Reads one part of a word; False where the word ends."""
        text, at = self._text, self._at
        mark = text[at]
        if plain := _PLAIN.match(text, at):
            parts.append(Literal(plain[0], self._line()))
            self._at = plain.end()
        elif mark == "\\":
            self._escape(parts)
        elif mark == "'":
            self._single(parts)
        elif mark == '"':
            self._double(parts)
        elif mark == "`":
            part, self._at = read_backticks(self._source, self._at, quoted=False)
            parts.append(part)
        elif mark == "$":
            self._dollar(parts)
        elif at == start and text.startswith(("<(", ">("), at):
            parts.append(self._process())
        else:
            return False
        return True

    def _escape(self, parts: list[Part]) -> None:
        line = self._line()
        if self._text.startswith(("\\\n", "\\\r\n"), self._at):
            self._at += 2 if self._text[self._at + 1] == "\n" else 3
            return
        parts.append(Literal(self._text[self._at + 1 : self._at + 2], line, quoted=True))
        self._at += 2

    def _single(self, parts: list[Part]) -> None:
        line, start = self._line(), self._at + 1
        end = self._text.find("'", start)
        if end < 0:
            self.problems.append(line)
            end = len(self._text)
        parts.append(Literal(self._text[start:end], line, quoted=True))
        self._at = end + 1

    def _double(self, parts: list[Part]) -> None:
        line = self._line()
        found, self._at = read_double(self._source, self._at)
        parts += found
        if not self._text.endswith('"', 0, self._at):
            self.problems.append(line)

    def _dollar(self, parts: list[Part]) -> None:
        if self._text.startswith("$'", self._at):
            found = _ANSI.match(self._text, self._at + 2)
            inside = found[0] if found else ""
            value = re.sub(r"\\(.)", lambda m: _ANSI_ESCAPES.get(m[1], m[0]), inside)
            parts.append(Literal(value, self._line(), quoted=True))
            self._at += len(inside) + 3
            return
        line = self._line()
        part, self._at = read_dollar(self._source, self._at, quoted=False)
        parts.append(part)
        if self._at >= len(self._text) and not _is_closed(part):
            self.problems.append(line)

    def _process(self) -> Unknown:
        line, start = self._line(), self._at
        self._at = self._closed(start + 2, ")")
        return Unknown(
            self._text[start : self._at], line, self._text[start + 2 : self._at - 1], 2, quoted=True
        )

    def _closed(self, start: int, closer: str) -> int:
        end = closing(self._text, start, closer)
        if not self._text.endswith(closer[-1], start, end):
            self.problems.append(self._line())
        return end


@lru_cache(maxsize=64)
def lex(source: Source) -> Lexer:
    """A script's tokens; remembered, since one check reads them and another the comments."""
    return Lexer(source)


def _is_closed(part: Part) -> bool:
    """Whether an expansion ends as it should, and not only with the text."""
    written = part.text if isinstance(part, Literal) else part.written
    return not written.startswith(("${", "$(")) or written.endswith(("}", ")"))


def _joined(parts: list[Part]) -> tuple[Part, ...]:
    """The parts with adjacent texts made one; an empty text stays only where it is all there is."""
    found: list[Part] = []
    texts: list[Literal] = []
    for part in parts:
        if texts and not (isinstance(part, Literal) and _continues(texts[-1], part)):
            found.append(_one(texts))
            texts = []
        if not isinstance(part, Literal):
            found.append(part)
        elif part.text:
            texts.append(part)
    if texts:
        found.append(_one(texts))
    return tuple(found or parts[:1])


def _continues(text: Literal, following: Literal) -> bool:
    """Whether a text goes on in the next one without a line break that is not in it."""
    return text.quoted == following.quoted and text.line + text.text.count("\n") == following.line


def _one(texts: list[Literal]) -> Literal:
    first = texts[0]
    return Literal("".join(text.text for text in texts), first.line, first.quoted)
