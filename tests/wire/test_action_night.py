"""The schedule: an audit of all open pull requests, told as the Action tells things."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from action import events
from support.wire_default import REPO
from support.wire_inferencex import BOT, CORE
from support.world import PullRequest, Token, sha, user
from wire.loopback.meter import Seen
from wire.workflow import CONTEXT, Ran, Stage, commented, on


@pytest.fixture
def stage(stage: Stage) -> Stage:
    """Its pull request is older than any clock says."""
    stage.pull.created_at = "2020-01-01T00:00:00Z"
    return stage


def night(stage: Stage, **inputs: str) -> Ran:
    return stage.run("schedule", events.schedule(stage.repo), **inputs)


def another(stage: Stage, number: int, **fields: Any) -> PullRequest:
    """Another open pull request, with a head of its own; nobody has signed it."""
    head = sha(f"{number} head")
    fields = {"comments": [], "commits": [replace(stage.pull.commits[0], sha=head)], **fields}
    pull = replace(stage.pull, number=number, head_sha=head, head_ref=f"b{number}", **fields)
    stage.repo.pulls[number] = pull
    return pull


def test_what_lacks_its_verdict_gets_it(stage: Stage) -> None:
    ran = night(stage)
    assert (ran.status, ran.err, ran.outputs["verdict"]) == (0, "", "pass")
    assert (stage.heads, stage.states) == (["PASS"], ["success"])
    assert stage.repo.statuses[0].context == CONTEXT
    assert (stage.repo.statuses[0].target_url or "").endswith(f"-{stage.ours[0].id}")
    assert ran.report["schema"] == "signoff-bot/audit/v1"
    assert [(row["pr"], row["class"]) for row in ran.report["pulls"]] == [(31, "ready")]
    assert "### Sign-off audit as of" in ran.summary
    assert "verdicts posted on 1 pull request" in ran.log
    assert set(ran.outputs) == {"verdict", "report-json"}


def test_what_is_true_is_not_written_again(stage: Stage) -> None:
    on(stage, "comment")
    stage.github.forget()
    assert night(stage).outputs["verdict"] == "pass"
    assert not stage.writes


def test_what_had_no_event_is_found(stage: Stage) -> None:
    on(stage, "comment")
    stage.signed.minimized = "off-topic"
    assert night(stage).outputs["verdict"] == "pending"
    assert (stage.heads, stage.states) == (["WITHDRAWN"], ["success", "pending"])


def test_the_worst_verdict_is_told_and_every_bundle_saved(stage: Stage, command: Any) -> None:
    other = another(stage, 32)
    ran = night(stage, save_evidence=str(stage.folder / "e.json"))
    assert (ran.status, ran.outputs["verdict"]) == (0, "pending")
    assert {s.sha: s.state for s in stage.repo.statuses} == {
        stage.pull.head_sha: "success",
        other.head_sha: "pending",
    }
    files = sorted(ran.outputs["evidence-path"].split("\n"))
    assert [Path(file).name for file in files] == ["e-31.json", "e-32.json"]
    replayed = command("verify", "--evidence", files[1], "--format", "json", env={})
    assert replayed.verdict["verdict"] == "pending"
    assert night(stage, fail_on="pending").status == 1


@pytest.mark.parametrize("change", [{"state": "closed"}, {"draft": True}])
def test_drafts_and_closed_ones_are_left_alone(stage: Stage, change: dict[str, Any]) -> None:
    for name, value in change.items():
        setattr(stage.pull, name, value)
    ran = night(stage)
    assert (ran.status, ran.outputs["verdict"], ran.report["pulls"]) == (0, "", [])
    assert not stage.writes


@pytest.mark.parametrize(("fail_on", "status"), [("", 3), ("error", 3), ("never", 0)])
def test_one_that_cannot_be_judged_keeps_no_other_from_it(
    stage: Stage, fail_on: str, status: int
) -> None:
    another(stage, 30)
    stage.github.fail("500", f"GET /repos/{REPO}/pulls/30")
    ran = night(stage, fail_on=fail_on)
    assert (ran.status, ran.outputs["verdict"]) == (status, "error")
    assert stage.states == ["success"]
    for told in (ran.log, ran.summary, "".join(ran.annotations)):
        assert "HTTP 500" in told


def test_a_rate_limit_ends_it_and_leaves_every_status_as_it_is(stage: Stage) -> None:
    another(stage, 30)
    stage.github.fail("403 rate limit", "GET ")
    ran = night(stage, fail_on="never")
    assert (ran.status, ran.outputs["verdict"]) == (3, "error")
    for told in (ran.log, "".join(ran.annotations)):
        assert "until 1970-01-01 00:00:01 UTC" in told
    assert "**Incomplete.**" in ran.summary
    assert not stage.writes


def test_a_missing_permission_is_named_however_lenient_the_workflow_is(stage: Stage) -> None:
    read = {"contents": "read", "pull_requests": "write", "actions": "read", "checks": "read"}
    stage.world.tokens["granted"] = Token(BOT, read, installation=True)
    stage.repo.put(".github/CODEOWNERS", "* @octavia-chen\n")
    ran = night(stage, github_token="granted", fail_on="never")
    assert (ran.status, ran.outputs["verdict"]) == (3, "error")
    for told in (ran.log, ran.summary, "".join(ran.annotations)):
        assert "statuses" in told
    assert not stage.repo.statuses


def test_wishes_switch_writing_off(stage: Stage) -> None:
    assert night(stage, post_comment="false", set_status="false").outputs["verdict"] == "pass"
    assert not stage.writes
    night(stage, post_comment="false")
    assert (stage.heads, stage.states) == ([], ["success"])
    stage.repo.statuses.clear()
    night(stage, set_status="false")
    assert (stage.heads, stage.states) == (["PASS"], [])


def test_an_accounts_earlier_verdicts_can_be_declared_ours(stage: Stage) -> None:
    on(stage, "comment")
    app = user("own-app[bot]")
    stage.world.tokens["ghs_another"] = Token(app, installation=True)
    stage.repo.roles[app.login] = "write"
    stage.github.forget()
    night(stage, github_token="ghs_another", also_ours=str(BOT.id))
    assert not stage.writes
    night(stage, github_token="ghs_another")
    assert stage.repo.statuses[-1].creator == app


def test_teams_are_read_by_the_token_that_may_and_nothing_else_is(stage: Stage) -> None:
    grants = {"contents": "read", "pull_requests": "write", "statuses": "write"}
    grants |= {"actions": "read", "checks": "read"}
    stage.world.tokens["granted"] = Token(BOT, grants, installation=True)
    assert night(stage, github_token="granted").status == 3
    stage.world.tokens["members"] = Token(CORE, {"members": "read"}, installation=True)
    ran = night(stage, github_token="granted", members_token="members")
    assert (ran.status, ran.outputs["verdict"], stage.states) == (0, "pass", ["success"])


def test_rules_come_from_a_file_at_each_base(stage: Stage) -> None:
    stage.repo.put("ci/rules.yml", "name: ours\nextends: default\npublish: {context: ours}\n")
    assert night(stage, rules="ci/rules.yml").outputs["verdict"] == "pass"
    assert [status.context for status in stage.repo.statuses] == ["ours"]
    ran = night(stage, rules="ci/none.yml")
    assert (ran.status, ran.outputs["verdict"]) == (3, "error")
    assert "ci/none.yml of octo-works/anvil: there is no such file" in ran.log


def test_at_most_ten_things_are_shown_on_the_page(stage: Stage) -> None:
    for number in range(40, 55):
        another(stage, number)
        stage.github.fail("500", f"GET /repos/{REPO}/pulls/{number}")
    ran = night(stage)
    assert len(ran.annotations) == 10
    assert ran.annotations[-1].endswith("::and 6 more findings; see the job's summary")


def test_a_twin_that_is_gone_withholds_the_success_no_longer(stage: Stage) -> None:
    twin = replace(stage.pull, number=40, base_ref="theirs", comments=[])
    stage.repo.branches["theirs"] = twin.base_sha
    stage.repo.pulls[40] = twin
    stage.run("issue_comment", commented(stage))
    assert stage.states == ["pending"]
    twin.state = "closed"
    night(stage)
    assert stage.states == ["pending", "success"]


def test_the_members_of_a_team_and_the_rules_are_asked_for_once(stage: Stage) -> None:
    for number in range(40, 45):
        another(stage, number)
    asked: list[str] = []

    def look(seen: Seen) -> None:
        asked.append(seen.path)

    stage.github.watch(look)
    night(stage, post_comment="false", set_status="false")
    assert sum("/members" in path for path in asked) == 1
