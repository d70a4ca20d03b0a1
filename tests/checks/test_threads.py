"""Open review threads block where the rules say so."""

import pytest
from support.build import account
from support.judging import case, judged, said

from signoff_bot.checks.base import Finding
from signoff_bot.checks.threads import KIND, ThreadsParameters
from signoff_bot.evidence.base import MissingEvidence, Unread
from signoff_bot.evidence.conversation import ReviewThread

PAGE = "https://github.com/SemiAnalysisAI/InferenceX/pull/7#discussion_r"


def thread(number=1, resolved=False, by="code-critic"):
    return ReviewThread(
        id=f"T{number:03}",
        url=f"{PAGE}{number}",
        author=account(by) if by else None,
        resolved=resolved,
    )


def judge(*threads, **parameters):
    return judged(KIND, case(threads=threads), **parameters)


def test_resolved_threads_pass():
    assert judge().summary == "no review thread"
    finding = judge(thread(1, True), thread(2, True))
    assert (finding.status, finding.summary) == ("pass", "2 review threads, none unresolved")
    assert judge(thread(1, True)).summary == "1 review thread, none unresolved"


def test_an_unresolved_thread_fails_and_is_linked_with_who_began_it():
    finding = judge(thread(1, True), thread(2))
    assert (finding.status, finding.summary) == ("fail", "1 review thread unresolved")
    assert finding.details == (f"begun by code-critic: {PAGE}2",)
    assert [(link.label, link.url) for link in finding.links] == [
        ("thread by code-critic", f"{PAGE}2")
    ]
    assert finding.fix == "answer each thread, and resolve it once the answer is agreed on"


def test_a_thread_of_nobody_counts_too():
    assert judge(thread(by=None)).details == (f"begun by an account that is gone: {PAGE}1",)


def test_many_threads_are_told_in_part():
    finding = judge(*(thread(n) for n in range(13)))
    assert finding.summary == "13 review threads unresolved"
    assert len(finding.links) == 10
    assert finding.details[-1] == "and 3 more"
    assert "more" not in said(judge(*(thread(n) for n in range(10))))


def test_switched_off_it_does_not_apply_and_asks_nothing():
    finding = judge(thread(), enabled=False)
    assert finding == Finding("na", "these rules do not ask for threads to be resolved")
    assert not KIND.needs(ThreadsParameters(enabled=False)).threads
    assert KIND.needs(ThreadsParameters()).threads
    assert not KIND.needs_signoff


def test_threads_that_could_not_be_read_decide_nothing():
    with pytest.raises(MissingEvidence, match="502"):
        judged(KIND, case(threads=Unread(unread="HTTP 502")))
