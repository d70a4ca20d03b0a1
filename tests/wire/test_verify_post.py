"""Publishing: one comment, one status, and nothing claimed for what nobody judged."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.wire_inferencex import (
    BOT,
    REPO,
    STRANGER,
    TOKEN,
    passing_inferencex,
    user,
)
from support.wire_threads import SIGNOFF, thread_1865, thread_1914
from support.world import Comment, PullRequest, Repository, World, sha
from wire.command import InProcess, Result, environment, installed
from wire.loopback.meter import Seen
from wire.loopback.server import Loopback

Serve = Callable[[World], Loopback]
PACK = "inferencex-2026-06-24"
CONTEXT = "codeowner-signoff-verify"


def repo_of(github: Loopback) -> Repository:
    found = github.world.repository(REPO)
    assert found is not None
    return found


def verdict_comments(pull: PullRequest) -> list[Comment]:
    return [comment for comment in pull.comments if comment.body.startswith(f"<!-- {CONTEXT} ")]


def post(command: InProcess, github: Loopback, number: int, token: str = TOKEN) -> Result:
    return command(
        *("verify", str(number), "--rules", PACK, "--format", "json", "--post"),
        env=environment(github, token),
    )


@pytest.mark.parametrize(
    ("world", "number", "status", "state"),
    [(passing_inferencex, 2001, 0, "success"), (thread_1865, 1865, 1, "failure")],
    ids=["pass", "fail"],
)
def test_posting_twice_leaves_one_comment_and_one_status(
    serve: Serve, world: Callable[[], World], number: int, status: int, state: str
) -> None:
    github, runs = serve(world()), []
    for now in ("2026-06-25T12:00:00Z", "2026-06-25T12:00:07Z"):
        # Nobody runs it twice in the same second, nor before its own comment is there.
        github.world.now = now
        argv = ("verify", str(number), "--rules", PACK, "--format", "json", "--post")
        runs.append(installed(*argv, env=environment(github)))
    assert [run.status for run in runs] == [status, status], runs[0].err + runs[1].err
    assert runs[0].out == runs[1].out
    pull = repo_of(github).pulls[number]
    (comment,) = verdict_comments(pull)
    assert comment.author == BOT
    first_line = comment.body.splitlines()[0]
    assert f"sha={pull.head_sha}" in first_line
    assert f"signoff=issuecomment-{runs[0].verdict['signoff']['id']}" in first_line
    (posted,) = repo_of(github).statuses
    assert (posted.context, posted.state, posted.sha) == (CONTEXT, state, pull.head_sha)
    assert posted.target_url is not None
    assert posted.target_url.endswith(f"#issuecomment-{comment.id}")
    assert len(posted.description or "") <= 140


def test_pending_sets_a_status_and_posts_no_comment(serve: Serve, command: InProcess) -> None:
    github = serve(thread_1914())
    assert post(command, github, 1914).status == 1
    assert [status.state for status in repo_of(github).statuses] == ["pending"]
    assert not verdict_comments(repo_of(github).pulls[1914])


def test_an_error_sets_a_status_and_posts_no_comment(serve: Serve, command: InProcess) -> None:
    github = serve(passing_inferencex())
    github.fail("500", f"GET /repos/{REPO}/pulls/2001/files")
    assert post(command, github, 2001).status == 3
    assert [status.state for status in repo_of(github).statuses] == ["error"]
    assert not verdict_comments(repo_of(github).pulls[2001])


def test_a_mended_pull_request_gets_its_comment_edited(serve: Serve, command: InProcess) -> None:
    github = serve(thread_1865())
    post(command, github, 1865)
    repo = repo_of(github)
    repo.runs[0].conclusion = "cancelled"
    (signed,) = (c for c in repo.pulls[1865].comments if c.id == SIGNOFF)
    signed.body += "\nhttps://github.com/vllm-project/recipes/pull/512\n"
    assert post(command, github, 1865).statuses["recipe"] == "pass"
    (comment,) = verdict_comments(repo.pulls[1865])
    assert len(comment.edits) == 1


@pytest.mark.parametrize("impostor", [STRANGER, user("helper[bot]")], ids=["person", "app"])
def test_a_comment_with_our_marker_by_another_is_left_alone(
    serve: Serve, command: InProcess, impostor: object
) -> None:
    github = serve(thread_1865())
    pull = repo_of(github).pulls[1865]
    forged = f"<!-- {CONTEXT} sha={pull.head_sha} signoff=issuecomment-{SIGNOFF} -->\nAll well."
    pull.comments.insert(0, Comment(1, impostor, forged))  # type: ignore[arg-type]
    post(command, github, 1865)
    theirs, ours = verdict_comments(pull)
    assert (theirs.body, theirs.edits) == (forged, [])
    assert ours.author == BOT


def test_a_double_of_our_comment_is_removed(serve: Serve, command: InProcess) -> None:
    github = serve(thread_1865())
    pull = repo_of(github).pulls[1865]
    post(command, github, 1865)
    (ours,) = verdict_comments(pull)
    pull.comments.append(Comment(ours.id + 50, BOT, ours.body))
    post(command, github, 1865)
    assert [comment.id for comment in verdict_comments(pull)] == [ours.id]


@pytest.mark.parametrize("what", ["head", "base", "sign-off edited", "sign-off deleted"])
def test_nothing_is_claimed_when_something_moved_meanwhile(
    serve: Serve, command: InProcess, what: str
) -> None:
    github = serve(passing_inferencex())
    pull = repo_of(github).pulls[2001]
    reads = 0

    def move(seen: Seen) -> bool:
        """After its first reading, while the evidence is collected."""
        nonlocal reads
        reads += seen.path.endswith("/pulls/2001")
        if reads == 1 and seen.path.endswith("/zip"):
            match what:
                case "head":
                    pull.head_sha = sha("pushed meanwhile")
                case "base":
                    pull.base_sha = sha("main moved")
                case "sign-off edited":
                    pull.comments[-1].body += "\nP.S. not really."
                case _:
                    del pull.comments[-1]
        return False

    github.watch(move)
    result = post(command, github, 2001)
    assert result.status == 3
    assert "run verify again" in result.err
    assert not repo_of(github).statuses
    assert not verdict_comments(pull)


def test_without_a_status_nothing_was_published(serve: Serve, command: InProcess) -> None:
    github = serve(passing_inferencex())
    github.fail("403", f"POST /repos/{REPO}/statuses/")
    result = post(command, github, 2001)
    assert result.status == 3
    assert CONTEXT in result.err
    assert "statuses: write" in result.err


def test_without_a_comment_the_status_is_true_all_the_same(
    serve: Serve, command: InProcess
) -> None:
    github = serve(passing_inferencex())
    github.fail("403", f"POST /repos/{REPO}/issues/2001/comments")
    result = post(command, github, 2001)
    assert result.status == 0, result.err
    assert "comment could not be written" in result.err
    (status,) = repo_of(github).statuses
    assert (status.state, status.target_url) == ("success", None)


def test_a_comment_whose_answer_was_lost_is_not_posted_again(
    serve: Serve, command: InProcess
) -> None:
    github = serve(passing_inferencex())
    github.fail("answer lost", f"POST /repos/{REPO}/issues/2001/comments", times=1)
    result = post(command, github, 2001)
    assert result.status == 0, result.err
    assert len(verdict_comments(repo_of(github).pulls[2001])) == 1


def test_nothing_is_written_unless_asked(serve: Serve, command: InProcess) -> None:
    github = serve(passing_inferencex())
    command("verify", "2001", "--rules", PACK, env=environment(github))
    assert {seen.method for seen in github.seen if seen.path != "/graphql"} == {"GET"}
