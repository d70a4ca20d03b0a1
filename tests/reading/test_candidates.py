"""Whose comments are sign-offs, when they were given, and what keeps them from counting."""

import pytest
from support.build import account, comment

from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.conversation import History
from signoff_bot.reading.candidates import find_signoffs, own_form
from signoff_bot.reading.settings import SignoffRules

PHRASE = "I approve this change and have"
RULES = SignoffRules(phrase=PHRASE)
FORM = f"{PHRASE}:\n- [x] Verified it\n"
POSTED, EDITED = "2026-06-25T10:00:00Z", "2026-06-25T11:00:00Z"
OCTAVIA, BRAM = account("octavia-chen"), account("bram-ito")


def edited(*editors, at=EDITED):
    return History(edited_at=at, editors=editors, minimized=False)


def only(*comments, rules=RULES):
    (signoff,) = find_signoffs(comments, rules)
    return signoff


@pytest.mark.parametrize("kind", ["comment", "review", "review_comment"])
def test_a_sign_off_is_found_wherever_a_person_can_write(kind):
    signoff = only(comment(FORM, OCTAVIA, kind=kind))
    assert (signoff.completed, signoff.author, signoff.at) == (True, OCTAVIA, POSTED)
    assert (signoff.problems, signoff.unread) == ((), None)


NOT_SIGNED = {
    "a bot": comment(FORM, account("helper[bot]", type="Bot")),
    "an organization": comment(FORM, account("Acme", type="Organization")),
    "a deleted account": comment(FORM, None),
    "a dismissed review": comment(FORM, OCTAVIA, kind="review", review_state="DISMISSED"),
    "minimized": comment(
        FORM, OCTAVIA, history=History(edited_at=None, editors=(), minimized=True)
    ),
    "edited by somebody else": comment(FORM, OCTAVIA, history=edited(BRAM)),
    "edited by both": comment(FORM, OCTAVIA, history=edited(OCTAVIA, BRAM)),
    "edited by another account of that name": comment(
        FORM, OCTAVIA, history=edited(account("octavia-chen", id=1))
    ),
    "quoted": comment("".join(f"> {line}\n" for line in FORM.splitlines()), OCTAVIA),
    "about something else": comment("LGTM", OCTAVIA),
}


@pytest.mark.parametrize("said", NOT_SIGNED.values(), ids=NOT_SIGNED)
def test_what_is_not_a_persons_own_standing_word_is_no_sign_off(said):
    assert find_signoffs([said], RULES) == ()


@pytest.mark.parametrize("state", ["APPROVED", "COMMENTED"])
def test_a_review_may_approve_or_only_comment(state):
    assert only(comment(FORM, OCTAVIA, kind="review", review_state=state)).completed


def test_a_review_that_requests_changes_contradicts_its_own_sign_off():
    signoff = only(comment(FORM, OCTAVIA, kind="review", review_state="CHANGES_REQUESTED"))
    assert not signoff.completed
    (problem,) = signoff.problems
    assert str(problem) == "line 1: the review requests changes; sign off in one that does not"


def test_what_keeps_a_sign_off_from_counting_is_told_together():
    contradicting = comment(
        f"{FORM}\nSigned: bram-ito\n",
        OCTAVIA,
        kind="review",
        review_state="CHANGES_REQUESTED",
        history=edited(OCTAVIA),
    )
    signoff = only(contradicting, rules=SignoffRules(phrase=PHRASE, own_edits="void"))
    assert [problem.message.split()[0] for problem in signoff.problems] == [
        "`Signed:`",
        "the",
        "edited",
    ]


def test_an_authors_own_edit_dates_the_sign_off_at_the_edit():
    signoff = only(comment(FORM, OCTAVIA, history=edited(OCTAVIA)))
    assert (signoff.completed, signoff.at) == (True, EDITED)


def test_an_authors_own_edit_voids_the_sign_off_where_the_rules_say_so():
    rules = SignoffRules(phrase=PHRASE, own_edits="void")
    signoff = only(comment(FORM, OCTAVIA, history=edited(OCTAVIA)), rules=rules)
    assert not signoff.completed
    assert str(signoff.problems[0]).startswith("line 1: edited after it was posted")
    assert "post the sign-off anew" in signoff.problems[0].message
    assert only(comment(FORM, OCTAVIA), rules=rules).completed


