"""The draft of a sign-off: the form with the evidence found, boxes unticked, and who may sign."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from support.build import account, changed, comment, evidence
from support.verdicts import check, verdict

from signoff_bot.draft import Draft, Found, Owned, draft_of
from signoff_bot.evaluate import evaluate
from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.repository import RepositoryFile
from signoff_bot.packs.load import load_named, load_text
from signoff_bot.packs.model import Rules
from signoff_bot.packs.shipped import shipped_names
from signoff_bot.reading.candidates import find_signoffs
from signoff_bot.reading.item_reasons import find_reason, read_reasons
from signoff_bot.reading.template import read_template
from signoff_bot.verdict import LinkReport

PHRASE = "As a reviewer I have reviewed this and have"
RUN = "https://github.com/SemiAnalysisAI/InferenceX/actions/runs/28130510662"
LINKS = (LinkReport(label="run 28130510662", url=RUN), LinkReport(label="job", url=f"{RUN}/job/1"))


def rules(template: str | None = None, file: str | None = None, **with_: Any) -> Rules:
    form = "" if template is None else f", template: {template!r}"
    form += "" if file is None else f", template_file: {file}"
    return load_text(
        f"""
schema: signoff-bot/rules/v1
name: mine
description: Mine.
signoff: {{phrase: "{PHRASE}"{form}}}
publish: {{context: mine}}
checks:
  owner: {{kind: codeowner, number: 0, with: {with_!r}}}
  checks: {{kind: checks, number: 1}}
""",
        "pack",
    )


def text_pack(form: str) -> Rules:
    pack = rules(template="x")
    return replace(pack, signoff=pack.signoff.model_copy(update={"template": form}))


FORM = f"""\
{PHRASE}:
- [ ] Run it.
- [x] Read it.

### More:
- anything

Signed: `YOUR_NAME`
"""


def drafted(pack: Rules, *checks: Any, **facts: Any) -> Draft:
    return draft_of(evidence(**facts), pack, verdict("pending", signoff=None, checks=checks))


def passing(**fields: Any) -> Any:
    return check(1, id="checks", title="checks", links=LINKS, **fields)


def test_the_form_is_unticked_and_holds_the_evidence_before_the_signature() -> None:
    draft = drafted(text_pack(FORM), passing())
    assert draft.form == FORM.replace("[x]", "[ ]").replace(
        "- anything\n", f"- anything\n- {RUN}\n- {RUN}/job/1\n"
    )
    assert draft.found == tuple(Found("1 (checks)", link) for link in LINKS)


def test_without_a_signature_line_the_evidence_ends_the_form() -> None:
    form = f"{PHRASE}:\n- [ ] Run it.\n"
    assert drafted(text_pack(form), passing()).form == f"{form}- {RUN}\n- {RUN}/job/1\n"


def test_only_what_was_proven_without_a_signer_is_evidence() -> None:
    owner = check(0, id="owner", links=LINKS)
    for other in (owner, passing(status="fail"), passing(status="review")):
        draft = drafted(text_pack(FORM), other)
        assert (draft.found, draft.form) == ((), FORM.replace("[x]", "[ ]"))


def test_a_form_that_cannot_be_read_says_why() -> None:
    pack = rules(file="docs/form.md")
    path = "docs/form.md"
    lost = RepositoryFile(path=path, ref="x", text=Unread(unread="HTTP 500"))
    draft = drafted(pack, contents=(lost,))
    assert draft.form is None
    assert draft.no_form == "the form could not be read: HTTP 500"
    there = RepositoryFile(path=path, ref="x", text=f"# Sign\n\n{FORM}")
    assert drafted(pack, contents=(there,)).form == FORM.replace("[x]", "[ ]")
    assert pack.needs.template
    for unnamed in (rules(), text_pack("no form at all, but ten letters")):
        assert (drafted(unnamed).form, drafted(unnamed).no_form) == (None, None)


def owners(text: str) -> dict[str, Any]:
    file = RepositoryFile(path="CODEOWNERS", ref="refs/heads/main", text=text)
    return {"codeowners": file, "files": (changed("a.py"), changed("docs/b.md"), changed("c.c"))}


def test_who_may_sign_is_told_by_what_they_may_sign_for() -> None:
    facts = owners("* @octo-org/core\n*.py @octavia-chen @bram-ito\n/docs/\n")
    draft = drafted(rules(catch_all="any-owner"), **facts)
    everybody = ("@octo-org/core", "@octavia-chen", "@bram-ito")
    assert draft.owned == (
        Owned(("a.py",), ("@octavia-chen", "@bram-ito"), anybody=False),
        Owned(("c.c",), everybody, anybody=True),
        Owned(("docs/b.md",), everybody, anybody=True),
    )
    assert not draft.together
    closed = drafted(rules(unowned="fail", catch_all="owner"), **facts).owned
    assert [one.owners for one in closed] == [
        ("@octo-org/core",),
        ("@octavia-chen", "@bram-ito"),
        (),
    ]


@pytest.mark.parametrize(
    "facts",
    [
        {"codeowners": Unread(unread="no")},
        {"codeowners": RepositoryFile(path="CODEOWNERS", ref="x", text=None)},
        {"files": Unread(unread="no")},
    ],
)
def test_unknown_owners_are_left_out(facts: dict[str, Any]) -> None:
    assert drafted(text_pack(FORM), **facts).owned == ()


@pytest.mark.parametrize("name", shipped_names())
def test_nothing_that_was_filled_in_can_pass_for_a_reason(name: str) -> None:
    """A signer who only ticks and signs the draft has given no reason for what they left open."""
    pack = load_named(name)
    text = pack.signoff.template or load_named("default").signoff.template or ""
    template = read_template(text, pack.signoff.phrase)
    assert template is not None
    by_itself = next(c for c in pack.checks if not c.kind.needs_signoff)
    found = check(by_itself.number, id=by_itself.id, links=LINKS)
    pack = replace(pack, signoff=pack.signoff.model_copy(update={"template": text}))
    pack = replace(pack, signoff=pack.signoff.model_copy(update={"template_file": None}))
    form = drafted(pack, found).form
    assert form is not None
    assert RUN in form
    signed = comment(re.sub("Signed:.*", "Signed: octavia-chen", form.replace("[ ]", "[x]")))
    (signoff,) = find_signoffs([signed], pack.signoff)
    assert signoff.completed
    assert not signoff.problems
    assert {link.url for link in signoff.form.links} >= {RUN}
    reasons = read_reasons(signoff.form.details, template.details)
    for number, item in enumerate(template.items, start=1):
        assert find_reason(number, item.text, reasons) is None


def test_a_draft_that_is_ticked_and_signed_passes() -> None:
    pack = load_named("default")
    facts = evidence(
        contents=(RepositoryFile(path=".github/SIGNOFF_TEMPLATE.md", ref="x", text=None),)
    )
    form = draft_of(facts, pack, evaluate(facts, pack)).form
    assert form is not None
    signed = re.sub("Signed:.*", "Signed: octavia-chen", form.replace("[ ]", "[x]"))
    judged = evaluate(
        facts.model_copy(update={"comments": (comment(signed, account("octavia-chen")),)}), pack
    )
    statuses = {c.id: c.status for c in judged.checks}
    assert (statuses["codeowner"], statuses["checklist"]) == ("pass", "pass")
    assert judged.signoff is not None
    assert judged.signoff.completed
