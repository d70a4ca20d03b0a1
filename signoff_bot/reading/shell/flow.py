"""Follows the branches, loops and functions of a shell script, whichever of them may run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import partial

from signoff_bot.reading.shell.conditions import matches, operand
from signoff_bot.reading.shell.expand import Expander
from signoff_bot.reading.shell.state import Ended, State
from signoff_bot.reading.shell.syntax import (
    Block,
    Case,
    Chain,
    Function,
    Group,
    If,
    Loop,
    Redirect,
    Simple,
    Statement,
)
from signoff_bot.reading.shell.values import MAX_ALTERNATIVES, Fields, Value, sole_text, unknown
from signoff_bot.reading.shell.words import Word

STATEMENT_WORK = 40
"""What following a statement counts for, in characters (see `expand.MAX_WORK`)."""


class Flow(ABC):
    """Both ways of a branch are followed, unless the script itself decides it; loops once."""

    def __init__(self, variables: Mapping[str, Value]) -> None:
        self.state = State(variables)
        self.expander = Expander(self.state.get, self.state.set)
        self.functions: dict[str, Block] = {}
        self.uncertain = 0
        """How many branches around the current place may not run."""
        self.truth: bool | None = None
        """Whether the statement just followed succeeds; None where that is open."""

    @abstractmethod
    def simple(self, statement: Simple) -> Ended:
        """Follows a plain command, and sets `truth`."""

    @abstractmethod
    def redirects(self, redirects: tuple[Redirect, ...]) -> None:
        """Follows the redirections of a compound command."""

    def block(self, body: Block) -> Ended:
        """Follows statements in their order."""
        ended = False
        for statement in body:
            ended = self.statement(statement) or ended
        return ended

    def maybe(self, body: Block) -> Ended:
        """Follows statements that may not run."""
        self.uncertain += 1
        ended = self.block(body)
        self.uncertain -= 1
        return ended

    def statement(self, statement: Statement) -> Ended:
        """Follows one statement."""
        self.expander.spend(STATEMENT_WORK)
        self.truth = None
        if isinstance(statement, Simple):
            return self.simple(statement)
        if isinstance(statement, Chain):
            return self._chain(statement)
        if isinstance(statement, If):
            return self._if(statement)
        if isinstance(statement, Case):
            return self._case(statement)
        if isinstance(statement, Loop):
            return self._loop(statement)
        if isinstance(statement, Group):
            return self._group(statement)
        return self._define(statement)

    def _define(self, function: Function) -> Ended:
        self.functions[function.name] = function.body
        return False

    def _chain(self, chain: Chain) -> Ended:
        ended, so_far = False, self.truth
        for joined, statement in chain.links:
            follow = partial(self.statement, statement)
            if joined in ("|", "|&"):
                self.state.aside(follow)
                so_far = None
            elif joined in ("&&", "||") and so_far is None:
                self._choose([(statement,)], exhaustive=False)
            elif joined not in ("&&", "||") or so_far is (joined == "&&"):
                ended = follow() or ended
                negated = joined == "!" and self.truth is not None
                so_far = not self.truth if negated else self.truth
        self.truth = so_far
        return ended

    def _if(self, statement: If) -> Ended:
        bodies: list[Block] = []
        for condition, body in statement.branches:
            holds: bool | None = True
            if condition is not None:
                self.block(condition)
                holds = self.truth
            if holds is not False:
                bodies.append(body)
            if holds:
                return self._choose(bodies, exhaustive=True)
        return self._choose(bodies, exhaustive=False)

    def _case(self, statement: Case) -> Ended:
        subject = sole_text(self.expander.text(statement.subject))
        bodies: list[Block] = []
        for patterns, body in statement.arms:
            fits = [self._fits(pattern, subject) for pattern in patterns]
            if True in fits or None in fits:
                bodies.append(body)
            if True in fits or any(pattern.bare == "*" for pattern in patterns):
                return self._choose(bodies, exhaustive=True)
        return self._choose(bodies, exhaustive=False)

    def _fits(self, pattern: Word, subject: str | None) -> bool | None:
        word = operand(self.expander.text(pattern), pattern.quoting)
        return None if subject is None else matches(word, subject)

    def _choose(self, bodies: list[Block], *, exhaustive: bool) -> Ended:
        """Follows blocks of which one runs; or, unless they are exhaustive, none."""
        if exhaustive and len(bodies) == 1:
            return self.block(bodies[0])
        branches: list[Callable[[], Ended]] = [partial(self.maybe, body) for body in bodies]
        ended = self.state.weigh(branches if exhaustive else [*branches, _nothing])
        self.truth = None
        return ended

    def _loop(self, loop: Loop) -> Ended:
        self.block(loop.condition)
        if loop.variable:
            self.state.set(loop.variable, self._items(loop))
        self._choose([loop.body], exhaustive=False)
        return False

    def _items(self, loop: Loop) -> Value:
        """What a loop's variable may be: any of the items."""
        found: list[Fields] = []
        for word in loop.items or ():
            for slot in self.expander.word(word):
                found += [(field,) for fields in slot for field in fields]
        line = loop.items[0].line if loop.items else 0
        written = f"${loop.variable}"
        if not found or len(found) > MAX_ALTERNATIVES:
            return (unknown(" ".join([written, *(f[0].text for f in found)]), line),)
        return (tuple(found),)

    def _group(self, group: Group) -> Ended:
        self.redirects(group.redirects)
        if not group.subshell:
            return self.block(group.body)
        self.state.aside(partial(self.block, group.body))
        self.truth = None
        return False


def _nothing() -> Ended:
    return False
