"""What is to be published of a verdict: decided here without any I/O, carried out by others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from signoff_bot.evidence.base import Timestamp
from signoff_bot.verdict import Outcome

if TYPE_CHECKING:
    from signoff_bot.github.own_comment import OwnComment
    from signoff_bot.github.status import Standing

State = Literal["success", "failure", "pending", "error"]

STATES: dict[Outcome, State] = {
    "pass": "success",
    "fail": "failure",
    "pending": "pending",
    "error": "error",
}
"""The state of the commit status for each outcome."""


@dataclass(frozen=True, slots=True)
class StatusPlan:
    """The commit status of the head that was judged; `url` is where it leads."""

    context: str
    state: State
    description: str
    url: str | None = None

    def is_said_by(self, standing: Standing) -> bool:
        """Whether a status that stands says the same."""
        theirs = (standing.state, standing.description, standing.url)
        return (self.state, self.description, self.url) == theirs


@dataclass(frozen=True, slots=True)
class Reply:
    """What is to be said about one sign-off now; `body` begins with the marker.

    A `near miss` was only meant as a sign-off. One that is `gone` does not count any more: then the
    body is what comes after the marker of the comment that spoke of it. About one that is
    `undecided` nothing is said.
    """

    about: Literal["sign-off", "near miss", "gone", "undecided"]
    body: str = ""


@dataclass(frozen=True, slots=True)
class CommentPlan:
    """What is to become of our comments: bodies to create, texts to edit in, doubles to delete."""

    create: tuple[str, ...] = ()
    edit: tuple[tuple[OwnComment, str], ...] = ()
    delete: tuple[OwnComment, ...] = ()


def plan_comments(
    ours: Sequence[OwnComment],
    head: str,
    reply: Callable[[str], Reply],
    *,
    asked: str | None,
    deciding: str | None,
    as_of: Timestamp,
) -> CommentPlan:
    """What is to become of our verdicts, oldest first, when those on `head` are `reply`'s.

    Sign-offs are named by their anchors. One that somebody `asked` about is answered on this head;
    the `deciding` one only if nothing was said about it yet, or something else. What stands on this
    head is kept true, whoever it is about. What another run said of other sign-offs after the
    evidence was read, at `as_of`, is left alone: it knew more.
    """
    verdicts = [comment for comment in ours if comment.marker.signoff is not None]
    kept, doubles = _without_doubles(verdicts)
    anchors = [c.marker.signoff for c in kept if c.marker.signoff is not None]
    create: list[str] = []
    edit: list[tuple[OwnComment, str]] = []
    named = [anchor for anchor in (asked, deciding) if anchor is not None]
    for anchor in dict.fromkeys([*anchors, *named]):
        about = [comment for comment in kept if comment.marker.signoff == anchor]
        here = [comment for comment in about if comment.marker.sha == head]
        said = reply(anchor)
        overtaken = any(comment.at > as_of for comment in about)
        if said.about == "undecided" or (
            overtaken and (said.about == "gone" or anchor not in named)
        ):
            continue
        if said.about == "gone":
            edit += [(c, f"{_line(c.body, 0)}\n{said.body}") for c in about]
        elif here:
            edit.append((here[0], said.body))
        elif said.about == "near miss" and about:
            # Answered once, whatever is pushed later.
            edit.append((about[-1], said.body))
        elif anchor == asked or (anchor == deciding and _is_news(about, said)):
            create.append(said.body)
    return CommentPlan(tuple(create), tuple(edit), tuple(doubles))


def outdated(ours: Sequence[OwnComment], head: str) -> list[OwnComment]:
    """Our verdicts on older heads, once there is one on this head; before, they are the newest."""
    verdicts = [comment for comment in ours if comment.marker.sha is not None]
    older = [comment for comment in verdicts if comment.marker.sha != head]
    return older if len(older) < len(verdicts) else []


def _is_news(about: Sequence[OwnComment], said: Reply) -> bool:
    """Whether the newest comment has another headline than the reply, or there is none."""
    return not about or _line(about[-1].body, 1) != _line(said.body, 1)


def _without_doubles(
    verdicts: Sequence[OwnComment],
) -> tuple[list[OwnComment], list[OwnComment]]:
    """The oldest comment of each marker, oldest first, and the others."""

    def key(comment: OwnComment) -> tuple[str, str]:
        return comment.marker.sha or "", comment.marker.signoff or ""

    groups = [list(group) for _, group in groupby(sorted(verdicts, key=key), key=key)]
    kept = sorted((group[0] for group in groups), key=lambda comment: comment.id)
    return kept, [double for group in groups for double in group[1:]]


def _line(body: str, number: int) -> str:
    lines = body.split("\n", number + 1)
    return lines[number].rstrip() if len(lines) > number else ""
