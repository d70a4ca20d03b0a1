"""Review threads are read to the last, or not at all."""

from __future__ import annotations

from typing import Any

import pytest
from support.collecting import collected
from support.http_stub import Reply, Stub
from support.wire_inferencex import SIGNER
from support.world import LineComment, PullRequest, User, user
from wire.loopback.server import Loopback

from signoff_bot.evidence.base import Unread
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.failures import GitHubFailure
from signoff_bot.github.threads import read_threads


def begin(pull: PullRequest, by: User | None, **fields: Any) -> None:
    number = len(pull.line_comments)
    comment = LineComment(2_900_000_000 + number, by, "Why?", **fields)
    comment.commit_sha = pull.head_sha
    pull.line_comments.append(comment)


def threads(github: Loopback) -> Any:
    return collected(github, threads=True).threads


def test_each_thread_is_told_with_who_began_it(github: Loopback, pull: PullRequest) -> None:
    begin(pull, SIGNER, resolved=True)
    begin(pull, user("code-critic[bot]"))
    begin(pull, None)
    first, second, third = threads(github)
    assert [one.resolved for one in (first, second, third)] == [True, False, False]
    assert first.author.id == SIGNER.id
    assert (second.author.login, second.author.type) == ("code-critic", "Bot")
    assert third.author is None
    assert second.url.endswith("/pull/2001#discussion_r2900000001")


@pytest.mark.parametrize("number", [0, 1, 100, 101, 250])
def test_however_many_there_are_all_are_read(
    github: Loopback, pull: PullRequest, number: int
) -> None:
    for _ in range(number):
        begin(pull, SIGNER)
    assert len(threads(github)) == number


def test_they_are_read_only_where_the_rules_need_them(github: Loopback, pull: PullRequest) -> None:
    begin(pull, SIGNER)
    found = collected(github).threads
    assert isinstance(found, Unread)
    assert "not collected" in found.unread


def test_a_failure_is_no_empty_list(github: Loopback, pull: PullRequest) -> None:
    begin(pull, SIGNER)
    github.fail("500", "POST /graphql")
    found = threads(github)
    assert isinstance(found, Unread)
    assert "review threads of" in found.unread


def page(number: int, total: int, *, more: bool, cursor: str | None = "c") -> dict[str, Any]:
    node = {"id": f"T{number}", "isResolved": True, "comments": {"nodes": []}}
    return {
        "totalCount": total,
        "pageInfo": {"hasNextPage": more, "endCursor": cursor},
        "nodes": [node],
    }


def answer(threads: Any) -> Reply:
    return Reply({"data": {"repository": {"pullRequest": {"reviewThreads": threads}}}})


@pytest.mark.parametrize(
    "threads",
    [
        page(1, 2, more=False),
        page(1, 0, more=False),
        page(1, 1, more=True, cursor=None),
        page(1, 5000, more=True),
        page(1, 1, more=False) | {"nodes": None},
        None,
    ],
    ids=["fewer", "more", "no way on", "no end", "null", "nothing"],
)
def test_threads_that_do_not_add_up_are_refused(
    stub: Stub, client: GitHubClient, monkeypatch: pytest.MonkeyPatch, threads: Any
) -> None:
    monkeypatch.setattr("signoff_bot.github.threads.MOST_THREADS", 3)
    stub.says("/graphql", answer(threads))
    with pytest.raises(GitHubFailure, match="review threads of o/r#7"):
        read_threads(client, "o/r", 7, "https://github.com/o/r/pull/7")


def test_a_thread_without_a_comment_is_shown_on_the_pull_request(
    stub: Stub, client: GitHubClient
) -> None:
    stub.says("/graphql", answer(page(1, 1, more=False)))
    (thread,) = read_threads(client, "o/r", 7, "https://github.com/o/r/pull/7")
    assert (thread.url, thread.author) == ("https://github.com/o/r/pull/7", None)