UNKNOWN_HISTORIES = {
    "not read": Unread(unread="GitHub did not answer (502)"),
    "editor gone": edited(None),
    "editor gone beside the author": edited(OCTAVIA, None),
    "editor not told": edited(),
    "time not told": edited(OCTAVIA, at=None),
}


@pytest.mark.parametrize("history", UNKNOWN_HISTORIES.values(), ids=UNKNOWN_HISTORIES)
def test_an_unknown_history_decides_nothing_and_says_why(history):
    signoff = only(comment(FORM, OCTAVIA, history=history))
    assert not signoff.completed
    assert signoff.unread is not None
    assert "GitHub" in signoff.unread


def sign(line, by=OCTAVIA):
    return only(comment(f"{FORM}\n{line}\n", by))


@pytest.mark.parametrize("name", ["octavia-chen", "Octavia-Chen", "`@OCTAVIA-CHEN`"])
def test_a_signature_names_the_author_in_any_letter_case(name):
    assert sign(f"Signed: {name}").completed


WRONG_NAMES = {
    "another person": ("Signed: bram-ito", "names 'bram-ito', but the comment is by octavia-chen"),
    "placeholder": ("Signed: `FILL_IN_GITHUB_USERNAME`", "placeholder FILL_IN_GITHUB_USERNAME"),
    "another placeholder": ("Signed: YOUR-LOGIN", "placeholder YOUR-LOGIN"),
    "nobody": ("Signed:", "`Signed:` names nobody; write"),
    "look-alike": ("Signed: \u043ectavia-chen", "U+043E CYRILLIC SMALL LETTER O"),
    "two look-alikes": (
        "Signed: \u043ect\u0430via-chen",
        "(which holds U+043E CYRILLIC SMALL LETTER O, U+0430 CYRILLIC SMALL LETTER A), but",
    ),
    "two names": ("Signed: octavia-chen and bram-ito", "names 'octavia-chen and bram-ito'"),
}


@pytest.mark.parametrize(("line", "says"), WRONG_NAMES.values(), ids=WRONG_NAMES)
def test_a_signature_that_does_not_name_the_author_voids_the_sign_off(line, says):
    signoff = sign(line)
    assert not signoff.completed
    (problem,) = signoff.problems
    assert says in problem.message
    assert problem.message.endswith("write `Signed: octavia-chen`")
    assert problem.line == 4


def test_a_letter_that_only_lower_case_makes_equal_does_not_sign():
    assert not sign("Signed: \u212airi-lund", account("kiri-lund")).completed


def test_a_remark_about_one_box_leaves_the_sign_off_completed():
    signoff = only(comment(f"{FORM}- [ x] Verified more\n", OCTAVIA))
    assert signoff.completed
    assert [problem.line for problem in signoff.problems] == [3]


def test_a_mention_is_not_told_off_for_a_signature_it_only_shows():
    signoff = only(comment(f"Write {PHRASE}, and then\n\nSigned: YOUR_NAME\n", OCTAVIA))
    assert not signoff.completed
    assert [problem.line for problem in signoff.problems] == [1]


def test_sign_offs_come_oldest_first_whatever_the_order_of_the_comments():
    first = comment(FORM, OCTAVIA, id=9, created_at="2026-06-25T09:00:00Z")
    second = comment(FORM, BRAM, id=3)
    third = comment(FORM, OCTAVIA, id=4)
    last = comment(FORM, BRAM, id=1, history=edited(BRAM))
    for given in ([first, second, third, last], [last, third, second, first]):
        assert [s.comment.id for s in find_signoffs(given, RULES)] == [9, 3, 4, 1]


def test_own_form_asks_nothing_of_the_history():
    said = comment(FORM, OCTAVIA, history=Unread(unread="not asked for"))
    form = own_form(said, PHRASE)
    assert form is not None
    assert form.shape == "complete"
    assert own_form(comment("LGTM", OCTAVIA), PHRASE) is None
    assert own_form(comment(FORM, None), PHRASE) is None
