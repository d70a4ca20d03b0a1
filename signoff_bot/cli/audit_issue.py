"""Keeps the summary issue of audits, and says where the whole report is."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from signoff_bot.audit.report import Report
    from signoff_bot.github.gate import Gate


def write_issue(report: Report, repo: str, gate: Gate | None) -> None:
    """Writes the summary issue in a repository, and says where it is.

    The `gate` is that of the audit, whose budget covers the issue too.

    Raises:
        InvalidInput: that is no repository.
        GitHubFailure: GitHub did not take it.
    """
    from signoff_bot.audit.issue import plan_issue
    from signoff_bot.cli.environment import connection
    from signoff_bot.cli.progress import say
    from signoff_bot.github.own_issue import put_issue
    from signoff_bot.target import parse_repo

    with connection(say, gate=gate) as client:
        url = put_issue(client, parse_repo(repo), plan_issue(report, page_of_run()))
    say(f"summed up in {url}")


def page_of_run() -> str | None:
    """The page of the workflow run that we are in, where the report's artifact is."""
    names = ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID")
    server, repo, run = (os.environ.get(name) for name in names)
    return f"{server}/{repo}/actions/runs/{run}" if server and repo and run else None
