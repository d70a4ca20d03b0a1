"""The evaluator's own rules, with check kinds that answer what a test tells them."""

import itertools
from dataclasses import replace

import pytest
from support.build import account, comment, evidence, pull

from signoff_bot.checks.base import CheckKind, Finding, Parameters
from signoff_bot.checks.needs import Needs
from signoff_bot.evaluate import evaluate
from signoff_bot.evidence.base import NOT_COLLECTED, MissingEvidence, Unread
from signoff_bot.evidence.conversation import History, SignoffRef
from signoff_bot.packs.model import Check, Publication, Rules
from signoff_bot.reading.settings import SignoffRules

PHRASE = "As a reviewer I have reviewed this and have"
SIGNED = f"{PHRASE}:\n- [x] Verified it\n\nSigned: octavia-chen\n"
UNTICKED = f"{PHRASE}:\n- [ ] Verified it\n"
COMMENTS = (comment(SIGNED),)
MENTION = f"Could somebody post the form that begins with {PHRASE}, please?"


def check(id, answer, *, signoff=False, blocking=True, review_blocks=True, depends_on=None):
    """A check whose kind gives `answer`: a status, an exception, or a function of the case."""

    def judge(case, _parameters):
        if isinstance(answer, Exception):
            raise answer
        return Finding(answer(case) if callable(answer) else answer, f"{id} says so")

    kind = CheckKind(id, "doc", Parameters, lambda _: Needs(), judge, needs_signoff=signoff)
    number = int(id[1:])
    return Check(id, number, id, kind, Parameters(), blocking, review_blocks, depends_on)


def rules(*checks, **signoff):
    publish = Publication(context="test")
    return Rules(
        "test",
        "A pack.",
        SignoffRules(phrase=PHRASE, **signoff),
        publish,
        "UTC",
        checks,
        {},
        "sha256:0",
    )


def judge(*checks, comments=COMMENTS, signoff=None, **settings):
    return evaluate(evidence(comments=comments, signoff=signoff), rules(*checks, **settings))


def statuses(verdict):
    return [c.status for c in verdict.checks]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (("pass",), "pass"),
        (("pass", "na"), "pass"),
        (("na",), "pass"),
        (("fail", "pass"), "fail"),
        (("error", "pass"), "error"),
        (("error", "fail"), "fail"),
        (("review", "pass"), "fail"),
        (("review", "error"), "fail"),
    ],
)
def test_the_verdict_is_what_the_blocking_checks_add_up_to(found, expected):
    for order in itertools.permutations(found):
        verdict = judge(*(check(f"c{n}", status) for n, status in enumerate(order)))
        assert verdict.verdict == expected


def test_an_advisory_check_only_warns():
    for status in ("fail", "error", "review", "blocked"):
        verdict = judge(check("c1", status, blocking=False))
        assert (verdict.verdict, statuses(verdict)) == ("pass", ["warn"])


def test_a_review_that_only_shows_does_not_block():
    verdict = judge(check("c1", "review", review_blocks=False))
    assert (verdict.verdict, statuses(verdict)) == ("pass", ["review"])


def test_missing_evidence_is_an_error_with_its_reason():
    verdict = judge(check("c1", MissingEvidence("GET /x answered 500")))
    assert (verdict.verdict, statuses(verdict)) == ("error", ["error"])
    assert verdict.checks[0].summary == "GET /x answered 500"
    assert verdict.checks[0].fix == "run the verification again once this can be read"
    verdict = judge(check("c1", MissingEvidence(f"configs/a.yaml: {NOT_COLLECTED}")))
    assert verdict.checks[0].fix == (
        "collect the evidence again for these rules: verify with --save-evidence"
    )


def test_a_check_is_blocked_while_the_one_it_depends_on_does_not_pass():
    for status in ("fail", "error", "review"):
        verdict = judge(check("c1", status), check("c2", "pass", depends_on="c1"))
        assert statuses(verdict) == [status, "blocked"]
        assert verdict.verdict != "pass"
        assert "check 1 (c1)" in verdict.checks[1].summary


def test_a_check_does_not_apply_where_the_one_it_depends_on_does_not():
    verdict = judge(check("c1", "na"), check("c2", "fail", depends_on="c1"))
    assert (verdict.verdict, statuses(verdict)) == ("pass", ["na", "na"])


