"""Reads double quotes and what a `$` starts in a shell script."""

from __future__ import annotations

import re

from signoff_bot.reading.shell.scan import backtick, closing
from signoff_bot.reading.shell.source import Source
from signoff_bot.reading.shell.words import Literal, Part, Unknown, Variable

MAX_DEPTH = 16
"""Defaults within defaults; deeper ones are left unread."""

_NAME = re.compile(r"[A-Za-z_]\w*|[0-9]|[@*#?$!-]", re.ASCII)
_BRACED = re.compile(
    r"([A-Za-z_]\w*|[0-9]+|[@*])(?:\[([@*]|[0-9]+)\])?(:?[-=+])?(?=(\})?)", re.ASCII
)
_PLAIN = re.compile(r"[^\\'\"`$}]++")
_DOUBLE = re.compile(r"[^\\\"`$]++")


def read_dollar(source: Source, at: int, quoted: bool, depth: int = 0) -> tuple[Part, int]:
    """The expansion that starts with the `$` at this offset, and the offset behind it."""
    text = source.text
    if text.startswith("$((", at):
        end = closing(text, at + 3, "))")
        return Unknown(text[at:end], source.line_at(at), quoted=quoted), end
    if text.startswith("$(", at):
        end = closing(text, at + 2, ")")
        script = text[at + 2 : end - 1]
        return Unknown(text[at:end], source.line_at(at), script, 2, quoted), end
    if text.startswith("${", at):
        return _braced(source, at, quoted, depth)
    name = _NAME.match(text, at + 1)
    if name is None:
        return Literal("$", source.line_at(at), quoted), at + 1
    index = name[0] if name[0] in ("@", "*") else ""
    found = Variable(name[0], index, "", (), text[at : name.end()], source.line_at(at), quoted)
    return found, name.end()


def read_backticks(source: Source, at: int, quoted: bool) -> tuple[Unknown, int]:
    """The command substitution that starts with this backtick, and the offset behind it."""
    text = source.text
    end = backtick(text, at + 1)
    behind = min(end + 1, len(text))
    return Unknown(text[at:behind], source.line_at(at), text[at + 1 : end], 1, quoted), behind


def read_double(source: Source, at: int, depth: int = 0) -> tuple[list[Part], int]:
    """What the double quote at this offset opens, and the offset behind its end."""
    text = source.text
    parts: list[Part] = [Literal("", source.line_at(at), quoted=True)]
    at += 1
    while at < len(text):
        part: Part
        line, mark = source.line_at(at), text[at]
        if plain := _DOUBLE.match(text, at):
            part, at = Literal(plain[0], line, quoted=True), plain.end()
        elif mark == '"':
            return parts, at + 1
        elif mark == "`":
            part, at = read_backticks(source, at, quoted=True)
        elif mark == "$":
            part, at = read_dollar(source, at, quoted=True, depth=depth)
        elif text.startswith("\n", at + 1):
            at += 2
            continue
        else:
            escaped = text[at + 1 : at + 2] in ('"', "\\", "$", "`")
            kept = text[at + 1 : at + 2] if escaped else "\\"
            part, at = Literal(kept, line, quoted=True), at + 1 + escaped
        parts.append(part)
    return parts, at


def _braced(source: Source, at: int, quoted: bool, depth: int) -> tuple[Part, int]:
    text, line = source.text, source.line_at(at)
    head = _BRACED.match(text, at + 2)
    if head is None or not (head[3] or head[4]) or depth >= MAX_DEPTH:
        end = closing(text, at + 2, "}")
        return Unknown(text[at:end], line, quoted=quoted), end
    end = head.end()
    operand: list[Part] = []
    while end < len(text) and text[end] != "}":
        more, end = _operand(source, end, quoted, depth + 1)
        operand += more
    end = min(end + 1, len(text))
    index = head[2] or (head[1] if head[1] in ("@", "*") else "")
    written = text[at:end]
    return Variable(head[1], index, head[3] or "", tuple(operand), written, line, quoted), end


def _operand(source: Source, at: int, quoted: bool, depth: int) -> tuple[list[Part], int]:
    """One piece of a default value, and the offset behind it."""
    text, line, mark = source.text, source.line_at(at), source.text[at]
    part: Part
    if plain := _PLAIN.match(text, at):
        return [Literal(plain[0], line, quoted)], plain.end()
    if mark == "$":
        part, end = read_dollar(source, at, quoted, depth)
        return [part], end
    if mark == "`":
        part, end = read_backticks(source, at, quoted)
        return [part], end
    if mark == '"':
        return read_double(source, at, depth)
    if mark == "\\":
        return [Literal(text[at + 1 : at + 2], line, True)], min(at + 2, len(text))
    if quoted:
        return [Literal("'", line, True)], at + 1
    end = text.find("'", at + 1)
    end = len(text) if end < 0 else end
    return [Literal(text[at + 1 : end], line, True)], min(end + 1, len(text))
