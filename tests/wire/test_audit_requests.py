"""What an audit's budget counts, and which token asks for what."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from support.wire_audit import AS_OF, REPO, audit_world, only
from support.wire_default import TOKEN
from support.wire_inferencex import BOT, CORE, SIGNER, passing_inferencex
from support.world import Token, World
from wire.audits import audit, report
from wire.command import InProcess
from wire.loopback.meter import Seen
from wire.loopback.server import STORAGE, Loopback

from signoff_bot.audit.budget import Limits
from signoff_bot.audit.run import Audited, Order
from signoff_bot.audit.scope import Scope
from signoff_bot.audit.start import start
from signoff_bot.github.client import connect
from signoff_bot.packs.load import load

Serve = Callable[[World], Loopback]
FORMER = "octo-works/bellows"
UNPACED = Limits(reserve=0.0, pace=False)
MEMBERS = "ghs_reads_teams_alone"


def audited(
    github: Loopback,
    repo: str,
    *,
    members: str | None = None,
    store: Path | None = None,
    as_of: str = AS_OF,
    pack: str | None = None,
) -> Audited:
    """Audits the open pull requests of a repository."""
    rules = None if pack is None else load(pack)
    digest = None if rules is None else rules.digest
    scope = Scope((repo,), state="open", since=None, rules=digest, drafts=False, redact=False)
    order = Order(scope, rules, None, TOKEN, members)
    kept = None if store is None else str(store)
    return start(partial(connect, github.url), lambda _: None, order, UNPACED, as_of, store=kept)


def renamed() -> World:
    world = audit_world(["ready"])
    only(world).former_names = (FORMER,)
    return world


@pytest.mark.parametrize(
    ("world", "repo", "pack", "followed"),
    [
        (renamed, FORMER, None, lambda seen: seen.path.startswith("/repositories/")),
        (
            *(passing_inferencex, "SemiAnalysisAI/InferenceX", "inferencex-2026-06-24"),
            lambda seen: seen.path.startswith(STORAGE),
        ),
    ],
    ids=["renamed", "artifacts"],
)
def test_redirects_that_are_followed_count_as_requests(
    serve: Serve,
    world: Callable[[], World],
    repo: str,
    pack: str | None,
    followed: Callable[[Seen], bool],
) -> None:
    github = serve(world())
    found = audited(github, repo, pack=pack)
    assert [row.class_ for row in found.report.pulls] == ["ready"]
    assert any(followed(seen) for seen in github.seen)
    assert found.budget.requests == len(github.seen)


def test_the_summary_issue_is_asked_for_on_the_same_account(
    serve: Serve, command: InProcess
) -> None:
    world = audit_world(["ready"])
    github = serve(world)
    audit(command, github)
    needed = len(github.seen)
    github.forget()
    budget = ("--max-requests", str(needed), "--issue-repo", REPO)
    spent = audit(command, github, *budget)
    assert report(spent)["complete"] is True
    assert (spent.status, len(github.seen)) == (3, needed)
    assert f"not asked: --max-requests grants {needed} requests" in spent.err
    assert not only(world).issues
    github.forget()
    enough = audit(command, github, "--max-requests", str(needed + 3), "--issue-repo", REPO)
    assert (enough.status, len(github.seen)) == (0, needed + 3)
    assert len(only(world).issues) == 1


@pytest.fixture
def two_tokens() -> World:
    """The token that asks for everything else may not read teams."""
    world = audit_world(["ready", "ready"])
    may = ("contents", "pull_requests", "statuses", "actions", "checks")
    world.tokens[TOKEN] = Token(BOT, dict.fromkeys(may, "read"), installation=True)
    world.tokens[MEMBERS] = Token(CORE, {"members": "read"}, installation=True)
    return world


def test_a_second_audit_looks_at_teams_with_the_token_that_may(
    serve: Serve, two_tokens: World, tmp_path: Path
) -> None:
    store, nights = tmp_path / "audits.sqlite", ("2026-06-26T12:00:00Z", "2026-06-27T12:00:00Z")
    github = serve(two_tokens)
    first = audited(github, REPO, members=MEMBERS, store=store)
    assert [row.class_ for row in first.report.pulls] == ["ready", "ready"]
    github.forget()
    second = audited(github, REPO, members=MEMBERS, store=store, as_of=nights[0])
    assert [row.changed for row in second.report.pulls] == [None, None]
    assert sum(seen.path.endswith("/smiths/members") for seen in github.seen) == 1
    assert not any("/pulls/" in seen.path for seen in github.seen), "nothing is collected again"
    two_tokens.teams["octo-works/smiths"].members.remove(SIGNER)
    third = audited(github, REPO, members=MEMBERS, store=store, as_of=nights[1])
    assert {(row.class_, row.changed) for row in third.report.pulls} == {("rejected", "owner-left")}


def test_without_that_token_a_stored_row_that_hangs_on_a_team_does_not_hold(
    serve: Serve, two_tokens: World, tmp_path: Path
) -> None:
    github = serve(two_tokens)
    store = tmp_path / "audits.sqlite"
    audited(github, REPO, members=MEMBERS, store=store)
    second = audited(github, REPO, store=store, as_of="2026-06-26T12:00:00Z")
    assert {row.class_ for row in second.report.pulls} == {"not-judged"}
    assert "can never read teams" in second.report.pulls[0].reasons[0]