def test_a_blocking_check_that_is_blocked_never_passes():
    verdict = judge(
        check("c1", "review", review_blocks=False), check("c2", "pass", depends_on="c1")
    )
    assert verdict.verdict == "fail"


def test_while_nobody_signed_the_verdict_is_pending_and_other_checks_are_judged():
    verdict = judge(check("c1", "pass", signoff=True), check("c2", "fail"), comments=())
    assert verdict.verdict == "pending"
    assert verdict.signoff is None
    assert statuses(verdict) == ["blocked", "fail"]


def test_an_unreadable_conversation_is_an_error_not_pending():
    reason = Unread(unread="the reviews could not be read")
    verdict = judge(check("c1", "pass", signoff=True), check("c2", "pass"), comments=reason)
    assert (verdict.verdict, statuses(verdict)) == ("error", ["error", "pass"])
    assert verdict.checks[0].summary == reason.unread


def test_a_sign_off_that_is_not_completed_never_passes():
    for body in (UNTICKED, MENTION):
        verdict = judge(check("c1", "pass"), comments=(comment(body),))
        assert verdict.verdict == "fail"
        assert verdict.signoff.completed is False
        assert verdict.signoff.problems


def test_a_sign_off_whose_history_is_unreadable_is_an_error():
    unread = comment(SIGNED, history=Unread(unread="GraphQL answered 502"))
    verdict = judge(check("c1", "pass", signoff=True), check("c2", "pass"), comments=(unread,))
    assert (verdict.verdict, statuses(verdict)) == ("error", ["error", "pass"])
    assert verdict.checks[0].summary == "GraphQL answered 502"


def test_one_passing_sign_off_among_several_makes_the_pull_request_pass():
    good = comment(SIGNED, id=1)
    outsider = comment(SIGNED.replace("octavia-chen", "bram-ito"), "bram-ito", id=2)
    by_octavia = check(
        "c1",
        lambda case: "pass" if case.signoff.author.login == "octavia-chen" else "fail",
        signoff=True,
    )
    for comments in ((good, outsider), (outsider, good)):
        verdict = judge(by_octavia, comments=comments)
        assert (verdict.verdict, verdict.signoff.id) == ("pass", 1)


def test_of_three_sign_offs_the_one_in_the_middle_may_make_it_pass():
    said = [
        comment(SIGNED.replace("octavia-chen", by), by, id=n, created_at=f"2026-06-25T0{n}:00:00Z")
        for n, by in enumerate(("kiri-lund", "octavia-chen", "bram-ito"), start=1)
    ]
    by_octavia = check(
        "c1",
        lambda case: "pass" if case.signoff.author.login == "octavia-chen" else "fail",
        signoff=True,
    )
    verdict = judge(by_octavia, comments=tuple(said))
    assert (verdict.verdict, verdict.signoff.id) == ("pass", 2)


def test_an_older_sign_off_is_left_at_the_first_check_that_stops_it():
    said = tuple(comment(SIGNED, id=n) for n in (1, 2, 3))
    judged = []
    last = check("c2", lambda case: judged.append(case.signoff.comment.id) or "pass")
    verdict = judge(check("c1", "fail"), last, comments=said)
    assert (verdict.signoff.id, statuses(verdict), judged) == (3, ["fail", "pass"], [3])


def test_without_a_passing_one_the_newest_completed_sign_off_is_reported():
    old = comment(SIGNED, id=1, created_at="2026-06-25T08:00:00Z")
    new = comment(SIGNED, id=2, created_at="2026-06-25T09:00:00Z")
    later_mention = comment(MENTION, "bram-ito", id=3, created_at="2026-06-25T11:00:00Z")
    verdict = judge(check("c1", "fail"), comments=(later_mention, new, old))
    assert verdict.signoff.id == 2


def test_without_a_completed_one_the_newest_attempt_is_reported():
    old = comment(UNTICKED, id=1, created_at="2026-06-25T08:00:00Z")
    new = comment(MENTION, "bram-ito", id=3, created_at="2026-06-25T11:00:00Z")
    assert judge(check("c1", "pass"), comments=(new, old)).signoff.id == 3


def test_asking_for_one_sign_off_judges_that_one_alone():
    good = comment(SIGNED, id=1)
    poor = comment(MENTION, "bram-ito", id=2)
    asked = SignoffRef(kind="comment", id=2)
    verdict = judge(check("c1", "pass"), comments=(good, poor), signoff=asked)
    assert (verdict.verdict, verdict.signoff.id) == ("fail", 2)


