"""Lets a named person clear what a machine cannot decide: `/signoff-ack CHECK`.

A finding that waits for a person's look (`review`) is cleared by a comment with that line, CHECK
being the check's id or number. It must come from an owner, member or collaborator with write
access, who is neither the author of the pull request nor a signer, and after the last change. The
finding then passes, and says who cleared it. A failure cannot be cleared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from signoff_bot.checks.base import Case, Finding, Reference
from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.model import Evidence
from signoff_bot.reading.commands import Command, find_commands
from signoff_bot.reading.wording import shorten

ACK = "/signoff-ack"
MOST_ACKS = 5
"""Commands that clear nothing, spoken of one by one."""


def find_acks(evidence: Evidence) -> tuple[Command, ...]:
    """The commands that were meant to clear something, oldest first."""
    comments = evidence.comments
    return () if isinstance(comments, Unread) else find_commands(comments, (ACK,))


def with_acks(
    finding: Finding,
    names: Sequence[str],
    acks: Sequence[Command],
    case: Case,
    *,
    checks: Collection[str],
) -> Finding:
    """A blocking finding once what people said about it is taken into account.

    `names` are those of its check, the one to write first; `checks` are the names of all checks.
    """
    mine = [ack for ack in acks if ack.argument in names]
    if finding.status == "fail":
        return _with(finding, (f"{_who(ack)} clears nothing: it is a failure" for ack in mine))
    if finding.status != "review":
        return finding
    objections = [(ack, _objection(ack, case)) for ack in mine]
    for ack, objection in objections:
        if objection is None:
            return _cleared(finding, ack)
    for ack, objection in objections:
        if isinstance(objection, Unread):
            return _undecided(finding, ack, objection)
    lines = [f"{_who(ack)} does not count: {objection}" for ack, objection in objections]
    lines += [f"{_who(ack)} names no check" for ack in acks if ack.argument not in checks]
    return _with(replace(finding, fix=_fix(finding, names[0])), lines)


def _objection(ack: Command, case: Case) -> str | Unread | None:
    """Why a command clears nothing, or an `Unread` where that cannot be told; else None."""
    pull = case.evidence.pull
    if not ack.authorized:
        return "they are no owner, member or collaborator of the repository"
    if pull.author is not None and pull.author.id == ack.author.id:
        return "they are the author of the pull request"
    if any(signer.id == ack.author.id for signer in case.signers):
        return "they are a signer"
    if ack.unread is not None:
        return Unread(unread=ack.unread)
    stale = _staleness(ack, case)
    if stale is not None:
        return stale
    may_write = case.evidence.may_write(ack.author)
    if isinstance(may_write, Unread):
        return may_write
    return None if may_write else "they have no write access"


def _staleness(ack: Command, case: Case) -> str | Unread | None:
    """What was changed after the command, if it was not given on the head."""
    head, push = case.evidence.pull.head_sha, case.evidence.push
    if ack.comment.commit_sha == head and not ack.edited:
        return None
    if isinstance(push, Unread):
        return push
    if push.sha != head:
        return Unread(unread=f"the last push on record is {push.sha}, but the head is {head}")
    return None if ack.at > push.at else f"the head was pushed at {push.at}"


def _cleared(finding: Finding, ack: Command) -> Finding:
    by = ack.author.login
    return replace(
        finding,
        status="pass",
        details=(f"looked at and cleared by {by} at {ack.at}", *finding.details),
        fix=None,
        links=(*finding.links, Reference(f"cleared by {by}", ack.comment.url)),
    )


def _undecided(finding: Finding, ack: Command, unread: Unread) -> Finding:
    return replace(
        finding,
        status="error",
        summary=f"whether {ack.author.login} may clear this cannot be told: {unread.unread}",
        details=(finding.summary, *finding.details),
        fix="run the verification again once this can be read",
    )


def _fix(finding: Finding, name: str) -> str:
    clear = f"a maintainer who neither wrote nor signed it may clear this: {ACK} {name}"
    return f"{finding.fix}; or {clear}" if finding.fix else clear


def _with(finding: Finding, lines: Iterable[str]) -> Finding:
    return replace(finding, details=(*finding.details, *list(lines)[:MOST_ACKS]))


def _who(ack: Command) -> str:
    return f"{shorten(str(ack), 60)} by {ack.author.login} at {ack.at}"
