"""Reads commands: lines with which people tell a bot what to do, such as `/signoff-ack 8`.

A command is a visible line of its own in a top-level paragraph, in plain text: its name, and after
white space what it is about. What stands in quotes, code, lists or folded sections commands
nothing, and neither does a comment with markup that may hide it from its readers.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache

from signoff_bot.evidence.base import Timestamp
from signoff_bot.evidence.conversation import Comment
from signoff_bot.evidence.pull import Account
from signoff_bot.reading.own_words import author_of, standing
from signoff_bot.reading.signoff import MAX_LENGTH

AUTHORIZED = ("OWNER", "MEMBER", "COLLABORATOR")
"""GitHub's words for people who belong to the repository, in the order of their say."""

MOST_OUTSIDERS = 20
"""Comments by others that are read for commands, the newest; they only get to hear why not."""

_COMMAND = re.compile(r"(?P<name>/\S+)(?:[ \t]+(?P<argument>\S.*?))?[ \t]*")


@dataclass(frozen=True, slots=True)
class Command:
    """A command that stands as its author's own word."""

    comment: Comment
    author: Account
    name: str
    """With its slash, such as `/signoff-ack`."""
    argument: str
    """What follows the name on its line; may be empty."""
    line: int
    """Its line in the comment, from 1."""
    at: Timestamp
    """When it was given: the author's last edit, else when the comment was posted."""
    edited: bool
    unread: str | None
    """Why its history could not be learnt; then nothing may rest on it."""

    @property
    def authorized(self) -> bool:
        """Whether its author belongs to the repository."""
        return _is_authorized(self.comment)

    @property
    def run_id(self) -> int | None:
        """The workflow run that it is about, or None where it names none."""
        number = re.fullmatch("[1-9][0-9]{0,17}", self.argument)
        return int(self.argument) if number else None

    def __str__(self) -> str:
        return f"{self.name} {self.argument}".rstrip()


def find_commands(comments: Iterable[Comment], names: Collection[str]) -> tuple[Command, ...]:
    """The commands of these names, oldest first (ties by comment id, then by line)."""
    holding = [c for c in comments if any(name in c.body for name in names)]
    outsiders = [c for c in holding if not _is_authorized(c)]
    outsiders.sort(key=lambda c: (c.created_at, c.id, c.kind))
    read = [c for c in holding if _is_authorized(c)] + outsiders[-MOST_OUTSIDERS:]
    found = (command for comment in read for command in _read(comment, names))
    return tuple(sorted(found, key=lambda c: (c.at, c.comment.id, c.comment.kind, c.line)))


def may_command(comment: Comment, names: Collection[str]) -> bool:
    """Whether the comment holds such a command that counts, if its history allows."""
    person = _is_authorized(comment) and author_of(comment) is not None
    return person and bool(_lines(comment.body, names))


def _is_authorized(comment: Comment) -> bool:
    return comment.association in AUTHORIZED


def _read(comment: Comment, names: Collection[str]) -> Iterable[Command]:
    author, lines = author_of(comment), _lines(comment.body, names)
    since = standing(comment) if lines else None
    if author is None or since is None:
        return
    for number, name, argument in lines:
        yield Command(comment, author, name, argument, number, since.at, since.edited, since.unread)


def _lines(body: str, names: Collection[str]) -> tuple[tuple[int, str, str], ...]:
    """The commands in a text: line, name and argument of each."""
    if len(body) > MAX_LENGTH or not any(name in body for name in names):
        return ()
    return _parsed(body, frozenset(names))


@lru_cache(maxsize=256)
def _parsed(body: str, names: frozenset[str]) -> tuple[tuple[int, str, str], ...]:
    from signoff_bot.reading.markdown import read_document  # takes 35 ms to import

    document = read_document(body)
    if document.doubts:
        return ()
    found = [
        (line.number, match)
        for line in document.lines
        if line.block == "paragraph" and line.span.markup is None
        if (match := _COMMAND.fullmatch(line.span.source)) is not None
    ]
    return tuple(
        (number, match["name"], match["argument"] or "")
        for number, match in found
        if match["name"] in names
    )
