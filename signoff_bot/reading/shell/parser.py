"""Reads the tokens of a shell script as statements.

It never fails. A token that fits nowhere is left out, a compound command that is not closed ends
with the script, and both are among the script's `problems`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from signoff_bot.reading.shell.cursor import Cursor
from signoff_bot.reading.shell.lexer import lex
from signoff_bot.reading.shell.simple import read_redirects, read_simple, starts_redirect
from signoff_bot.reading.shell.source import Source
from signoff_bot.reading.shell.syntax import (
    Block,
    Case,
    Chain,
    Function,
    Group,
    If,
    Loop,
    Script,
    Statement,
)
from signoff_bot.reading.shell.words import Word

MAX_DEPTH = 40
"""Compound commands within one another; deeper ones are read as plain commands."""

_JOINS = ("&&", "||", "|", "|&")
_ARM_ENDS = (";;", ";&", ";;&")
_CLOSERS = ("then", "do", "done", "fi", "esac", "elif", "else", "}")
_NAME = re.compile(r"[\w.:@+/-]{1,100}", re.ASCII)


@lru_cache(maxsize=64)
def parse(source: Source) -> Script:
    """The statements of a script; never raises.

    Remembered, since several checks follow the same scripts, and each with several settings.
    """
    lexer = lex(source)
    cursor = Cursor(lexer.tokens)
    parser = _Parser(cursor)
    body = list(parser.block(()))
    while not cursor.at_end:
        cursor.skip_stray()
        body += parser.block(())
    return Script(tuple(body), sorted({*lexer.problems, *cursor.problems}))


class _Parser:
    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self._depth = 0
        self._compounds: dict[str, Callable[[], Statement]] = {
            "if": self._if,
            "case": self._case,
            "for": self._for,
            "select": self._for,
            "while": self._while,
            "until": self._while,
            "{": self._braces,
        }

    def block(self, stops: tuple[str, ...]) -> Block:
        """Statements up to one of these keywords or operators, or to where nothing fits."""
        found: list[Statement] = []
        while True:
            self._cursor.skip_breaks()
            if self._cursor.at_end or self._cursor.text in stops:
                return tuple(found)
            before = self._cursor.index
            statement = self._chain()
            if statement is not None:
                found.append(statement)
            if self._cursor.index == before:
                return tuple(found)

    def _chain(self) -> Statement | None:
        cursor = self._cursor
        links: list[tuple[str, Statement]] = []
        joined = ""
        while True:
            while cursor.keyword in ("!", "time"):
                joined = joined or cursor.keyword
                cursor.index += 1
            statement = self._statement()
            if statement is not None:
                links.append((joined, statement))
            if cursor.operator not in _JOINS:
                break
            joined = cursor.operator
            cursor.index += 1
            cursor.skip_lines()
        if len(links) == 1 and not links[0][0]:
            return links[0][1]
        return Chain(tuple(links)) if links else None

    def _statement(self) -> Statement | None:
        cursor = self._cursor
        keyword = cursor.keyword
        if keyword in _CLOSERS or (cursor.operator and not starts_redirect(cursor, "(")):
            return None
        if self._depth >= MAX_DEPTH:
            cursor.problems.append(cursor.line)
            if cursor.operator == "(":
                cursor.index += 1
            return read_simple(cursor)
        self._depth += 1
        try:
            return self._compound(keyword)
        finally:
            self._depth -= 1

    def _compound(self, keyword: str) -> Statement | None:
        cursor = self._cursor
        if compound := self._compounds.get(keyword):
            statement = compound()
            redirects = read_redirects(cursor)
            return Group((statement,), False, redirects) if redirects else statement
        if cursor.operator == "(":
            return self._parentheses()
        if keyword == "function":
            cursor.index += 1
            return self._function()
        brackets = cursor.operator_at(1) + cursor.operator_at(2)
        if brackets == "()" and _NAME.fullmatch(keyword):
            return self._function()
        return read_simple(cursor)

    def _if(self) -> If:
        cursor = self._cursor
        branches: list[tuple[Block | None, Block]] = []
        while cursor.keyword in ("if", "elif"):
            cursor.index += 1
            condition = self.block(("then",))
            cursor.expect("then")
            branches.append((condition, self.block(("elif", "else", "fi"))))
        if cursor.keyword == "else":
            cursor.index += 1
            branches.append((None, self.block(("fi",))))
        cursor.expect("fi")
        return If(tuple(branches))

    def _case(self) -> Case:
        cursor = self._cursor
        cursor.index += 1
        subject = cursor.take_word() or Word((), cursor.line, cursor.line)
        cursor.skip_lines()
        cursor.expect("in")
        cursor.skip_breaks()
        arms: list[tuple[tuple[Word, ...], Block]] = []
        while not cursor.at_end and cursor.keyword != "esac":
            before = cursor.index
            arms.append(self._arm())
            cursor.skip_breaks()
            if cursor.index == before:
                break
        cursor.expect("esac")
        return Case(subject, tuple(arms))

    def _arm(self) -> tuple[tuple[Word, ...], Block]:
        cursor = self._cursor
        if cursor.operator == "(":
            cursor.index += 1
        patterns: list[Word] = []
        while (word := cursor.take_word()) is not None:
            patterns.append(word)
            if cursor.operator == "|":
                cursor.index += 1
        cursor.expect(")")
        body = self.block((*_ARM_ENDS, "esac"))
        if cursor.operator in _ARM_ENDS:
            cursor.index += 1
        return tuple(patterns), body

    def _for(self) -> Loop:
        cursor = self._cursor
        cursor.index += 1
        variable = cursor.keyword
        cursor.take_word()
        cursor.skip_lines()
        items: list[Word] | None = None
        if cursor.keyword == "in":
            cursor.index += 1
            items = []
            while (word := cursor.take_word()) is not None:
                items.append(word)
        cursor.skip_breaks()
        return self._loop(variable, None if items is None else tuple(items), ())

    def _while(self) -> Loop:
        self._cursor.index += 1
        return self._loop("", None, self.block(("do",)))

    def _loop(self, variable: str, items: tuple[Word, ...] | None, condition: Block) -> Loop:
        self._cursor.expect("do")
        body = self.block(("done",))
        self._cursor.expect("done")
        return Loop(variable, items, condition, body)

    def _braces(self) -> Group:
        self._cursor.index += 1
        body = self.block(("}",))
        self._cursor.expect("}")
        return Group(body, False, ())

    def _parentheses(self) -> Group:
        self._cursor.index += 1
        body = self.block((")",))
        self._cursor.expect(")")
        return Group(body, True, read_redirects(self._cursor))

    def _function(self) -> Statement | None:
        cursor = self._cursor
        name = cursor.keyword
        cursor.take_word()
        for bracket in ("(", ")"):
            if cursor.operator == bracket:
                cursor.index += 1
        cursor.skip_lines()
        body = self._statement()
        return None if body is None else Function(name, (body,))
