"""Which class a verdict puts a pull request in, which checks block it, and who can help."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from signoff_bot.audit.report import Class
from signoff_bot.evaluate import evaluate
from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.conversation import SignoffRef
from signoff_bot.evidence.model import Evidence
from signoff_bot.packs.model import Rules
from signoff_bot.reading.candidates import find_signoffs
from signoff_bot.reading.codeowners import parse_codeowners
from signoff_bot.reading.ownership import changed_paths, holdings
from signoff_bot.verdict import CheckReport, Verdict

MOST_FIXERS = 10
"""People named who can do something about it."""
OWNERSHIP, FRESHNESS = "codeowner", "fresh"
"""The kinds of check that tell a valid signer, and a stale sign-off."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What an audit makes of a verdict."""

    class_: Class
    verdict: Verdict
    failing: tuple[CheckReport, ...]
    reasons: tuple[str, ...]


def rule_open(verdict: Verdict, rules: Rules) -> Ruling:
    """The class of an open pull request."""
    if verdict.verdict == "pass":
        return Ruling("ready", verdict, (), ())
    failing = blocking(verdict, rules)
    if verdict.verdict == "pending":
        return Ruling("pending", verdict, failing, _reasons(verdict, failing))
    certain = [check for check in failing if check.status != "error"]
    kinds = {_kinds(rules)[check.id] for check in certain}
    signed = verdict.signoff is not None and verdict.signoff.completed
    if verdict.verdict == "error" or (signed and kinds <= {FRESHNESS} and certain != [*failing]):
        # Whether more than the push is wrong with it hangs on what could not be read.
        return Ruling("not-judged", verdict, failing, _reasons(verdict, failing))
    stale = signed and kinds == {FRESHNESS}
    return Ruling("stale" if stale else "rejected", verdict, failing, _reasons(verdict, failing))


def rule_merged(verdict: Verdict, evidence: Evidence, rules: Rules) -> Ruling:
    """The class of a merged pull request; the evidence is that of the time of the merge."""
    if verdict.verdict == "pass":
        return Ruling("merged-ok", verdict, (), ())
    if verdict.verdict == "error":
        failing = blocking(verdict, rules)
        return Ruling("not-judged", verdict, failing, _reasons(verdict, failing))
    valid = _valid(verdict, evidence, rules)
    chosen = verdict if valid is None or isinstance(valid, str) else valid
    failing = blocking(chosen, rules)
    if isinstance(valid, str):
        return Ruling("not-judged", chosen, failing, (valid,))
    class_: Class = "merged-unsigned" if valid is None else "merged-rejected"
    return Ruling(class_, chosen, failing, _reasons(chosen, failing))


def _valid(verdict: Verdict, evidence: Evidence, rules: Rules) -> Verdict | str | None:
    """The newest verdict on a completed sign-off by an owner; why that is unknown; else None."""
    unknown: str | None = None
    for one in [verdict, *_other_verdicts(verdict, evidence, rules)]:
        if one.signoff is None or not one.signoff.completed:
            continue
        statuses = {c.status: c for c in one.checks if _kinds(rules)[c.id] == OWNERSHIP}
        if not statuses.keys() & {"fail", "blocked", "error"}:
            return one
        if "error" in statuses and "fail" not in statuses:
            unknown = statuses["error"].summary
    return unknown


def _other_verdicts(verdict: Verdict, evidence: Evidence, rules: Rules) -> Iterable[Verdict]:
    """The verdicts on the other sign-offs, newest first."""
    if isinstance(evidence.comments, Unread):
        return
    for signoff in reversed(find_signoffs(evidence.comments, rules.signoff)):
        ref = SignoffRef(kind=signoff.comment.kind, id=signoff.comment.id)
        judged = verdict.signoff
        if judged is None or (judged.kind, judged.id) != (ref.kind, ref.id):
            yield evaluate(evidence.model_copy(update={"signoff": ref}), rules)


def blocking(verdict: Verdict, rules: Rules) -> tuple[CheckReport, ...]:
    """The checks that block; those that only wait for others stand in for nothing else."""
    shown = {check.id for check in rules.checks if not check.review_blocks}
    found = tuple(
        check
        for check in verdict.checks
        if check.status in ("fail", "error") or (check.status == "review" and check.id not in shown)
    )
    waiting = tuple(check for check in verdict.checks if check.status == "blocked")
    return found or (() if verdict.verdict == "pending" else waiting)


def _reasons(verdict: Verdict, failing: tuple[CheckReport, ...]) -> tuple[str, ...]:
    if failing:
        return tuple(check.summary for check in failing)
    if verdict.signoff is not None and verdict.signoff.problems:
        return (f"the sign-off is not complete: {verdict.signoff.problems[0]}",)
    return ("nobody has signed off yet",)


def _kinds(rules: Rules) -> dict[str, str]:
    return {check.id: check.kind.name for check in rules.checks}


def who_can_fix(ruling: Ruling, evidence: Evidence, rules: Rules) -> tuple[str, ...]:
    """Who can do something about it, as `@name`: owners who may sign, the signer, the author."""
    if ruling.class_ in ("ready", "merged-ok"):
        return ()
    checks = {check.id: check for check in rules.checks}
    signoff, author = ruling.verdict.signoff, evidence.pull.author
    found: dict[str, None] = {}
    unsigned = signoff is None or not signoff.completed
    if unsigned or any(checks[c.id].kind.name == OWNERSHIP for c in ruling.failing):
        found |= dict.fromkeys(_owners(evidence))
    for check in ruling.failing:
        kind = checks[check.id].kind
        if kind.name == OWNERSHIP:
            continue
        if kind.needs_signoff and signoff is not None:
            found[f"@{signoff.author}"] = None
        elif not kind.needs_signoff and author is not None:
            found[f"@{author.login}"] = None
    return tuple(found)[:MOST_FIXERS]


def _owners(evidence: Evidence) -> tuple[str, ...]:
    """Those who own all of what changed, else the owners of any of it, else all listed owners."""
    file, files = evidence.codeowners, evidence.files
    if isinstance(file, Unread) or isinstance(files, Unread) or not isinstance(file.text, str):
        return ()
    codeowners = parse_codeowners(file.text)
    lists = [h.owners for h in holdings(codeowners, changed_paths(files)) if h.owners]
    everywhere = list(dict.fromkeys(o for owners in lists for o in owners))
    common = [owner for owner in everywhere if all(owner in owners for owners in lists)]
    return tuple(common or everywhere or codeowners.listed_owners)
