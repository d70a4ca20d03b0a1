"""What somebody who wants to sign needs: the form with the evidence found so far, and who may sign.

Pure, like the judgement that it goes with. The boxes stay unticked: only people tick them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from signoff_bot.checks.base import Case
from signoff_bot.checks.codeowner import CodeownerParameters, to_sign_for
from signoff_bot.evidence.base import MissingEvidence, known
from signoff_bot.evidence.model import Evidence
from signoff_bot.packs.model import Rules
from signoff_bot.reading.ownership import changed_paths
from signoff_bot.reading.signoff import read_form
from signoff_bot.verdict import LinkReport, Verdict

_TICK = re.compile(r"^([ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+)\[[xX]\]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Found:
    """Evidence that a check accepted: the check's name, and where the evidence can be seen."""

    check: str
    link: LinkReport


@dataclass(frozen=True, slots=True)
class Owned:
    """Changed paths, and who may sign for them; `anybody`: any owner that CODEOWNERS lists."""

    paths: tuple[str, ...]
    owners: tuple[str, ...]
    anybody: bool


@dataclass(frozen=True, slots=True)
class Draft:
    """What there is to sign."""

    form: str | None
    """The form to be copied, in Markdown."""
    no_form: str | None
    """Why it could not be read; None where there is one, or none is named."""
    found: tuple[Found, ...]
    owned: tuple[Owned, ...]
    """Those with owners of their own first; empty where the rules ask for no owner, or the owners
    could not be read."""
    together: bool
    """Whether several people may cover the paths together."""


def draft_of(evidence: Evidence, rules: Rules, verdict: Verdict) -> Draft:
    """The draft of a sign-off on the pull request that the verdict is about."""
    case = Case(evidence, rules.signoff, signoff=None, signers=())
    found = _found(rules, verdict)
    form = no_form = None
    try:
        template = case.template
        if template is not None:
            form = _filled(template.form, rules.signoff.phrase, found)
    except MissingEvidence as missing:
        no_form = f"the form could not be read: {missing}"
    return Draft(form, no_form, found, _owned(case, rules), rules.signoff.combine)


def _found(rules: Rules, verdict: Verdict) -> tuple[Found, ...]:
    """The links of the checks that passed by themselves, without a sign-off."""
    by_itself = {check.id for check in rules.checks if not check.kind.needs_signoff}
    return tuple(
        Found(f"{check.number} ({check.title})", link)
        for check in verdict.checks
        if check.status == "pass" and check.id in by_itself
        for link in check.links
    )


def _filled(form: str, phrase: str, found: tuple[Found, ...]) -> str:
    """The form without ticks, and with the bare addresses of the evidence before its signature.

    Nothing but addresses: words might be taken for the signer's reasons.
    """
    form = _TICK.sub(r"\1[ ]", form)
    urls = list(dict.fromkeys(one.link.url for one in found))
    if not urls:
        return form
    lines = form.rstrip("\n").split("\n")
    signed = read_form(form, phrase).signed_line
    end = len(lines) if signed is None else signed - 1
    head, tail = "\n".join(lines[:end]).rstrip(), "\n".join(lines[end:])
    addresses = "\n".join(f"- {url}" for url in urls)
    return f"{head}\n{addresses}\n" + (f"\n{tail}\n" if tail else "")


def _owned(case: Case, rules: Rules) -> tuple[Owned, ...]:
    parameters = next(
        (c.parameters for c in rules.checks if isinstance(c.parameters, CodeownerParameters)), None
    )
    try:
        codeowners = case.codeowners
        if parameters is None or codeowners is None:
            return ()
        paths = changed_paths(known(case.evidence.files))
    except MissingEvidence:
        return ()
    owned = (
        Owned(claim.holding.paths, claim.owners, claim.open_to_all)
        for claim in to_sign_for(codeowners, paths, parameters)
    )
    return tuple(sorted(owned, key=lambda one: one.anybody))
