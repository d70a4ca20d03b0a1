"""Reads what the repository says for itself: files at a ref, teams, and required checks."""

from __future__ import annotations

import base64
import binascii
from urllib.parse import quote

from pydantic import Field

from signoff_bot.evidence.actions import RequiredCheck
from signoff_bot.evidence.base import Sha
from signoff_bot.evidence.pull import Account
from signoff_bot.github.client import GitHubClient, graphql_request, segment
from signoff_bot.github.decode import Wire, WireAccount, decode, decode_all
from signoff_bot.github.failures import Forbidden, Incomplete, NotFound, OddAnswer
from signoff_bot.github.paging import pages

OBJECT = "application/vnd.github.object+json"
"""Gives an object for whatever the path leads to, and files of any size."""
MOST_BYTES = 10_000_000
"""Larger files are not read: no form, rule pack or CODEOWNERS is."""
MOST_ENTRIES = 1000
"""GitHub lists no more of a directory."""

_QUERY = """
query Exists($owner: String!, $name: String!, $ref: String!, $file: String!) {
  repository(owner: $owner, name: $name) {
    commit: object(expression: $ref) { oid }
    file: object(expression: $file) { oid }
  }
}
"""


class _Content(Wire):
    type: str
    size: int
    sha: str
    encoding: str
    content: str


class _Blob(Wire):
    encoding: str
    content: str


class _Entry(Wire):
    path: str
    type: str


class _Commit(Wire):
    sha: Sha


class _Comparison(Wire):
    merge_base_commit: _Commit


class _Granted(Wire):
    permission: str
    user: WireAccount | None


class _Object(Wire):
    oid: str


class _Objects(Wire):
    commit: _Object | None
    file: _Object | None


class _Found(Wire):
    repository: _Objects


class _StatusCheck(Wire):
    context: str
    app: int | None = Field(alias="integration_id", default=None)


class _StatusChecks(Wire):
    required_status_checks: list[_StatusCheck]


class _Rule(Wire):
    type: str
    parameters: object = None


class _ProtectedCheck(Wire):
    context: str
    app: int | None = Field(alias="app_id")


class _ProtectedChecks(Wire):
    contexts: list[str]
    checks: list[_ProtectedCheck]


class _Protection(Wire):
    required: _ProtectedChecks | None = Field(alias="required_status_checks", default=None)


class _Branch(Wire):
    protection: _Protection


def read_file(client: GitHubClient, repo: str, path: str, ref: str) -> bytes | None:
    """The content of a file at a ref (`refs/heads/BRANCH` or a commit), or None without one."""
    try:
        answer = client.get(f"/repos/{repo}/contents/{quote(path)}", accept=OBJECT, ref=ref)
    except NotFound as missing:
        if _exists(client, repo, path, ref):
            raise OddAnswer(missing.request, "GitHub has the file, and yet says not") from None
        return None
    if not isinstance(answer.data, dict) or answer.data.get("type") != "file":
        raise OddAnswer(answer.request, f"{path} is no file at {ref}", "put a file there")
    found = decode(_Content, answer.data, answer.request)
    if found.size > MOST_BYTES:
        raise Incomplete(answer.request, f"{found.size:,} bytes; up to {MOST_BYTES:,} are read")
    if found.encoding == "none":
        # GitHub leaves out content over 1 MB here, but not when the blob itself is asked for.
        answer = client.get(f"/repos/{repo}/git/blobs/{segment(found.sha)}")
        blob = decode(_Blob, answer.data, answer.request)
        return _decoded(answer.request, blob.encoding, blob.content, found.size)
    return _decoded(answer.request, found.encoding, found.content, found.size)


def list_directory(client: GitHubClient, repo: str, path: str, ref: str) -> list[str] | None:
    """The paths of the files in a directory (`path` ends in a slash), or None without one."""
    path = path.rstrip("/")
    try:
        answer = client.get(f"/repos/{repo}/contents/{quote(path)}", ref=ref)
    except NotFound as missing:
        if _exists(client, repo, path, ref):
            raise OddAnswer(missing.request, "GitHub has the directory, and yet says not") from None
        return None
    if not isinstance(answer.data, list):
        raise OddAnswer(answer.request, f"{path} is no directory at {ref}", "put one there")
    if len(answer.data) >= MOST_ENTRIES:
        raise Incomplete(answer.request, f"GitHub lists only {MOST_ENTRIES} files of a directory")
    entries = decode_all(_Entry, answer.data, answer.request)
    return [entry.path for entry in entries if entry.type == "file"]


