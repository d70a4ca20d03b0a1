"""Reads one plain command of a shell script: assignments, words and redirections."""

from __future__ import annotations

import re

from signoff_bot.reading.shell.cursor import Cursor
from signoff_bot.reading.shell.syntax import Assignment, Redirect, Simple
from signoff_bot.reading.shell.words import Literal, Word

_REDIRECTS = ("<", ">", ">>", "<<", "<<<", "<>", ">|", "<&", ">&", "&>", "&>>")
DECLARES = ("declare", "local", "export", "readonly", "typeset")
"""Commands whose arguments are assignments."""
_ASSIGNED = re.compile(r"([A-Za-z_]\w{0,199})(\[[^\]]{0,99}\])?(\+?)=", re.ASCII)
_INDEXED = re.compile(r"([A-Za-z_]\w{0,199})\[", re.ASCII)


def starts_redirect(cursor: Cursor, *others: str) -> bool:
    """Whether the next operator is a redirection, or one of these."""
    return cursor.operator in (*_REDIRECTS, *others)


def read_redirects(cursor: Cursor) -> tuple[Redirect, ...]:
    """The redirections that come next."""
    found: list[Redirect] = []
    while starts_redirect(cursor):
        operator = cursor.take_operator()
        if operator is not None:
            target = None if operator.document else cursor.take_word()
            found.append(Redirect(operator.text, target, operator.document))
    return tuple(found)


def read_simple(cursor: Cursor) -> Simple | None:
    """The command that comes next, or None where no word or redirection does."""
    first, start = cursor.line, cursor.index
    assignments: list[Assignment] = []
    arrays: list[Assignment] = []
    words: list[Word] = []
    redirects: list[Redirect] = []
    end = first
    testing = cursor.keyword == "[["
    while not cursor.at_end:
        if starts_redirect(cursor) and not testing:
            redirects += read_redirects(cursor)
            continue
        word = _test_word(cursor) if testing else cursor.take_word()
        if word is None:
            break
        testing = testing and word.bare != "]]"
        end = max(end, word.end)
        declares = bool(words) and words[0].bare in DECLARES
        assignment = None if words and not declares else _assignment(word, cursor)
        if assignment is None or (declares and isinstance(assignment.value, Word)):
            words.append(word)
        else:
            end = max(end, cursor.line if isinstance(assignment.value, tuple) else end)
            (arrays if words else assignments).append(assignment)
    if cursor.index == start:
        return None
    return Simple(tuple(assignments), tuple(words), tuple(redirects), tuple(arrays), first, end)


def _test_word(cursor: Cursor) -> Word | None:
    """The next word of `[[ ... ]]`, where operators are words too; None behind its end."""
    operator = cursor.operator
    if operator == "\n" or not operator:
        return cursor.take_word()
    line = cursor.line
    cursor.index += 1
    return Word((Literal(operator, line),), line, line)


def as_assignment(word: Word) -> Assignment | None:
    """A word read as `NAME=value`, as `export` and its like do; None where it is none."""
    first = word.parts[0] if word.parts else None
    if not isinstance(first, Literal) or first.quoted:
        return None
    found = _ASSIGNED.match(first.text)
    if found is None:
        return _indexed(word, first)
    rest = first.text[found.end() :]
    kept = (Literal(rest, first.line),) if rest else ()
    value = Word((*kept, *word.parts[1:]), word.line, word.end)
    return Assignment(found[1], bool(found[2]), bool(found[3]), value, word.line)


def _indexed(word: Word, first: Literal) -> Assignment | None:
    """`NAME[$i]=value`: which element is set is not told apart."""
    found = _INDEXED.match(first.text)
    second = word.parts[2] if len(word.parts) > 2 else None
    if found is None or not isinstance(second, Literal) or not second.text.startswith("]="):
        return None
    return Assignment(found[1], True, False, word, word.line)


def _assignment(word: Word, cursor: Cursor) -> Assignment | None:
    found = as_assignment(word)
    if found is None or cursor.operator != "=(":
        return found
    cursor.index += 1
    elements: list[Word] = []
    while not cursor.at_end and cursor.operator != ")":
        element = cursor.take_word()
        if element is not None:
            elements.append(element)
        elif cursor.operator == "\n":
            cursor.index += 1
        else:
            cursor.skip_stray()
    cursor.expect(")")
    return Assignment(found.name, False, found.append, tuple(elements), found.line)
