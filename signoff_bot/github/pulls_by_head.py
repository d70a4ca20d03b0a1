"""Finds the open pull requests that a workflow ran for, by the branch and the commit it ran on.

The event itself names none for forks, and what it names elsewhere is only a hint.
"""

from __future__ import annotations

from signoff_bot.evidence.base import Sha
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.decode import Wire, decode_all
from signoff_bot.github.paging import pages


class _Repository(Wire):
    full_name: str


class _Head(Wire):
    sha: Sha
    repo: _Repository | None


class _Pull(Wire):
    number: int
    draft: bool = False
    head: _Head


class _Commit(Wire):
    sha: Sha


def read_pulls_by_head(
    client: GitHubClient, repo: str, owner: str, head_repo: str, branch: str, sha: str
) -> tuple[int, ...]:
    """The open pull requests of `repo` from a branch of `head_repo` that list the commit `sha`.

    That is their head, or an older commit that may still be evidence. Drafts are left out.

    Raises:
        GitHubFailure: they could not be read.
    """
    path = f"/repos/{repo}/pulls"
    listed = pages(client, path, head=f"{owner}:{branch}", state="open")
    found = []
    for pull in decode_all(_Pull, listed, f"GET {path}"):
        theirs = "" if pull.head.repo is None else pull.head.repo.full_name
        if pull.draft or theirs.lower() != head_repo.lower():
            continue
        if pull.head.sha == sha or _lists(client, repo, pull.number, sha):
            found.append(pull.number)
    return tuple(sorted(found))


def _lists(client: GitHubClient, repo: str, number: int, sha: str) -> bool:
    path = f"/repos/{repo}/pulls/{number}/commits"
    commits = decode_all(_Commit, pages(client, path), f"GET {path}")
    return any(commit.sha == sha for commit in commits)
