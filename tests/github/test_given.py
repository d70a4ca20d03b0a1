"""What commands make us ask: histories, pushes, access, and the runs that they pin."""

from __future__ import annotations

from typing import Any

import pytest
from support.collecting import SWEEP_NEED, collected
from support.wire_inferencex import CORE, REPO, SIGNER, STRANGER, sweep_run
from support.world import Comment, Edit, PullRequest, Repository, User, user
from wire.loopback.server import Loopback

from signoff_bot.checks.acks import ACK
from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.model import Evidence
from signoff_bot.evidence.pull import Account

AT = "2026-06-24T12:00:00Z"
REUSE = "/reuse-sweep-run"


def say(pull: PullRequest, body: str, by: User = CORE, **fields: Any) -> Comment:
    said = Comment(4_790_000_900 + len(pull.comments), by, body, created_at=AT, **fields)
    pull.comments.append(said)
    return said


def history_of(evidence: Evidence, comment: Comment) -> Any:
    assert not isinstance(evidence.comments, Unread)
    (found,) = (one for one in evidence.comments if one.id == comment.id)
    return found.history


def account(who: User) -> Account:
    return Account(id=who.id, login=who.login, type=who.type)


def asked(github: Loopback, words: str) -> list[str]:
    return [seen.path for seen in github.seen if words in seen.path]


def test_a_command_makes_its_history_known(github: Loopback, pull: PullRequest) -> None:
    command, remark = say(pull, f"{ACK} 8"), say(pull, f"I would not {ACK}")
    command.edits.append(Edit("2026-06-24T12:30:00Z", CORE))
    evidence = collected(github)
    assert history_of(evidence, command).edited_at == "2026-06-24T12:30:00Z"
    assert isinstance(history_of(evidence, remark), Unread)


def test_commands_of_the_rules_make_theirs_known_too(github: Loopback, pull: PullRequest) -> None:
    command = say(pull, REUSE)
    assert isinstance(history_of(collected(github), command), Unread)
    known = collected(github, commands=frozenset({REUSE}))
    assert not isinstance(history_of(known, command), Unread)


def test_a_signoff_that_commands_too_is_asked_about_once(
    github: Loopback, pull: PullRequest
) -> None:
    pull.comments[-1].body += f"\n{ACK} 8\n"
    evidence = collected(github)
    assert not isinstance(history_of(evidence, pull.comments[-1]), Unread)


@pytest.mark.parametrize(
    ("role", "permission", "may"),
    [
        ("admin", "admin", True),
        ("maintain", "write", True),
        ("write", "write", True),
        ("triage", "read", False),
        ("read", "read", False),
    ],
)
def test_who_clears_a_finding_is_asked_about(
    github: Loopback, repo: Repository, pull: PullRequest, role: str, permission: str, may: bool
) -> None:
    repo.roles[CORE.login] = role
    say(pull, f"{ACK} 8")
    say(pull, f"{ACK} 9")
    evidence = collected(github)
    (access,) = evidence.access
    assert (access.id, access.login, access.permission) == (CORE.id, CORE.login, permission)
    assert evidence.may_write(account(CORE)) is may
    assert len(asked(github, "/permission")) == 1
    assert not isinstance(evidence.push, Unread)


def test_without_such_a_command_nothing_is_asked(github: Loopback, pull: PullRequest) -> None:
    say(pull, f"{ACK} 8", association="CONTRIBUTOR")
    say(pull, f"> {ACK} 8")
    say(pull, REUSE)
    evidence = collected(github, commands=frozenset({REUSE}))
    assert evidence.access == ()
    assert isinstance(evidence.push, Unread)
    assert "no rule in force needed it" in evidence.push.unread
    assert not asked(github, "/permission")
    assert not asked(github, "/activity")


def test_a_name_that_is_another_accounts_now_proves_nothing(
    github: Loopback, pull: PullRequest
) -> None:
    say(pull, f"{ACK} 8", by=User(CORE.login, 5))
    (access,) = collected(github).access
    assert access.id == 5
    assert isinstance(access.permission, Unread)
    assert "another account" in access.permission.unread


@pytest.mark.parametrize("kind", ["403", "404", "500", "wrong type"])
def test_access_that_cannot_be_read_says_so(github: Loopback, pull: PullRequest, kind: Any) -> None:
    say(pull, f"{ACK} 8")
    github.fail(kind, f"GET /repos/{REPO}/collaborators/")
    (access,) = collected(github).access
    assert isinstance(access.permission, Unread)
    assert "/permission" in access.permission.unread


def test_a_crowd_is_asked_about_in_part(github: Loopback, pull: PullRequest) -> None:
    for number in range(23):
        who = user(f"member-{number}")
        github.world.users[who.login] = who
        say(pull, f"{ACK} 8", by=who)
    evidence = collected(github)
    assert len(evidence.access) == 23
    assert sum(isinstance(one.permission, Unread) for one in evidence.access) == 3
    assert len(asked(github, "/permission")) == 20
    assert isinstance(evidence.may_write(account(user("member-0"))), Unread), "the oldest"


RUNS = {
    "commits": True,
    "workflows": frozenset({SWEEP_NEED}),
    "commands": frozenset({REUSE}),
    "run_commands": frozenset({REUSE}),
}


def pinned(github: Loopback, run_id: int) -> Any:
    runs = collected(github, **RUNS).runs
    assert not isinstance(runs, Unread)
    return next((run for run in runs if run.id == run_id), None)


def test_a_pinned_run_is_read_whatever_the_others_prove(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    red = sweep_run(77, pull.head_sha, pull.head_ref, "2026-06-23T05:00:00Z")
    red.conclusion = red.jobs[4].conclusion = "failure"
    repo.runs.append(red)
    assert isinstance(pinned(github, 77).jobs, Unread)
    say(pull, f"{REUSE} 77")
    run = pinned(github, 77)
    assert not isinstance(run.jobs, Unread)
    assert {artifact.name for artifact in run.artifacts} == {"results_bmk", "eval_results_all"}


def test_a_pinned_run_of_elsewhere_is_looked_up(
    github: Loopback, repo: Repository, pull: PullRequest
) -> None:
    repo.runs.append(sweep_run(78, "e" * 40, "another-branch", "2026-06-23T05:00:00Z"))
    say(pull, f"{REUSE} 78")
    assert pinned(github, 78).head_sha == "e" * 40


@pytest.mark.parametrize("body", [f"{REUSE} 404", REUSE, f"{REUSE} x", f"{REUSE} 0"])
def test_what_is_no_run_is_left_out(github: Loopback, pull: PullRequest, body: str) -> None:
    say(pull, body)
    runs = collected(github, **RUNS).runs
    assert not isinstance(runs, Unread)
    assert {run.id for run in runs} == {28_200_000_001, 28_200_000_002}


def test_runs_pinned_by_outsiders_are_not_looked_up(github: Loopback, pull: PullRequest) -> None:
    for number in range(200):
        say(pull, f"{REUSE} {1000 + number}", by=STRANGER, association="NONE")
    collected(github, **RUNS)
    assert not asked(github, "/runs/1")


def test_the_newest_pins_are_looked_up(github: Loopback, pull: PullRequest) -> None:
    for number in range(12):
        say(pull, f"{REUSE} {1000 + number}", by=SIGNER)
    collected(github, **RUNS)
    looked_up = {path.rpartition("/")[2] for path in asked(github, "/runs/10")}
    assert looked_up == {str(1000 + number) for number in range(2, 12)}
