"""Reads head, base and sign-offs once more: is what was judged still what is there?"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from signoff_bot.errors import Unavailable
from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.conversation import Comment, SignoffRef
from signoff_bot.evidence.model import Evidence
from signoff_bot.evidence.secrets import without_tokens
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.decode import Wire, WireAccount, decode
from signoff_bot.github.failures import NotFound
from signoff_bot.github.tasks import side_by_side


class Moved(Unavailable):
    """What was judged is no longer what is there, so nothing may be claimed."""


class _Branch(Wire):
    ref: str
    sha: str


class _Pull(Wire):
    head: _Branch
    base: _Branch


class _Signoff(Wire):
    body: str | None = None
    user: WireAccount | None
    state: str | None = None


def check_unmoved(
    client: GitHubClient, evidence: Evidence, signoffs: Collection[SignoffRef]
) -> None:
    """Makes sure that head, base and these sign-offs are still those of the evidence.

    Raises:
        Moved: one of them is not.
        GitHubFailure: they could not be read.
    """
    judged, repo = evidence.pull, evidence.repository.full_name
    later = client.get_later(f"/repos/{repo}/pulls/{judged.number}")
    side_by_side(partial(_check_signoff, client, evidence, signoff) for signoff in signoffs)
    answer = later.result()
    now = decode(_Pull, answer.data, answer.request)
    for what, before, after in (
        ("head", judged.head_sha, now.head.sha),
        ("base branch", judged.base_ref, now.base.ref),
        ("base", judged.base_sha, now.base.sha),
    ):
        if before != after:
            raise _moved(f"the {what} moved from {before} to {after}")


def _check_signoff(client: GitHubClient, evidence: Evidence, signoff: SignoffRef) -> None:
    judged, repo = _comment_of(evidence, signoff), evidence.repository.full_name
    path = {
        "comment": f"/repos/{repo}/issues/comments/{signoff.id}",
        "review": f"/repos/{repo}/pulls/{evidence.pull.number}/reviews/{signoff.id}",
        "review_comment": f"/repos/{repo}/pulls/comments/{signoff.id}",
    }[signoff.kind]
    try:
        answer = client.get(path)
    except NotFound:
        raise _moved(f"the comment {judged.url} was deleted") from None
    now = decode(_Signoff, answer.data, answer.request)
    author = None if now.user is None else now.user.id
    body = without_tokens(now.body or "")
    if judged.author is None or judged.author.id != author or body != judged.body:
        raise _moved(f"the comment {judged.url} was changed")
    if judged.kind == "review" and now.state != judged.review_state:
        raise _moved(f"the state of the review {judged.url} was changed")


def _comment_of(evidence: Evidence, signoff: SignoffRef) -> Comment:
    comments = () if isinstance(evidence.comments, Unread) else evidence.comments
    for comment in comments:
        if (comment.kind, comment.id) == (signoff.kind, signoff.id):
            return comment
    raise _moved(f"the comment {signoff.anchor} is not in the evidence, or was replaced")


def _moved(what: str) -> Moved:
    return Moved(f"{what} while the verdict was made, so nothing is claimed: run verify again")
