"""Reads what was written on a pull request: in the conversation, in reviews, and on lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from signoff_bot.evidence.base import Sha, Timestamp, Unread
from signoff_bot.evidence.conversation import Comment
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.decode import Wire, WireAccount, account_of, decode_all
from signoff_bot.github.failures import OddAnswer
from signoff_bot.github.paging import pages
from signoff_bot.github.pulls import Described
from signoff_bot.github.tasks import side_by_side
from signoff_bot.reading.marker import claims_to_be_ours

NOT_ASKED = Unread(unread="its history was not asked for, since it is no sign-off")


@dataclass(frozen=True, slots=True)
class Written:
    """A comment, and the id by which GraphQL knows it."""

    comment: Comment
    node: str


class _WireComment(Wire):
    id: int
    node_id: str
    html_url: str
    user: WireAccount | None
    author_association: str = "NONE"
    body: str | None = None
    created_at: Timestamp


class _WireReview(Wire):
    id: int
    node_id: str
    html_url: str
    user: WireAccount | None
    author_association: str = "NONE"
    body: str | None = None
    state: str
    submitted_at: Timestamp | None = None
    commit_id: Sha | None


class _WireLineComment(_WireComment):
    original_commit_id: Sha


def read_written(
    client: GitHubClient, repo: str, number: int, described: Callable[[], Described]
) -> list[Written]:
    """Everything that was written; `described` gives GitHub's own counts."""
    lists = side_by_side(
        [
            partial(read_comments, client, repo, number, described),
            partial(read_reviews, client, repo, number),
            partial(read_line_comments, client, repo, number, described),
        ]
    )
    return [written for found in lists for written in found]


def read_comments(
    client: GitHubClient, repo: str, number: int, described: Callable[[], Described]
) -> list[Written]:
    """The comments of the conversation; `described` gives GitHub's own count of them."""
    path = f"/repos/{repo}/issues/{number}/comments"
    listed = pages(client, path, counted=lambda: described().comments)
    return [
        Written(
            Comment(
                kind="comment",
                id=comment.id,
                url=comment.html_url,
                author=account_of(comment.user),
                association=comment.author_association,
                body=comment.body or "",
                created_at=comment.created_at,
                review_state=None,
                commit_sha=None,
                history=NOT_ASKED,
            ),
            comment.node_id,
        )
        for comment in decode_all(_WireComment, listed, f"GET {path}")
    ]


def read_reviews(client: GitHubClient, repo: str, number: int) -> list[Written]:
    """The reviews with their summaries, except one that our own account has not submitted yet."""
    path = f"/repos/{repo}/pulls/{number}/reviews"
    found = decode_all(_WireReview, pages(client, path), f"GET {path}")
    return [_review(path, review) for review in found if review.state != "PENDING"]


def _review(path: str, review: _WireReview) -> Written:
    if review.submitted_at is None:
        raise OddAnswer(f"GET {path}", "odd answer from GitHub: submitted_at is missing")
    comment = Comment(
        kind="review",
        id=review.id,
        url=review.html_url,
        author=account_of(review.user),
        association=review.author_association,
        body=review.body or "",
        created_at=review.submitted_at,
        review_state=review.state,
        commit_sha=review.commit_id,
        history=NOT_ASKED,
    )
    return Written(comment, review.node_id)


def read_line_comments(
    client: GitHubClient, repo: str, number: int, described: Callable[[], Described]
) -> list[Written]:
    """The comments on lines of the diff; `described` gives GitHub's own count of them."""
    path = f"/repos/{repo}/pulls/{number}/comments"
    listed = pages(client, path, counted=lambda: described().review_comments)
    return [
        Written(
            Comment(
                kind="review_comment",
                id=comment.id,
                url=comment.html_url,
                author=account_of(comment.user),
                association=comment.author_association,
                body=comment.body or "",
                created_at=comment.created_at,
                review_state=None,
                # `commit_id` moves on with the head; this is the one it was written on.
                commit_sha=comment.original_commit_id,
                history=NOT_ASKED,
            ),
            comment.node_id,
        )
        for comment in decode_all(_WireLineComment, listed, f"GET {path}")
    ]


def without_verdicts(written: Iterable[Written], context: str) -> list[Written]:
    """What is left without what this program posts under that name, whoever wrote the marker.

    A verdict must not rest on an earlier one, or it would differ each time it is made.
    """
    return [
        one
        for one in written
        if one.comment.kind != "comment" or not claims_to_be_ours(one.comment.body, context)
    ]
