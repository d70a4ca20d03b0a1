"""A sign-off must be newer than the last change."""

import pytest
from support.build import HEAD, account, changed, comment, evidence

from signoff_bot.checks.base import Case, Finding
from signoff_bot.checks.fresh import KIND, FreshParameters
from signoff_bot.evidence.base import MissingEvidence, Unread
from signoff_bot.evidence.conversation import History
from signoff_bot.evidence.pull import EarlierChange, Push
from signoff_bot.reading.candidates import find_signoffs
from signoff_bot.reading.settings import SignoffRules

PHRASE = "I approve this change and have"
OLDER = "c" * 40
BEFORE, AT, AFTER = "2026-06-25T09:59:59Z", "2026-06-25T10:00:00Z", "2026-06-25T10:00:01Z"
PUSH = Push(sha=HEAD, at=AT, actor=account("kiri-lund"))
UNREAD = Unread(unread="the activity of the fork could not be read")


def judge(push=PUSH, edited=None, facts=None, **said):
    rules = SignoffRules(phrase=PHRASE)
    author = account("octavia-chen")
    history = History(edited_at=edited, editors=(author,) if edited else (), minimized=False)
    written = comment(f"{PHRASE}\n- [x] Verified it\n", author, history=history, **said)
    (signoff,) = find_signoffs([written], rules)
    found = evidence(comments=(written,), push=push, **(facts or {}))
    case = Case(found, rules, signoff, (author,))
    return KIND.judge(case, FreshParameters())


@pytest.mark.parametrize("push", [PUSH, UNREAD])
@pytest.mark.parametrize("kind", ["review", "review_comment"])
def test_a_review_on_the_head_is_fresh_whatever_the_clock_says(kind, push):
    finding = judge(push, kind=kind, commit_sha=HEAD, created_at=BEFORE)
    assert (finding.status, finding.fix) == ("pass", None)
    assert finding.summary == "the sign-off was made on the head aaaaaaa"


STALE = {
    "comment before the push": {"created_at": BEFORE},
    "comment in the same second": {"created_at": AT},
    "comment edited before the push": {"created_at": "2026-06-24T10:00:00Z", "edited": BEFORE},
    "review on an older commit": {"kind": "review", "commit_sha": OLDER, "created_at": AFTER},
    "line comment on an older commit": {
        "kind": "review_comment",
        "commit_sha": OLDER,
        "created_at": AFTER,
    },
    "review on the head edited before it was pushed again": {
        "kind": "review",
        "commit_sha": HEAD,
        "created_at": "2026-06-24T10:00:00Z",
        "edited": BEFORE,
    },
    "review whose commit is unknown": {"kind": "review", "created_at": BEFORE},
}


@pytest.mark.parametrize("said", STALE.values(), ids=STALE)
def test_a_sign_off_that_did_not_come_after_the_push_is_stale(said):
    finding = judge(**said)
    assert finding.status == "fail"
    assert finding.summary.endswith(f", and the head aaaaaaa was pushed by @kiri-lund at {AT}")
    assert finding.fix == "look at what changed since, then post the sign-off again"
    assert finding.links[0].label == "commit aaaaaaa"
    page = f"https://github.com/SemiAnalysisAI/InferenceX/commit/{HEAD}"
    assert finding.links[0].url == page


FILE = changed("src/app.py", patch="@@ -1 +1 @@\n-a\n+b", sha="1" * 40)
NEW = changed("src/new.py", status="added", sha="2" * 40)
THEN = Push(id=1, sha=OLDER, at="2026-06-25T09:00:00Z", actor=account("kiri-lund"))
MERGED = {
    "pushes": (THEN, PUSH),
    "files": (FILE, NEW),
    "earlier_changes": (EarlierChange(sha=OLDER, files=(NEW, FILE)),),
}
GIVEN = {
    "comment": {"created_at": BEFORE},
    "own edit": {"created_at": "2026-06-24T10:00:00Z", "edited": BEFORE},
    "review": {"kind": "review", "commit_sha": OLDER, "created_at": BEFORE},
    "review after the push": {"kind": "review", "commit_sha": OLDER, "created_at": AFTER},
}


@pytest.mark.parametrize("said", GIVEN.values(), ids=GIVEN)
def test_a_push_that_changes_nothing_is_excused(said):
    finding = judge(facts=MERGED, **said)
    assert (finding.status, finding.fix) == ("pass", None)
    assert finding.summary == (
        f"pushed again at {AT}, after the sign-off; what the pull request changes is the same as "
        "before, file by file"
    )