def read_merge_base(client: GitHubClient, repo: str, base: str, head: str) -> Sha:
    """The commit at which the head (a commit) branched off from the base (a branch or commit)."""
    path = f"/repos/{repo}/compare/{segment(base)}...{segment(head)}"
    answer = client.get(path, per_page=1)
    return decode(_Comparison, answer.data, answer.request).merge_base_commit.sha


def _decoded(request: str, encoding: str, content: str, size: int) -> bytes:
    try:
        data = base64.b64decode(content.replace("\n", ""), validate=True)
    except (binascii.Error, ValueError):
        data = b""
    if encoding != "base64" or len(data) != size:
        raise OddAnswer(request, f"odd answer from GitHub: content is not {size} bytes of base64")
    return data


def _exists(client: GitHubClient, repo: str, path: str, ref: str) -> bool:
    """Whether there is a file. GitHub's 404 may also speak of the ref, or of a permission.

    Raises:
        NotFound: the ref itself cannot be seen, so nothing is known of the file.
    """
    owner, _, name = repo.partition("/")
    about = f"is there /repos/{repo}/contents/{path} at {ref}?"
    request = graphql_request(about)
    variables = {"owner": owner, "name": name, "ref": ref, "file": f"{ref}:{path}"}
    found = decode(_Found, client.graphql(_QUERY, variables, about), request).repository
    if found.commit is None:
        raise NotFound(request, f"{ref} cannot be seen; check that the token may read contents")
    return found.file is not None


def read_team(client: GitHubClient, name: str) -> tuple[Account, ...]:
    """The members of a team `org/slug`, those of nested teams included."""
    org, _, slug = name.partition("/")
    path = f"/orgs/{segment(org)}/teams/{segment(slug)}/members"
    try:
        members = pages(client, path)
    except (Forbidden, NotFound) as failure:
        raise Forbidden(
            failure.request,
            f"the members of @{name} cannot be read ({failure.problem}). The GITHUB_TOKEN of a "
            "workflow can never read teams: use the token of an app with the permission "
            "`Members: read`, or a personal one of an organization member",
        ) from None
    return tuple(user.account for user in decode_all(WireAccount, members, f"GET {path}"))


def read_access(client: GitHubClient, repo: str, account: Account) -> str:
    """What somebody may do in the repository: admin, write, read or none.

    GitHub maps every other role to one of these: who may maintain may also write.
    """
    path = f"/repos/{repo}/collaborators/{segment(account.login)}/permission"
    answer = client.get(path)
    granted = decode(_Granted, answer.data, answer.request)
    if granted.user is None or granted.user.id != account.id:
        raise OddAnswer(
            answer.request,
            f"odd answer from GitHub: it speaks of another account than {account.login}",
        )
    return granted.permission


def read_rules(client: GitHubClient, repo: str, branch: str) -> list[RequiredCheck]:
    """The checks that the rulesets of a branch require."""
    path = f"/repos/{repo}/rules/branches/{segment(branch)}"
    required: list[RequiredCheck] = []
    for rule in decode_all(_Rule, pages(client, path), f"GET {path}"):
        if rule.type == "required_status_checks":
            found = decode(_StatusChecks, rule.parameters, f"GET {path}")
            required += [
                RequiredCheck(context=check.context, app_id=check.app)
                for check in found.required_status_checks
            ]
    return required


def read_protection(client: GitHubClient, repo: str, branch: str) -> list[RequiredCheck]:
    """The checks that the classic protection of a branch requires."""
    answer = client.get(f"/repos/{repo}/branches/{segment(branch)}")
    required = decode(_Branch, answer.data, answer.request).protection.required
    if required is None:
        return []
    apps = {check.context: check.app for check in required.checks}
    contexts = [*required.contexts, *apps]
    return [
        # -1 stands for any app.
        RequiredCheck(context=context, app_id=None if app == -1 else app)
        for context, app in ((context, apps.get(context)) for context in dict.fromkeys(contexts))
    ]
