"""What an audit is asked about: repositories, states, times, and which share of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Literal

from signoff_bot.errors import InvalidInput
from signoff_bot.evidence.base import Timestamp
from signoff_bot.evidence.strict_json import digest
from signoff_bot.github.listing import State

Asked = Literal["open", "merged", "all"]
_STATES: dict[Asked, tuple[State, ...]] = {
    "open": ("OPEN",),
    "merged": ("MERGED",),
    "all": ("OPEN", "MERGED"),
}
STAMP = "%Y-%m-%dT%H:%M:%SZ"
DEFAULT_SINCE = "90d"
MOST_SHARDS = 256
"""GitHub Actions runs no larger matrix."""


@dataclass(frozen=True, slots=True)
class Shard:
    """One of several shares of an audit, counted from 1."""

    index: int
    of: int

    def holds(self, repository: int, number: int) -> bool:
        """Whether a pull request belongs to this share: by a hash, so that all are about alike."""
        stamp = sha256(f"{repository}/{number}".encode()).digest()
        return int.from_bytes(stamp[:8], "big") % self.of == self.index - 1

    def scope(self, whole: str) -> str:
        """What a store tells the audit of this share apart by; `whole` is the scope's digest."""
        return f"{whole} {self.index}/{self.of}"


@dataclass(frozen=True, slots=True)
class Scope:
    """The arguments that decide what a report says."""

    repos: tuple[str, ...]
    """`OWNER/REPO` of each."""
    state: Asked
    since: str | None
    """As the user wrote it; it filters by the time of the merge."""
    rules: str | None
    """The digest of the rules that judge all; None where each base has its own."""
    drafts: bool
    redact: bool
    source: tuple[str, ...] = ()
    """What the user named, where that is not the repositories themselves: their number may grow
    from one audit to the next."""

    @property
    def orgs(self) -> tuple[str, ...]:
        """The organizations that the user named."""
        return tuple(one.removeprefix("org ") for one in self.source if one.startswith("org "))

    @property
    def states(self) -> tuple[State, ...]:
        """The states of pull requests that are listed."""
        return _STATES[self.state]

    def merged_since(self, as_of: Timestamp) -> Timestamp | None:
        """From when on merged pull requests count; None where none are listed."""
        return None if self.state == "open" else read_since(self.since or DEFAULT_SINCE, as_of)

    @property
    def digest(self) -> str:
        """Stands for all of it: only audits of equal scope continue each other."""
        repos = sorted({name.lower() for name in self.source or self.repos})
        rest = [self.state, self.since, self.rules, self.drafts, self.redact]
        return digest([repos, rest])


def read_since(text: str, as_of: Timestamp) -> Timestamp:
    """A date (00:00 UTC of that day) or a number of days before `as_of`, such as `90d`.

    Raises:
        InvalidInput: it is neither.
    """
    days = re.fullmatch(r"([0-9]{1,5})d", text, re.ASCII)
    try:
        if days:
            at = datetime.fromisoformat(as_of) - timedelta(days=int(days[1]))
        elif re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII):
            at = datetime.fromisoformat(text).replace(tzinfo=UTC)
        else:
            raise ValueError
    except (ValueError, OverflowError):
        raise InvalidInput(
            f"--since: {text!r} is no date; write one such as 2026-06-01, or days such as 90d"
        ) from None
    return at.strftime(STAMP)


def now() -> Timestamp:
    """The present time, by this machine's clock."""
    return datetime.now(UTC).strftime(STAMP)


def read_as_of(text: str) -> Timestamp:
    """A time in UTC such as `2026-06-25T12:00:00Z`, or the beginning of a day.

    Raises:
        InvalidInput: it is neither.
    """
    try:
        if re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII):
            return datetime.fromisoformat(text).strftime(STAMP)
        return datetime.strptime(text, STAMP).strftime(STAMP)
    except ValueError:
        raise InvalidInput(
            f"--as-of: {text!r} is no time; write one such as 2026-06-25T12:00:00Z or 2026-06-25"
        ) from None


def read_shard(text: str) -> Shard:
    """`I/N`, such as 2/8.

    Raises:
        InvalidInput: it is no such thing.
    """
    found = re.fullmatch(r"([0-9]{1,4})/([0-9]{1,4})", text, re.ASCII)
    shard = Shard(int(found[1]), int(found[2])) if found else Shard(0, 0)
    if not 1 <= shard.index <= shard.of <= MOST_SHARDS:
        raise InvalidInput(
            f"--shard: {text!r} is no share; write I/N such as 2/8, up to {MOST_SHARDS} shares"
        )
    return shard
