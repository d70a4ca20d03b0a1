"""One change to what stricter rules pass, and what `verify` makes of it through the wire."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.wire_default import PASSING, REPO
from support.wire_grown import (
    CONFIG,
    GROWN_RULES,
    STANDARD,
    STANDARD_RULES,
    grown_default,
    grown_inferencex,
)
from support.wire_inferencex import AUTHOR, CORE, SIGNER, STRANGER, sweep_run
from support.wire_inferencex import REPO as INFERENCEX
from support.world import ChangedFile, Comment, Edit, PullRequest, Repository, World, sha
from wire.command import InProcess, Result, environment
from wire.loopback.server import Loopback

Serve = Callable[[World], Loopback]
Change = Callable[[Repository, PullRequest], object]


@pytest.fixture
def judged(
    serve: Serve, command: InProcess, tmp_path: Path
) -> Callable[[Callable[[], World], str, int, str, Change], Result]:
    """Verifies a changed pull request by rules given as text."""

    def judge(
        world: Callable[[], World], name: str, number: int, rules: str, change: Change
    ) -> Result:
        made = world()
        repo = made.repository(name)
        assert repo is not None
        change(repo, repo.pulls[number])
        (tmp_path / "rules.yml").write_text(rules)
        argv = ("verify", f"{name}#{number}", "--rules", tmp_path / "rules.yml", "--format", "json")
        return command(*argv, env=environment(serve(made)))

    return judge


Judged = Callable[[Callable[[], World], str, int, str, Change], Result]


def edited(comment: Comment, *by: object) -> None:
    comment.edits = [Edit("2026-06-24T14:00:00Z", editor) for editor in by]  # type: ignore[arg-type]


def slipped_in(repo: Repository, pull: PullRequest) -> None:
    pull.files[1].content = "something else"
    old = ChangedFile(pull.files[1].path)
    pull.earlier = {commit: [pull.files[0], old] for commit in pull.earlier}


def forgotten(repo: Repository, pull: PullRequest) -> None:
    pull.earlier = {}


@pytest.mark.parametrize(
    ("change", "check", "status"),
    [
        (lambda r, p: None, "four-eyes", "pass"),
        (lambda r, p: p.comments.pop(), "four-eyes", "review"),
        (lambda r, p: r.roles.pop(CORE.login), "four-eyes", "review"),
        (lambda r, p: edited(p.comments[-1], CORE), "four-eyes", "pass"),
        (lambda r, p: edited(p.comments[-1], SIGNER), "four-eyes", "review"),
        (lambda r, p: edited(p.comments[-1], None), "four-eyes", "error"),
        (lambda r, p: setattr(p.comments[-1], "minimized", "spam"), "four-eyes", "review"),
        (lambda r, p: setattr(p.comments[-1], "association", "NONE"), "four-eyes", "review"),
        (lambda r, p: setattr(p.comments[-1], "author", p.author), "four-eyes", "review"),
        (
            lambda r, p: setattr(p.comments[-1], "created_at", "2026-06-24T12:00:00Z"),
            "four-eyes",
            "review",
        ),
        (lambda r, p: setattr(p.commits[0], "author", SIGNER), "four-eyes", "fail"),
        (slipped_in, "fresh", "fail"),
        (forgotten, "fresh", "fail"),
        (lambda r, p: p.files.append(ChangedFile("more.py")), "fresh", "fail"),
        (lambda r, p: setattr(p.line_comments[0], "resolved", False), "threads", "fail"),
        (lambda r, p: setattr(p, "body", "Closes nothing."), "ticket", "fail"),
        (lambda r, p: setattr(p, "body", None), "ticket", "fail"),
    ],
    ids=[
        *("sound", "not cleared", "no write access", "own edit", "edited by another"),
        *("edited by nobody known", "minimized", "outsider", "by the author", "too early"),
        *("signer committed", "slipped into a merge", "unknown commit", "another file"),
        *("open thread", "no ticket", "no description"),
    ],
)
def test_what_a_grown_default_pack_finds(
    judged: Judged, change: Change, check: str, status: str
) -> None:
    result = judged(grown_default, REPO, PASSING, GROWN_RULES, change)
    assert result.check(check)["status"] == status, result.everything
    others = {name: found for name, found in result.statuses.items() if name != check}
    if status == "fail" and check != "fresh":
        assert set(others.values()) == {"pass"}, result.everything


def test_the_verdict_shows_who_cleared_what(judged: Judged) -> None:
    result = judged(grown_default, REPO, PASSING, GROWN_RULES, lambda r, p: None)
    found = result.check("four-eyes")
    assert found["details"][0] == "looked at and cleared by ines-varga at 2026-06-24T13:00:00Z"
    assert found["links"][-1]["url"].endswith("#issuecomment-4780000003")


def another_image(repo: Repository, pull: PullRequest) -> None:
    run = repo.runs[1]
    then = repo.trees[run.head_sha][CONFIG].decode()
    repo.trees[run.head_sha][CONFIG] = then.replace("v0.5.17", "v0.5.16").encode()


def another_model(repo: Repository, pull: PullRequest) -> None:
    run = repo.runs[1]
    other = sweep_run(run.id, run.head_sha, pull.head_ref, run.created_at, model="kimik3")
    for job in other.jobs:
        job.steps = [("Launch job script", "success")]
    repo.runs[1] = other


def launched_nothing(repo: Repository, pull: PullRequest) -> None:
    repo.runs[1].jobs[4].steps[1] = ("Launch job script", "skipped")


def over_at_once(repo: Repository, pull: PullRequest) -> None:
    repo.runs[1].jobs[4].started_at = repo.runs[1].jobs[4].completed_at


def pinned_elsewhere(repo: Repository, pull: PullRequest) -> None:
    run = sweep_run(5, sha("rebased away"), pull.head_ref, "2026-06-20T08:00:00Z", model="dsv4")
    repo.runs.append(run)
    pull.comments[1].body = "/reuse-sweep-run 5"


def documents_only(repo: Repository, pull: PullRequest) -> None:
    pull.files = [ChangedFile("README.md")]


@pytest.mark.parametrize(
    ("change", "statuses"),
    [
        (lambda r, p: None, {"sweep": "pass", "eval": "pass", "reuse": "pass"}),
        (another_image, {"sweep": "pass", "eval": "fail", "reuse": "pass"}),
        (another_model, {"sweep": "fail", "eval": "blocked", "reuse": "fail"}),
        (launched_nothing, {"sweep": "fail", "eval": "blocked", "reuse": "pass"}),
        (over_at_once, {"sweep": "fail", "eval": "blocked", "reuse": "pass"}),
        (pinned_elsewhere, {"sweep": "pass", "eval": "pass", "reuse": "fail"}),
        (lambda r, p: p.comments.pop(), {"sweep": "pass", "eval": "pass", "reuse": "fail"}),
        (
            lambda r, p: setattr(p.comments[1], "author", STRANGER),
            {"sweep": "pass", "eval": "pass", "reuse": "pass"},
        ),
        (
            lambda r, p: edited(p.comments[1], AUTHOR),
            {"sweep": "pass", "eval": "pass", "reuse": "fail"},
        ),
        (documents_only, {"sweep": "na", "eval": "na", "reuse": "na"}),
    ],
    ids=[
        *("sound", "another image", "another model", "nothing launched", "over at once"),
        *("pinned elsewhere", "no command", "another member", "edited by another", "documents"),
    ],
)
def test_what_stricter_inferencex_rules_find(
    judged: Judged, change: Change, statuses: dict[str, str]
) -> None:
    result = judged(grown_inferencex, INFERENCEX, STANDARD, STANDARD_RULES, change)
    assert {name: result.statuses[name] for name in statuses} == statuses, result.everything
