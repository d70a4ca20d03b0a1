"""Runs the command `audit` against a loopback GitHub."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from support.wire_audit import AS_OF, REPO
from wire.command import InProcess, Result, environment, installed
from wire.loopback.server import Loopback


def arguments(*more: str | Path, repo: str | None = REPO, as_of: str = AS_OF) -> list[str | Path]:
    """The arguments of an audit of everything, as JSON and without pauses."""
    repos = ["--repo", repo] if repo else []
    return [
        *("audit", *repos, "--state", "all", "--as-of", as_of, "--format", "json"),
        *("--pace", "off", "--reserve", "0", *more),
    ]


def audit(
    command: InProcess,
    github: Loopback,
    *more: str | Path,
    repo: str | None = REPO,
    as_of: str = AS_OF,
) -> Result:
    """Runs it in this process."""
    return command(*arguments(*more, repo=repo, as_of=as_of), env=environment(github))


def audit_apart(github: Loopback, *more: str | Path, repo: str | None = REPO) -> Result:
    """Runs it in a process of its own."""
    return installed(*arguments(*more, repo=repo), env=environment(github))


def report(result: Result) -> dict[str, Any]:
    """The report; an audit that printed none fails the test."""
    assert result.out, result.err
    found: dict[str, Any] = json.loads(result.out)
    return found


def classes(result: Result) -> dict[int, str]:
    """Number to class."""
    return {row["pr"]: row["class"] for row in report(result)["pulls"]}


def row(result: Result, number: int) -> dict[str, Any]:
    """The row of one pull request."""
    (found,) = (row for row in report(result)["pulls"] if row["pr"] == number)
    return dict(found)
