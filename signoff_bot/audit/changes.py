"""Tells, without collecting, whether what a stored row rests on is still the same.

The list of pull requests shows what was changed on each. What lies around them (files of the base
branch, teams, required checks, linked pull requests) is asked for once for all rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from signoff_bot import __version__
from signoff_bot.audit.basis import (
    Basis,
    Surroundings,
    folder_digest,
    members_digest,
    required_digest,
    run_state,
    upstream_digest,
)
from signoff_bot.audit.report import Change, PullRow
from signoff_bot.audit.scope import STAMP
from signoff_bot.evidence.base import Timestamp
from signoff_bot.evidence.pull import Account
from signoff_bot.evidence.strict_json import digest
from signoff_bot.github.actions import read_run
from signoff_bot.github.base_files import Held, read_base_files
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.failures import Forbidden, GitHubFailure, NotFound
from signoff_bot.github.listing import ListedPull
from signoff_bot.github.repository import read_access, read_protection, read_rules, read_team
from signoff_bot.github.upstream import read_upstream
from signoff_bot.reading.codeowners import LOCATIONS

OVERLAP = timedelta(minutes=10)
"""How far back line comments are asked for: clocks and GitHub's lists lag."""
UNREAD = "unread"


class Look:
    """Looks again at what lies around the pull requests of one repository, each thing once."""

    def __init__(
        self, client: GitHubClient, repo: str, members: GitHubClient | None = None
    ) -> None:
        """`members` reads teams instead of `client`."""
        self._client, self._members = client, members or client
        self._repo = repo
        self._files: dict[tuple[str, str], str | None] = {}
        self._seen: dict[tuple[str, str], str] = {}

    def prefetch(self, rows: Iterable[Surroundings]) -> None:
        """Asks for the files of the base branches of all these rows, one request a branch."""
        wanted: dict[str, set[str]] = {}
        for row in rows:
            new = {path for path in row.files if (row.base_ref, path) not in self._files}
            wanted.setdefault(row.base_ref, set()).update(new)
        for branch, paths in wanted.items():
            if not paths:
                continue
            ordered = sorted(paths)
            ref = f"refs/heads/{branch}"
            for path, held in read_base_files(self._client, self._repo, ref, ordered).items():
                self._files[branch, path] = _file_digest(held)

    def difference(self, then: Surroundings, as_of: Timestamp) -> Change | None:
        """What has changed around a row, or None where nothing has."""
        if then.expires is not None and then.expires <= as_of:
            return "evidence-expired"
        for path, held in then.files.items():
            if self._files.get((then.base_ref, path), UNREAD) != held:
                return "owner-left" if path in LOCATIONS else "other"
        if any(self._team(name) != members for name, members in then.teams.items()):
            return "owner-left"
        if any(self._upstream(one) != state for one, state in then.upstream.items()):
            return "upstream-merged"
        if then.required is not None and self._required(then.base_ref) != then.required:
            return "rules-changed"
        if any(self._access(one) != may for one, may in then.access.items()):
            return "owner-left"
        if any(self._run(one) != state for one, state in then.runs.items()):
            return "other"
        return None

    def _once(self, kind: str, name: str, read: Callable[[], str]) -> str:
        if (kind, name) not in self._seen:
            try:
                self._seen[kind, name] = read()
            except GitHubFailure:
                self._seen[kind, name] = UNREAD
        return self._seen[kind, name]

    def _team(self, name: str) -> str:
        def read() -> str:
            members: tuple[Account, ...] = read_team(self._members, name)
            return members_digest(members)

        return self._once("team", name, read)

    def _upstream(self, one: str) -> str:
        repo, _, number = one.partition("#")
        return self._once(
            "upstream",
            one,
            lambda: upstream_digest(read_upstream(self._client, repo, int(number))),
        )

    def _required(self, branch: str) -> str:
        def read() -> str:
            try:
                rules = read_rules(self._client, self._repo, branch)
                protection = read_protection(self._client, self._repo, branch)
            except (Forbidden, NotFound):
                return required_digest(None)
            return required_digest(tuple(dict.fromkeys([*rules, *protection])))

        return self._once("required", branch, read)

    def _access(self, one: str) -> str:
        number, _, login = one.partition(" ")
        account = Account(id=int(number), login=login, type="User")
        return self._once("access", one, lambda: read_access(self._client, self._repo, account))

    def _run(self, run_id: str) -> str:
        def read() -> str:
            run = read_run(self._client, self._repo, int(run_id))
            return "gone" if run is None else run_state(run.attempt, run.status, run.conclusion)

        return self._once("run", run_id, read)


def _file_digest(held: Held) -> str | None:
    if isinstance(held, dict):
        return folder_digest(held)
    return held


def difference(
    now: ListedPull, suites: str | None, rules: str | None, then: Basis
) -> Change | None:
    """What the list shows to have changed since a row was judged, or None for nothing.

    `suites` and `rules` are the digests of now; None stands for what cannot be told.
    """
    if then.tool != __version__:
        return "tool-changed"
    if rules != then.rules:
        return "rules-changed"
    if now.head_sha != then.head:
        return "head-moved"
    if now.written is None or digest(now.written) != then.written:
        return "signoff-edited"
    if digest([now.described, now.updated_at]) != then.described:
        return "other"
    if suites is None or suites != then.suites or then.surroundings is None:
        return "other"
    return None


def since(bases: Iterable[Basis]) -> Timestamp | None:
    """From when on line comments must be looked at, to know of every change since these rows."""
    oldest = min((basis.at for basis in bases), default=None)
    if oldest is None:
        return None
    return before(oldest)


def before(at: Timestamp) -> Timestamp:
    """A time a little earlier, for lists that lag."""
    return (datetime.fromisoformat(at) - OVERLAP).strftime(STAMP)


def differs(now: PullRow, then: PullRow) -> bool:
    """Whether a row says something else than the one before it."""
    parts = ("class_", "verdict", "head_sha", "signer", "signed_at", "failing", "reasons")
    return any(getattr(now, part) != getattr(then, part) for part in parts)
