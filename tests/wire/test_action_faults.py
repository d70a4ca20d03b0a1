"""Every request of a run, broken in every way: nothing false is claimed, nothing falls apart."""

from __future__ import annotations

import pytest
from action import events
from support.wire_default import REPO
from support.world import CommitStatus, PullRequest, sha, user
from wire.loopback.faults import Fault, Kind
from wire.loopback.meter import Seen
from wire.workflow import CONTEXT, Stage

KINDS: tuple[Kind, ...] = ("401", "403", "403 rate limit", "404", "500", "wrong type", "null",
                           "answer lost", "graphql errors")  # fmt: skip
REQUESTS = {
    "who we are": ("POST /graphql", "viewer"),
    "open pull requests": ("POST /graphql", "pullRequests"),
    "fold": ("POST /graphql", "inimize"),
    "our comments": (f"GET /repos/{REPO}/issues/31/comments", ""),
    "the pull request": (f"GET /repos/{REPO}/pulls/31", ""),
    "the sign-off": (f"GET /repos/{REPO}/issues/comments/", ""),
    "statuses": (f"GET /repos/{REPO}/commits/{sha('31 head')}/statuses", ""),
    "post": (f"POST /repos/{REPO}/issues/31/comments", ""),
    "edit": (f"PATCH /repos/{REPO}/issues/comments/", ""),
    "status": (f"POST /repos/{REPO}/statuses/", ""),
    "teams": ("GET /orgs/", ""),
}


def breaks(stage: Stage, what: str, kind: Kind) -> None:
    start, word = REQUESTS[what]

    def strikes(seen: Seen) -> bool:
        return seen.key.startswith(start) and word in seen.key

    stage.github.faults.append(Fault(kind, strikes))


@pytest.mark.parametrize("what", REQUESTS)
def test_a_broken_request_leaves_nothing_false_behind(stage: Stage, what: str) -> None:
    """The pull request used to pass and does not any more; then everything heals."""
    payload = events.issue_comment(stage.repo, stage.pull, stage.signed)
    stage.run("issue_comment", payload)
    stage.repo.check_runs[0].conclusion = stage.repo.runs[0].jobs[0].conclusion = "failure"
    for kind in KINDS:
        stage.github.faults.clear()
        before = list(stage.states)
        breaks(stage, what, kind)
        ran = stage.run("issue_comment", payload)
        assert ran.status in (0, 3), kind
        assert "Traceback" not in ran.err, kind
        assert "internal error" not in ran.err, kind
        assert "success" not in stage.states[len(before) :], kind
        assert len(stage.ours) == 1, kind
    stage.github.faults.clear()
    stage.run("issue_comment", payload)
    assert (stage.heads, stage.states[-1]) == (["FAIL"], "failure")


@pytest.mark.parametrize("what", ["open pull requests", "the pull request", "teams"])
def test_what_a_success_rests_on_must_be_read(stage: Stage, what: str) -> None:
    """Somebody else's success stands there, and a second pull request with the same head."""
    forged = CommitStatus(stage.pull.head_sha, "success", CONTEXT, None, None, user("marlow-quist"))
    twin = PullRequest(
        *(40, "Twin", stage.pull.author, stage.pull.head_sha, "hammer", stage.pull.head_repo),
        *("main", stage.pull.base_sha),
        files=stage.pull.files,
        commits=stage.pull.commits,
    )
    stage.repo.pulls[40] = twin
    stage.repo.statuses.append(forged)
    payload = events.issue_comment(stage.repo, stage.pull, stage.signed)
    for kind in KINDS:
        stage.github.faults.clear()
        breaks(stage, what, kind)
        ran = stage.run("issue_comment", payload)
        assert "internal error" not in ran.err, kind
        assert stage.states.count("success") == 1, kind
    stage.github.faults.clear()
    stage.run("issue_comment", payload)
    assert (stage.states[-1], stage.states.count("success")) == ("pending", 1)
