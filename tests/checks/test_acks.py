"""A named person clears what a machine cannot decide, and nothing else."""

from dataclasses import replace

import pytest
from support.build import HEAD, account, comment, evidence, pull

from signoff_bot.checks.acks import find_acks
from signoff_bot.checks.base import CheckKind, Finding, Parameters, Reference
from signoff_bot.checks.needs import Needs
from signoff_bot.evaluate import evaluate
from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.conversation import History
from signoff_bot.evidence.pull import Push
from signoff_bot.evidence.repository import Access
from signoff_bot.packs.model import Check, Publication, Rules
from signoff_bot.reading.settings import SignoffRules

PHRASE = "As a reviewer I have reviewed this and have"
SIGNED = comment(f"{PHRASE}:\n- [x] Verified it\n", "octavia-chen", id=1)
PUSHED, AFTER = "2026-06-25T09:00:00Z", "2026-06-25T11:00:00Z"
PUSH = Push(sha=HEAD, at=PUSHED, actor=account("kiri-lund"))
FOUND = Finding(
    "review",
    "line 7 patches the engine",
    ("bench.sh:7: patch -p1",),
    "look at it",
    (Reference("bench.sh", "https://github.com/x"),),
    run_id=9,
)
UNREAD = Unread(unread="GitHub answered 502")


def ack(body="/signoff-ack patch", by="ines-varga", **fields):
    return comment(body, by, **({"id": 2, "created_at": AFTER} | fields))


def access(login="ines-varga", permission="write"):
    who = account(login)
    return Access(id=who.id, login=login, permission=permission)


def check(id, number, finding, **fields):
    kind = CheckKind(
        id, "doc", Parameters, lambda _: Needs(), lambda *_: finding, needs_signoff=False
    )
    given = {"blocking": True, "review_blocks": True, "depends_on": None} | fields
    return Check(id, number, id, kind, Parameters(), **given)


def judge(*comments, finding=FOUND, check_fields=None, more=(), signers=(SIGNED,), **facts):
    signoff = SignoffRules(phrase=PHRASE, combine=len(signers) > 1)
    checks = (check("patch", 10, finding, **(check_fields or {})), *more)
    publish = Publication(context="test")
    rules = Rules("t", "A pack.", signoff, publish, "UTC", checks, {}, "sha256:0")
    facts = {"push": PUSH, "access": (access(),)} | facts
    return evaluate(evidence(comments=(*signers, *comments), **facts), rules)


def told(verdict):
    (first, *_) = verdict.checks
    return "\n".join([first.summary, *first.details, first.fix or ""])


@pytest.mark.parametrize("name", ["patch", "10"])
def test_a_maintainers_command_clears_the_finding_and_is_shown(name):
    verdict = judge(ack(f"I looked at it.\n\n/signoff-ack {name}"))
    (found,) = verdict.checks
    assert (verdict.verdict, found.status) == ("pass", "pass")
    assert found.summary == FOUND.summary
    assert found.details == (f"looked at and cleared by ines-varga at {AFTER}", *FOUND.details)
    assert found.fix is None
    assert [link.label for link in found.links] == ["bench.sh", "cleared by ines-varga"]
    assert found.links[-1].url.endswith("#issuecomment-2")


def test_without_a_command_the_finding_blocks_and_says_how_to_clear_it():
    verdict = judge()
    assert (verdict.verdict, verdict.checks[0].status) == ("fail", "review")
    clear = "a maintainer who neither wrote nor signed it may clear this: /signoff-ack patch"
    assert verdict.checks[0].fix == f"look at it; or {clear}"
    assert judge(finding=replace(FOUND, fix=None)).checks[0].fix == clear


def test_what_rests_on_a_cleared_finding_may_pass_too():
    rest = check("eval", 11, Finding("pass", "fine"), depends_on="patch")
    assert [c.status for c in judge(ack(), more=(rest,)).checks] == ["pass", "pass"]
    assert [c.status for c in judge(more=(rest,)).checks] == ["review", "blocked"]


OTHER_SIGNER = comment(f"{PHRASE}:\n- [x] Verified it\n", "bram-ito", id=3)


@pytest.mark.parametrize(
    ("said", "facts", "reason"),
    [
        (
            ack(association="CONTRIBUTOR"),
            {},
            "they are no owner, member or collaborator of the repository",
        ),
        (ack(by="kiri-lund"), {}, "they are the author of the pull request"),
        (ack(by="octavia-chen"), {}, "they are a signer"),
        (ack(by="bram-ito"), {"signers": (SIGNED, OTHER_SIGNER)}, "they are a signer"),
        (ack(created_at=PUSHED), {}, f"the head was pushed at {PUSHED}"),
        (ack(created_at="2026-06-25T08:59:59Z"), {}, f"the head was pushed at {PUSHED}"),
        (
            ack(kind="review", commit_sha="c" * 40, created_at=PUSHED),
            {},
            f"the head was pushed at {PUSHED}",
        ),
        (ack(), {"access": (access(permission="read"),)}, "they have no write access"),
        (ack(), {"access": (access(permission="none"),)}, "they have no write access"),
    ],
)
def test_a_command_that_does_not_count_leaves_the_finding_and_says_why(said, facts, reason):
    verdict = judge(said, **facts)
    (found,) = verdict.checks
    assert (verdict.verdict, found.status, found.summary) == ("fail", "review", FOUND.summary)
    assert found.details == (
        *FOUND.details,
        f"/signoff-ack patch by {said.author.login} at {said.created_at} does not count: {reason}",
    )


