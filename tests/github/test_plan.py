"""What is to become of our comments: decided without I/O, and settled after one round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st

from signoff_bot.github.own_comment import OwnComment
from signoff_bot.github.plan import CommentPlan, Reply, outdated, plan_comments
from signoff_bot.reading.marker import read_marker, verdict_marker

HEAD, OLD = "a" * 40, "b" * 40
READ, LATER = "2026-06-25T12:00:00Z", "2026-06-25T12:00:01Z"
ONE, TWO, THREE = "issuecomment-1", "pullrequestreview-2", "discussion_r3"
HEADLINES = ("PASS", "FAIL")


def body(anchor: str, headline: str, sha: str = HEAD) -> str:
    return f"{verdict_marker('mine', sha, anchor)}\n### **{headline}**\nrest"


def own(
    id: int, anchor: str, headline: str = "PASS", sha: str = HEAD, at: str = READ
) -> OwnComment:
    text = body(anchor, headline, sha)
    marker = read_marker(text, "mine")
    assert marker is not None
    return OwnComment(id, f"IC_{id}", f"https://x#{id}", text, at, marker)


def plan(
    ours: Sequence[OwnComment],
    replies: Mapping[str, Reply],
    asked: str | None = None,
    deciding: str | None = None,
) -> CommentPlan:
    return plan_comments(
        ours,
        HEAD,
        lambda anchor: replies.get(anchor, Reply("gone", "### **WITHDRAWN**\n")),
        asked=asked,
        deciding=deciding,
        as_of=READ,
    )


def said(anchor: str, headline: str = "PASS", about: str = "sign-off") -> Reply:
    return Reply(about, body(anchor, headline))  # type: ignore[arg-type]


def test_nothing_said_and_nobody_asked_is_nothing_to_do() -> None:
    assert plan([], {}) == CommentPlan()


def test_who_asked_is_answered_and_so_is_the_deciding_one() -> None:
    replies = {ONE: said(ONE), TWO: said(TWO, "FAIL"), THREE: said(THREE)}
    assert plan([], replies, TWO, ONE).create == (body(TWO, "FAIL"), body(ONE, "PASS"))
    assert plan([], replies, ONE, ONE).create == (body(ONE, "PASS"),)


def test_an_older_head_is_only_spoken_of_anew_where_there_is_news() -> None:
    old = own(5, ONE, "PASS", OLD)
    assert plan([old], {ONE: said(ONE)}, None, ONE) == CommentPlan()
    assert plan([old], {ONE: said(ONE, "FAIL")}, None, ONE).create == (body(ONE, "FAIL"),)
    assert plan([old], {ONE: said(ONE)}, ONE, ONE).create == (body(ONE, "PASS"),)


def test_a_sign_off_that_is_gone_takes_all_its_verdicts_along() -> None:
    old, new, other = own(5, ONE, sha=OLD), own(6, ONE), own(7, TWO)
    assert plan([old, new, other], {TWO: said(TWO)}).edit == (
        (old, f"{verdict_marker('mine', OLD, ONE)}\n### **WITHDRAWN**\n"),
        (new, f"{verdict_marker('mine', HEAD, ONE)}\n### **WITHDRAWN**\n"),
        (other, body(TWO, "PASS")),
    )


def test_a_near_miss_keeps_its_one_comment() -> None:
    old = own(5, ONE, "FAIL", OLD)
    miss = said(ONE, "FAIL", "near miss")
    assert plan([old], {ONE: miss}, ONE, ONE) == CommentPlan(edit=((old, miss.body),))


def test_what_is_undecided_is_left_alone() -> None:
    assert plan([own(5, ONE)], {ONE: Reply("undecided")}, ONE, ONE) == CommentPlan()


def test_of_doubles_the_oldest_stays() -> None:
    doubles = [own(5, ONE), own(6, ONE), own(7, ONE, sha=OLD), own(8, ONE, sha=OLD)]
    found = plan(doubles, {ONE: said(ONE, "FAIL")}, ONE, ONE)
    assert {comment.id for comment in found.delete} == {6, 8}
    assert found.edit == ((doubles[0], body(ONE, "FAIL")),)


def test_what_another_run_said_later_is_left_alone_save_what_was_looked_at_again() -> None:
    later = own(5, ONE, "PASS", at=LATER)
    assert plan([later], {}) == CommentPlan()
    assert plan([later], {}, ONE, None) == CommentPlan()
    assert plan([later], {ONE: said(ONE, "FAIL")}) == CommentPlan()
    for asked, deciding in ((ONE, None), (None, ONE)):
        found = plan([later], {ONE: said(ONE, "FAIL")}, asked, deciding)
        assert found.edit == ((later, body(ONE, "FAIL")),)


def test_older_heads_are_outdated_once_the_present_one_is_spoken_of() -> None:
    old, new = own(5, ONE, sha=OLD), own(6, TWO)
    greeting = "<!-- mine welcome -->"
    marker = read_marker(greeting, "mine")
    assert marker is not None
    welcome = OwnComment(7, "IC_7", "https://x#7", greeting, READ, marker)
    assert outdated([old, welcome], HEAD) == []
    assert outdated([old, new, welcome], HEAD) == [old]


_COMMENTS = st.lists(
    st.tuples(
        st.sampled_from((ONE, TWO, THREE)),
        st.sampled_from((*HEADLINES, "WITHDRAWN")),
        st.sampled_from((HEAD, OLD)),
    ),
    max_size=6,
)
_KINDS = st.sampled_from(("sign-off", "near miss", "gone", "undecided"))
_REPLIES = st.fixed_dictionaries(
    {anchor: st.tuples(_KINDS, st.sampled_from(HEADLINES)) for anchor in (ONE, TWO, THREE)}
)
_ANCHORS = st.sampled_from((None, ONE, TWO, THREE))


def carried_out(ours: Sequence[OwnComment], found: CommentPlan) -> list[OwnComment]:
    """Our comments once the plan is carried out."""
    edits = {comment.id: text for comment, text in found.edit}
    left = [comment for comment in ours if comment not in found.delete]
    texts = [(comment.id, edits.get(comment.id, comment.body)) for comment in left]
    texts += [(100 + number, text) for number, text in enumerate(found.create)]
    markers = [(number, text, read_marker(text, "mine")) for number, text in texts]
    return [
        OwnComment(number, f"IC_{number}", "https://x", text, READ, marker)
        for number, text, marker in markers
        if marker is not None
    ]


@given(_COMMENTS, _REPLIES, _ANCHORS, _ANCHORS)
def test_after_one_round_there_is_nothing_left_to_do_and_all_is_true(
    given_: list[tuple[str, str, str]],
    kinds: dict[str, tuple[str, str]],
    asked: str | None,
    deciding: str | None,
) -> None:
    ours = [own(number, *each) for number, each in enumerate(given_, start=1)]
    replies = {
        anchor: Reply("gone", "### **WITHDRAWN**\nrest")
        if kind == "gone"
        else said(anchor, headline, kind)
        for anchor, (kind, headline) in kinds.items()
    }
    there = carried_out(ours, plan(ours, replies, asked, deciding))
    again = plan(there, replies, asked, deciding)
    assert not again.create
    assert not again.delete
    assert all(comment.body == text for comment, text in again.edit)
    here = [comment.marker.signoff for comment in there if comment.marker.sha == HEAD]
    assert len(here) == len(set(here))
    for comment in there:
        kind, headline = kinds[str(comment.marker.signoff)]
        if kind == "gone":
            assert "WITHDRAWN" in comment.body
        elif kind != "undecided" and comment.marker.sha == HEAD:
            assert f"**{headline}**" in comment.body
    for anchor in (asked, deciding):
        if anchor is not None and kinds[anchor][0] in ("sign-off", "near miss"):
            assert any(comment.marker.signoff == anchor for comment in there)
