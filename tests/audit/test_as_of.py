"""Evidence as of a merge: what came later does not count, and what is unknown is said."""

from __future__ import annotations

import pytest
from support.build import account, comment, evidence, job, pull, run

from signoff_bot.audit.as_of import at_merge, gone, restored
from signoff_bot.evidence.actions import Artifact, ArtifactFile, CheckRun
from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.conversation import History
from signoff_bot.evidence.model import Evidence
from signoff_bot.packs.load import load_named

MERGED = "2026-06-25T12:00:00Z"
BEFORE, AFTER = "2026-06-25T11:59:59Z", "2026-06-25T12:00:01Z"
INFERENCEX = load_named("inferencex-2026-06-24")


def history(edited_at: str | None) -> History:
    return History(edited_at=edited_at, editors=(account("octavia-chen"),), minimized=False)


def test_what_was_written_later_is_left_out() -> None:
    kept = [comment("in time", id=1, created_at=at) for at in (BEFORE, MERGED)]
    late = comment("late", id=3, created_at=AFTER)
    found = at_merge(evidence(comments=(*kept, late)), MERGED)
    assert [c.body for c in found.comments] == ["in time", "in time"]
    assert found.collected_at == MERGED


@pytest.mark.parametrize(("edited_at", "known"), [(BEFORE, True), (MERGED, True), (AFTER, False)])
def test_what_was_edited_later_is_not_known(edited_at: str, known: bool) -> None:
    one = comment("words", created_at=BEFORE, history=history(edited_at))
    (found,) = at_merge(evidence(comments=(one,)), MERGED).comments
    assert isinstance(found.history, History) is known
    if isinstance(found.history, Unread):
        assert f"edited at {AFTER}, after the merge" in found.history.unread


def test_runs_that_began_later_are_left_out_and_others_were_under_way() -> None:
    early = run(1, job("fast", completed_at=BEFORE), created_at="2026-06-25T08:00:00Z")
    slow = run(2, job("slow", completed_at=AFTER), created_at="2026-06-25T08:00:00Z")
    late = run(3, created_at=AFTER)
    found = at_merge(evidence(runs=(early, slow, late), head_runs=(slow,)), MERGED)
    assert [one.id for one in found.runs] == [1, 2]
    assert found.runs[0] == early
    assert (found.runs[1].status, found.runs[1].conclusion) == ("in_progress", None)
    assert not found.runs[1].jobs[0].executed
    assert found.head_runs == (found.runs[1],)


def test_a_run_that_was_run_again_later_is_not_known() -> None:
    again = run(1, job("x", started_at=AFTER, completed_at="2026-06-25T13:00:00Z"), attempt=2)
    (found,) = at_merge(evidence(runs=(again,)), MERGED).runs
    assert isinstance(found.jobs, Unread)
    assert "run again after the merge" in found.jobs.unread


def test_checks_that_ended_later_had_not_ended() -> None:
    def check(id: int, at: str | None) -> CheckRun:
        return CheckRun(
            id=id, name="c", app_id=1, status="completed", conclusion="success", url="u",
            completed_at=at,
        )  # fmt: skip

    found = at_merge(evidence(check_runs=(check(1, BEFORE), check(2, AFTER))), MERGED)
    assert [one.conclusion for one in found.check_runs] == ["success", None]


def test_what_could_not_be_read_stays_so() -> None:
    unread = Unread(unread="no")
    given = evidence(comments=unread, runs=unread, head_runs=unread, check_runs=unread)
    found = at_merge(given, MERGED)
    assert {found.comments, found.runs, found.head_runs, found.check_runs} == {unread}


def artifact(*, expired: bool) -> Artifact:
    files = Unread(unread="expired") if expired else (ArtifactFile(name="f", text="42"),)
    return Artifact(id=5, name="results", size=9, expired=expired, files=files)


def with_artifact(*, expired: bool, **fields: object) -> Evidence:
    return evidence(runs=(run(1, artifacts=(artifact(expired=expired),)),), **fields)


def test_the_store_gives_back_what_has_expired() -> None:
    found = restored(with_artifact(expired=True), with_artifact(expired=False))
    assert found.runs[0].artifacts == (artifact(expired=False),)


def test_the_store_gives_back_runs_that_were_deleted() -> None:
    found = restored(evidence(runs=(run(2),)), evidence(runs=(run(1), run(2))))
    assert [one.id for one in found.runs] == [1, 2]


def test_another_attempt_or_head_is_not_mixed_in() -> None:
    other_head = with_artifact(expired=False, pull=pull(head_sha="c" * 40))
    now = with_artifact(expired=True)
    assert restored(now, other_head) == now
    assert restored(now, None) == now
    again = evidence(runs=(run(1, attempt=2, artifacts=(artifact(expired=True),)),))
    assert restored(again, with_artifact(expired=False)) == again


def test_what_is_gone_is_named() -> None:
    merged = pull(state="closed", merged_at=MERGED)
    expired = with_artifact(expired=True, pull=merged)
    assert "results of run 1 has expired" in str(gone(expired, INFERENCEX, MERGED))
    assert gone(with_artifact(expired=False, pull=merged), INFERENCEX, MERGED) is None
    nothing = evidence(runs=(), pull=merged)
    assert gone(nothing, INFERENCEX, "2026-09-25T12:00:00Z") is None
    assert "400 days" in str(gone(nothing, INFERENCEX, "2027-09-25T12:00:00Z"))
