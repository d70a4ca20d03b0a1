"""What a comment says when it is read as a sign-off form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Link:
    """A link in the author's own visible text; `text` is empty for `[](url)`."""

    line: int
    text: str
    url: str
    """The address exactly as written, not normalised."""


@dataclass(frozen=True, slots=True)
class Item:
    """One checklist item. `line` counts from 1 in the comment; `level` is 0 for top-level items."""

    line: int
    level: int
    text: str
    """The item's own words as a reader sees them, without nested items and link targets."""
    ticked: bool


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a sign-off, and how to write it right."""

    line: int
    message: str
    voids: bool = True
    """Whether it keeps the comment from being a completed sign-off; else it is a remark."""

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


@dataclass(frozen=True, slots=True)
class Form:
    """A comment, read as a sign-off.

    `shape`: `complete` = the phrase stands as its own visible top-level line with a ticked item
    under it, and no problem voids it; `attempt` = it was meant as a sign-off and `problems` say
    what is missing (the phrase without a ticked item, a full checklist without the phrase, markup
    that hides); `mention` = the phrase occurs in prose only; `none` = not there, or only quoted,
    in a code block, in `<details>` or in an HTML comment.
    """

    shape: Literal["complete", "attempt", "mention", "none"]
    items: tuple[Item, ...]
    signed: str | None
    """The name in the `Signed:` line without `@` and backticks, or None without such a line."""
    signed_line: int | None
    links: tuple[Link, ...]
    details: tuple[tuple[int, str], ...]
    """The visible lines after the checklist, signature excluded, as (line, source text)."""
    problems: tuple[Problem, ...]
