"""Keeps what we say on a pull request true: a verdict for each head and sign-off, and a welcome.

A comment answers one sign-off. It is edited in place; one whose sign-off counts no more is
withdrawn; those about older heads are folded away once there is one about the present head.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial

from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.conversation import SignoffRef, parse_anchor
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.failures import GitHubFailure, RateLimited
from signoff_bot.github.minimize import minimize
from signoff_bot.github.own_comment import OwnComment, OwnComments
from signoff_bot.github.plan import Reply, outdated, plan_comments
from signoff_bot.github.recheck import check_unmoved
from signoff_bot.github.tasks import both
from signoff_bot.reading.marker import read_marker
from signoff_bot.render.comment import render_withdrawn
from signoff_bot.service import Judgement, comment_of, welcome_of


def speak(
    client: GitHubClient,
    whole: Judgement,
    us: frozenset[int],
    *,
    asked: SignoffRef | None,
    welcome: bool,
) -> str | None:
    """Brings our comments up to date; returns the address of the one that decides, if there is one.

    `us` are the ids of our accounts, `asked` the sign-off that is answered in any case; `welcome`
    greets the pull request, if nobody has signed it yet.

    Raises:
        Moved: head, base or sign-off changed meanwhile; nothing was written.
        GitHubFailure: a comment could not be read or written.
    """
    if whole.verdict.verdict == "error":
        return None
    evidence, context = whole.evidence, whole.rules.publish.context
    comments = OwnComments(client, evidence.repository.full_name, evidence.pull.number, us, context)
    ours, _ = both(comments.read, partial(check_relied_on, client, whole, asked))
    head = evidence.pull.head_sha
    deciding = None if whole.signoff is None else whole.signoff.anchor
    plan = plan_comments(
        ours,
        head,
        partial(_reply, whole),
        asked=None if asked is None else asked.anchor,
        deciding=deciding,
        as_of=evidence.collected_at,
    )
    comments.delete(plan.delete)
    now = {comment.id: comment for comment in ours if comment not in plan.delete}
    for comment, body in plan.edit:
        comments.edit(comment, body)
        marker = read_marker(body, context) or comment.marker
        now[comment.id] = replace(comment, body=body, marker=marker)
    for body in plan.create:
        created = comments.create(body, evidence.collected_at)
        now[created.id] = created
    there = sorted(now.values(), key=lambda comment: comment.id)
    _fold(client, outdated(there, head))
    _greet(comments, there, whole, welcome=welcome)
    return _address(there, deciding, head)


def _greet(
    comments: OwnComments, ours: Sequence[OwnComment], whole: Judgement, *, welcome: bool
) -> None:
    """Greets the pull request once, and keeps what was said then up to date."""
    if not whole.rules.publish.welcome.enabled:
        return
    said = [comment for comment in ours if comment.marker.sha is None]
    if said:
        comments.delete(said[1:])
        comments.edit(said[0], welcome_of(whole))
    elif welcome and whole.verdict.verdict == "pending":
        comments.create(welcome_of(whole), whole.evidence.collected_at)


def check_relied_on(client: GitHubClient, whole: Judgement, asked: SignoffRef | None) -> None:
    """Makes sure that the head, the base, and what is spoken of are what was judged.

    What the verdict links to on the pull request, such as a comment that cleared a finding, counts.

    Raises:
        Moved: one of them is not.
        GitHubFailure: they could not be read.
    """
    relied_on = [] if whole.signoff is None else [whole.signoff]
    if asked is not None and asked not in relied_on and whole.about(asked).signoff == asked:
        relied_on.append(asked)
    check_unmoved(client, whole.evidence, [*relied_on, *_linked(whole, relied_on)])


def _linked(whole: Judgement, known: Collection[SignoffRef]) -> list[SignoffRef]:
    """What was written on the pull request, and the checks of the verdict link to."""
    comments = whole.evidence.comments
    if isinstance(comments, Unread):
        return []
    linked = {link.url for check in whole.verdict.checks for link in check.links}
    refs = [SignoffRef(kind=c.kind, id=c.id) for c in comments if c.url in linked]
    return [ref for ref in refs if ref not in known]


def _reply(whole: Judgement, anchor: str) -> Reply:
    """What is to be said about a sign-off now."""
    ref = parse_anchor(anchor)
    if ref is None:
        return Reply("undecided")
    judged = whole.about(ref)
    outcome, signoff = judged.verdict.verdict, judged.verdict.signoff
    if signoff is None:
        return Reply("gone", render_withdrawn()) if outcome == "pending" else Reply("undecided")
    if outcome == "error":
        return Reply("undecided")
    return Reply("sign-off" if signoff.completed else "near miss", comment_of(judged))


def _fold(client: GitHubClient, older: list[OwnComment]) -> None:
    try:
        minimize(client, [comment.node for comment in older])
    except RateLimited:
        raise
    except GitHubFailure:
        pass  # only a courtesy to readers; the next run tries again


def _address(ours: list[OwnComment], deciding: str | None, head: str) -> str | None:
    about = [c for c in ours if deciding is not None and c.marker.signoff == deciding]
    here = [comment for comment in about if comment.marker.sha == head]
    return (here or about)[-1].url if about else None
