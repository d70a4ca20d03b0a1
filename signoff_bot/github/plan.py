"""What is to be published of a verdict: decided here without any I/O, carried out by `publish`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from signoff_bot.packs.model import Publication
from signoff_bot.verdict import Outcome, Verdict

State = Literal["success", "failure", "pending", "error"]

_STATES: dict[Outcome, State] = {
    "pass": "success",
    "fail": "failure",
    "pending": "pending",
    "error": "error",
}


@dataclass(frozen=True, slots=True)
class CommentPlan:
    """The comment. `marker` is its first line, by which we know it again among our own."""

    marker: str
    body: str


@dataclass(frozen=True, slots=True)
class StatusPlan:
    """The commit status of the head that was judged."""

    context: str
    state: State
    description: str


@dataclass(frozen=True, slots=True)
class Plan:
    """Comment and commit status; None for what is not to be touched."""

    comment: CommentPlan | None
    status: StatusPlan | None


def plan(
    verdict: Verdict, publication: Publication, *, comment: CommentPlan, description: str
) -> Plan:
    """What the rule pack wants published, the texts being given.

    A verdict that decided nothing (`pending`, `error`) sets its status and posts no comment.
    """
    decided = verdict.verdict in ("pass", "fail")
    status = StatusPlan(publication.context, _STATES[verdict.verdict], description)
    return Plan(
        comment=comment if publication.comment and decided else None,
        status=status if publication.status else None,
    )
