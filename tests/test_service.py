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
MARKER = f"<!-- codeowner-signoff-verify sha={build.HEAD} signoff=issuecomment-1 -->"
LINK = "https://github.com/SemiAnalysisAI/InferenceX/actions/runs/900"


@pytest.fixture
def verify(monkeypatch):
    """Verifies what a collector that gives the evidence `facts` would have read."""

    def call(target=Target(None, 7), **facts):  # noqa: B008
        found = build.evidence(**facts)
        monkeypatch.setattr(
            "signoff_bot.github.collect.collect", lambda *_: (found, load_named(PACK))
        )
        return service.verify(None, build.REPO, target, PACK, TOKEN)

    return call


def test_posted_verdicts_change_no_verdict(verify):
    bot = build.account("github-actions[bot]", type="Bot")
    plain = build.comment("Hello", id=1)
    posted = [
        build.comment(f"{MARKER}\n**PASS** [run 900]({LINK})", by, id=number)
        for number, by in ((2, bot), (3, "marlow-quist"), (4, None))
    ]
    quoted = build.comment(f"> {MARKER}", id=5)
    assert verify(comments=(plain, *posted, quoted)).evidence.comments == (plain, quoted)
    assert verify(comments=(plain, *posted)).verdict == verify(comments=(plain,)).verdict


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
