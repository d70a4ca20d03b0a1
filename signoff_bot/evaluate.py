"""The judgement: evidence and rules in, verdict out. No clock, network, environment or disk.

Every candidate sign-off is judged. One that passes makes the pull request pass; else the newest
completed one is reported, else the newest that was only meant as one. While nobody has signed, the
checks that need no signer are judged all the same, so that people see where they stand. A pull
request to which the pack does not apply passes without any sign-off.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from signoff_bot import __version__
from signoff_bot.checks.acks import find_acks, with_acks
from signoff_bot.checks.base import Case, Finding, Reference
from signoff_bot.evidence.base import NOT_COLLECTED, MissingEvidence, Unread
from signoff_bot.evidence.bundle import digest_of
from signoff_bot.evidence.model import Evidence
from signoff_bot.evidence.pull import Account
from signoff_bot.packs.model import Check, Rules
from signoff_bot.reading.candidates import Signoff, find_signoffs
from signoff_bot.reading.commands import Command
from signoff_bot.verdict import (
    CheckReport,
    LinkReport,
    Outcome,
    RulesStamp,
    SignoffReport,
    Verdict,
)


def evaluate(evidence: Evidence, rules: Rules) -> Verdict:
    """Judges one pull request by one rule pack."""
    stamp = digest_of(evidence)
    evidence = _as_counted(evidence)
    if (reason := _not_covered(evidence, rules)) is not None:
        findings = {check.id: Finding("na", reason) for check in rules.checks}
        return _verdict(evidence, rules, stamp, None, findings, "pass")
    judge = _Judge(evidence, rules)
    signoff, findings = judge.newest()
    outcome = _outcome(evidence, rules, signoff, findings)
    if outcome != "pass" and (passing := judge.older_passing()) is not None:
        (signoff, findings), outcome = passing, "pass"
    return _verdict(evidence, rules, stamp, signoff, findings, outcome)


def _as_counted(evidence: Evidence) -> Evidence:
    """The evidence, with lists that hold less than GitHub counts taken for unread.

    What changes while its pages are read may be listed twice, and hide that another is missing.
    """
    pull, cut = evidence.pull, {}
    for name, what, total in (
        ("files", "changed files", pull.changed_files),
        ("commits", "commits", pull.commit_count),
    ):
        listed = getattr(evidence, name)
        if not isinstance(listed, Unread) and (held := len(set(listed))) < total:
            cut[name] = Unread(
                unread=f"the evidence holds {held} of the {total} {what} that GitHub counts"
            )
    return evidence.model_copy(update=cut) if cut else evidence


def _not_covered(evidence: Evidence, rules: Rules) -> str | None:
    """Why the pack does not apply at all; None when it does, or when that cannot be told."""
    try:
        return rules.applies_when.unmet(Case(evidence, rules.signoff, None, ()))
    except MissingEvidence:
        return None


_Judgement = tuple[Signoff | None, dict[str, Finding]]
"""A sign-off, or None while nobody has signed, with the findings by check."""


@dataclass(frozen=True)
class _Judge:
    """Judges the sign-offs of one pull request, whose every text is read once for all of them."""

    evidence: Evidence
    rules: Rules

    @cached_property
    def _signoffs(self) -> tuple[Signoff, ...]:
        comments = self.evidence.comments
        return () if isinstance(comments, Unread) else find_signoffs(comments, self.rules.signoff)

    @cached_property
    def _candidates(self) -> tuple[Signoff, ...]:
        """The sign-offs worth judging, oldest first."""
        ref = self.evidence.signoff
        asked = [
            s
            for s in self._signoffs
            if ref is None or (s.comment.kind, s.comment.id) == (ref.kind, ref.id)
        ]
        return tuple(s for s in asked if s.completed or s.unread is not None) or (*asked[-1:],)

    @cached_property
    def _cosigners(self) -> tuple[Account, ...]:
        """Those whose sign-offs count beside another: completed, and not stale or half ticked."""
        if not self.rules.signoff.combine:
            return ()
        return tuple(s.author for s in self._signoffs if s.completed and self._stands(s))

    @cached_property
    def _acks(self) -> tuple[Command, ...]:
        return find_acks(self.evidence)

    def newest(self) -> _Judgement:
        """The newest candidate, judged by every check."""
        if isinstance(self.evidence.comments, Unread):
            return None, self._without_conversation(self.evidence.comments.unread)
        if not self._candidates:
            return None, dict(self._findings(None, ()))
        signoff = self._candidates[-1]
        return signoff, dict(self._findings(signoff, self._signers(signoff)))

    def older_passing(self) -> _Judgement | None:
        """The newest of the other candidates that passes, if any does."""
        for signoff in reversed(self._candidates[:-1]):
            if signoff.completed and (findings := self._passing(signoff)) is not None:
                return signoff, findings
        return None

    def _signers(self, signoff: Signoff) -> tuple[Account, ...]:
        return tuple({a.id: a for a in (signoff.author, *self._cosigners)}.values())

    def _passing(self, signoff: Signoff) -> dict[str, Finding] | None:
        """The findings where all let the sign-off pass; the first that does not ends it."""
        findings: dict[str, Finding] = {}
        checks = {check.id: check for check in self.rules.checks}
        for name, finding in self._findings(signoff, self._signers(signoff)):
            if _blocks(checks[name], finding):
                return None
            findings[name] = finding
        return findings

    def _stands(self, signoff: Signoff) -> bool:
        demanded = [c for c in self.rules.checks if c.kind.each_signer and c.blocking]
        needed = _with_what_they_need(demanded, self.rules)
        findings = dict(self._findings(signoff, (signoff.author,), only=needed))
        return all(findings[check.id].status in ("pass", "na") for check in demanded)

    def _findings(
        self,
        signoff: Signoff | None,
        signers: tuple[Account, ...],
        *,
        only: frozenset[str] | None = None,
    ) -> Iterator[tuple[str, Finding]]:
        """The findings of the checks, or only of those with these ids, one after the other."""
        rules, earlier = self.rules, dict[str, Finding]()
        case = Case(self.evidence, rules.signoff, signoff, signers, earlier, rules.time_zone)
        names = {name for check in rules.checks for name in check.names}
        for check in rules.checks:
            if only is not None and check.id not in only:
                continue
            finding = _find(check, case, rules)
            if check.blocking and check.review_blocks:
                finding = with_acks(finding, check.names, self._acks, case, checks=names)
            earlier[check.id] = _weigh(check, finding)
            yield check.id, earlier[check.id]

    def _without_conversation(self, reason: str) -> dict[str, Finding]:
        """A check that needs a signer is then an error, not merely blocked."""
        unreadable = {
            check.id: _weigh(check, _unreadable(reason))
            for check in self.rules.checks
            if check.kind.needs_signoff
        }
        return dict(self._findings(None, ())) | unreadable


def _with_what_they_need(demanded: Sequence[Check], rules: Rules) -> frozenset[str]:
    """The ids of checks and of all that they depend on."""
    needed = {check.id for check in demanded}
    for check in reversed(rules.checks):
        if check.id in needed and check.depends_on is not None:
            needed.add(check.depends_on)
    return frozenset(needed)


def _find(check: Check, case: Case, rules: Rules) -> Finding:
    try:
        held_up = _held_up(check, case, rules)
        if held_up is not None:
            return held_up
        finding: Finding = check.kind.judge(case, check.parameters)
    except MissingEvidence as missing:
        return _unreadable(str(missing))
    return finding


def _held_up(check: Check, case: Case, rules: Rules) -> Finding | None:
    """Why a check cannot be judged at all, or None when it can."""
    for applies_when in (rules.applies_when, check.applies_when):
        reason = applies_when.unmet(case)
        if reason is not None:
            return Finding("na", reason)
    if check.kind.needs_signoff:
        if case.signoff is None:
            return Finding("blocked", "nobody has signed off yet")
        if case.signoff.unread is not None:
            return _unreadable(case.signoff.unread)
    if check.depends_on is not None:
        needed = next(c for c in rules.checks if c.id == check.depends_on)
        status = case.earlier[needed.id].status
        if status == "na":
            return Finding("na", f"check {needed.number} ({needed.title}) does not apply")
        if status != "pass":
            return Finding("blocked", f"depends on check {needed.number} ({needed.title})")
    return None


def _unreadable(reason: str) -> Finding:
    fix = "run the verification again once this can be read"
    if NOT_COLLECTED in reason:
        fix = "collect the evidence again for these rules: verify with --save-evidence"
    return Finding("error", reason, fix=fix)


def _weigh(check: Check, finding: Finding) -> Finding:
    """An advisory check never blocks: whatever keeps it from passing is a warning."""
    if check.blocking or finding.status in ("pass", "na"):
        return finding
    return Finding("warn", finding.summary, finding.details, finding.fix, finding.links)


def _outcome(
    evidence: Evidence, rules: Rules, signoff: Signoff | None, findings: dict[str, Finding]
) -> Outcome:
    """The verdict that the findings add up to (pending outranks fail, fail outranks error)."""
    if signoff is None:
        return "error" if isinstance(evidence.comments, Unread) else "pending"
    if signoff.unread is None and not signoff.completed:
        return "fail"
    blocking = {
        findings[check.id].status for check in rules.checks if _blocks(check, findings[check.id])
    }
    if blocking & {"fail", "review"}:
        return "fail"
    if signoff.unread is not None or "error" in blocking:
        return "error"
    return "fail" if blocking else "pass"


def _blocks(check: Check, finding: Finding) -> bool:
    """Whether a finding keeps a sign-off from passing."""
    if finding.status == "review":
        return check.review_blocks
    return finding.status not in ("pass", "na", "warn")


def _verdict(
    evidence: Evidence,
    rules: Rules,
    stamp: str,
    signoff: Signoff | None,
    findings: dict[str, Finding],
    outcome: Outcome,
) -> Verdict:
    return Verdict(
        tool_version=__version__,
        rules=RulesStamp(name=rules.name, digest=rules.digest),
        evidence_digest=stamp,
        repo=evidence.repository.full_name,
        pr=evidence.pull.number,
        head_sha=evidence.pull.head_sha,
        url=evidence.pull.url,
        signoff=None if signoff is None else _signoff_report(signoff),
        verdict=outcome,
        checks=tuple(
            _check_report(check, findings[check.id])
            for check in sorted(rules.checks, key=lambda check: check.number)
        ),
    )


def _signoff_report(signoff: Signoff) -> SignoffReport:
    return SignoffReport(
        author=signoff.author.login,
        kind=signoff.comment.kind,
        id=signoff.comment.id,
        url=signoff.comment.url,
        at=signoff.at,
        completed=signoff.completed,
        problems=tuple(str(problem) for problem in signoff.problems),
    )


def _check_report(check: Check, finding: Finding) -> CheckReport:
    return CheckReport(
        id=check.id,
        number=check.number,
        title=check.title,
        status=finding.status,
        summary=finding.summary,
        details=finding.details,
        fix=finding.fix,
        links=tuple(_link_report(link) for link in finding.links),
    )


def _link_report(link: Reference) -> LinkReport:
    return LinkReport(label=link.label, url=link.url)
