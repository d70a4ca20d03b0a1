"""Takes GitHub's JSON apart: what we read of it is declared, and anything else is an odd answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from signoff_bot.evidence.base import Fact
from signoff_bot.evidence.pull import Account
from signoff_bot.github.failures import OddAnswer


class Wire(BaseModel):
    """The part of a GitHub object that we read: its types are exact, and other fields are ignored.

    A field GitHub may leave empty is declared so (`| None`), one it may leave out has a default.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class WireAccount(Wire):
    """A user, app or organization."""

    id: int
    login: str
    type: str

    @property
    def account(self) -> Account:
        """The account as evidence."""
        return Account(id=self.id, login=self.login, type=self.type)


GHOST = "ghost"
"""The reserved login under which GitHub shows what deleted accounts left behind."""


def account_of(user: WireAccount | None) -> Account | None:
    """The account, or None where it was deleted."""
    return None if user is None or user.login == GHOST else user.account


F = TypeVar("F", bound=Fact)


def changed(fact: F, **fields: Any) -> F:
    """The fact with other values, validated (and its lists ordered) like any fact."""
    return type(fact).model_validate({**dict(fact), **fields})


W = TypeVar("W", bound=Wire)


def decode(model: type[W], data: Any, request: str) -> W:
    """One object of GitHub's answer to `request`.

    Raises:
        OddAnswer: it lacks a field, or has one of another type; the message names it.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise OddAnswer(request, f"odd answer from GitHub: {_problem(error)}") from None


def decode_all(model: type[W], items: Iterable[Any], request: str) -> list[W]:
    """The objects of a list.

    Raises:
        OddAnswer: as `decode`.
    """
    return [decode(model, item, request) for item in items]


def _problem(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "the object"
    return f"{where}: {first['msg']}"
