"""Reads who owns what: the CODEOWNERS lines behind changed paths, and who is among their owners.

Owners are people (`@login`, letter case aside), teams (`@org/slug`, nested teams included) or
e-mail addresses. An e-mail address proves nothing here, since GitHub tells nobody whose it is.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass

from signoff_bot.evidence.base import Unread, known
from signoff_bot.evidence.pull import Account, ChangedFile
from signoff_bot.reading.codeowners import Codeowners, Line
from signoff_bot.reading.wording import some

Members = Callable[[str], tuple[Account, ...] | Unread]
"""Looks up the members of a team named `org/slug`, as `Evidence.team` does."""


@dataclass(frozen=True, slots=True)
class Holding:
    """Changed paths that one line decides; `line` is None for those that no line matches."""

    line: Line | None
    paths: tuple[str, ...]

    @property
    def owners(self) -> tuple[str, ...]:
        """The owners as the line names them, possibly none."""
        return self.line.owners if self.line else ()

    @property
    def line_number(self) -> int:
        """The number of the line; 0 without one."""
        return self.line.number if self.line else 0

    @property
    def is_catch_all(self) -> bool:
        """Whether the line matches every path, so that it names nobody for this one."""
        return self.line is not None and self.line.catch_all


def changed_paths(files: Iterable[ChangedFile]) -> tuple[str, ...]:
    """Every path the pull request touches, both names of a renamed file, sorted."""
    paths = {file.path for file in files}
    paths |= {file.previous_path for file in files if file.previous_path is not None}
    return tuple(sorted(paths))


def holdings(codeowners: Codeowners, paths: Iterable[str]) -> tuple[Holding, ...]:
    """The paths grouped by the line that decides them, unmatched ones first, then by line."""
    groups: dict[int, tuple[Line | None, list[str]]] = {}
    for path in paths:
        line = codeowners.match(path)
        groups.setdefault(line.number if line else 0, (line, []))[1].append(path)
    return tuple(Holding(line, tuple(held)) for _, (line, held) in sorted(groups.items()))


@dataclass(frozen=True, slots=True)
class Claim:
    """A holding, and who may sign for its paths under the rules."""

    holding: Holding
    owners: tuple[str, ...]

    @property
    def open_to_all(self) -> bool:
        """Whether nobody in particular owns the paths, so that any listed owner may sign."""
        return self.owners != self.holding.owners

    def __str__(self) -> str:
        line, paths = self.holding.line, some(self.holding.paths)
        if line is None:
            return f"no line matches {paths}"
        pattern = "" if line.pattern.strip("/") in self.holding.paths else f" ({line.pattern})"
        return f"line {line.number}{pattern}: {paths}; owned by {' '.join(line.owners) or 'nobody'}"


def claims(
    codeowners: Codeowners,
    paths: Iterable[str],
    *,
    open_catch_all: bool,
    open_unowned: bool,
    closed: Container[str] = (),
) -> tuple[Claim, ...]:
    """Who may sign for which paths; open ones may be signed for by anybody whom the file lists.

    `open_catch_all` opens what only a catch-all line matches, save `closed` paths, and
    `open_unowned` what nobody owns.
    """
    groups: dict[bool, list[str]] = {True: [], False: []}
    for path in paths:
        groups[open_catch_all and path not in closed].append(path)
    found = []
    for opened, group in groups.items():
        for holding in holdings(codeowners, group):
            is_open = opened and holding.is_catch_all if holding.owners else open_unowned
            found.append(Claim(holding, codeowners.listed_owners if is_open else holding.owners))
    return tuple(sorted(found, key=lambda claim: claim.holding.line_number))


def is_team(owner: str) -> bool:
    """Whether an owner is a team rather than a person or an e-mail address."""
    return owner.startswith("@") and "/" in owner


def is_email(owner: str) -> bool:
    """Whether an owner is an e-mail address."""
    return not owner.startswith("@")


def names(owners: Iterable[str], login: str) -> bool:
    """Whether the owners list this person by login."""
    return f"@{login}".lower() in {owner.lower() for owner in owners}


def owns(owners: Iterable[str], people: Iterable[Account], members: Members) -> bool | Unread:
    """Whether one of the people is among the owners, by login or as a member of an owning team.

    A team that could not be read matters only if nothing else makes one of them an owner; then the
    answer is that team's `Unread`.
    """
    owners, people = tuple(owners), tuple(people)
    if any(names(owners, person.login) for person in people):
        return True
    ids = {person.id for person in people}
    unread: Unread | None = None
    for team in (owner for owner in owners if is_team(owner)):
        found = members(team[1:])
        if isinstance(found, Unread):
            unread = unread or found
        elif ids & {member.id for member in found}:
            return True
    return unread or False


def not_owned(
    codeowners: Codeowners, paths: Iterable[str], people: Iterable[Account], members: Members
) -> tuple[str, ...]:
    """The paths whose deciding lines name none of the people.

    Raises:
        MissingEvidence: a team that decides could not be read.
    """
    people = tuple(people)
    return tuple(
        path
        for holding in holdings(codeowners, paths)
        if not known(owns(holding.owners, people, members))
        for path in holding.paths
    )


def teams_to_ask(
    codeowners: Codeowners, paths: Iterable[str], logins: Iterable[str]
) -> tuple[str, ...]:
    """The teams (`org/slug`, lower case, sorted) whose members can decide if these people own.

    Those are the teams on a path's line that does not name the person. For somebody whom no line
    names, and a path that nobody in particular owns, every team may decide: such a path may be
    signed by any owner where the rules say so.
    """
    held = holdings(codeowners, paths)
    everybody = codeowners.listed_owners
    teams: set[str] = set()
    for login in logins:
        for holding in held:
            if not names(holding.owners, login):
                teams.update(holding.owners)
            if (holding.is_catch_all or not holding.owners) and not names(everybody, login):
                teams.update(everybody)
    return tuple(sorted({team[1:].lower() for team in teams if is_team(team)}))
