"""The calls behind the command line, where they do more than pass on."""

from dataclasses import replace

import pytest
from support import build
from support.wire_inferencex import TOKEN

from signoff_bot import service
from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.conversation import SignoffRef
from signoff_bot.packs.load import load_named
from signoff_bot.target import Target

PACK = "inferencex-2026-06-24"


@pytest.fixture
def verify(monkeypatch):
    """Verifies what a collector that gives the evidence `facts` would have read."""

    def call(target=Target(None, 7), **facts):  # noqa: B008
        found = build.evidence(**facts)
        found = found.model_copy(update={"signoff": target.signoff})
        rules = load_named(PACK)
        monkeypatch.setattr(
            "signoff_bot.github.collect.collect", lambda *_, members: (found, rules)
        )
        return service.verify(service.Source(None, build.REPO, rules, (TOKEN,)), target)

    return call


def test_the_evidence_holds_no_token(verify):
    found = verify(
        comments=(build.comment(f"mine is {TOKEN}"),), files=Unread(unread=f"refused: {TOKEN}")
    )
    assert TOKEN.encode() not in found.bundle
    assert TOKEN not in found.verdict.to_json()


def test_a_signoff_that_is_asked_about_must_be_there(verify):
    asked = Target(None, 7, SignoffRef(kind="comment", id=4001))
    assert verify(asked, comments=(build.comment("x"),)).evidence.signoff == asked.signoff
    with pytest.raises(service.InvalidInput, match="issuecomment-4001 is no comment on"):
        verify(asked, comments=(build.comment("x", id=1),))


def test_unreadable_comments_leave_open_whether_it_is_there(verify):
    asked = Target(None, 7, SignoffRef(kind="comment", id=4001))
    assert verify(asked, comments=Unread(unread="HTTP 500")).verdict.verdict == "error"


def test_the_replay_names_rules_that_come_with_the_tool(verify):
    shipped = verify(comments=())
    assert f"--rules {PACK} --save-evidence" in service.show(shipped, "markdown")
    own = replace(shipped, rules=replace(shipped.rules, digest="sha256:0"))
    assert "--rules" not in service.show(own, "markdown")


def test_one_signoff_is_judged_by_the_evidence_of_all(verify):
    phrase = load_named(PACK).signoff.phrase
    signed = [
        build.comment(f"{phrase}:\n- [x] Looked at it.\n\nSigned: {by}\n", by, id=number)
        for by, number in (("octavia-chen", 1), ("bram-ito", 2))
    ]
    whole = verify(comments=tuple(signed))
    asked = SignoffRef(kind="comment", id=1)
    one = whole.about(asked)
    assert (whole.signoff.id, one.signoff.id) == (2, 1)
    assert one.evidence.signoff == asked
    assert one.about(None) == whole
    assert one.about(asked) is one
    assert whole.about(SignoffRef(kind="review", id=1)).verdict.verdict == "pending"
