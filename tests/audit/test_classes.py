"""Classes from verdicts: what decides, and what must not be guessed."""

from __future__ import annotations

import pytest
from support.build import HEAD, changed, comment, evidence, pull

from signoff_bot.audit.classes import rule_merged, rule_open, who_can_fix
from signoff_bot.evaluate import evaluate
from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.model import Evidence
from signoff_bot.evidence.pull import Push
from signoff_bot.evidence.repository import RepositoryFile
from signoff_bot.packs.load import load_text

PHRASE = "I have reviewed this"
UNREAD = Unread(unread="GitHub failed")
LATE_PUSH = Push(sha=HEAD, at="2026-06-25T11:00:00Z", actor=None)
EARLY_PUSH = Push(sha=HEAD, at="2026-06-25T09:00:00Z", actor=None)


def signed(by: str = "octavia-chen", **fields: object) -> object:
    return comment(f"{PHRASE}\n- [x] Looked.\n", by, **fields)


def facts(*comments: object, **fields: object) -> Evidence:
    given = {"push": EARLY_PUSH, **fields}
    return evidence(comments=comments, **given)


TWO = load_text(
    "schema: signoff-bot/rules/v1\nname: two\ndescription: An owner signs what is there.\n"
    f"signoff: {{phrase: {PHRASE}}}\npublish: {{context: two}}\nchecks:\n"
    "  owner: {kind: codeowner, number: 0}\n  fresh: {kind: fresh, number: 1}\n",
    "two.yml",
)


@pytest.mark.parametrize(
    ("given", "class_", "failing"),
    [
        (facts(signed()), "ready", []),
        (facts(), "pending", []),
        (facts(signed(), push=LATE_PUSH), "stale", ["fresh"]),
        (facts(signed("bram-ito")), "rejected", ["owner"]),
        (facts(signed("bram-ito"), push=LATE_PUSH), "rejected", ["owner", "fresh"]),
        (facts(comment(f"not yet: {PHRASE}")), "rejected", []),
        (facts(signed(), codeowners=UNREAD), "not-judged", ["owner"]),
        (facts(signed(), push=LATE_PUSH, codeowners=UNREAD), "not-judged", ["owner", "fresh"]),
        (facts(signed("bram-ito"), push=UNREAD), "rejected", ["owner", "fresh"]),
    ],
)
def test_open(given: Evidence, class_: str, failing: list[str]) -> None:
    ruling = rule_open(evaluate(given, TWO), TWO)
    assert ruling.class_ == class_
    assert [check.id for check in ruling.failing if check.status != "blocked"] == failing
    assert ruling.reasons or class_ == "ready"


OWNER, STRANGER = signed(id=1), signed("bram-ito", id=2, created_at="2026-06-25T10:30:00Z")


@pytest.mark.parametrize(
    ("given", "class_"),
    [
        (facts(OWNER), "merged-ok"),
        (facts(), "merged-unsigned"),
        (facts(comment(f"not yet: {PHRASE}")), "merged-unsigned"),
        (facts(STRANGER), "merged-unsigned"),
        (facts(STRANGER, push=LATE_PUSH), "merged-unsigned"),
        (facts(OWNER, push=LATE_PUSH), "merged-rejected"),
        # The newest sign-off is a stranger's, and yet an owner had signed.
        (facts(OWNER, STRANGER, push=LATE_PUSH), "merged-rejected"),
        (facts(OWNER, STRANGER), "merged-ok"),
        (facts(OWNER, codeowners=UNREAD), "not-judged"),
        # That something fails is certain; whether an owner signed is not.
        (facts(OWNER, push=LATE_PUSH, codeowners=UNREAD), "not-judged"),
    ],
)
def test_merged(given: Evidence, class_: str) -> None:
    ruling = rule_merged(evaluate(given, TWO), given, TWO)
    assert ruling.class_ == class_
    assert ruling.reasons or class_ == "merged-ok"


@pytest.mark.parametrize(
    ("given", "people"),
    [
        (facts(signed()), ()),
        (facts(), ("@octavia-chen",)),
        (facts(signed("bram-ito")), ("@octavia-chen",)),
        (facts(signed(), push=LATE_PUSH), ("@octavia-chen",)),
        (facts(signed("bram-ito"), push=LATE_PUSH), ("@octavia-chen", "@bram-ito")),
    ],
)
def test_who_can_help(given: Evidence, people: tuple[str, ...]) -> None:
    ruling = rule_open(evaluate(given, TWO), TWO)
    assert who_can_fix(ruling, given, TWO) == people


@pytest.mark.parametrize(
    ("lines", "people"),
    [
        ("/a/ @ana @bo\n/b/ @bo @cy\n", ("@bo",)),
        ("/a/ @ana\n/b/ @bo\n", ("@ana", "@bo")),
        ("/c/ @ana\n", ("@ana",)),
        ("", ()),
    ],
)
def test_owners_of_everything_come_before_owners_of_a_part(
    lines: str, people: tuple[str, ...]
) -> None:
    given = facts(
        files=(changed("a/x"), changed("b/y")),
        codeowners=RepositoryFile(path="CODEOWNERS", ref="refs/heads/main", text=lines),
    )
    ruling = rule_open(evaluate(given, TWO), TWO)
    assert who_can_fix(ruling, given, TWO) == people


def test_what_needs_no_signer_is_the_authors_to_fix() -> None:
    given = facts(signed(), head_runs=(), check_runs=(), required_checks=(), pull=pull())
    rules = load_text(
        "schema: signoff-bot/rules/v1\nname: x\ndescription: d.\n"
        f"signoff: {{phrase: {PHRASE}}}\npublish: {{context: small}}\n"
        "checks:\n  ci: {kind: checks, number: 1}\n",
        "x.yml",
    )
    ruling = rule_open(evaluate(given, rules), rules)
    assert ruling.class_ == "rejected"
    assert who_can_fix(ruling, given, rules) == ("@kiri-lund",)
