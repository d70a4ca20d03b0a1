"""Which repositories of organizations an audit takes in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from signoff_bot.audit.scope import Scope
from signoff_bot.errors import InvalidInput
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.org import OrgRepository, list_org


@dataclass(frozen=True, slots=True)
class Orgs:
    """Organizations, and globs (`*`, `?`, `[...]`) on the names of their repositories."""

    names: tuple[str, ...]
    include: tuple[str, ...] = ()
    """Only those that match one of these; all without any."""
    exclude: tuple[str, ...] = ()

    def takes(self, repo: OrgRepository, *, merged: bool) -> bool:
        """Whether a repository is audited: never a fork, and an archived one for merges only."""
        name = repo.full_name.partition("/")[2]
        wanted = not self.include or _matches(name, self.include)
        usable = not repo.fork and (merged or not repo.archived)
        return usable and wanted and not _matches(name, self.exclude)


def _matches(name: str, globs: Sequence[str]) -> bool:
    return any(fnmatchcase(name.lower(), glob.lower()) for glob in globs)


def with_orgs(client: GitHubClient, scope: Scope, orgs: Orgs) -> Scope:
    """The scope with the repositories of organizations beside those that were named.

    Raises:
        InvalidInput: nothing is left, or a private repository would show in the report.
        GitHubFailure: an organization could not be listed.
    """
    merged = scope.state != "open"
    named = {name.lower() for name in scope.repos}
    found = [
        repo
        for org in orgs.names
        for repo in list_org(client, org)
        if orgs.takes(repo, merged=merged) and repo.full_name.lower() not in named
    ]
    private = [repo.full_name for repo in found if repo.private]
    if private and not scope.redact:
        raise InvalidInput(
            f"--org: {private[0]} is private, and the report would show it; give --redact, name "
            "it with --repo, or leave it out with --exclude"
        )
    if not found and not scope.repos:
        raise InvalidInput(f"--org: no repository of {', '.join(orgs.names)} is left to audit")
    source = (
        *(f"org {name}" for name in orgs.names),
        *(f"include {glob}" for glob in orgs.include),
        *(f"exclude {glob}" for glob in orgs.exclude),
        *scope.repos,
    )
    repos = (*scope.repos, *(repo.full_name for repo in found))
    return replace(scope, repos=repos, source=source)
