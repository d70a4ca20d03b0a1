"""A place among the tokens of a script, and the steps that a parser takes from it."""

from __future__ import annotations

from collections.abc import Sequence

from signoff_bot.reading.shell.words import Operator, ScriptToken, Word


class Cursor:
    """Walks over tokens. `problems` are the lines where something expected is missing."""

    def __init__(self, tokens: Sequence[ScriptToken]) -> None:
        self._tokens = tokens
        self.index = 0
        self.problems: list[int] = []

    @property
    def at_end(self) -> bool:
        """Whether nothing is left."""
        return self.index >= len(self._tokens)

    @property
    def token(self) -> ScriptToken | None:
        """The next token."""
        return None if self.at_end else self._tokens[self.index]

    @property
    def operator(self) -> str:
        """The next token where it is an operator; else empty."""
        return self.operator_at(0)

    def operator_at(self, ahead: int) -> str:
        """The operator that many tokens ahead; else empty."""
        index = self.index + ahead
        token = self._tokens[index] if index < len(self._tokens) else None
        return token.text if isinstance(token, Operator) else ""

    @property
    def keyword(self) -> str:
        """The next token where it is a plain word; else empty."""
        token = self.token
        return token.bare if isinstance(token, Word) else ""

    @property
    def text(self) -> str:
        """The next token where it is a plain word or an operator; else empty."""
        return self.keyword or self.operator

    @property
    def line(self) -> int:
        """The line of the next token, or the last one's."""
        token = self.token or (self._tokens[-1] if self._tokens else None)
        return token.line if token else 1

    def take_word(self) -> Word | None:
        """Steps over a word; None where there is none."""
        token = self.token
        if not isinstance(token, Word):
            return None
        self.index += 1
        return token

    def take_operator(self) -> Operator | None:
        """Steps over an operator; None where there is none."""
        token = self.token
        if not isinstance(token, Operator):
            return None
        self.index += 1
        return token

    def expect(self, text: str) -> None:
        """Steps over a keyword or operator, or notes that it is missing."""
        if self.text == text:
            self.index += 1
        else:
            self.problems.append(self.line)

    def skip_stray(self) -> None:
        """Steps over a token that fits nowhere."""
        self.problems.append(self.line)
        self.index += 1

    def skip_lines(self) -> None:
        """Steps over line breaks."""
        while self.operator == "\n":
            self.index += 1

    def skip_breaks(self) -> None:
        """Steps over whatever separates commands."""
        while self.operator in ("\n", ";", "&"):
            self.index += 1
