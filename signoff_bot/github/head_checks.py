"""Reads what ran on the head commit, and what the base branch demands of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from signoff_bot.evidence.actions import RequiredCheck, Run
from signoff_bot.evidence.base import Unread
from signoff_bot.github.actions import read_commit_runs, read_jobs
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.decode import changed
from signoff_bot.github.failures import Forbidden, NotFound
from signoff_bot.github.pulls import Described
from signoff_bot.github.repository import read_protection, read_rules
from signoff_bot.github.tasks import both, side_by_side, unless_failing

MOST_RUNS = 100
"""Runs whose jobs are read."""


def read_head_runs(client: GitHubClient, described: Described) -> tuple[Run, ...]:
    """The runs of all workflows on the head, with their jobs."""
    repo = described.repository.full_name
    runs = read_commit_runs(client, repo, described.pull.head_sha, None)
    read = side_by_side(partial(_with_jobs, client, repo, run) for run in runs[:MOST_RUNS])
    return (*read, *_unread(runs[MOST_RUNS:]))


def _with_jobs(client: GitHubClient, repo: str, run: Run) -> Run:
    return changed(run, jobs=unless_failing(lambda: read_jobs(client, repo, run)))


def _unread(runs: Sequence[Run]) -> list[Run]:
    reason = Unread(unread=f"jobs not read: over {MOST_RUNS} runs on the head")
    return [changed(run, jobs=reason) for run in runs]


def read_required_checks(
    client: GitHubClient, described: Described
) -> tuple[RequiredCheck, ...] | None:
    """The checks that the base branch requires, by its rulesets and by its classic protection.

    None where the token may not read them; a request that merely failed is a failure.
    """
    repo, branch = described.repository.full_name, described.pull.base_ref
    try:
        rules, protection = both(
            partial(read_rules, client, repo, branch),
            partial(read_protection, client, repo, branch),
        )
    except (Forbidden, NotFound):
        return None
    return tuple(dict.fromkeys([*rules, *protection]))
