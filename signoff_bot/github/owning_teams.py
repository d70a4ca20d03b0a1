"""Reads the members of the teams that decide who owns what was changed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.pull import ChangedFile
from signoff_bot.evidence.repository import RepositoryFile, Team
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.repository import read_team
from signoff_bot.github.tasks import side_by_side, unless_failing
from signoff_bot.reading.codeowners import parse_codeowners
from signoff_bot.reading.ownership import changed_paths, teams_to_ask

MOST_TEAMS = 100
"""Teams whose members are read."""


def read_owning_teams(
    client: GitHubClient,
    codeowners: RepositoryFile | Unread,
    files: tuple[ChangedFile, ...] | Unread,
    logins: Iterable[str],
) -> tuple[Team, ...]:
    """The teams whose membership decides whether one of these people owns a changed path."""
    if isinstance(codeowners, Unread) or isinstance(files, Unread):
        return ()
    if not isinstance(codeowners.text, str):
        return ()
    names = teams_to_ask(parse_codeowners(codeowners.text), changed_paths(files), logins)
    too_many = Unread(unread=f"not read: over {MOST_TEAMS} teams could own what was changed")
    return (
        *side_by_side(partial(_team, client, name) for name in names[:MOST_TEAMS]),
        *(Team(name=name, members=too_many) for name in names[MOST_TEAMS:]),
    )


def _team(client: GitHubClient, name: str) -> Team:
    return Team(name=name, members=unless_failing(lambda: read_team(client, name)))
