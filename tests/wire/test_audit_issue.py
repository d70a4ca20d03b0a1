"""The summary issue, and the alarm for audits that stopped."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from support.audits import sample
from support.wire_audit import REPO, Kind, audit_world, only
from support.wire_inferencex import BOT, STRANGER
from support.world import Issue, World
from wire.audits import audit
from wire.command import InProcess, environment
from wire.loopback.meter import Seen
from wire.loopback.server import Loopback

from signoff_bot.audit.report import ShardStamp

Serve = Callable[[World], Loopback]
KINDS: tuple[Kind, ...] = ("ready", "rejected")
ISSUE = ("--issue-repo", REPO)


def writes(github: Loopback) -> list[Seen]:
    return [s for s in github.seen if s.method != "GET" and not s.path.endswith("/graphql")]


def test_one_issue_is_created_and_left_alone_while_there_is_no_news(
    serve: Serve, command: InProcess
) -> None:
    world = audit_world(KINDS)
    github = serve(world)
    first = audit(command, github, *ISSUE)
    (issue,) = only(world).issues
    assert issue.author == BOT
    assert "101" in issue.body
    assert "102" in issue.body
    assert f"https://github.com/{REPO}/issues/{issue.number}" in first.err
    github.forget()
    audit(command, github, *ISSUE, as_of="2026-06-26T12:00:00Z")
    assert not writes(github)


def test_news_edits_and_reopens_it(serve: Serve, command: InProcess) -> None:
    world = audit_world(KINDS)
    github = serve(world)
    audit(command, github, *ISSUE)
    (issue,) = only(world).issues
    issue.state = "closed"
    before = issue.body
    del only(world).pulls[101].comments[1]
    audit(command, github, *ISSUE)
    (issue,) = only(world).issues
    assert issue.state == "open"
    assert issue.body != before


def test_an_issue_with_our_marker_by_another_is_left_alone(
    serve: Serve, command: InProcess
) -> None:
    world = audit_world(KINDS)
    forged = "<!-- signoff-bot-audit sha256:0 -->\nAll is well."
    only(world).issues.append(Issue(7, "Audit of sign-offs", forged, STRANGER))
    audit(command, serve(world), *ISSUE)
    theirs, ours = only(world).issues
    assert (theirs.body, theirs.state) == (forged, "open")
    assert ours.author == BOT


def test_an_issue_that_cannot_be_written_is_told_after_the_report(
    serve: Serve, command: InProcess
) -> None:
    github = serve(audit_world(("ready",)))
    github.fail("403", f"POST /repos/{REPO}/issues")
    result = audit(command, github, *ISSUE)
    assert result.status == 3
    assert '"class": "ready"' in result.out
    assert f"POST /repos/{REPO}/issues: the token may not do this" in result.err


def test_the_issue_fits_however_many_there_are(serve: Serve, command: InProcess) -> None:
    world = audit_world(("ready",))
    for number in range(200, 205):
        only(world).pulls[number] = only(world).pulls[101]
    only(world).pulls[101].title = "x" * 60_000
    audit(command, serve(world), *ISSUE)
    (issue,) = only(world).issues
    assert len(issue.body or "") <= 65_536


def test_markdown_that_does_not_fit_leads_to_the_page_of_the_run(
    command: InProcess, tmp_path: Path
) -> None:
    file = tmp_path / "1.json"
    long = sample(2000).model_copy(update={"shard": ShardStamp(index=1, of=1)})
    file.write_text(long.to_json())
    argv = ("audit", "merge", file, "--format", "markdown", "--fail-on", "none")
    server, page = "https://github.com", f"https://github.com/{REPO}/actions/runs/77"
    run = {"GITHUB_SERVER_URL": server, "GITHUB_REPOSITORY": REPO, "GITHUB_RUN_ID": "77"}
    within = command(*argv, env=environment(None, None, **run))
    assert "There is no room here for " in within.out, within.err
    assert f"see [report]({page})" in within.out
    outside = command(*argv, env=environment(None, None))
    assert "the JSON report has them all" in outside.out


def test_the_age_of_the_last_audit(serve: Serve, command: InProcess, tmp_path: Path) -> None:
    store = tmp_path / "audits.sqlite"
    github = serve(audit_world(("ready",)))
    env = environment(None, None)
    argv = ("audit", "age", "--store", store, "--max-age", "36")
    missing = command(*argv, env=env)
    assert missing.status == 2
    assert not store.exists()
    now = datetime.now(UTC)
    stamp = "%Y-%m-%dT%H:%M:%SZ"
    audit(command, github, "--store", store, "--max-requests", "2", as_of=now.strftime(stamp))
    never = command(*argv, env=env)
    assert (never.status, "no audit was ever completed" in never.err) == (1, True)
    old = now - timedelta(hours=40)
    audit(command, github, "--store", store, as_of=old.strftime(stamp))
    late = command(*argv, env=env)
    assert late.status == 1
    assert "40 hours ago" in late.err
    audit(command, github, "--store", store, as_of=(now - timedelta(hours=30)).strftime(stamp))
    before = store.read_bytes()
    assert command(*argv, env=env).status == 0
    assert store.read_bytes() == before


def foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE notes (text)")


def bare_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 1")


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda path: None, "does not exist; give the store of an audit"),
        (Path.touch, "is empty; give the store of an audit"),
        (lambda path: path.write_text("# Notes\n" * 100), "is no store of signoff-bot"),
        (foreign, "is a database of another program"),
        (bare_database, "is a database of another program"),
        (Path.mkdir, "cannot use"),
    ],
    ids=["missing", "empty", "text", "foreign", "bare", "folder"],
)
def test_the_age_of_what_is_no_store_is_refused_and_nothing_is_written(
    command: InProcess, tmp_path: Path, make: Callable[[Path], object], problem: str
) -> None:
    store = tmp_path / "audits.sqlite"
    make(store)
    before = store.read_bytes() if store.is_file() else None
    result = command("audit", "age", "--store", store, "--max-age", "36", env=environment(None))
    assert (result.status, result.out) == (2, "")
    assert f"{store} {problem}" in result.err or f"{problem} {store}" in result.err
    assert (store.read_bytes() if store.is_file() else None) == before
    assert set(tmp_path.iterdir()) <= {store}
