"""What a run does that cannot do its work: which status it ends with, and what it says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from action import events
from support.wire_default import REPO, TOKEN
from support.wire_inferencex import BOT, CORE, SIGNER
from support.world import Comment, Token, user
from wire.loopback.meter import Seen
from wire.workflow import Ran, Stage

WRITE = {"contents": "read", "pull_requests": "write", "statuses": "write", "actions": "read",
         "checks": "read"}  # fmt: skip
"""What the guide's workflows grant; nothing lets GITHUB_TOKEN read teams."""


def sign(stage: Stage, comment: Comment | None = None, **inputs: str) -> Ran:
    payload = events.issue_comment(stage.repo, stage.pull, comment or stage.signed)
    return stage.run("issue_comment", payload, **inputs)


def granted(stage: Stage, **changes: str) -> str:
    """The name of a token with these permissions."""
    stage.world.tokens["granted"] = Token(BOT, WRITE | changes, installation=True)
    return "granted"


def by_name(stage: Stage) -> None:
    """Owners are people, so that no team is asked about."""
    stage.repo.put(".github/CODEOWNERS", "* @octavia-chen\n")


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        ("pass", {"never": 0, "error": 0, "fail": 0, "pending": 0}),
        ("fail", {"never": 0, "": 0, "error": 0, "fail": 1, "pending": 1}),
        ("pending", {"never": 0, "": 0, "error": 0, "fail": 0, "pending": 1}),
        ("error", {"never": 0, "": 3, "error": 3, "fail": 3, "pending": 3}),
    ],
)
def test_the_step_fails_on_what_the_input_says(
    stage: Stage, outcome: str, expected: dict[str, int]
) -> None:
    payload = events.issue_comment(stage.repo, stage.pull, stage.signed)
    if outcome == "fail":
        stage.signed.body = stage.signed.body.replace("[x]", "[ ]")
    elif outcome == "pending":
        stage.signed.body = "Not signed"
    elif outcome == "error":
        stage.github.fail("500", f"GET /repos/{REPO}/pulls/31/files")
    for fail_on, status in expected.items():
        ran = stage.run("issue_comment", payload, fail_on=fail_on)
        assert (ran.status, ran.outputs["verdict"]) == (status, outcome)
        assert {line.split(" ")[0] for line in ran.annotations} <= {
            "::error" if status else "::warning"
        }
        assert bool(ran.annotations) == (outcome in ("fail", "error"))


def test_with_the_permissions_of_the_guide_everything_works(stage: Stage) -> None:
    by_name(stage)
    sign(stage, github_token=granted(stage))
    stage.signed.body = stage.signed.body.replace("[x]", "[ ]")
    ran = sign(stage, github_token="granted")
    assert (ran.status, ran.err) == (0, "")
    assert (stage.heads, stage.states) == (["FAIL"], ["success", "failure"])


@pytest.mark.parametrize(
    ("lacking", "says", "states"),
    [
        ({"statuses": "read"}, "statuses: write", []),
        ({"pull_requests": "read"}, "pull-requests: write", ["success"]),
    ],
)
def test_a_permission_that_is_lacking_is_named(
    stage: Stage, lacking: dict[str, str], says: str, states: list[str]
) -> None:
    by_name(stage)
    ran = sign(stage, github_token=granted(stage, **lacking))
    assert ran.status == 3
    assert says in ran.log
    assert any(line.startswith("::error") and says in line for line in ran.annotations)
    assert stage.states == states


def test_a_read_only_token_is_enough_where_nothing_may_be_written(stage: Stage) -> None:
    by_name(stage)
    token = granted(stage, statuses="read", pull_requests="read")
    payload = events.review(stage.repo, stage.pull, stage.signed.body)
    ran = stage.run("pull_request_review", payload, github_token=token)
    assert (ran.status, ran.err, ran.outputs["verdict"]) == (0, "", "pass")
    assert "**PASS**" in ran.summary
    assert not stage.writes


def test_an_error_turns_no_untrusted_event_red(stage: Stage) -> None:
    stage.github.fail("500", f"GET /repos/{REPO}/pulls/31/files")
    payload = events.review(stage.repo, stage.pull, stage.signed.body)
    ran = stage.run("pull_request_review", payload)
    assert (ran.status, ran.outputs["verdict"]) == (0, "error")


