"""Collects the evidence of one pull request: what the rules need, each fact once, side by side.

Only a pull request or rules that cannot be read stop it. Any other fact that GitHub does not give
becomes an `Unread` with the reason, and the checks that rest on it an `error`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from signoff_bot.errors import InvalidInput
from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.conversation import SignoffRef
from signoff_bot.evidence.model import Evidence
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.collection import Collection, Early
from signoff_bot.github.contents import ContentReader, base_ref
from signoff_bot.github.conversation import read_written, without_verdicts
from signoff_bot.github.pulls import read_commits, read_files, read_pull
from signoff_bot.github.repository import read_file
from signoff_bot.github.tasks import Tasks
from signoff_bot.packs.load import REPOSITORY_PACK, load_named, load_text
from signoff_bot.packs.model import Rules

DEFAULT_PACK = "default"
T = TypeVar("T")


def collect(
    client: GitHubClient,
    repo: str,
    number: int,
    signoff: SignoffRef | None,
    rules: Rules | str | None,
    *,
    members: GitHubClient | None = None,
) -> tuple[Evidence, Rules]:
    """The evidence of pull request `number` of `repo`, and the rules it was collected for.

    `signoff` is the one asked about; None asks about all. `rules` may be the path of a file at the
    base; without any, the repository's own are taken, else the pack `default`. `members` reads
    teams instead of `client`.

    Raises:
        GitHubFailure: the pull request or its rules could not be read.
        InvalidInput: the repository's rules are invalid.
    """
    with Tasks() as tasks:
        start = partial(_start_early, tasks, rules)
        pull = tasks.start(lambda: read_pull(client, repo, number))
        files = start(
            "files", lambda: read_files(client, repo, number, lambda: pull().pull.changed_files)
        )
        commits = start("commits", lambda: read_commits(client, repo, number, lambda: pull().pull))
        everything = tasks.start(lambda: read_written(client, repo, number, pull))
        described = pull()
        contents = ContentReader(client, described)
        codeowners = start("codeowners", contents.codeowners)
        in_force = (
            rules
            if isinstance(rules, Rules)
            else read_rules(client, described.repository.full_name, base_ref(described), rules)
        )
        context = in_force.publish.context
        written = tasks.fact(lambda: without_verdicts(everything(), context))
        early = Early(written, files, commits, codeowners, contents)
        collection = Collection(
            client, tasks, described, in_force, early, signoff, members or client
        )
        return collection.evidence(), in_force


def _start_early(
    tasks: Tasks, rules: Rules | str | None, need: str, read: Callable[[], T | Unread]
) -> Callable[[], T | Unread]:
    """Starts to read what practically all rules need, before the rules themselves are read."""
    if not isinstance(rules, Rules) or getattr(rules.needs, need):
        return tasks.fact(read)
    return lambda: Unread(unread=f"{need}: not needed by the rules")


def read_rules(client: GitHubClient, repo: str, ref: str, path: str | None) -> Rules:
    """The rules that a file of the repository holds at a ref.

    Without a path the repository's own are meant; where there are none, the pack `default`.

    Raises:
        GitHubFailure: the file could not be read.
        InvalidInput: there is no such file, or it is invalid.
    """
    content = read_file(client, repo, path or REPOSITORY_PACK, ref)
    source = f"{path or REPOSITORY_PACK} of {repo}"
    if content is None:
        if path is None:
            return load_named(DEFAULT_PACK)
        raise InvalidInput(f"{source}: there is no such file at {ref}")
    try:
        return load_text(content.decode(), source)
    except UnicodeDecodeError:
        raise InvalidInput(f"{source} at {ref} is not UTF-8 text; save it as UTF-8") from None
