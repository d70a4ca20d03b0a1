"""Reads what `owners` asks GitHub: the CODEOWNERS file, what is wrong with it, changed paths."""

from __future__ import annotations

from functools import partial

from signoff_bot.errors import Unavailable
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.contents import base_ref
from signoff_bot.github.decode import Wire, decode
from signoff_bot.github.pulls import read_files, read_pull
from signoff_bot.github.repository import read_file
from signoff_bot.github.tasks import side_by_side
from signoff_bot.reading.codeowners import LOCATIONS, CodeownersFile
from signoff_bot.reading.codeowners.complaints import Complaint
from signoff_bot.reading.ownership import changed_paths


class _Repository(Wire):
    full_name: str
    default_branch: str


class _Error(Wire):
    line: int
    kind: str
    message: str


class _Errors(Wire):
    errors: list[_Error]


def default_branch(client: GitHubClient, repo: str) -> str:
    """The full ref of the branch whose CODEOWNERS a repository shows on its pages."""
    answer = client.get(f"/repos/{repo}")
    return f"refs/heads/{decode(_Repository, answer.data, answer.request).default_branch}"


def read_codeowners(client: GitHubClient, repo: str, ref: str) -> CodeownersFile:
    """The CODEOWNERS file that GitHub uses at a ref.

    Raises:
        Unavailable: there is none.
        GitHubFailure: it could not be read.
    """
    contents = side_by_side(partial(read_file, client, repo, path, ref) for path in LOCATIONS)
    found = [
        (path, text) for path, text in zip(LOCATIONS, contents, strict=True) if text is not None
    ]
    if not found:
        raise Unavailable(
            f"{repo} has no CODEOWNERS at {ref}: GitHub looks for {', '.join(LOCATIONS)}"
        )
    (path, content), *ignored = found
    return CodeownersFile(path, content, tuple(path for path, _ in ignored))


def read_complaints(client: GitHubClient, repo: str, ref: str) -> tuple[Complaint, ...]:
    """What GitHub itself finds wrong with the CODEOWNERS file at a ref."""
    branch = ref.removeprefix("refs/heads/")
    answer = client.get(f"/repos/{repo}/codeowners/errors", ref=branch)
    errors = decode(_Errors, answer.data, answer.request).errors
    return tuple(Complaint(error.line, error.kind, error.message) for error in errors)


def read_changed_paths(client: GitHubClient, repo: str, number: int) -> tuple[str, tuple[str, ...]]:
    """The base of a pull request as a ref, and the paths it changes (both of a renamed file)."""
    described = read_pull(client, repo, number)
    files = read_files(client, repo, number, lambda: described.pull.changed_files)
    return base_ref(described), changed_paths(files)
