"""Puts a single check before evidence: the case as the evaluator would make it."""

from __future__ import annotations

from typing import Any

from support.build import comment, evidence

from signoff_bot.checks.base import AnyKind, Case, Finding, Parameters
from signoff_bot.evidence.pull import Account
from signoff_bot.reading.candidates import find_signoffs
from signoff_bot.reading.settings import RunPage, SignoffRules

PHRASE = "As a PR reviewer and CODEOWNER, I have reviewed this and have"


def signed(details: str = "", by: str = "octavia-chen", **fields: Any) -> Any:
    """A comment that is a completed sign-off, with these details under the checklist."""
    return comment(f"{PHRASE}:\n- [x] Looked at it.\n\n{details}\n", by, **fields)


def case(
    *comments: Any,
    signers: tuple[Account, ...] | None = None,
    earlier: dict[str, Finding] | None = None,
    template: str | None = None,
    combine: bool = False,
    **facts: Any,
) -> Case:
    """The newest sign-off among the comments, before the facts; no comment means nobody signed."""
    rules = SignoffRules(
        phrase=PHRASE,
        template=template,
        combine=combine,
        run_pages=(RunPage(host="inferencex.semianalysis.com", parameter="unofficialRun"),),
    )
    found = find_signoffs(comments, rules)
    signoff = found[-1] if found else None
    return Case(
        evidence=evidence(comments=comments, **facts),
        rules=rules,
        signoff=signoff,
        signers=signers if signers is not None else ((signoff.author,) if signoff else ()),
        earlier=earlier or {},
    )


def judged(kind: AnyKind, at: Case, **parameters: Any) -> Finding:
    """What the check finds under these parameters."""
    given: Parameters = kind.parameters(**parameters)
    return kind.judge(at, given)


def said(finding: Finding) -> str:
    """Everything the finding tells a reader."""
    return "\n".join((finding.summary, *finding.details, finding.fix or ""))
