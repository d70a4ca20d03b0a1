"""What every fact has in common: immutability, strict types, and an honest way to be missing.

A fact that could not be read is an `Unread` with the reason, never an empty list or a default:
nothing downstream can mistake "GitHub did not tell" for "there is none".
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints

Sha = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}([0-9a-f]{24})?$")]
"""A git object id in lower-case hexadecimal (SHA-1, or SHA-256 where a repository uses it)."""

Timestamp = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]
"""A time of GitHub's servers in UTC, to the second: `2026-06-24T18:03:11Z`. Sorts as text."""


class Fact(BaseModel):
    """One fact of the evidence: immutable, strictly typed, with no unknown fields."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class Listed(Fact):
    """A fact that comes in lists."""

    identity: ClassVar[tuple[str, ...]] = ("id",)
    """The fields that tell one from another; a list is kept in their order."""


class Unread(Fact):
    """Stands where a fact could not be read. `unread` is the reason, a sentence for people."""

    unread: str


class MissingEvidence(Exception):
    """Raised by `known` for a fact that could not be read; the evaluator makes it an `error`."""


T = TypeVar("T")
L = TypeVar("L", bound=Listed)


def _in_order(facts: tuple[L, ...]) -> tuple[L, ...]:
    def key(fact: L) -> list[str | int]:
        values = (getattr(fact, name) for name in fact.identity)
        return [0 if value is None else value for value in values]

    return tuple(sorted(facts, key=key))


Unordered = Annotated[tuple[L, ...], AfterValidator(_in_order)]
"""A list whose order carries no meaning: whatever order it came in, it is kept in one."""


def known(fact: T | Unread) -> T:
    """The fact itself.

    Raises:
        MissingEvidence: the fact could not be read; the message is the reason.
    """
    if isinstance(fact, Unread):
        raise MissingEvidence(fact.unread)
    return fact


NOT_COLLECTED = "not collected, since no rule in force needed it"
"""What the reason says where nobody ever asked for a fact, so that asking again would help."""


def not_collected(what: str) -> Any:
    """The default of a fact that no rule asked for, so that it was never requested."""
    return Unread(unread=f"{what}: {NOT_COLLECTED}; collect the evidence again with these rules")