CHANGED_SINCE = {
    "other content": ({"files": (FILE.model_copy(update={"sha": "3" * 40}), NEW)}, "src/app.py"),
    "other diff": (
        {"files": (FILE.model_copy(update={"patch": "@@ -9 +9 @@\n-a\n+b"}), NEW)},
        "src/app.py is changed differently",
    ),
    "more": ({"files": (FILE, NEW, changed("x.py", patch="", sha="4" * 40))}, "x.py was not"),
    "fewer": ({"files": (FILE,)}, "src/new.py is no longer"),
    "renamed": (
        {"files": (FILE.model_copy(update={"previous_path": "src/old.py"}), NEW)},
        "src/app.py",
    ),
    "no diff shown": (
        {
            "files": (FILE.model_copy(update={"patch": None}),),
            "earlier_changes": (
                EarlierChange(sha=OLDER, files=(FILE.model_copy(update={"patch": None}),)),
            ),
        },
        ": GitHub shows no diff of src/app.py",
    ),
    "no content told": (
        {
            "files": (NEW.model_copy(update={"sha": None}),),
            "earlier_changes": (
                EarlierChange(sha=OLDER, files=(NEW.model_copy(update={"sha": None}),)),
            ),
        },
        "src/new.py",
    ),
    "files unread": ({"files": UNREAD}, "could not be read"),
    "not compared": (
        {"earlier_changes": (EarlierChange(sha=OLDER, files=UNREAD),)},
        "could not be read",
    ),
    "not collected": ({"earlier_changes": ()}, "not collected"),
    "pushes unread": ({"pushes": UNREAD}, "could not be read"),
    "no earlier push": (
        {"pushes": (PUSH,)},
        "what the head was then is not known: no push before it is on record",
    ),
    "signed in the second of a push": (
        {"pushes": (THEN.model_copy(update={"at": BEFORE}), PUSH)},
        "no push before it is on record",
    ),
    "another head then": (
        {"pushes": (THEN, THEN.model_copy(update={"id": 2, "sha": "e" * 40}), PUSH)},
        "not collected",
    ),
}


@pytest.mark.parametrize(("facts", "words"), CHANGED_SINCE.values(), ids=CHANGED_SINCE)
def test_whatever_is_not_proven_to_be_the_same_is_a_change(facts, words):
    finding = judge(facts=MERGED | facts, created_at=BEFORE)
    assert finding.status == "fail"
    (doubt,) = finding.details
    assert words in doubt
    beginnings = (
        "the change is not the same as at ccccccc: ",
        "what the head was then is not known: ",
        "whether that changed anything is not known: ",
    )
    assert doubt.startswith(beginnings)


def test_a_review_of_an_older_commit_needs_no_record_of_pushes():
    said = GIVEN["review"]
    assert judge(facts=MERGED | {"pushes": UNREAD}, **said).status == "pass"


def test_two_heads_that_change_nothing_are_the_same():
    facts = MERGED | {"files": (), "earlier_changes": (EarlierChange(sha=OLDER, files=()),)}
    assert judge(facts=facts, created_at=BEFORE).status == "pass"


def test_a_stale_sign_off_says_what_it_was_made_on():
    assert judge(created_at=BEFORE).summary.startswith(f"the sign-off dates from {BEFORE}")
    on = judge(kind="review", commit_sha=OLDER, created_at=AFTER)
    assert on.summary.startswith("the sign-off was made on ccccccc")


FRESH = {
    "comment after the push": {"created_at": AFTER},
    "comment edited after the push": {"created_at": BEFORE, "edited": AFTER},
    "review on an older commit edited after the push": {
        "kind": "review",
        "commit_sha": OLDER,
        "created_at": BEFORE,
        "edited": AFTER,
    },
}


@pytest.mark.parametrize("said", FRESH.values(), ids=FRESH)
def test_a_sign_off_after_the_push_is_fresh(said):
    finding = judge(**said)
    assert finding.status == "pass"
    assert finding.summary == f"the sign-off of {AFTER} came after the last push, of {AT}"


def test_a_push_by_an_account_that_is_gone_still_makes_stale():
    finding = judge(Push(sha=HEAD, at=AT, actor=None), created_at=BEFORE)
    assert finding.status == "fail"
    assert "was pushed at" in finding.summary


def test_without_the_time_of_the_push_nothing_is_decided():
    with pytest.raises(MissingEvidence, match="could not be read"):
        judge(UNREAD, created_at=AFTER)


def test_a_push_of_another_commit_decides_nothing():
    with pytest.raises(
        MissingEvidence, match=r"^the last push on record is ccccccc, but the head is aaaaaaa$"
    ):
        judge(Push(sha=OLDER, at=AT, actor=None), created_at=AFTER)


def test_the_check_needs_the_push_and_a_sign_off():
    needs = KIND.needs(FreshParameters())
    assert needs.push
    assert needs.files
    assert needs.earlier_changes
    assert (KIND.needs_signoff, KIND.each_signer) == (True, True)
    nobody = Case(evidence(), SignoffRules(phrase=PHRASE), None, ())
    assert KIND.judge(nobody, FreshParameters()) == Finding("blocked", "nobody has signed off yet")
