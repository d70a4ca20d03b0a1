"""Finds out what `owners` is asked about: a CODEOWNERS file, and paths."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from signoff_bot.cli.environment import connection, repository, server_url
from signoff_bot.cli.files import read_file, read_stdin
from signoff_bot.cli.paths import from_top, split_paths, typed
from signoff_bot.cli.progress import progress, say
from signoff_bot.cli.worktree import WorkTree
from signoff_bot.errors import InvalidInput, Unavailable
from signoff_bot.reading.codeowners import (
    Codeowners,
    CodeownersFile,
    LineProblem,
    UnusableCodeowners,
    decode_codeowners,
    parse_codeowners,
)
from signoff_bot.reading.codeowners.complaints import Complaint, with_complaints
from signoff_bot.reading.codeowners.lint import lint_file
from signoff_bot.reading.codeowners.text import MAX_BYTES


@dataclass(frozen=True)
class Asked:
    """A file, and paths to look up in it."""

    file: CodeownersFile
    paths: tuple[str, ...] = ()
    everything: tuple[str, ...] | None = None
    """All paths of the repository, where they are known."""
    complaints: tuple[Complaint, ...] | None = None
    """What GitHub says of the file; None where it was not asked."""
    local: bool = True

    @cached_property
    def codeowners(self) -> Codeowners:
        """The file, parsed.

        Raises:
            InvalidInput: it cannot be used as a whole, and is the user's own.
            Unavailable: it cannot be used as a whole, and is the one on GitHub.
        """
        try:
            return parse_codeowners(decode_codeowners(self.file.content))
        except UnusableCodeowners as problem:
            kind = InvalidInput if self.local else Unavailable
            raise kind(f"{self.file.path}: {problem}") from None

    @property
    def problems(self) -> tuple[LineProblem, ...]:
        """What the lint finds, and GitHub where it was asked."""
        found = lint_file(self.file, self.everything)
        return found if self.complaints is None else with_complaints(found, self.complaints)


def ask_here(paths: tuple[str, ...], file: str | None, *, nul: bool, check: bool) -> Asked:
    """What is asked about this work tree; with `check`, about the file as a whole.

    Raises:
        InvalidInput: there is no such file, or a path is none of this work tree.
    """
    tree = WorkTree.here()
    found = tree.codeowners() if file is None else CodeownersFile(file, read_file(file, MAX_BYTES))
    if check:
        return Asked(found, (), tree.files)
    if not paths:
        return Asked(found, tree.below(""))
    named: list[str] = []
    for path in paths:
        named += _listed(path, nul=nul) if path == "-" else [tree.named(typed(path))]
    return Asked(found, tuple(below for path in named for below in tree.below(path)))


def ask_github(
    paths: tuple[str, ...], pull: str | None, repo: str | None, *, nul: bool, check: bool
) -> Asked:
    """What is asked about a repository on GitHub: of its default branch, or a pull request's base.

    Raises:
        InvalidInput: the repository, the pull request or a path cannot be one.
        Unavailable: GitHub did not give what is needed.
    """
    from signoff_bot.github import owners as github
    from signoff_bot.target import parse_target

    target = None if pull is None else parse_target(pull, server_url())
    name = repository(repo, None if target is None else target.repo)
    if target is not None and paths:
        raise InvalidInput("--pr looks up what the pull request changes; leave the paths out")
    if target is None and not (paths or check):
        raise InvalidInput("name the paths to look up; all files are known only in a work tree")
    named = tuple(path for given in paths for path in _listed(given, nul=nul))
    with connection(say) as client, progress(f"Reading CODEOWNERS of {name} from GitHub"):
        if target is not None:
            ref, named = github.read_changed_paths(client, name, target.number)
        else:
            ref = github.default_branch(client, name)
        file = github.read_codeowners(client, name, ref)
        complaints = github.read_complaints(client, name, ref) if check else None
    return Asked(file, named, complaints=complaints, local=False)


def _listed(given: str, *, nul: bool) -> list[str]:
    listed = split_paths(read_stdin(), nul=nul) if given == "-" else [typed(given)]
    return [from_top(path) for path in listed]
