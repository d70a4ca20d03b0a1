"""Which comments might be commands, and what must be asked about those who gave them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.pull import Account
from signoff_bot.evidence.repository import Access
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.conversation import Written
from signoff_bot.github.repository import read_access
from signoff_bot.github.tasks import side_by_side, unless_failing
from signoff_bot.reading.commands import Command, find_commands, may_command

MOST_PEOPLE = 20
"""People who gave a command that takes write access, and are asked about."""
MOST_RUNS = 10
"""Runs that commands name, the newest first, that are read like linked ones."""


@dataclass(frozen=True)
class GivenCommands:
    """The commands in what was written, before the histories of their comments are known."""

    written: Sequence[Written]
    names: Collection[str]

    @cached_property
    def nodes(self) -> list[str]:
        """The comments that hold one, as GraphQL knows them."""
        return [one.node for one in self.written if may_command(one.comment, self.names)]

    @cached_property
    def _found(self) -> tuple[Command, ...]:
        return find_commands((one.comment for one in self.written), self.names)

    def of(self, name: str) -> list[Command]:
        """Those of a name by people who belong to the repository, the newest first."""
        return [c for c in reversed(self._found) if c.name == name and c.authorized]

    def run_ids(self, names: Collection[str]) -> tuple[int, ...]:
        """The runs that commands of these names name."""
        ids = [command.run_id for name in sorted(names) for command in self.of(name)]
        return tuple(dict.fromkeys(run_id for run_id in ids if run_id is not None))[:MOST_RUNS]


def read_access_of(
    client: GitHubClient, repo: str, commands: Sequence[Command]
) -> tuple[Access, ...]:
    """What those may do in the repository who gave the commands."""
    people = list({command.author.id: command.author for command in commands}.values())
    more = Unread(unread=f"not asked: over {MOST_PEOPLE} people gave commands")
    return (
        *side_by_side(partial(_access, client, repo, who) for who in people[:MOST_PEOPLE]),
        *(Access(id=who.id, login=who.login, permission=more) for who in people[MOST_PEOPLE:]),
    )


def _access(client: GitHubClient, repo: str, who: Account) -> Access:
    permission = unless_failing(lambda: read_access(client, repo, who))
    return Access(id=who.id, login=who.login, permission=permission)