@pytest.mark.parametrize("body", ["/signoff-ack patches", "/signoff-ack", "/signoff-ack patch it"])
def test_a_command_for_no_check_is_told_too(body):
    verdict = judge(ack(body))
    assert (verdict.verdict, verdict.checks[0].status) == ("fail", "review")
    assert verdict.checks[0].details[-1] == f"{body} by ines-varga at {AFTER} names no check"


def test_a_command_as_long_as_a_comment_is_shown_in_short():
    verdict = judge(ack(f"/signoff-ack {'x' * 900}"))
    assert verdict.checks[0].details[-1].startswith(f"/signoff-ack {'x' * 46}… by ines-varga")


@pytest.mark.parametrize(
    "hidden",
    [
        ack("> /signoff-ack patch"),
        ack(by=None),
        ack(by=account("ines-varga", type="Bot")),
        ack(history=History(edited_at=None, editors=(), minimized=True)),
        ack(history=History(edited_at=AFTER, editors=(account("bram-ito"),), minimized=False)),
    ],
    ids=["quoted", "ghost", "bot", "minimized", "edited by another"],
)
def test_what_is_nobodys_standing_word_clears_nothing(hidden):
    verdict = judge(hidden)
    assert (verdict.verdict, verdict.checks[0].status) == ("fail", "review")


def test_a_command_for_another_check_says_nothing_here():
    other = check("sweep", 1, FOUND)
    verdict = judge(ack("/signoff-ack 1"), more=(other,))
    assert [c.status for c in verdict.checks] == ["pass", "review"]
    assert "ines-varga" not in told(verdict.model_copy(update={"checks": verdict.checks[1:]}))


@pytest.mark.parametrize(
    ("said", "facts", "reason"),
    [
        (ack(history=UNREAD), {}, UNREAD.unread),
        (ack(), {"push": UNREAD}, UNREAD.unread),
        (ack(), {"access": (access(permission=UNREAD),)}, UNREAD.unread),
        (ack(), {"access": ()}, "what ines-varga may do in the repository: not collected"),
        (
            ack(),
            {"push": Push(sha="c" * 40, at=PUSHED, actor=None)},
            f"the last push on record is {'c' * 40}, but the head is {HEAD}",
        ),
    ],
    ids=["history", "push", "access", "not asked", "another head"],
)
def test_a_command_that_cannot_be_judged_makes_an_error_that_says_so(said, facts, reason):
    verdict = judge(said, **facts)
    (found,) = verdict.checks
    assert (verdict.verdict, found.status) == ("error", "error")
    beginning = f"whether ines-varga may clear this cannot be told: {reason}"
    assert found.summary.startswith(beginning)
    assert found.details == (FOUND.summary, *FOUND.details)
    assert found.fix == "run the verification again once this can be read"


def test_one_command_that_counts_is_enough_whatever_the_others_are():
    fine = ack(by="noor-nv", id=9)
    verdict = judge(
        ack(history=UNREAD), ack(by="kiri-lund", id=8), fine, access=(access("noor-nv"),)
    )
    assert verdict.checks[0].details[0].startswith("looked at and cleared by noor-nv")


def test_a_review_on_the_head_needs_no_clock():
    on_head = ack(kind="review", commit_sha=HEAD, created_at=PUSHED, review_state="COMMENTED")
    assert judge(on_head, push=UNREAD).verdict == "pass"
    edited = History(edited_at=AFTER, editors=(account("ines-varga"),), minimized=False)
    moved = on_head.model_copy(update={"history": edited})
    assert judge(moved, push=UNREAD).verdict == "error"


@pytest.mark.parametrize("permission", ["write", "admin"])
def test_whoever_may_write_may_clear(permission):
    assert judge(ack(), access=(access(permission=permission),)).verdict == "pass"


def test_an_author_who_is_gone_bars_nobody():
    assert judge(ack(), pull=pull(author=None)).verdict == "pass"


def test_a_failure_cannot_be_cleared():
    verdict = judge(ack(), finding=replace(FOUND, status="fail"))
    assert (verdict.verdict, verdict.checks[0].status) == ("fail", "fail")
    said = f"/signoff-ack patch by ines-varga at {AFTER} clears nothing: it is a failure"
    assert verdict.checks[0].details == (*FOUND.details, said)
    assert "ines-varga" not in told(judge(finding=replace(FOUND, status="fail")))


@pytest.mark.parametrize("status", ["pass", "na", "error", "blocked"])
def test_other_findings_stay_as_they_are(status):
    finding = replace(FOUND, status=status)
    assert judge(ack(), finding=finding).checks == judge(finding=finding).checks


def test_a_review_that_only_shows_needs_no_clearing():
    verdict = judge(ack(), check_fields={"review_blocks": False})
    assert (verdict.verdict, verdict.checks[0].status) == ("pass", "review")
    assert judge(ack(), check_fields={"blocking": False}).checks[0].status == "warn"


def test_before_anybody_signed_a_finding_may_already_be_cleared():
    verdict = judge(ack(), signers=())
    assert (verdict.verdict, verdict.checks[0].status) == ("pending", "pass")


def test_a_conversation_that_could_not_be_read_holds_no_command():
    assert find_acks(evidence(comments=UNREAD)) == ()
    assert [str(found) for found in find_acks(evidence(comments=(ack(),)))] == [
        "/signoff-ack patch"
    ]


def test_many_commands_that_count_for_nothing_are_told_in_part():
    many = [ack(by="kiri-lund", id=n) for n in range(2, 60)]
    assert told(judge(*many)).count("does not count") == 5
