"""Posting by an audit: only what is missing or untrue, once, and with a fresh look."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.wire_audit import REPO, Kind, audit_world, only
from support.wire_inferencex import BOT, STRANGER
from support.world import CommitStatus, World, sha
from wire.audits import audit, report
from wire.command import InProcess
from wire.loopback.meter import Seen
from wire.loopback.server import Loopback

Serve = Callable[[World], Loopback]
KINDS: tuple[Kind, ...] = ("ready", "pending", "stale", "rejected", "merged-rejected")
STATES = {101: "success", 102: "pending", 103: "failure", 104: "failure"}
CONTEXT = "signoff-bot"


def states(world: World) -> dict[int, list[str]]:
    """By number, the statuses of our name on the head, oldest first."""
    repo = only(world)
    return {
        number: [s.state for s in repo.statuses if (s.sha, s.context) == (pull.head_sha, CONTEXT)]
        for number, pull in repo.pulls.items()
    }


def verdicts(world: World) -> dict[int, int]:
    """By number, how many verdict comments there are."""
    return {
        number: sum(c.body.startswith(f"<!-- {CONTEXT} sha=") for c in pull.comments)
        for number, pull in only(world).pulls.items()
    }


def writes(github: Loopback) -> list[Seen]:
    return [s for s in github.seen if s.method != "GET" and not s.path.endswith("/graphql")]


def test_open_pull_requests_get_what_they_lack_and_merged_ones_nothing(
    serve: Serve, command: InProcess
) -> None:
    world = audit_world(KINDS)
    github = serve(world)
    without = audit(command, github)
    assert not writes(github)
    found = audit(command, github, "--post")
    assert states(world) == {n: [state] for n, state in STATES.items()} | {105: []}
    assert verdicts(world) == {101: 1, 102: 0, 103: 1, 104: 1, 105: 0}
    assert report(found)["notes"][-1] == "verdicts posted on 4 pull requests"
    assert report(found)["pulls"] == report(without)["pulls"]


def test_what_stands_already_is_not_written_again(
    serve: Serve, command: InProcess, tmp_path: Path
) -> None:
    world = audit_world(KINDS)
    github = serve(world)
    store = ("--store", tmp_path / "audits.sqlite")
    audit(command, github, "--post", *store)
    github.forget()
    second = audit(command, github, "--post", *store)
    assert not writes(github)
    assert report(second)["notes"][-1] == "verdicts posted on 0 pull requests"


@pytest.mark.parametrize(
    ("state", "by"), [("success", STRANGER), ("failure", BOT)], ids=["by another", "outdated"]
)
def test_an_untrue_status_is_replaced(
    serve: Serve, command: InProcess, state: str, by: object
) -> None:
    world = audit_world(("ready",))
    github = serve(world)
    audit(command, github, "--post")
    status = CommitStatus(sha("101 head"), state, CONTEXT, "Trust me", None, by)  # type: ignore[arg-type]
    status.id = world.new_id()
    only(world).statuses.append(status)
    audit(command, github, "--post")
    assert states(world)[101] == ["success", state, "success"]
    assert only(world).statuses[-1].creator == BOT


def test_a_ready_row_of_the_store_is_never_posted_without_a_fresh_look(
    serve: Serve, command: InProcess, tmp_path: Path
) -> None:
    world = audit_world(("ready",))
    github = serve(world)
    store = ("--store", tmp_path / "audits.sqlite")
    audit(command, github, *store)
    listed: list[Seen] = []

    def withdraw(seen: Seen) -> None:
        """Right after the list, the sign-off goes away."""
        if seen.body and "query Suites" in seen.body.get("query", "") and not listed:
            listed.append(seen)
            del only(world).pulls[101].comments[1]

    github.watch(withdraw)
    audit(command, github, *store, "--post")
    assert listed
    assert states(world)[101] == ["pending"]


def test_a_run_posts_on_no_more_than_it_may_and_the_next_one_goes_on(
    serve: Serve, command: InProcess
) -> None:
    world = audit_world(KINDS)
    github = serve(world)
    first = audit(command, github, "--post", "--max-posts", "3")
    assert sum(len(posted) for posted in states(world).values()) == 3
    assert report(first)["complete"] is False
    assert "1 pull request left for the next run" in report(first)["notes"][-1]
    audit(command, github, "--post", "--max-posts", "3")
    assert [len(posted) for posted in states(world).values()] == [1, 1, 1, 1, 0]


def test_posting_that_was_cut_off_is_resumed_without_doubles(
    serve: Serve, command: InProcess, tmp_path: Path
) -> None:
    world = audit_world(KINDS)
    github = serve(world)
    needed = len(github.seen)
    audit(command, github)
    needed = len(github.seen)
    for extra in (30, 60):
        audit(
            *(command, github, "--post", "--store", tmp_path / "audits.sqlite"),
            *("--max-requests", str(needed + extra), "--resume"),
        )
    audit(command, github, "--post", "--store", tmp_path / "audits.sqlite", "--resume")
    assert states(world) == {n: [state] for n, state in STATES.items()} | {105: []}
    assert verdicts(world) == {101: 1, 102: 0, 103: 1, 104: 1, 105: 0}


def test_a_refused_write_is_told_and_the_others_are_posted(
    serve: Serve, command: InProcess
) -> None:
    world = audit_world(("ready", "pending"))
    github = serve(world)
    github.fail("403", f"POST /repos/{REPO}/statuses/{sha('101 head')}")
    found = audit(command, github, "--post")
    assert found.status == 3
    assert states(world) == {101: [], 102: ["pending"]}
    assert any(
        note.startswith(f"nothing posted on {REPO}#101") and "statuses: write" in note
        for note in report(found)["notes"]
    )


def test_what_was_not_judged_is_not_posted_on(serve: Serve, command: InProcess) -> None:
    world = audit_world(("ready",))
    github = serve(world)
    github.fail("500", f"GET /repos/{REPO}/pulls/101/files")
    audit(command, github, "--post")
    assert states(world) == {101: []}


@pytest.mark.parametrize("path", ["files", "commits"])
def test_a_success_that_nothing_bears_out_any_more_does_not_stay(
    serve: Serve, command: InProcess, path: str
) -> None:
    world = audit_world(("ready",))
    github = serve(world)
    audit(command, github, "--post")
    github.fail("500", f"GET /repos/{REPO}/pulls/101/{path}")
    for _ in range(2):
        assert report(audit(command, github, "--post"))["counts"]["not-judged"] == 1
    assert states(world) == {101: ["success", "error"]}


def test_an_audit_that_is_cut_off_has_posted_what_it_found(
    serve: Serve, command: InProcess
) -> None:
    world = audit_world(("ready",) * 40)
    github = serve(world)
    found = audit(command, github, "--post", "--max-requests", "250")
    assert report(found)["notes"][0].startswith("cut off: ")
    posted = sum(len(posted) for posted in states(world).values())
    assert 0 < posted < 40
    assert f"verdicts posted on {posted} pull request" in "".join(report(found)["notes"])


def test_who_we_are_not_being_told_posts_nothing_and_says_so(
    serve: Serve, command: InProcess
) -> None:
    world = audit_world(("ready",))
    github = serve(world)
    github.fail("graphql errors", 'POST /graphql {"query": "query { viewer')
    found = audit(command, github, "--post")
    assert found.status == 3, found.everything
    assert states(world) == {101: []}
    assert report(found)["pulls"][0]["class"] == "ready"
