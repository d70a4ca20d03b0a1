"""The store: what a second audit need not ask, and what makes it look again."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from support.wire_audit import AS_OF, REPO, Kind, audit_world, only
from support.wire_default import FORK, signed_form
from support.wire_inferencex import CORE, SIGNER, passing_inferencex
from support.world import (
    Comment,
    Commit,
    Edit,
    LineComment,
    Push,
    Review,
    Token,
    World,
    sha,
)
from wire.audits import audit, classes, report, row
from wire.command import InProcess, environment
from wire.loopback.server import Loopback

Serve = Callable[[World], Loopback]
KINDS: tuple[Kind, ...] = ("ready", "pending", "stale", "rejected", "merged-ok", "merged-unsigned")
NEXT_DAY = "2026-06-26T12:00:00Z"
LATER = "2026-06-26T08:00:00Z"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "audits.sqlite"


def collected(github: Loopback) -> set[int]:
    """The pull requests that were read one by one."""
    parts = [seen.path.split("/") for seen in github.seen if seen.method == "GET"]
    return {int(part[5]) for part in parts if len(part) == 6 and part[4] == "pulls"}


def test_unchanged_pull_requests_are_not_collected_again_even_with_a_new_token(
    serve: Serve, command: InProcess, store: Path
) -> None:
    world = audit_world(KINDS)
    github = serve(world)
    first = audit(command, github, "--store", store)
    asked = len(github.seen)
    assert collected(github) == {101, 102, 103, 104, 105, 106}
    github.forget()
    (account,) = {token.account.login: token.account for token in world.tokens.values()}.values()
    world.tokens = {"ghs_another": Token(account, installation=True)}
    second = command(
        *("audit", "--repo", REPO, "--state", "all", "--as-of", NEXT_DAY, "--format", "json"),
        *("--store", store, "--pace", "off"),
        env=environment(github, "ghs_another"),
    )
    assert collected(github) == set()
    assert len(github.seen) * 4 < asked
    assert classes(second) == classes(first)
    assert {r["changed"] for r in report(second)["pulls"]} == {None}
    assert [r["age_days"] for r in report(second)["pulls"]] == [
        r["age_days"] + 1 for r in report(first)["pulls"]
    ]
    assert report(second)["trend"] == [{"as_of": AS_OF, "counts": report(first)["counts"]}]


def sign(world: World) -> None:
    pull = only(world).pulls[102]
    pull.comments.append(Comment(5_900_000_001, SIGNER, signed_form(), created_at=LATER))


def sign_by_review(world: World) -> None:
    pull = only(world).pulls[102]
    review = Review(5_900_000_002, SIGNER, signed_form(), LATER, commit_sha=pull.head_sha)
    pull.reviews.append(review)


def sign_on_a_line(world: World) -> None:
    pull = only(world).pulls[102]
    comment = LineComment(
        5_900_000_003, SIGNER, signed_form(), "2026-06-25T13:00:00Z", commit_sha=pull.head_sha
    )
    pull.line_comments.append(comment)


def turn_a_line_comment_into_a_sign_off(world: World) -> None:
    comment = only(world).pulls[102].line_comments[0]
    comment.body = signed_form()
    comment.edits.append(Edit("2026-06-25T13:00:00Z", SIGNER))


def untick(world: World) -> None:
    signed = only(world).pulls[101].comments[1]
    signed.body = signed.body.replace("[x]", "[ ]")
    signed.edits.append(Edit(LATER, SIGNER))


def withdraw(world: World) -> None:
    del only(world).pulls[101].comments[1]


def hide(world: World) -> None:
    only(world).pulls[101].comments[1].minimized = "outdated"


def push(world: World) -> None:
    repo, pull = only(world), only(world).pulls[101]
    before, pull.head_sha = pull.head_sha, sha("101 moved")
    pull.commits.append(Commit(pull.head_sha, (before,), pull.author))
    ref = f"refs/heads/{pull.head_ref}"
    world.repositories[FORK].activity.insert(
        0, Push(ref, before, pull.head_sha, LATER, pull.author)
    )
    assert repo.pulls[101] is pull


def rerun(world: World) -> None:
    run = only(world).runs[0]
    run.attempt, run.conclusion, run.jobs[0].conclusion = 2, "failure", "failure"


def end_differently(world: World) -> None:
    check = only(world).check_runs[2]
    assert check.name == "license"
    check.conclusion = "failure"


def lose_the_owner(world: World) -> None:
    only(world).put(".github/CODEOWNERS", f"* @octo-works/smiths\n/src/ @{CORE.login}\n")


def leave_the_team(world: World) -> None:
    world.teams["octo-works/smiths"].members.remove(SIGNER)


def demand_more(world: World) -> None:
    only(world).required_checks["main"].append(("deploy", 15368))


def change_the_form(world: World) -> None:
    only(world).put(".github/SIGNOFF_TEMPLATE.md", signed_form().replace("[x]", "[ ]") + "- more")


def change_the_rules(world: World) -> None:
    only(world).put(
        ".github/signoff.yml",
        "schema: signoff-bot/rules/v1\nname: other\nextends: default\n"
        "checks:\n  checks: {severity: advisory}\n",
    )


@pytest.mark.parametrize(
    ("change", "number", "class_", "code"),
    [
        (sign, 102, "ready", "signoff-edited"),
        (sign_by_review, 102, "ready", "signoff-edited"),
        (sign_on_a_line, 102, "ready", "signoff-edited"),
        (turn_a_line_comment_into_a_sign_off, 102, "ready", "signoff-edited"),
        (untick, 101, "rejected", "signoff-edited"),
        (withdraw, 101, "pending", "signoff-edited"),
        (hide, 101, "pending", "signoff-edited"),
        (push, 101, "rejected", "head-moved"),
        (rerun, 101, "rejected", "other"),
        (end_differently, 101, "rejected", "other"),
        (lose_the_owner, 101, "rejected", "owner-left"),
        (leave_the_team, 101, "rejected", "owner-left"),
        (demand_more, 101, "rejected", "rules-changed"),
        (change_the_rules, 104, "ready", "rules-changed"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_change_is_seen_and_named(
    serve: Serve,
    command: InProcess,
    store: Path,
    change: Callable[[World], None],
    number: int,
    class_: str,
    code: str,
) -> None:
    world = audit_world(KINDS)
    commented = only(world).pulls[102]
    remark = LineComment(5_800_000_001, SIGNER, "Why?", commit_sha=commented.head_sha)
    commented.line_comments.append(remark)
    github = serve(world)
    first = audit(command, github, "--store", store)
    assert classes(first)[number] != class_
    change(world)
    world.now = NEXT_DAY
    second = audit(command, github, "--store", store, as_of=NEXT_DAY)
    assert (row(second, number)["class"], row(second, number)["changed"]) == (class_, code)
    fresh = audit(command, github, as_of=NEXT_DAY)
    for unstored in report(fresh)["pulls"]:
        # A merge was judged by the owners, teams and demands of its time; the store remembers.
        if unstored["merged_at"] is None:
            assert row(second, unstored["pr"]) | {"changed": None} == unstored


def test_after_a_change_of_one_only_that_one_is_collected(
    serve: Serve, command: InProcess, store: Path
) -> None:
    world = audit_world(KINDS)
    github = serve(world)
    audit(command, github, "--store", store)
    untick(world)
    github.forget()
    audit(command, github, "--store", store, as_of=NEXT_DAY)
    assert collected(github) == {101}


def test_a_new_pull_request_and_a_merge_are_told(
    serve: Serve, command: InProcess, store: Path
) -> None:
    world = audit_world(("ready", "ready"))
    late = only(world).pulls.pop(102)
    github = serve(world)
    audit(command, github, "--store", store)
    only(world).pulls[102] = late
    pull = only(world).pulls[101]
    pull.state, pull.merged_at = "closed", LATER
    second = audit(command, github, "--store", store, as_of=NEXT_DAY)
    assert row(second, 102)["changed"] == "new"
    assert (row(second, 101)["class"], row(second, 101)["changed"]) == ("merged-ok", "other")


def test_an_upstream_merge_is_seen(serve: Serve, command: InProcess, store: Path) -> None:
    world = passing_inferencex()
    upstream = world.repositories["vllm-project/recipes"].pulls[512]
    upstream.state, upstream.merged_at = "open", None
    rules = store.with_name("strict.yml")
    rules.write_text(
        "schema: signoff-bot/rules/v1\nname: strict\nextends: inferencex-2026-06-24\n"
        "checks:\n  recipe: {with: {merged: true}}\n"
    )
    options = ("--store", store, "--rules", rules)
    inferencex = "SemiAnalysisAI/InferenceX"
    github = serve(world)
    first = audit(command, github, *options, repo=inferencex)
    assert row(first, 2001)["failing"] == ["recipe"], first.everything
    upstream.state, upstream.merged_at = "closed", LATER
    second = audit(command, github, *options, repo=inferencex, as_of=NEXT_DAY)
    assert (row(second, 2001)["class"], row(second, 2001)["changed"]) == (
        "ready",
        "upstream-merged",
    )


def test_expired_evidence_is_seen_when_its_time_has_come(
    serve: Serve, command: InProcess, store: Path
) -> None:
    world = passing_inferencex()
    options = ("--store", store, "--rules", "inferencex-2026-06-24")
    inferencex = "SemiAnalysisAI/InferenceX"
    github = serve(world)
    assert classes(audit(command, github, *options, repo=inferencex)) == {2001: "ready"}
    for run in world.repositories[inferencex.lower()].runs:
        for artifact in run.artifacts:
            artifact.expired = True
    # The loopback's artifacts expire on 2026-09-22 at eight.
    day_before = audit(command, github, *options, repo=inferencex, as_of="2026-09-21T08:00:00Z")
    assert classes(day_before) == {2001: "ready"}
    after = audit(command, github, *options, repo=inferencex, as_of="2026-09-22T08:00:00Z")
    assert (row(after, 2001)["class"], row(after, 2001)["changed"]) == (
        "rejected",
        "evidence-expired",
    )


def test_a_merge_is_judged_from_the_stored_bundle_when_its_evidence_has_expired(
    serve: Serve, command: InProcess, store: Path
) -> None:
    world = passing_inferencex()
    inferencex = "SemiAnalysisAI/InferenceX"
    repo = world.repositories[inferencex.lower()]
    github = serve(world)
    options = ("--store", store, "--rules", "inferencex-2026-06-24")
    audit(command, github, *options, repo=inferencex)
    pull = repo.pulls[2001]
    pull.state, pull.merged_at = "closed", "2026-06-26T08:00:00Z"
    for artifact in repo.runs[1].artifacts:
        artifact.expired = True
    kept = audit(command, github, *options, repo=inferencex, as_of=NEXT_DAY)
    assert classes(kept) == {2001: "merged-ok"}, kept.everything
    rules = ("--rules", "inferencex-2026-06-24")
    without = audit(command, github, *rules, repo=inferencex, as_of=NEXT_DAY)
    assert classes(without) == {2001: "not-judged"}
    assert "has expired" in row(without, 2001)["reasons"][0]
    assert without.status == 3


def test_bundles_that_no_audit_uses_are_dropped_after_ninety_days_and_the_trend_stays(
    serve: Serve, command: InProcess, store: Path
) -> None:
    world = audit_world(("ready", "ready"))
    github = serve(world)
    audit(command, github, "--store", store)
    only(world).pulls[102].state = "closed"
    for as_of, kept in (("2026-09-23T12:00:00Z", 2), ("2026-09-23T12:00:01Z", 1)):
        last = audit(command, github, "--store", store, as_of=as_of)
        with closing(sqlite3.connect(store)) as database:
            assert database.execute("SELECT count(*) FROM bundle").fetchone() == (kept,)
    assert [point["as_of"] for point in report(last)["trend"]] == [AS_OF, "2026-09-23T12:00:00Z"]


def test_what_was_not_judged_is_looked_at_again(
    serve: Serve, command: InProcess, store: Path
) -> None:
    github = serve(audit_world(("ready",)))
    github.fail("500", f"GET /repos/{REPO}/pulls/101/files")
    first = audit(command, github, "--store", store)
    assert (first.status, classes(first)) == (3, {101: "not-judged"})
    github.faults.clear()
    assert classes(audit(command, github, "--store", store)) == {101: "ready"}


def test_other_rules_and_another_version_judge_anew(
    serve: Serve, command: InProcess, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = audit_world(("rejected", "merged-rejected"))
    github = serve(world)
    audit(command, github, "--store", store)
    lenient = store.with_name("lenient.yml")
    lenient.write_text(
        "schema: signoff-bot/rules/v1\nname: lenient\nextends: default\n"
        "checks:\n  checks: {severity: advisory}\n"
    )
    other = audit(command, github, "--store", store, "--rules", lenient)
    assert classes(other) == {101: "ready", 102: "merged-ok"}
    github.forget()
    for module in ("basis", "changes", "reuse"):
        monkeypatch.setattr(f"signoff_bot.audit.{module}.__version__", "99.0")
    withdraw(world)
    after = audit(command, github, "--store", store, "--rules", lenient)
    assert collected(github) == {101, 102}
    assert row(after, 101)["changed"] == "tool-changed"


def test_the_store_holds_no_token(serve: Serve, command: InProcess, store: Path) -> None:
    world = audit_world(("ready",))
    secret = next(iter(world.tokens))
    only(world).pulls[101].comments[0].body = f"I found {secret} somewhere"
    audit(command, serve(world), "--store", store)
    assert secret.encode() not in store.read_bytes()
