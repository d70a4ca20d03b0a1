"""What was written on a pull request, and who touched it afterwards."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.collecting import collected
from support.http_stub import Reply, Stub
from support.wire_inferencex import AUTHOR, BOT, PHRASE, REPO, SIGNER, STRANGER, signed_form
from support.world import Comment, Edit, LineComment, PullRequest, Review, User, sha
from wire.loopback.server import Loopback

from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.conversation import Comment as Written
from signoff_bot.evidence.conversation import History
from signoff_bot.evidence.pull import Account
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.histories import read_histories

FORM = signed_form(SIGNER.login, "", "", "nothing")
FRAGMENTS = {
    "comment": "issuecomment-",
    "review": "pullrequestreview-",
    "review_comment": "discussion_r",
}


def comments_of(github: Loopback) -> dict[int, Written]:
    found = collected(github).comments
    assert not isinstance(found, Unread), found
    return {comment.id: comment for comment in found}


def account(user: User) -> Account:
    return Account(id=user.id, login=user.login, type=user.type)


def test_all_three_places_are_read(github: Loopback, pull: PullRequest) -> None:
    head = pull.head_sha
    pull.comments = [Comment(11, SIGNER, "hi", association="COLLABORATOR")]
    pull.reviews = [Review(12, STRANGER, "", state="DISMISSED", commit_sha=head)]
    pull.line_comments = [LineComment(13, BOT, "why?", commit_sha=head)]
    found = comments_of(github)
    assert [(c.kind, c.author, c.body) for _, c in sorted(found.items())] == [
        ("comment", account(SIGNER), "hi"),
        ("review", account(STRANGER), ""),
        ("review_comment", account(BOT), "why?"),
    ]
    assert found[11].association == "COLLABORATOR"
    assert [found[i].review_state for i in (11, 12, 13)] == [None, "DISMISSED", None]
    assert [found[i].commit_sha for i in (11, 12, 13)] == [None, head, head]
    page = f"https://github.com/{REPO}/pull/2001"
    assert all(c.url == f"{page}#{FRAGMENTS[c.kind]}{c.id}" for c in found.values())


def test_many_comments_are_read_and_all_histories_of_signoffs(
    github: Loopback, pull: PullRequest
) -> None:
    pull.comments = [Comment(n, BOT, f"remark {n}") for n in range(1, 1201)]
    pull.comments += [Comment(n, SIGNER, FORM) for n in range(2001, 2206)]
    found = comments_of(github)
    assert len(found) == 1405
    read = {n for n, comment in found.items() if isinstance(comment.history, History)}
    assert read == set(range(2001, 2206))


def test_deleted_accounts_are_nobody(github: Loopback, pull: PullRequest) -> None:
    pull.comments = [Comment(1, None, FORM), Comment(2, User("ghost", 10137), FORM)]
    assert {comment.author for comment in comments_of(github).values()} == {None}


def test_a_review_not_yet_submitted_is_left_out(github: Loopback, pull: PullRequest) -> None:
    pull.reviews = [Review(12, BOT, "draft", state="PENDING", commit_sha=pull.head_sha)]
    assert 12 not in comments_of(github)


def test_a_review_whose_commit_is_gone_is_read(github: Loopback, pull: PullRequest) -> None:
    pull.reviews = [Review(12, SIGNER, FORM, commit_sha="")]
    assert comments_of(github)[12].commit_sha is None


@pytest.mark.parametrize("missing", ["comments", "line comments"])
def test_fewer_comments_than_counted_are_not_all(
    github: Loopback, pull: PullRequest, missing: str
) -> None:
    pull.line_comments = [LineComment(13, BOT, "why?", commit_sha=pull.head_sha)]
    path = "issues/2001/comments" if missing == "comments" else "pulls/2001/comments"
    github.fail("empty page", f"GET /repos/{REPO}/{path}")
    found = collected(github).comments
    assert isinstance(found, Unread)
    assert path in found.unread


def test_a_comment_written_meanwhile_does_no_harm(github: Loopback, pull: PullRequest) -> None:
    late = Comment(99, STRANGER, "late")

    def look(seen: object) -> None:
        if "issues/2001/comments" in str(seen) and late not in pull.comments:
            pull.comments.append(late)

    github.watch(look)
    assert 99 in comments_of(github)


def test_a_comment_never_edited_has_an_empty_history(github: Loopback, pull: PullRequest) -> None:
    pull.comments = [Comment(1, SIGNER, FORM)]
    assert comments_of(github)[1].history == History(edited_at=None, editors=(), minimized=False)


def test_every_editor_is_told_once_and_the_last_edit_dates_it(
    github: Loopback, pull: PullRequest
) -> None:
    edits = [
        Edit("2026-06-24T11:00:00Z", STRANGER),
        Edit("2026-06-24T12:00:00Z", SIGNER),
        Edit("2026-06-24T13:00:00Z", None),
        Edit("2026-06-24T14:00:00Z", SIGNER),
    ]
    pull.comments = [Comment(1, SIGNER, FORM, edits=edits, minimized="outdated")]
    history = comments_of(github)[1].history
    assert isinstance(history, History)
    assert history.edited_at == "2026-06-24T14:00:00Z"
    assert set(history.editors) == {account(SIGNER), account(STRANGER), None}
    assert len(history.editors) == 3
    assert history.minimized


def test_reviews_and_line_comments_have_histories_too(github: Loopback, pull: PullRequest) -> None:
    edit = [Edit("2026-06-24T11:00:00Z", STRANGER)]
    head = pull.head_sha
    pull.reviews = [Review(12, SIGNER, FORM, commit_sha=head, edits=edit)]
    pull.line_comments = [LineComment(13, SIGNER, FORM, commit_sha=head, edits=edit)]
    found = comments_of(github)
    for number in (12, 13):
        history = found[number].history
        assert isinstance(history, History)
        assert account(STRANGER) in history.editors


def test_more_edits_than_github_tells_are_unread(github: Loopback, pull: PullRequest) -> None:
    edits = [Edit("2026-06-24T11:00:00Z", SIGNER) for _ in range(101)]
    pull.comments = [Comment(1, SIGNER, FORM, edits=edits)]
    history = comments_of(github)[1].history
    assert isinstance(history, Unread)
    assert "102 edits" in history.unread


OCTAVIA = {"__typename": "User", "login": "octavia-chen", "databaseId": 7}
EDITED = {"lastEditedAt": "2026-06-24T11:00:00Z", "editor": OCTAVIA, "isMinimized": False}
TWO_EDITS = {"totalCount": 2, "nodes": [{"editor": None}, {"editor": OCTAVIA}]}


@pytest.mark.parametrize(
    ("node", "editors"),
    [
        ({"lastEditedAt": None, "editor": None, "userContentEdits": None}, []),
        ({"userContentEdits": TWO_EDITS}, [None, "octavia-chen"]),
        (
            {"userContentEdits": {"totalCount": 1, "nodes": [{"editor": None}]}},
            [None, "octavia-chen"],
        ),
        ({"userContentEdits": {"totalCount": 0, "nodes": []}}, None),
        ({"userContentEdits": None}, None),
        ({"userContentEdits": TWO_EDITS | {"totalCount": 3}}, None),
        ({"userContentEdits": TWO_EDITS | {"nodes": None}}, None),
        ({"userContentEdits": {"totalCount": 1, "nodes": [None]}}, None),
        ({"userContentEdits": TWO_EDITS, "isMinimized": None}, None),
        ({"userContentEdits": TWO_EDITS, "editor": {"login": "x"}}, None),
        (None, None),
    ],
)
def test_a_history_is_only_believed_when_it_is_whole(
    stub: Stub, client: GitHubClient, node: dict[str, Any] | None, editors: list[str] | None
) -> None:
    answer = None if node is None else EDITED | node
    stub.says("/graphql", Reply({"data": {"nodes": [answer]}}))
    history = read_histories(client, ["IC_1"])["IC_1"]
    if editors is None:
        assert isinstance(history, Unread)
        assert "edits of comments" in history.unread
    else:
        assert isinstance(history, History)
        assert [editor and editor.login for editor in history.editors] == editors


@pytest.mark.parametrize("data", [{}, {"nodes": None}, {"nodes": []}, {"nodes": [None, None]}])
def test_an_answer_that_does_not_fit_the_question_is_no_history(
    stub: Stub, client: GitHubClient, data: dict[str, Any]
) -> None:
    stub.says("/graphql", Reply({"data": data}))
    assert isinstance(read_histories(client, ["IC_1"])["IC_1"], Unread)


def test_a_comment_deleted_meanwhile_is_unread_and_the_others_are_not(
    github: Loopback, pull: PullRequest
) -> None:
    pull.comments = [Comment(1, SIGNER, FORM), Comment(2, AUTHOR, FORM)]

    def look(seen: object) -> None:
        if "graphql" in str(seen):
            pull.comments = [c for c in pull.comments if c.id != 1]

    github.watch(look)
    found = comments_of(github)
    assert isinstance(found[1].history, Unread)
    assert isinstance(found[2].history, History)


def test_what_is_no_signoff_costs_no_request(github: Loopback, pull: PullRequest) -> None:
    pull.comments = [
        Comment(1, BOT, FORM),
        Comment(2, SIGNER, f"> {PHRASE}"),
        Comment(3, SIGNER, "LGTM"),
    ]
    pull.reviews = [Review(4, SIGNER, FORM, state="DISMISSED", commit_sha=sha("x"))]
    assert all(isinstance(comment.history, Unread) for comment in comments_of(github).values())
    assert not any("graphql" in seen.path for seen in github.seen)


def test_the_order_in_which_github_lists_comments_changes_nothing(
    github: Loopback, pull: PullRequest
) -> None:
    pull.comments = [replace(pull.comments[0], id=n) for n in (5, 3, 4)]
    before = collected(github)
    pull.comments.reverse()
    assert collected(github) == before


def test_our_own_verdicts_are_no_evidence(github: Loopback, pull: PullRequest) -> None:
    marker = f"<!-- test sha={pull.head_sha} signoff=issuecomment-1 -->"
    before = collected(github)
    verdict = Comment(71, BOT, f"{marker}\n**pass** {FORM}")
    forged = Comment(72, SIGNER, f"{marker}\n{FORM}")
    welcome = Comment(74, BOT, f"<!-- test welcome -->\n{FORM}")
    pull.comments += [verdict, forged, welcome]
    assert collected(github) == before
    pull.comments += [Comment(73, BOT, f"As it said:\n{marker}")]
    assert 73 in comments_of(github)
