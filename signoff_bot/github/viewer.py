"""Who we are to GitHub: by this id our own comments and statuses are known again."""

from __future__ import annotations

from signoff_bot.github.client import GitHubClient, graphql_request
from signoff_bot.github.decode import Wire, decode

_QUERY = "query { viewer { databaseId } }"
_ABOUT = "viewer"


class _Viewer(Wire):
    databaseId: int  # noqa: N815 - GitHub's name


def read_viewer(client: GitHubClient) -> int:
    """The id of the token's account, by GraphQL: REST's `/user` refuses the tokens of apps.

    Raises:
        GitHubFailure: it cannot be learnt.
    """
    found = client.graphql(_QUERY, {}, _ABOUT).get("viewer")
    return decode(_Viewer, found, graphql_request(_ABOUT)).databaseId
