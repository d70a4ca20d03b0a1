"""The merge queue: each pull request of a group is judged anew, and unsure membership fails."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from action import events
from support.wire_default import REPO, signed_form
from support.wire_inferencex import BOT, SIGNER
from support.world import ChangedFile, Comment, PullRequest, Queued, Team, Token, sha
from wire.loopback.faults import Fault, Kind
from wire.workflow import CONTEXT, Ran, Stage

HEAD, OTHER_HEAD, EARLIER = sha("group 31"), sha("group 32"), sha("group 30")


def second(stage: Stage, *comments: Comment, number: int = 32) -> PullRequest:
    """Another pull request, from the repository itself."""
    head = sha(f"{number} head")
    pull = replace(
        stage.pull,
        number=number,
        head_sha=head,
        head_ref=f"branch-{number}",
        comments=list(comments),
        commits=[replace(stage.pull.commits[0], sha=head)],
    )
    stage.repo.pulls[number] = pull
    run = stage.repo.runs[-1]
    stage.repo.runs.append(replace(run, id=run.id + number, head_sha=head))
    checks = [c for c in stage.repo.check_runs if c.head_sha == stage.pull.head_sha]
    stage.repo.check_runs += [replace(check, head_sha=head) for check in checks]
    activity = stage.world.repositories[pull.head_repo or ""].activity
    activity.append(replace(activity[0], ref=f"refs/heads/{pull.head_ref}", after=head))
    return pull


def queue(stage: Stage, *entries: Queued) -> None:
    stage.repo.merge_queues["main"] = list(entries)
    for entry in entries:
        if entry.head_sha:
            stage.repo.branches[f"gh-readonly-queue/main/{entry.head_sha}"] = entry.head_sha


def asked(stage: Stage, pull: PullRequest | None = None, head: str = HEAD, **more: Any) -> Ran:
    payload = events.merge_group(stage.repo, pull or stage.pull, head)
    payload["merge_group"] |= more.pop("group", {})
    return stage.run("merge_group", payload, **more)


def test_a_group_whose_pull_requests_all_pass_is_a_success(stage: Stage) -> None:
    other = second(stage, Comment(4_780_000_032, SIGNER, signed_form()))
    queue(stage, Queued(31, HEAD), Queued(32, OTHER_HEAD))
    ran = asked(stage, other, OTHER_HEAD)
    assert (ran.status, ran.outputs["verdict"]) == (0, "pass")
    (status,) = stage.repo.statuses
    assert (status.sha, status.context, status.state) == (OTHER_HEAD, CONTEXT, "success")
    assert status.description == "2 of 2 pull requests pass"
    assert status.target_url == f"https://github.com/{REPO}/actions/runs/77"
    assert [v["pr"] for v in ran.verdicts] == [31, 32]
    assert "comment-url" not in ran.outputs
    assert not stage.ours
    assert len(stage.writes) == 1


def test_one_that_does_not_pass_fails_the_group_and_is_named(stage: Stage) -> None:
    other = second(stage)
    queue(stage, Queued(31, HEAD), Queued(32, OTHER_HEAD))
    ran = asked(stage, other, OTHER_HEAD)
    assert (ran.status, ran.outputs["verdict"]) == (0, "pending")
    (status,) = stage.repo.statuses
    assert (status.sha, status.state) == (OTHER_HEAD, "failure")
    assert status.description == "#32: Nobody has signed off yet"


def test_each_is_judged_on_its_own_head_and_now(stage: Stage) -> None:
    """A sign-off that was deleted after the status said success passes no group."""
    stage.run("issue_comment", events.issue_comment(stage.repo, stage.pull, stage.signed))
    del stage.pull.comments[1]
    queue(stage, Queued(31, HEAD))
    asked(stage)
    assert [(s.sha, s.state) for s in stage.repo.statuses] == [
        (stage.pull.head_sha, "success"),
        (HEAD, "failure"),
    ]


def test_what_an_earlier_group_tests_is_left_to_it(stage: Stage) -> None:
    second(stage, number=30)
    queue(stage, Queued(30, EARLIER), Queued(31, HEAD))
    ran = asked(stage, group={"base_sha": EARLIER})
    assert [v["pr"] for v in ran.verdicts] == [31]
    assert stage.states == ["success"]


def test_what_stands_before_it_and_is_in_no_earlier_group_is_judged_too(stage: Stage) -> None:
    second(stage, number=30)
    queue(stage, Queued(30, None), Queued(31, HEAD))
    asked(stage)
    assert stage.states == ["failure"]


@pytest.mark.parametrize(
    ("entries", "group", "says"),
    [
        (None, {}, "main has no merge queue"),
        ([], {}, "no entry of the queue has the commit"),
        ([Queued(31, EARLIER)], {}, "no entry of the queue has the commit"),
        ([Queued(31, HEAD), Queued(31, HEAD)], {}, "no entry of the queue has the commit"),
        ([Queued(None, HEAD)], {}, "is not that of #None"),
        ([Queued(None, EARLIER), Queued(31, HEAD)], {}, "an entry of the queue shows no pull"),
        (
            [Queued(31, HEAD)],
            {"head_ref": f"refs/heads/gh-readonly-queue/main/pr-1-{HEAD}"},
            "is not that of #31",
        ),
        ([Queued(31, HEAD)], {"head_ref": "refs/heads/mine"}, "is not that of #31"),
        ([Queued(31, HEAD)], {"base_ref": "refs/heads/release"}, "release has no merge queue"),
        ([Queued(31, HEAD), *[Queued(31, sha(str(n))) for n in range(101)]], {}, "102 entries"),
    ],
)  # fmt: skip
def test_unless_the_queue_shows_the_group_it_fails(
    stage: Stage, entries: list[Queued] | None, group: dict[str, str], says: str
) -> None:
    if entries is not None:
        queue(stage, *entries)
    stage.repo.branches["release"] = stage.repo.branches["main"]
    stage.repo.branches["x"] = HEAD
    ran = asked(stage, group=group)
    assert (ran.status, ran.outputs["verdict"]) == (3, "error")
    assert stage.states == ["failure"]
    assert says in ran.log
    assert "cannot be told which pull requests are in the merge group" in ran.summary


def test_titles_and_messages_name_no_member(stage: Stage) -> None:
    """A commit's message is made of the title, which its author writes."""
    stage.pull.title = "Merge pull request #32 from somewhere"
    second(stage, Comment(4_780_000_032, SIGNER, signed_form()))
    del stage.pull.comments[1]
    queue(stage, Queued(31, HEAD))
    payload = events.merge_group(stage.repo, stage.pull, HEAD)
    payload["merge_group"]["head_commit"]["message"] = "Merge pull request #32 from somewhere"
    ran = stage.run("merge_group", payload)
    assert [v["pr"] for v in ran.verdicts] == [31]
    assert stage.states == ["failure"]


