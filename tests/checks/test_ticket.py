"""A ticket is named where readers see it."""

import pytest
from pydantic import ValidationError
from support.build import pull
from support.judging import case, judged

from signoff_bot.checks.needs import Needs
from signoff_bot.checks.ticket import KIND, TicketParameters
from signoff_bot.evidence.base import MissingEvidence, Unread

PATTERNS = ("ACME-{number}", "https://t.example/browse/*-{number}")


def judge(where=None, **fields):
    given = {"title": "A change", "head_ref": "feature", "body": None} | fields
    more = {"where": where} if where else {}
    return judged(KIND, case(pull=pull(**given)), patterns=PATTERNS, **more)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"title": "ACME-12: log in"}, "the title names ACME-12"),
        ({"head_ref": "kiri/ACME-12-login"}, "the branch names ACME-12"),
        ({"body": "Closes ACME-12."}, "the description names ACME-12"),
        ({"body": "- [x] `ACME-12`"}, "the description names ACME-12"),
        ({"body": "[the ticket](https://t.example/browse/AB-3)"}, "browse/AB-3"),
        ({"body": "https://t.example/browse/AB-3"}, "browse/AB-3"),
        ({"body": "| a |\n|---|\n| ACME-12 |"}, "ACME-12"),
    ],
)
def test_a_ticket_in_any_of_the_places_passes(fields, named):
    finding = judge(**fields)
    assert finding.status == "pass"
    assert named in finding.summary
    assert finding.summary.startswith("the ")


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"body": ""},
        {"title": "acme-12"},
        {"title": "ACME-12b"},
        {"body": "<!-- such as ACME-12 -->"},
        {"body": "> ACME-12"},
        {"body": "```\nACME-12\n```"},
        {"body": "~~ACME-12~~"},
        {"body": "https://other.example/browse/AB-3"},
        {"body": "<details>\n\nACME-12\n\n</details>"},
    ],
)
def test_a_ticket_that_readers_do_not_see_is_none(fields):
    finding = judge(**fields)
    assert finding.status == "fail"
    assert finding.summary == "no ticket is named in the title, the description or the branch"
    assert finding.details == (f"a ticket looks like {PATTERNS[0]} or {PATTERNS[1]}",)
    assert finding.fix == "write the ticket into the title, the description or the branch"


def test_only_the_places_that_the_rules_name_count():
    fields = {"title": "ACME-12", "body": "ACME-13", "head_ref": "ACME-14"}
    assert "ACME-14" in judge(("branch",), **fields).summary
    assert judge(("title",), head_ref="ACME-14").status == "fail"
    assert "in the title" in judge(("title",)).summary


def test_a_description_that_was_not_read_decides_nothing():
    with pytest.raises(MissingEvidence, match="502"):
        judge(body=Unread(unread="HTTP 502"))
    assert judge(title="ACME-1", body=Unread(unread="HTTP 502")).status == "pass"


def test_a_pattern_must_be_given_and_sound():
    for wrong in ({"patterns": ()}, {"patterns": ("*",)}, {"where": ()}, {"where": ("body",)}):
        with pytest.raises(ValidationError):
            TicketParameters.model_validate({"patterns": PATTERNS} | wrong)
    assert TicketParameters(patterns=PATTERNS).where == ("title", "description", "branch")


def test_nothing_more_is_asked_of_github():
    assert KIND.needs(TicketParameters(patterns=PATTERNS)) == Needs()
    assert not KIND.needs_signoff
