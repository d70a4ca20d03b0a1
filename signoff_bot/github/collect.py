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
from signoff_bot.github.pulls import Described, read_commits, read_files, read_pull
from signoff_bot.github.repository import read_file
from signoff_bot.github.tasks import Tasks
from signoff_bot.packs.load import REPOSITORY_PACK, load_named, load_text
from signoff_bot.packs.model import Rules

DEFAULT_PACK = "default"
T = TypeVar("T")


def collect(
    client: GitHubClient, repo: str, number: int, signoff: SignoffRef | None, rules: Rules | None
) -> tuple[Evidence, Rules]:
    """The evidence of pull request `number` of `repo`, and the rules it was collected for.

    `signoff` is the one asked about; None asks about all. Without `rules`, those of the repository
    at the base are taken, else the pack `default`.

    Raises:
        GitHubFailure: the pull request or its rules could not be read.
        InvalidInput: the repository's rules are invalid.
    """
    with Tasks() as tasks:
        start = partial(_start_early, tasks, rules)
        pull = tasks.start(lambda: read_pull(client, repo, number))
        files = start("files", lambda: read_files(client, repo, number, lambda: pull().pull))
        commits = start("commits", lambda: read_commits(client, repo, number, lambda: pull().pull))
        everything = tasks.start(lambda: read_written(client, repo, number, pull))
        described = pull()
        contents = ContentReader(client, described)
        codeowners = start("codeowners", contents.codeowners)
        in_force = rules or _read_rules(client, described)
        context = in_force.publish.context
        written = tasks.fact(lambda: without_verdicts(everything(), context))
        early = Early(written, files, commits, codeowners, contents)
        collection = Collection(client, tasks, described, in_force, early, signoff)
        return collection.evidence(), in_force


def _start_early(
    tasks: Tasks, rules: Rules | None, need: str, read: Callable[[], T | Unread]
) -> Callable[[], T | Unread]:
    """Starts to read what practically all rules need, before the rules themselves are read."""
    if rules is None or getattr(rules.needs, need):
        return tasks.fact(read)
    return lambda: Unread(unread=f"{need}: not needed by the rules")


def _read_rules(client: GitHubClient, described: Described) -> Rules:
    repo, ref = described.repository.full_name, base_ref(described)
    content = read_file(client, repo, REPOSITORY_PACK, ref)
    if content is None:
        return load_named(DEFAULT_PACK)
    source = f"{REPOSITORY_PACK} of {repo}"
    try:
        return load_text(content.decode(), source)
    except UnicodeDecodeError:
        raise InvalidInput(f"{source} at {ref} is not UTF-8 text; save it as UTF-8") from None