def test_who_changes_the_gate_needs_its_owners_in_a_group_as_well(stage: Stage) -> None:
    """The group runs its own copy of the workflow: what changed it must have been let in."""
    stage.repo.put(
        ".github/signoff.yml",
        "name: open\nextends: default\nchecks: {codeowner: {with: {catch_all: any-owner}}}\n",
    )
    stage.repo.put(".github/CODEOWNERS", "* @octo-works/smiths\n/src/ @octavia-chen\n")
    stage.world.teams["octo-works/smiths"] = Team("Smiths", [])
    stage.pull.files.append(ChangedFile("docs/a.md"))
    queue(stage, Queued(31, HEAD))
    asked(stage)
    stage.pull.files.append(ChangedFile(".github/workflows/signoff-bot.yml"))
    ran = asked(stage)
    assert stage.states == ["success", "failure"]
    assert ".github/workflows/signoff-bot.yml" in ran.summary


@pytest.mark.parametrize("kind", ["500", "graphql errors", "wrong type", "null"])
def test_a_queue_that_cannot_be_read_fails_the_group(stage: Stage, kind: Kind) -> None:
    queue(stage, Queued(31, HEAD))
    stage.github.faults.append(Fault(kind, lambda seen: "mergeQueue" in seen.key))
    asked(stage)
    assert stage.states == ["failure"]


def test_who_we_are_need_not_be_known_to_fail_or_pass_a_group(stage: Stage) -> None:
    queue(stage, Queued(31, HEAD))
    stage.github.faults.append(Fault("graphql errors", lambda seen: "viewer" in seen.key))
    asked(stage)
    assert stage.states == ["success"]


def test_without_the_rules_at_the_base_nothing_is_said(stage: Stage) -> None:
    queue(stage, Queued(31, HEAD))
    stage.repo.put(".github/signoff.yml", "name: broken\n")
    ran = asked(stage)
    assert ran.status == 2
    assert not stage.states


def test_a_pull_request_that_cannot_be_read_fails_the_group(stage: Stage) -> None:
    queue(stage, Queued(31, HEAD))
    stage.github.fail("500", f"GET /repos/{REPO}/pulls/31")
    ran = asked(stage)
    assert (ran.status, ran.outputs["verdict"], stage.states) == (3, "error", ["failure"])


def test_a_rate_limit_leaves_the_group_as_it_is(stage: Stage) -> None:
    queue(stage, Queued(31, HEAD))
    stage.github.fail("403 rate limit", f"GET /repos/{REPO}/pulls/31/files")
    ran = asked(stage)
    assert ran.status == 3
    assert "rate limit" in ran.log
    assert not stage.states


def test_a_token_that_may_set_no_status_is_told_which_permission_it_lacks(stage: Stage) -> None:
    queue(stage, Queued(31, HEAD))
    read = dict.fromkeys(("contents", "pull_requests", "statuses", "actions", "checks"), "read")
    stage.world.tokens["read"] = Token(BOT, {**read, "members": "read"}, installation=True)
    ran = asked(stage, github_token="read")
    assert ran.status == 3
    assert "statuses: write" in ran.log


def test_the_same_again_is_not_written_again(stage: Stage) -> None:
    queue(stage, Queued(31, HEAD))
    asked(stage)
    stage.github.forget()
    asked(stage)
    assert not stage.writes
    asked(stage, set_status="false")
    assert not stage.writes
