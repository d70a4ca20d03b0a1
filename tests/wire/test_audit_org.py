"""Auditing an organization: which of its repositories are taken in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.wire_audit import REPO, add_pull, audit_world, only
from support.wire_default import FORK
from support.world import Repository, World
from wire.audits import audit, report
from wire.command import InProcess, Result
from wire.loopback.server import Loopback

Serve = Callable[[World], Loopback]


def another(world: World, name: str, id: int, **fields: object) -> Repository:
    """One more repository of the organization, with an open and a merged pull request."""
    source = only(world)
    repo = Repository(name, id, branches=dict(source.branches), trees=source.trees, **fields)  # type: ignore[arg-type]
    repo.required_checks = source.required_checks
    repo.roles = dict(source.roles)
    for number, kind in ((1, "ready"), (2, "merged-ok")):
        add_pull(repo, world.repositories[FORK], number, kind)  # type: ignore[arg-type]
    return world.add(repo)


def org_world() -> World:
    world = audit_world(["ready"])
    another(world, "octo-works/bellows", 21)
    another(world, "octo-works/attic", 22, archived=True)
    another(world, "octo-works/copy", 23, fork=True)
    return world


def audited(result: Result) -> dict[str, list[int]]:
    """Repository to the numbers in the report."""
    told = report(result)
    return {
        repo["repo"]: [row["pr"] for row in told["pulls"] if row["repo"] == repo["repo"]]
        for repo in told["repos"]
    }


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], {REPO: [101], "octo-works/attic": [2], "octo-works/bellows": [1, 2]}),
        (["--state", "open"], {REPO: [101], "octo-works/bellows": [1]}),
        (["--include", "be*"], {"octo-works/bellows": [1, 2]}),
        (["--exclude", "A*", "--exclude", "*lows"], {}),
        (["--exclude", "attic", "--repo", REPO], {REPO: [101], "octo-works/bellows": [1, 2]}),
        (["--include", "copy", "--repo", REPO], {REPO: [101]}),
    ],
)
def test_repositories_are_chosen(
    serve: Serve, command: InProcess, options: list[str], expected: dict[str, list[int]]
) -> None:
    result = audit(command, serve(org_world()), "--org", "octo-works", *options, repo=None)
    if expected:
        assert audited(result) == expected, result.err
    else:
        assert result.status == 2
        assert "no repository of octo-works is left to audit" in result.err


def test_an_organization_that_cannot_be_listed_says_which_token_can(
    serve: Serve, command: InProcess
) -> None:
    result = audit(command, serve(org_world()), "--org", "nobody", repo=None)
    assert result.status == 3
    assert "the token of an app that is installed on the organization" in result.err


def test_that_repositories_may_be_hidden_from_the_token_is_said(
    serve: Serve, command: InProcess
) -> None:
    github = serve(org_world())
    found = audit(command, github, "--org", "octo-works", repo=None)
    assert "an app's" in report(found)["notes"][-1]
    assert "of octo-works only the repositories" in report(found)["notes"][-1]
    assert not any("an app's" in note for note in report(audit(command, github))["notes"])


def test_private_repositories_are_refused_unless_redacted_or_named(
    serve: Serve, command: InProcess
) -> None:
    world = org_world()
    secret = another(world, "octo-works/vault", 24, private=True)
    github = serve(world)
    refused = audit(command, github, "--org", "octo-works", repo=None)
    assert refused.status == 2
    assert "octo-works/vault is private" in refused.err
    assert not refused.out
    redacted = audit(command, github, "--org", "octo-works", "--redact", repo=None)
    assert "vault" not in redacted.out
    assert audited(redacted)["private-repository-1"] == [1, 2]
    named = audit(command, github, "--org", "octo-works", repo=secret.full_name)
    assert audited(named)["octo-works/vault"] == [1, 2]


def test_a_new_repository_continues_the_trend(
    serve: Serve, command: InProcess, tmp_path: Path
) -> None:
    world = org_world()
    github = serve(world)
    options = ("--org", "octo-works", "--store", tmp_path / "audits.sqlite")
    audit(command, github, *options, repo=None)
    another(world, "octo-works/new", 25)
    second = audit(command, github, *options, repo=None, as_of="2026-06-26T12:00:00Z")
    assert len(report(second)["trend"]) == 1
    assert {r["changed"] for r in report(second)["pulls"] if r["repo"] == "octo-works/new"} == {
        "new"
    }


def test_globs_without_an_organization_are_refused(command: InProcess) -> None:
    result = command("audit", "--repo", REPO, "--include", "x", env={"GITHUB_TOKEN": "t"})
    assert result.status == 2
    assert "--org" in result.err
