"""Starts an audit: opens the clients that it asks with, and holds them to one budget."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace

from signoff_bot.audit.budget import Budget, Limits
from signoff_bot.audit.orgs import Orgs, with_orgs
from signoff_bot.audit.run import Audited, Order, Progress, audit
from signoff_bot.evidence.base import Timestamp
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.retry import Note, Patience
from signoff_bot.github.sharing import SharingClient

Connect = Callable[..., GitHubClient]
"""Makes a client for a token; further settings are those of `github.client.connect`."""


def start(
    connect: Connect,
    note: Note,
    order: Order,
    limits: Limits,
    as_of: Timestamp,
    *,
    orgs: Orgs | None = None,
    store: str | None = None,
    resume: bool = False,
    progress: Progress = lambda *_: None,
) -> Audited:
    """Audits what is ordered, and the repositories of organizations besides; see `audit`.

    `note` is told of every wait.

    Raises:
        InvalidInput: the store cannot be used, or the organizations leave nothing to audit.
        GitHubFailure: an organization could not be listed, or a token cannot be one.
    """
    budget = Budget(limits, note)
    settings = {
        "gate": budget,
        "kind": SharingClient,
        "patience": Patience(total=Patience().total + limits.max_wait),
    }
    with ExitStack() as stack:
        client = stack.enter_context(connect(order.token, **settings))
        members = None
        if order.members_token is not None:
            members = stack.enter_context(connect(order.members_token, **settings))
        if orgs is not None:
            order = replace(order, scope=with_orgs(client, order.scope, orgs))
        return audit(
            client,
            budget,
            order,
            as_of,
            members=members,
            store=store,
            resume=resume,
            progress=progress,
        )
