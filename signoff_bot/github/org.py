"""Lists the repositories of an organization that a token may see."""

from __future__ import annotations

from dataclasses import dataclass

from signoff_bot.github.client import GitHubClient, segment
from signoff_bot.github.decode import Wire, decode_all
from signoff_bot.github.failures import Forbidden, NotFound
from signoff_bot.github.paging import pages


@dataclass(frozen=True, slots=True)
class OrgRepository:
    """A repository of an organization."""

    full_name: str
    archived: bool
    fork: bool
    private: bool


class _Repository(Wire):
    full_name: str
    archived: bool = False
    fork: bool
    private: bool


def list_org(client: GitHubClient, org: str) -> tuple[OrgRepository, ...]:
    """The repositories of an organization, by name.

    Raises:
        NotFound: there is no such organization, or the token may not list it.
        GitHubFailure: any other kind.
    """
    path = f"/orgs/{segment(org)}/repos"
    try:
        listed = pages(client, path, type="all")
    except (NotFound, Forbidden) as failure:
        raise NotFound(
            failure.request,
            f"the repositories of {org} cannot be listed ({failure.problem}). The GITHUB_TOKEN of "
            "a workflow sees its own repository only: use the token of an app that is installed on "
            "the organization, or name repositories with --repo",
        ) from None
    found = {
        one.full_name.lower(): OrgRepository(one.full_name, one.archived, one.fork, one.private)
        for one in decode_all(_Repository, listed, f"GET {path}")
    }
    return tuple(found[name] for name in sorted(found))
