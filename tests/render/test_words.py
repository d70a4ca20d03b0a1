"""The sentence that sums a verdict up, and the description of the commit status."""

import pytest
from support.hostile import HOSTILE
from support.verdicts import check, rejected, signoff, verdict

from signoff_bot.render.words import status_description, summary


def checks(*statuses):
    return tuple(check(n, status, title=f"c{n}") for n, status in enumerate(statuses))


@pytest.mark.parametrize(
    ("outcome", "statuses", "expected"),
    [
        ("pass", ("pass",), "1 check passes"),
        ("pass", ("pass", "pass", "na", "warn"), "2 checks pass, 1 warns, 1 does not apply"),
        ("pass", ("na", "na"), "2 checks do not apply"),
        ("pass", ("pass", "review"), "1 check passes, 1 needs a person to look"),
        ("pending", ("blocked", "fail"), "Nobody has signed off yet"),
        ("fail", ("fail", "pass"), "Not ready to merge: check 0 (c0) fails"),
        (
            "fail",
            ("fail", "fail", "fail"),
            "Not ready to merge: checks 0 (c0), 1 (c1) and 2 (c2) fail",
        ),
        (
            "fail",
            ("error", "blocked", "fail", "review"),
            "Not ready to merge: check 2 (c2) fails; check 3 (c3) needs a person to look; "
            "check 0 (c0) could not be judged; check 1 (c1) is blocked",
        ),
        ("error", ("error", "pass"), "Not decided: check 0 (c0) could not be judged"),
    ],
)
def test_the_summary_names_what_blocks(outcome, statuses, expected):
    assert summary(verdict(outcome, checks=checks(*statuses))) == expected


def test_the_summary_says_that_a_mention_is_no_signoff():
    judged = verdict("fail", checks=checks("pass"), signoff=signoff(completed=False))
    assert summary(judged) == "Not ready to merge: the comment is no completed sign-off"


def test_the_summary_is_the_status_description():
    assert status_description(rejected()) == summary(rejected())


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_description_is_one_visible_line_of_at_most_140_characters(text):
    described = status_description(verdict("fail", checks=(check(1, "fail", title=text),)))
    assert len(described) <= 140
    assert described.isprintable()


def test_a_pass_without_a_signoff_says_why_none_is_needed():
    na = check(0, "na", summary="applies to changes of src/ only")
    judged = verdict("pass", signoff=None, checks=(na,))
    assert summary(judged) == ("No sign-off needed: the rule pack applies to changes of src/ only")
