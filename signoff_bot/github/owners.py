"""Reads a repository's CODEOWNERS for `owners`: the file, what GitHub finds wrong with it, paths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from signoff_bot.errors import Unavailable
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.contents import base_ref
from signoff_bot.github.decode import Wire, decode
from signoff_bot.github.pulls import read_files, read_pull
from signoff_bot.github.repository import read_file
from signoff_bot.github.tasks import side_by_side
from signoff_bot.reading.codeowners import LOCATIONS, CodeownersFile, LineProblem
from signoff_bot.reading.ownership import changed_paths

UNKNOWN_OWNER = "Unknown owner"
"""GitHub's kind for an owner that does not exist, cannot be seen, or may not write."""


class _Repository(Wire):
    full_name: str
    default_branch: str


class _Error(Wire):
    line: int
    kind: str
    message: str


class _Errors(Wire):
    errors: list[_Error]


@dataclass(frozen=True, slots=True)
class GitHubError:
    """A line that GitHub complains about, in its own words."""

    line: int
    kind: str
    message: str


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
    found = [(path, text) for path, text in zip(LOCATIONS, contents, strict=True) if text is not None]
    if not found:
        raise Unavailable(
            f"{repo} has no CODEOWNERS at {ref}: GitHub looks for {', '.join(LOCATIONS)}"
        )
    (path, content), *ignored = found
    return CodeownersFile(path, content, tuple(path for path, _ in ignored))


def read_errors(client: GitHubClient, repo: str, ref: str) -> tuple[GitHubError, ...]:
    """What GitHub itself finds wrong with the CODEOWNERS file at a ref."""
    answer = client.get(f"/repos/{repo}/codeowners/errors", ref=ref)
    errors = decode(_Errors, answer.data, answer.request).errors
    return tuple(GitHubError(error.line, error.kind, error.message) for error in errors)


def read_changed_paths(client: GitHubClient, repo: str, number: int) -> tuple[str, tuple[str, ...]]:
    """The base of a pull request, as a ref, and the paths it changes, both names of a renamed one."""
    described = read_pull(client, repo, number)
    files = read_files(client, repo, number, lambda: described.pull)
    return base_ref(described), changed_paths(files)


def with_errors(
    problems: Sequence[LineProblem], errors: Iterable[GitHubError]
) -> tuple[LineProblem, ...]:
    """The lint's problems, with GitHub's where the lint cannot know or sees it otherwise.

    A difference in what is a valid line is a problem of its own: one of both is wrong about who
    owns the code.
    """
    skipped = {p.number: p for p in problems if p.skipped}
    found = list(problems)
    complained = set()
    for error in errors:
        words = error.message.partition("\n")[0].removeprefix(f"{error.kind} on line {error.line}")
        words = words.strip(" :") or error.kind
        if error.kind == UNKNOWN_OWNER:
            found.append(LineProblem(error.line, "unknown-owner", f"GitHub says: {words}"))
            continue
        complained.add(error.line)
        if error.line not in skipped:
            found.append(
                LineProblem(
                    error.line,
                    "github-rejects",
                    f"GitHub skips this line ({error.kind}: {words}), and signoff-bot reads it as "
                    "valid; write it differently, and report the difference",
                )
            )
    found += [
        LineProblem(
            number,
            "github-accepts",
            "GitHub does not complain about this line, and signoff-bot skips it; write it "
            "differently, and report the difference",
        )
        for number in skipped
        if number not in complained
    ]
    return tuple(sorted(found, key=lambda problem: problem.number))
