"""One audit, end to end: classes, rows, repositories that cannot be read, exit statuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.wire_audit import ALL, AS_OF, CLASS_OF, REPO, Kind, audit_world, only
from support.wire_default import FORK
from support.world import Repository, World, sha
from wire.audits import audit, classes, report, row
from wire.command import InProcess, environment
from wire.loopback.server import Loopback

Serve = Callable[[World], Loopback]


def test_every_pull_request_is_in_its_class(serve: Serve, command: InProcess) -> None:
    found = audit(command, serve(audit_world()))
    expected = {number: CLASS_OF[kind] for number, kind in enumerate(ALL, start=101)}
    assert classes(found) == expected, found.err
    assert found.status == 1
    told = report(found)
    assert told["counts"] == {name: list(expected.values()).count(name) for name in told["counts"]}
    assert set(told["counts"]) >= set(expected.values())
    assert [r["pr"] for r in told["pulls"]] == sorted(expected)


def test_a_row_tells_who_signed_what_fails_and_who_can_help(
    serve: Serve, command: InProcess
) -> None:
    found = audit(command, serve(audit_world(["rejected", "pending", "stale", "ready"])))
    rejected = row(found, 101)
    assert rejected["failing"] == ["checks"]
    assert "build" in rejected["reasons"][0]
    assert rejected["fixable_by"] == ["@wren-dalgaard"]
    assert (rejected["signer"], rejected["signed_at"]) == ("octavia-chen", "2026-06-24T10:00:00Z")
    assert rejected["head_sha"] == sha("101 head")
    assert rejected["age_days"] == 1
    assert row(found, 102)["reasons"] == ["nobody has signed off yet"]
    assert "@octavia-chen" in row(found, 102)["fixable_by"]
    assert row(found, 102)["age_days"] == 5
    assert row(found, 103)["failing"] == ["fresh"]
    assert row(found, 103)["fixable_by"] == ["@octavia-chen"]
    ready = row(found, 104)
    assert (ready["failing"], ready["reasons"], ready["fixable_by"]) == ([], [], [])


@pytest.mark.parametrize(
    ("kinds", "options", "status"),
    [
        (["ready", "merged-ok"], [], 0),
        (["ready", "pending"], [], 0),
        (["ready", "pending"], ["--fail-on", "pending"], 1),
        (["ready", "pending"], ["--fail-on", "any"], 1),
        (["ready", "merged-ok"], ["--fail-on", "any"], 0),
        (["rejected"], [], 1),
        (["rejected"], ["--fail-on", "none"], 0),
        (["rejected", "stale"], ["--fail-on", "merged-unsigned,stale"], 1),
        (["stale"], [], 1),
        (["merged-unsigned"], [], 1),
        (["merged-rejected"], [], 1),
        (["edited after the merge"], [], 3),
        (["edited after the merge", "rejected"], [], 1),
        (["edited after the merge"], ["--fail-on", "not-judged"], 1),
    ],
)
def test_the_exit_status_follows_the_findings(
    serve: Serve, command: InProcess, kinds: list[Kind], options: list[str], status: int
) -> None:
    found = audit(command, serve(audit_world(kinds)), *options)
    assert found.status == status, found.everything
    assert report(found)["complete"] is ("edited after the merge" not in kinds)


def test_what_was_edited_after_the_merge_is_not_judged_and_said(
    serve: Serve, command: InProcess
) -> None:
    found = audit(command, serve(audit_world(["edited after the merge"])))
    assert "edited at 2026-06-25T09:00:00Z, after the merge" in row(found, 101)["reasons"][0]


def test_since_leaves_out_earlier_merges_only(serve: Serve, command: InProcess) -> None:
    world = audit_world(["ready", "merged-ok", "merged-ok"])
    pulls = only(world).pulls
    pulls[101].created_at = "2025-01-01T00:00:00Z"
    pulls[102].merged_at = "2026-06-24T23:59:59Z"
    pulls[103].merged_at = "2026-06-25T00:00:00Z"
    github = serve(world)
    assert set(classes(audit(command, github, "--since", "2026-06-25"))) == {101, 103}
    assert set(classes(audit(command, github, "--since", "1d"))) == {101, 102, 103}
    pulls[102].merged_at = "2026-03-01T00:00:00Z"
    assert set(classes(audit(command, github))) == {101, 103}


@pytest.mark.parametrize(
    ("state", "expected"), [("open", {101}), ("merged", {102}), ("all", {101, 102})]
)
def test_the_state_selects(
    serve: Serve, command: InProcess, state: str, expected: set[int]
) -> None:
    world = audit_world(["ready", "merged-ok", "rejected"])
    only(world).pulls[103].state = "closed"
    found = audit(command, serve(world), "--state", state)
    assert set(classes(found)) == expected


def test_drafts_are_left_out_with_a_remark_unless_asked_for(
    serve: Serve, command: InProcess
) -> None:
    world = audit_world(["ready", "ready"])
    only(world).pulls[102].draft = True
    github = serve(world)
    without = audit(command, github)
    assert set(classes(without)) == {101}
    assert report(without)["notes"][0] == "1 draft left out; --drafts includes them"
    assert set(classes(audit(command, github, "--drafts"))) == {101, 102}


def test_the_rest_is_judged_when_a_repository_cannot_be_read(
    serve: Serve, command: InProcess
) -> None:
    found = audit(command, serve(audit_world(["ready"])), "--repo", "octo-works/gone")
    told = report(found)
    assert found.status == 3
    assert told["complete"] is False
    assert classes(found) == {101: "ready"}
    gone, ok = sorted(told["repos"], key=lambda r: r["status"], reverse=True)
    assert (gone["repo"], gone["status"], gone["pulls"]) == ("octo-works/gone", "unreadable", 0)
    assert "GitHub knows no such repository" in gone["message"]
    assert (ok["repo"], ok["status"], ok["pulls"]) == (REPO, "ok", 1)


def test_a_renamed_repository_is_audited_under_its_new_name_and_once(
    serve: Serve, command: InProcess
) -> None:
    world = audit_world(["ready"])
    only(world).former_names = ("octo-works/bellows",)
    found = audit(command, serve(world), "--repo", "octo-works/bellows", repo=None)
    (repo,) = report(found)["repos"]
    assert (repo["repo"], repo["status"]) == (REPO, "renamed")
    assert "octo-works/bellows is called octo-works/anvil now" in repo["message"]
    assert row(found, 101)["repo"] == REPO
    both = audit(command, serve(world), "--repo", "octo-works/bellows")
    assert [r["pr"] for r in report(both)["pulls"]] == [101]
    assert len(report(both)["repos"]) == 1


def test_an_empty_repository_is_no_failure(serve: Serve, command: InProcess) -> None:
    world = audit_world(["ready"])
    world.add(Repository("octo-works/void", 77))
    found = audit(command, serve(world), "--repo", "octo-works/void")
    assert found.status == 0
    assert {r["repo"]: r["status"] for r in report(found)["repos"]} == {
        REPO: "ok",
        "octo-works/void": "empty",
    }


def test_broken_rules_leave_open_pull_requests_unjudged(serve: Serve, command: InProcess) -> None:
    world = audit_world(["ready"])
    only(world).put(".github/signoff.yml", "schema: signoff-bot/rules/v1\nnam: x\n")
    found = audit(command, serve(world))
    assert found.status == 3
    assert classes(found) == {101: "not-judged"}
    assert "nam" in row(found, 101)["reasons"][0]
    (repo,) = report(found)["repos"]
    assert repo["status"] == "broken-rules"
    overridden = audit(command, serve(world), "--rules", "default")
    assert classes(overridden) == {101: "ready"}


def test_the_bases_own_rules_judge(serve: Serve, command: InProcess) -> None:
    world = audit_world(["rejected", "merged-rejected"])
    only(world).put(
        ".github/signoff.yml",
        "schema: signoff-bot/rules/v1\nname: lenient\nextends: default\n"
        "checks:\n  checks: {severity: advisory}\n",
    )
    assert classes(audit(command, serve(world))) == {101: "ready", 102: "merged-ok"}


def test_repositories_come_from_a_file_too(
    serve: Serve, command: InProcess, tmp_path: Path
) -> None:
    listed = tmp_path / "repos.txt"
    listed.write_text(f"# ours\n{REPO}  # the anvil\n\n{REPO.upper()}\n")
    found = audit(command, serve(audit_world(["ready"])), "--repos-file", listed, repo=None)
    assert classes(found) == {101: "ready"}
    assert len(report(found)["repos"]) == 1


def test_private_repositories_are_redacted_when_asked(serve: Serve, command: InProcess) -> None:
    world = audit_world(["rejected"])
    repo = only(world)
    repo.private = True
    repo.roles["github-actions[bot]"] = "write"
    github = serve(world)
    found = audit(command, github, "--redact")
    assert classes(found) == {101: "rejected"}
    for secret in ("anvil", "hammer", "octavia", "wren", "build", sha("101 head")):
        assert secret not in found.out.lower()
    assert report(found)["pulls"][0]["failing"] == ["checks"]
    assert REPO in audit(command, github).out


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--since", "yesterday", "--state", "merged"], "--since: 'yesterday' is no date"),
        (["--since", "90d"], "--since filters merged pull requests"),
        (["--as-of", "noon"], "--as-of: 'noon' is no time"),
        (["--fail-on", "bad"], "--fail-on: 'bad' is no class"),
        (["--resume"], "give --store FILE too"),
        (["--reserve", "lots"], "--reserve: 'lots' is no amount"),
        (["--shard", "9/8"], "--shard: '9/8' is no share"),
        (["--max-posts", "251"], "251 is not in the range 1<=x<=250"),
        (["--repo", "nowhere"], "'nowhere' is no repository"),
        (["--repos-file", "/nonexistent/list"], "cannot read /nonexistent/list"),
        (["--rules", "unknown"], "no rule pack 'unknown'"),
        (["--store", "x", "--output", "./x"], "--store and --output name the same file"),
    ],
)
def test_wrong_usage_is_told_in_a_sentence(
    command: InProcess, options: list[str], problem: str
) -> None:
    env = environment(None, GITHUB_API_URL="http://127.0.0.1:9")
    result = command("audit", "--repo", REPO, *options, env=env)
    assert result.status == 2
    assert problem in result.err
    assert not result.out


def test_a_token_that_github_does_not_accept_ends_it(serve: Serve, command: InProcess) -> None:
    github = serve(audit_world(["ready"]))
    result = command(
        "audit", "--repo", REPO, "--format", "json", env=environment(github, "ghs_unknown")
    )
    assert result.status == 3
    assert report(result)["repos"][0]["status"] == "unreadable"
    assert "GitHub does not accept the token" in report(result)["notes"][0]


def test_the_audits_time_is_its_only_now(serve: Serve, command: InProcess) -> None:
    world = audit_world(["ready", "merged-ok"])
    later = audit(command, serve(world), as_of="2026-07-25T12:00:00Z")
    assert [r["age_days"] for r in report(later)["pulls"]] == [31, 31]
    earlier = audit(command, serve(world), as_of="2026-06-24T12:00:00Z")
    assert set(classes(earlier)) == {101}, "merged later than that"
    assert report(earlier)["as_of"] == "2026-06-24T12:00:00Z" != AS_OF


def test_the_last_push_is_asked_of_the_fork(serve: Serve, command: InProcess) -> None:
    github = serve(audit_world(["stale"]))
    audit(command, github)
    assert any(seen.path == f"/repos/{FORK}/activity" for seen in github.seen)


def test_a_defect_met_by_one_pull_request_does_not_hide_the_others(
    serve: Serve, command: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RecursionError("too odd")

    monkeypatch.setattr("signoff_bot.audit.judge.rule_merged", fail)
    found = audit(command, serve(audit_world(["ready", "merged-ok"])))
    assert classes(found) == {101: "ready", 102: "not-judged"}
    assert "internal error: RecursionError: too odd" in row(found, 102)["reasons"][0]
    assert found.status == 3


def test_what_pull_requests_share_is_asked_once(serve: Serve, command: InProcess) -> None:
    github = serve(audit_world(["ready"] * 8))
    audit(command, github)
    shared = [s.path for s in github.seen if s.path.endswith(("/CODEOWNERS", "/smiths/members"))]
    assert len(shared) == 2
