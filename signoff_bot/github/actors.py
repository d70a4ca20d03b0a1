"""Accounts as GraphQL gives them: a union of types, each with an id of its own."""

from __future__ import annotations

from pydantic import Field

from signoff_bot.evidence.pull import Account
from signoff_bot.github.decode import Wire

FRAGMENT = """
fragment account on Actor {
  __typename
  login
  ... on User { databaseId }
  ... on Bot { databaseId }
  ... on Mannequin { databaseId }
  ... on Organization { databaseId }
}
"""
"""What a query asks of an actor: `author { ...account }`."""


class WireActor(Wire):
    """An actor as the fragment asks for it."""

    type: str = Field(alias="__typename")
    login: str
    id: int | None = Field(alias="databaseId", default=None)


def account(actor: WireActor | None) -> Account | None:
    """The account, or None where it was deleted."""
    if actor is None or actor.id is None:
        return None
    return Account(id=actor.id, login=actor.login, type=actor.type)
