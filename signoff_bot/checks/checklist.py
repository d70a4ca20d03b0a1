"""Whether the checklist of the sign-off is the current one, and every item is answered for.

**What it checks.** Each item of the template at the base branch stands in the sign-off and is
ticked, or is left unticked with a reason in the detail section. Items are compared by their words:
case, punctuation, markup and addresses do not matter, a request ("Please link ...") may have given
way to what it asks for, and harmless changes are forgiven down to the `similarity` of the rules: a
slip of spelling in a long word, a plural, an article or another word that says nothing by itself,
and a pronoun for what the item has said before. Any other word lost or replaced, a negation lost or
added, and a changed number make it another item. The closing item, which says that reasons are
given below, may stay unticked when all others are ticked.

**Why it exists.** A form copied months ago, or with the inconvenient lines left out, is not what
the maintainers ask to be verified today.

**What it reads.** The template at the base branch (never the pull request's own copy), or the one
in the rule pack; and the items and details of the sign-off.

**A reason** for an item is a line under the checklist, in the signer's own words, that shares two
significant words with the item or names it: `Evals: ...` (words of the item before a colon), or
`item 4: ...`. Lines of the template and bare links are no reasons.

**When a person must look.** Where words were added within a ticked item, or those added after it
hold a negation, a machine cannot tell whether they narrow or take back what was ticked.

**How to fix a failure.** Copy the template again, tick what you verified, and write a line in the
detail section for each item that does not apply.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote

from pydantic import Field

from signoff_bot.checks.base import Case, CheckKind, Finding, Parameters, Reference
from signoff_bot.checks.needs import Needs
from signoff_bot.reading.item_match import Match, Matches, match_items
from signoff_bot.reading.item_reasons import Reason, find_reason, read_reasons
from signoff_bot.reading.item_words import words_of
from signoff_bot.reading.links import server_of
from signoff_bot.reading.wording import count, listed, shorten

MOST_OTHERS = 5
"""Items spoken of that the template does not hold."""


class ChecklistParameters(Parameters):
    """How an item of the sign-off is known for one of the template."""

    similarity: float = Field(
        default=0.8,
        ge=0.5,
        le=1.0,
        description="Lowest likeness, from 0.5 to 1, at which an item of the sign-off is taken for "
        "one of the template: the share of words in common and in order, remarks after it aside. "
        "1 forgives slips of spelling only.",
    )
    closing_item: str | None = Field(
        default="if any of the above",
        description="How the item begins that says reasons are given below. It may stay unticked "
        "when all others are ticked. `null`: there is no such item.",
    )


State = Literal["ticked", "reasoned", "open", "unticked", "missing", "altered", "doubtful"]
_FAILURES: tuple[tuple[State, str], ...] = (
    ("missing", "missing"),
    ("altered", "outdated or altered"),
    ("unticked", "not ticked and not reasoned"),
)


@dataclass(frozen=True, slots=True)
class _Answer:
    """What the sign-off says of one item of the template; `open` is a closing item unticked."""

    state: State
    detail: str | None = None


def needs(_: ChecklistParameters) -> Needs:
    """The template at the base branch."""
    return Needs(template=True)


def judge(case: Case, parameters: ChecklistParameters) -> Finding:
    """Judges the items of the sign-off against those of the template."""
    template, signoff = case.template, case.signoff
    if signoff is None:
        return Finding("blocked", "nobody has signed off yet")
    if template is None:
        return _no_template(case)
    if not signoff.form.items:
        return Finding(
            "fail",
            f"no checklist in the sign-off; the template has {count(len(template.items), 'item')}",
            fix=_fix(case),
            links=_links(case),
        )
    matches = match_items(template.items, signoff.form.items, parameters.similarity)
    reasons = read_reasons(signoff.form.details, template.details)
    return _finding(case, matches, _answers(matches, reasons, parameters.closing_item))


def _answers(
    matches: Matches, reasons: Sequence[Reason], closing: str | None
) -> tuple[_Answer, ...]:
    beginning = words_of(closing or "")
    answers = [_answer(n, match, reasons) for n, match in enumerate(matches.by_item, start=1)]
    for i, match in enumerate(matches.by_item):
        closes = beginning and words_of(match.wanted.text)[: len(beginning)] == beginning
        if closes and answers[i].state in ("unticked", "reasoned"):
            others = {answer.state for answer in (*answers[:i], *answers[i + 1 :])}
            answers[i] = (
                _Answer("open") if others <= {"ticked", "doubtful"} else _unclosed(i + 1, match)
            )
    return tuple(answers)


def _answer(number: int, match: Match, reasons: Sequence[Reason]) -> _Answer:
    wanted = shorten(match.wanted.text)
    if match.near:
        near = match.near[0]
        why = f" ({near.altered})" if near.altered else ""
        where = f"item {number} is outdated or altered on line {near.item.line}{why}"
        return _Answer("altered", f"{where}; the template says: {wanted}")
    if not match.same:
        return _Answer("missing", f"item {number} is missing: {wanted}")
    unticked = [said.item for said in match.same if not said.item.ticked]
    if unticked:
        reason = find_reason(number, match.wanted.text, reasons)
        if reason is None:
            where = f"item {number} on line {unticked[0].line} is not ticked"
            return _Answer("unticked", f"{where}, and no line below says why: {wanted}")
        where = f"item {number} is not ticked, for the reason on line {reason.line}"
        return _Answer("reasoned", f"{where}: {shorten(reason.text)}")
    doubtful = [said for said in match.same if said.doubt is not None]
    if doubtful:
        item, doubt = doubtful[0].item, doubtful[0].doubt
        where = f"item {number} on line {item.line} is ticked, but {doubt}"
        return _Answer("doubtful", f"{where}: {shorten(item.text, 300)}")
    return _Answer("ticked")


def _unclosed(number: int, match: Match) -> _Answer:
    return _Answer(
        "unticked",
        f"item {number} on line {match.same[0].item.line} must be ticked, since others are not: "
        f"{shorten(match.wanted.text)}",
    )


def _finding(case: Case, matches: Matches, answers: Sequence[_Answer]) -> Finding:
    details = [answer.detail for answer in answers if answer.detail is not None]
    details += [
        f"line {item.line} is no item of the current template: {shorten(item.text)}"
        for item in matches.others[:MOST_OTHERS]
    ]
    states = [answer.state for answer in answers]
    failures = [f"{states.count(state)} {words}" for state, words in _FAILURES if state in states]
    everything, links = count(len(states), "item"), _links(case)
    if failures:
        summary = f"of {everything}, {listed(failures)}"
        return Finding("fail", summary, tuple(details), fix=_fix(case), links=links)
    if "doubtful" in states:
        summary = (
            f"words added to {count(states.count('doubtful'), 'ticked item')} may take it back"
        )
        fix = "move remarks from the items to the detail section"
        return Finding("review", summary, tuple(details), fix=fix, links=links)
    unticked = states.count("reasoned")
    summary = (
        f"of {everything}, {unticked} left open for a stated reason and the others ticked"
        if unticked
        else f"all {everything} of the current template are answered for"
    )
    return Finding("pass", summary, tuple(details), links=links)


def _no_template(case: Case) -> Finding:
    path = case.rules.template_file
    where = "in the rules" if path is None else f"in {path} at the base branch"
    return Finding(
        "error",
        f"there is no form to compare with {where}",
        fix=f"put one there: the line {case.rules.phrase!r}, and under it items like `- [ ] ...`",
    )


def _fix(case: Case) -> str:
    path = case.rules.template_file
    source = "the rules" if path is None else path
    return (
        f"copy the form from {source} again, tick what you verified, and give a reason below it "
        "for every item that does not apply"
    )


def _links(case: Case) -> tuple[Reference, ...]:
    path = case.rules.template_file
    if path is None:
        return ()
    pull = case.evidence.pull
    page = f"{server_of(pull.url)}/{case.evidence.repository.full_name}/blob"
    return (Reference("checklist template", f"{page}/{quote(pull.base_ref)}/{quote(path)}"),)


KIND = CheckKind(
    name="checklist",
    doc=__doc__,
    parameters=ChecklistParameters,
    needs=needs,
    judge=judge,
    needs_signoff=True,
    each_signer=True,
)