def test_a_review_and_a_comment_of_the_same_id_are_different_sign_offs():
    as_comment = comment(SIGNED, id=9)
    as_review = comment(MENTION, id=9, kind="review", review_state="COMMENTED", commit_sha="a" * 40)
    asked = SignoffRef(kind="review", id=9)
    verdict = judge(check("c1", "pass"), comments=(as_comment, as_review), signoff=asked)
    assert (verdict.verdict, verdict.signoff.kind) == ("fail", "review")


def test_signers_count_together_only_where_the_rules_combine_them():
    other = comment(SIGNED.replace("octavia-chen", "bram-ito"), "bram-ito", id=2)
    seen = []
    spy = check("c1", lambda case: seen.append(len(case.signers)) or "fail", signoff=True)
    for combine, expected in ((False, 1), (True, 2)):
        seen.clear()
        judge(spy, comments=(comment(SIGNED), other), combine=combine)
        assert set(seen) == {expected}


@pytest.mark.parametrize(
    ("answer", "expected"), [("pass", 2), ("na", 2), ("fail", 1), ("error", 1)]
)
def test_a_sign_off_counts_beside_another_only_if_it_stands_by_itself(answer, expected):
    other = comment(SIGNED.replace("octavia-chen", "bram-ito"), "bram-ito", id=2)
    seen = []

    def by_signer(case):
        return "pass" if case.signoff.author.login == "octavia-chen" else answer

    spy = check("c2", lambda case: seen.append(case.signers) or "pass", signoff=True)
    for blocking, signers in ((True, expected), (False, 2)):
        own = check("c1", by_signer, signoff=True, blocking=blocking)
        own = replace(own, kind=replace(own.kind, each_signer=True))
        seen.clear()
        judge(own, spy, comments=(comment(SIGNED), other), combine=True)
        counted = [s for s in seen if s[0].login == "octavia-chen"]
        assert max(map(len, counted)) == signers


@pytest.mark.parametrize(
    "voided",
    [
        {"by": account("helper[bot]", type="Bot")},
        {"by": None},
        {"history": History(edited_at=None, editors=(), minimized=True)},
        {
            "history": History(
                edited_at="2026-06-25T10:30:00Z", editors=(account("bram-ito"),), minimized=False
            )
        },
        {"kind": "review", "review_state": "DISMISSED", "commit_sha": "a" * 40},
    ],
    ids=["bot", "ghost", "minimized", "edited by another", "dismissed"],
)
def test_what_is_not_a_persons_own_standing_word_is_no_sign_off(voided):
    verdict = judge(check("c1", "pass"), comments=(comment(SIGNED, **voided),))
    assert verdict.verdict == "pending"


def test_an_own_edit_dates_the_sign_off_and_may_void_it():
    edited = History(
        edited_at="2026-06-25T11:11:11Z", editors=(account("octavia-chen"),), minimized=False
    )
    comments = (comment(SIGNED, history=edited),)
    counted = judge(check("c1", "pass"), comments=comments)
    assert (counted.verdict, counted.signoff.at) == ("pass", "2026-06-25T11:11:11Z")
    assert judge(check("c1", "pass"), comments=comments, own_edits="void").verdict == "fail"


def test_an_edit_by_an_account_that_is_gone_is_an_error():
    edited = History(edited_at="2026-06-25T11:11:11Z", editors=(None,), minimized=False)
    verdict = judge(check("c1", "pass", signoff=True), comments=(comment(SIGNED, history=edited),))
    assert verdict.verdict == "error"


def test_the_description_is_no_sign_off():
    assert (
        evaluate(evidence(pull=pull(title=PHRASE)), rules(check("c1", "pass"))).verdict == "pending"
    )


def test_the_order_of_the_evidence_changes_nothing():
    comments = [comment(SIGNED, id=n, created_at="2026-06-25T10:00:00Z") for n in range(3)]
    outcomes = set()
    for order in itertools.permutations(comments):
        data = evidence(comments=order)
        verdict = evaluate(data, rules(check("c1", "fail")))
        outcomes.add(verdict.model_copy(update={"evidence_digest": ""}).to_json())
    assert len(outcomes) == 1