@pytest.mark.parametrize(
    "at",
    [
        f"GET /repos/{REPO}/pulls/31",
        f"GET /repos/{REPO}/pulls/31/files",
        f"GET /repos/{REPO}/issues/31/comments",
        f"POST /repos/{REPO}/issues/31/comments",
        f"POST /repos/{REPO}/statuses/",
        "POST /graphql",
    ],
)
def test_a_rate_limit_that_is_gone_leaves_the_status_as_it_is(stage: Stage, at: str) -> None:
    """Also when the limit is met only in reading one fact among many."""
    stage.github.fail("403 rate limit", at)
    ran = sign(stage)
    assert ran.status == 3
    assert "rate limit is used up until 1970-01-01 00:00:01 UTC" in ran.log
    assert not stage.states
    assert "the permission" not in ran.log
    assert ran.outputs["verdict"] == "error"


def test_a_limit_that_heals_changes_nothing(stage: Stage) -> None:
    stage.github.fail("429 retry-after", f"GET /repos/{REPO}/pulls/31/files", times=1)
    ran = sign(stage)
    assert (ran.status, ran.outputs["verdict"]) == (0, "pass")
    assert "trying again" in ran.log


def test_an_error_beside_a_limit_that_healed_is_an_error(stage: Stage) -> None:
    stage.github.fail("429 retry-after", f"GET /repos/{REPO}/pulls/31/commits", times=1)
    stage.github.fail("500", f"GET /repos/{REPO}/pulls/31/files")
    ran = sign(stage)
    assert (ran.status, ran.outputs["verdict"], stage.states) == (3, "error", ["error"])


def test_teams_are_read_by_the_token_that_may(stage: Stage) -> None:
    """And nothing else is: it is asked for as little as it is given for."""
    stage.world.tokens["members"] = Token(CORE)
    asked: list[tuple[str, str]] = []

    def look(seen: Seen) -> None:
        asked.append((seen.path, seen.method))

    stage.github.watch(look)
    refused = sign(stage, github_token=granted(stage))
    assert refused.status == 3
    assert "GITHUB_TOKEN of a workflow can never read teams" in json.dumps(refused.verdicts)
    ran = sign(stage, github_token="granted", members_token="members")
    assert (ran.status, ran.outputs["verdict"]) == (0, "pass")
    stage.world.tokens["members"] = Token(CORE, {"members": "read"}, installation=True)
    stage.github.forget()
    assert sign(stage, github_token="granted", members_token="members").status == 0


def test_no_token_stands_in_what_is_kept(stage: Stage) -> None:
    stage.world.tokens["ghp_membersTokenOfSomebody0000000000"] = Token(CORE)
    stage.signed.body += f"\n{TOKEN} ghp_membersTokenOfSomebody0000000000\n"
    file = stage.folder / "evidence.json"
    ran = sign(
        stage,
        members_token="ghp_membersTokenOfSomebody0000000000",
        save_evidence=str(file),
    )
    assert ran.outputs["evidence-path"] == str(file)
    kept = [file, Path(ran.outputs["report-json"])]
    everything = ran.log + ran.err + ran.summary + "".join(p.read_text("utf-8") for p in kept)
    everything += "".join(c.body for c in stage.ours)
    assert TOKEN not in everything
    assert "ghp_members" not in everything


def test_the_saved_evidence_replays(stage: Stage, command: Any) -> None:
    file = stage.folder / "evidence.json"
    (verdict,) = sign(stage, save_evidence=str(file)).verdicts
    replayed = command("verify", "--evidence", file, "--format", "json", env={})
    assert replayed.verdict == verdict


