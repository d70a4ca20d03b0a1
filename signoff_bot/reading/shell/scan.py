"""Finds where a bracket or quote of a shell script closes, without reading what is inside."""

from __future__ import annotations

import re

_CODE = re.compile(r"[\\'\"`(){}$#<]")
_QUOTED = re.compile(r"[\\\"`$]")
_BACKTICKS = re.compile(r"(?:[^\\`]|\\.)*+", re.DOTALL)
_DOCUMENT = re.compile(r"<(-?)[ \t]*+([\\'\"]?)([\w.+-]+)")
_ARITHMETIC = "arithmetic"


def closing(text: str, start: int, closer: str) -> int:
    """The offset behind the `closer` that matches; the end of the text where there is none.

    `start` is inside; `))` closes arithmetic. Quotes, escapes, comments, here-documents and nested
    substitutions are skipped; no character is looked at twice.
    """
    return _Scan(text, start, closer).run()


def backtick(text: str, start: int) -> int:
    """The offset of the backtick that closes the one before `start`, or of the text's end."""
    found = _BACKTICKS.match(text, start)
    return found.end() if found else start


def document_end(text: str, start: int, delimiter: str, strip_tabs: bool) -> tuple[int, int]:
    """Where the here-document that starts here ends, and where the script goes on."""
    tabs = "\t*+" if strip_tabs else ""
    found = re.compile(rf"^{tabs}{re.escape(delimiter)}$", re.MULTILINE).search(text, start)
    if found is None:
        return len(text), len(text)
    return found.start(), min(found.end() + 1, len(text))


class _Scan:
    def __init__(self, text: str, start: int, closer: str) -> None:
        self._text = text
        self._at = start
        self._stack = [_ARITHMETIC] * 2 if closer == "))" else [closer]
        self._document = (len(text), len(text))
        """Where the next here-document begins and ends."""

    def run(self) -> int:
        while self._stack:
            pattern = _QUOTED if self._stack[-1] == '"' else _CODE
            found = pattern.search(self._text, self._at, self._document[0])
            if found is not None:
                self._at = found.end()
                self._take(found[0])
            elif self._document[1] >= len(self._text):
                return len(self._text)
            else:
                self._at = self._document[1]
                self._document = (len(self._text), len(self._text))
        return min(self._at, len(self._text))

    def _take(self, mark: str) -> None:
        if mark == "\\":
            self._at += 1
        elif mark == self._stack[-1] or (mark == ")" and self._stack[-1] == _ARITHMETIC):
            self._stack.pop()
        elif mark == "$":
            self._substitute()
        elif mark == "'":
            self._skip_to(self._text.find("'", self._at))
        elif mark == "`":
            self._at = backtick(self._text, self._at) + 1
        elif mark == '"':
            self._stack.append(mark)
        elif mark == "(":
            self._stack.append(_ARITHMETIC if self._stack[-1] == _ARITHMETIC else ")")
        elif mark == "#" and self._stack[-1] == ")":
            if self._text[self._at - 2] in " \t\n;(":
                self._skip_to(self._text.find("\n", self._at))
        elif mark == "<" and self._stack[-1] == ")":
            self._open_document()

    def _substitute(self) -> None:
        if self._text.startswith("((", self._at):
            self._stack += [_ARITHMETIC] * 2
            self._at += 2
        elif self._text.startswith(("(", "{"), self._at):
            self._stack.append(")" if self._text[self._at] == "(" else "}")
            self._at += 1

    def _skip_to(self, index: int) -> None:
        self._at = len(self._text) if index < 0 else index + 1

    def _open_document(self) -> None:
        found = _DOCUMENT.match(self._text, self._at)
        if found is None:
            if self._text.startswith("<<", self._at):
                self._at += 2
            return
        self._at = found.end() + bool(found[2] and found[2] != "\\")
        begins, ends = self._document
        after = self._text.find("\n", self._at) + 1 if begins == len(self._text) else ends
        if after <= 0:
            after = len(self._text)
        _, ends = document_end(self._text, after, found[3], bool(found[1]))
        self._document = (min(begins, after), ends)