@pytest.mark.parametrize(
    ("inputs", "status", "says"),
    [
        ({"github_token": ""}, 3, "no token"),
        ({"github_token": "expired"}, 3, "does not accept the token"),
        ({"rules": "inferenceks"}, 2, "there is no rule pack 'inferenceks'"),
        ({"rules": "/etc/passwd.yml"}, 2, "by its path from the top of the repository"),
        ({"rules": "../signoff.yml"}, 2, "by its path from the top of the repository"),
        ({"rules": "https://a.example/x.yml"}, 2, "by its path from the top of the repository"),
        ({"rules": "ci/none.yml"}, 2, "ci/none.yml of octo-works/anvil: there is no such file"),
        ({"rules": "ci/broken.yml"}, 2, "ci/broken.yml of octo-works/anvil:2"),
        ({"set_status": "no"}, 2, "set-status is 'no'"),
        ({"pr": "99"}, 3, "GitHub knows no such thing"),
        ({"signoff_url": "https://github.com/o/r/pull/1#issuecomment-1"}, 2, "of o/r, not of"),
        ({"save_evidence": "/nowhere/x.json"}, 2, "cannot write /nowhere/x.json"),
    ],
)
def test_what_is_wrong_is_said_in_the_log_and_on_the_page(
    stage: Stage, inputs: dict[str, str], status: int, says: str
) -> None:
    stage.repo.put("ci/broken.yml", "name: [\n")
    ran = sign(stage, **inputs)
    assert ran.status == status
    assert says in ran.log
    assert "Traceback" not in ran.log
    assert any(line.startswith("::error title=signoff-bot::") for line in ran.annotations)


def test_a_file_that_cannot_be_written_makes_no_eleventh_annotation(stage: Stage) -> None:
    stage.signed.body = stage.signed.body.replace("[x]", "[ ]")
    ran = sign(stage, fail_on="fail", save_evidence="/nowhere/x.json")
    assert (ran.status, ran.outputs, len(ran.annotations)) == (2, {"verdict": "error"}, 1)
    assert "**FAIL**" in ran.summary


def test_a_run_that_breaks_off_does_not_look_like_one_with_nothing_to_do(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("signoff_bot.action.run.read_inputs", lambda *_: 1 / 0)
    ran = sign(stage)
    assert (ran.status, ran.outputs) == (3, {"verdict": "error"})
    assert "internal error: ZeroDivisionError" in ran.err


def test_rules_come_from_a_file_at_the_base_and_never_from_the_workspace(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ci").mkdir()
    (tmp_path / "ci/rules.yml").write_text("name: theirs\nextends: default\n", "utf-8")
    stage.repo.put("ci/rules.yml", "name: ours\nextends: default\n")
    for path in ("ci/rules.yml", "./ci/rules.yml"):
        (verdict,) = sign(stage, rules=path).verdicts
        assert verdict["rules"]["name"] == "ours"


def test_a_signoff_url_is_answered_and_the_status_speaks_for_all(stage: Stage) -> None:
    miss = Comment(
        4_780_000_040,
        user("marlow-quist"),
        "I have reviewed this as reviewer and codeowner, and have checked it.",
        created_at="2026-06-24T12:00:00Z",
    )
    miss.body = stage.signed.body.replace("[x]", "[ ]")
    stage.pull.comments.append(miss)
    url = f"https://github.com/{REPO}/pull/31#issuecomment-{miss.id}"
    ran = stage.run("workflow_dispatch", {}, signoff_url=url)
    assert (ran.outputs["verdict"], stage.states) == ("pass", ["success"])
    assert sorted(stage.heads) == ["FAIL", "PASS"]


def test_wishes_switch_writing_off(stage: Stage) -> None:
    sign(stage, post_comment="false", set_status="false")
    assert not stage.writes
    sign(stage, post_comment="false")
    assert (stage.heads, stage.states) == ([], ["success"])
    sign(stage, set_status="false")
    assert (stage.heads, stage.states) == (["PASS"], ["success"])


def test_an_accounts_earlier_verdicts_can_be_declared_ours(stage: Stage) -> None:
    sign(stage)
    (ours,) = stage.ours
    new = user("own-app[bot]")
    stage.world.tokens["ghs_another"] = Token(new, installation=True)
    stage.repo.roles[new.login] = "write"
    stage.github.forget()
    sign(stage, github_token="ghs_another", also_ours=str(BOT.id))
    assert not stage.writes
    sign(stage, github_token="ghs_another")
    assert [comment.author for comment in stage.ours] == [BOT, new]
    assert stage.ours[0] is ours


def test_the_account_that_signs_is_no_signer_of_its_own_comment(stage: Stage) -> None:
    """A person's token: their own comments wake us, and end it at once."""
    stage.world.tokens["personal"] = Token(SIGNER)
    sign(stage, github_token="personal")
    (ours,) = stage.ours
    stage.github.forget()
    created = events.issue_comment(stage.repo, stage.pull, ours)
    assert stage.run("issue_comment", created).outputs == {"verdict": ""}
    assert not stage.github.seen
