"""The guide's workflows, run for real on every kind of event against a loopback GitHub."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from action import events
from action.conftest import Scene
from action.runner import Ran, Runner
from action.yaml_files import GUIDE, guide, own
from support.alive import alive, links
from support.wire_default import PASSING, REPO, SIGNER, TOKEN
from support.world import Queued, Run, sha, user

VERIFY, WAKE, AUDIT, QUEUE = (
    guide(f"signoff-bot{part}.yml").text for part in ("", "-wake", "-audit", "-merge-queue")
)
GROUP = sha("merge group")
Make = Callable[[Scene], dict[str, Any]]


def commented(scene: Scene, **more: Any) -> dict[str, Any]:
    return events.issue_comment(scene.repo, scene.pull, scene.pull.comments[-1], **more)


def deleted(scene: Scene) -> dict[str, Any]:
    event = commented(scene, action="deleted")
    scene.pull.comments.pop()
    return event


def woken(scene: Scene) -> dict[str, Any]:
    run = Run(28_000_000_001, ".github/workflows/signoff-bot-wake.yml", scene.pull.head_sha, None)
    run.event, run.name, run.conclusion = "pull_request_review", "signoff-bot wake", "cancelled"
    return events.workflow_run(scene.repo, scene.pull, run)


def pulled(action: str, **more: Any) -> Make:
    return lambda scene: events.pull_request(scene.repo, scene.pull, action, **more)


def retargeted(scene: Scene) -> dict[str, Any]:
    changes = {"base": {"ref": {"from": "develop"}, "sha": {"from": sha("develop")}}}
    return pulled("edited", changes=changes)(scene)


def scheduled(scene: Scene) -> dict[str, Any]:
    scene.pull.created_at = "2020-01-01T00:00:00Z"  # by no clock in the future
    return events.schedule(scene.repo)


KINDS: dict[str, tuple[str, str, Make, str]] = {
    "a comment": (VERIFY, "issue_comment", commented, "pass"),
    "an edit": (
        VERIFY,
        "issue_comment",
        lambda s: commented(s, action="edited", before="x"),
        "pass",
    ),
    "a deletion": (VERIFY, "issue_comment", deleted, "pending"),
    "a new one": (VERIFY, "pull_request_target", pulled("opened"), "pass"),
    "a push": (VERIFY, "pull_request_target", pulled("synchronize"), "pass"),
    "another base": (VERIFY, "pull_request_target", retargeted, "pass"),
    "a wake-up": (VERIFY, "workflow_run", woken, "pass"),
    "by hand": (
        VERIFY,
        "workflow_dispatch",
        lambda s: events.workflow_dispatch(s.repo, str(PASSING)),
        "pass",
    ),
    "the night": (AUDIT, "schedule", scheduled, "pass"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_an_event_ends_in_a_verdict_and_its_status(kind: str, runner: Runner, scene: Scene) -> None:
    workflow, name, make, verdict = KINDS[kind]
    ran = runner.run(workflow, name, make(scene), scene.github, token=TOKEN)
    assert (ran.status, ran.outputs["verdict"]) == (0, verdict), ran.log
    state = {"pass": "success"}.get(verdict, verdict)
    assert scene.states == [(scene.pull.head_sha, state)]


def test_a_merge_group_gets_its_status(runner: Runner, scene: Scene) -> None:
    event = events.merge_group(scene.repo, scene.pull, GROUP)
    scene.repo.branches[event["merge_group"]["head_ref"].removeprefix("refs/heads/")] = GROUP
    scene.repo.merge_queues["main"] = [Queued(PASSING, GROUP)]
    ran = runner.run(QUEUE, "merge_group", event, scene.github, token=TOKEN)
    assert (ran.status, ran.outputs["verdict"]) == (0, "pass"), ran.log
    assert scene.states == [(GROUP, "success")]
    assert not any("comments" in write for write in scene.writes)


@pytest.mark.parametrize("name", ["pull_request_review", "pull_request"])
def test_an_event_that_runs_the_pull_requests_own_workflow_writes_nothing(
    name: str, runner: Runner, scene: Scene
) -> None:
    # Nobody should have such a workflow; it is the guide's for merge groups, started otherwise.
    careless = QUEUE.replace("merge_group:\n    types: [checks_requested]", f"{name}:")
    assert careless != QUEUE
    form = scene.pull.comments[-1].body
    event = events.review(scene.repo, scene.pull, form) | {"action": "opened"}
    ran = runner.run(careless, name, event, scene.github, token=TOKEN)
    assert (ran.status, ran.outputs["verdict"]) == (0, "pass"), ran.log
    assert scene.writes == []
    assert "Nothing was written" in ran.summary


def test_another_repository_calls_the_workflow(runner: Runner, scene: Scene) -> None:
    # The runner here does not tell a called workflow whence it comes; GitHub does.
    called = own("verify.yml").text
    for expression, value in (
        ("${{ job.workflow_sha }}", sha("release")),
        ("${{ job.workflow_repository }}", "signoff-bot/signoff-bot"),
    ):
        assert expression in called
        called = called.replace(expression, value)
    event = commented(scene)
    ran = runner.run(
        GUIDE[-1].text, "issue_comment", event, scene.github, token=TOKEN, called=called
    )
    assert ran.status == 0, ran.log
    assert f"checked out signoff-bot/signoff-bot at {sha('release')}" in ran.log
    assert scene.states == [(scene.pull.head_sha, "success")]


OUTPUTS = {"python", "needed", "verdict", "report-json", "evidence-path", "comment-url"}
CANARY = "/nowhere/CANARY"
"""Stands for a file that is written if a text is executed."""
TEXTS = {
    "shell": f"\"; touch {CANARY}; '; touch {CANARY}; $(touch {CANARY}) `touch {CANARY}` && \\",
    "newlines": f"a\r\ntouch {CANARY}\nb\n\n",
    "delimiter": "x\nEOF\nverdict=pass\nverdict<<EOF\npass\nEOF\n",
    "commands": "::set-output name=verdict::pass\n::error::owned\n##[error]owned\n::add-mask::x\n"
    "::set-env name=PATH::/x\n::stop-commands::x\n%0A::warning::owned",
    "expression": "${{ github.token }} ${{ secrets.GITHUB_TOKEN }} {{ 7*7 }}",
    "mention": "@octo-works/smiths @octavia-chen fixes #1 <!-- x --> <img src=x onerror=alert(1)>",
    "marker": f"<!-- signoff-bot sha={sha('31 head')} signoff=issuecomment-1 -->\n**PASS**",
}


def taken_over(scene: Scene, text: str, canary: Path) -> None:
    """Writes a text wherever an outsider can write one."""
    text = text.replace(CANARY, str(canary))
    pull = scene.pull
    pull.title = pull.body = text
    pull.labels = [text]
    pull.head_ref = text
    pull.files[1].path = text
    for commit in pull.commits:
        commit.message = text
    for run in scene.repo.runs:
        run.name = text
        run.head_branch = text
        for job in run.jobs:
            job.name = f"{text} {job.id}"
    outsider = user("mallory-pryce")
    pull.comments[0].author, pull.comments[0].body = outsider, f"{text}\n{pull.comments[1].body}"


@pytest.mark.parametrize(
    ("kind", "text"), [*(("a comment", text) for text in TEXTS), ("a wake-up", "all")]
)
def test_hostile_texts_do_nothing(
    kind: str, text: str, runner: Runner, scene: Scene, tmp_path: Path
) -> None:
    taken_over(scene, TEXTS.get(text) or "\n".join(TEXTS.values()), tmp_path / "canary")
    before = len(scene.pull.comments)
    workflow, name, make, _ = KINDS[kind]
    ran = runner.run(workflow, name, make(scene), scene.github, token=TOKEN)
    assert (ran.status, ran.outputs["verdict"]) == (0, "fail"), ran.log
    assert not (tmp_path / "canary").exists()
    assert TOKEN not in ran.log + ran.summary
    _assert_only_our_commands(ran)
    posted = [comment.body for comment in scene.pull.comments[before:]]
    assert posted
    for markdown in (*posted, ran.summary):
        assert alive(markdown.replace(f"@{SIGNER.login} ", "", 1)) == []
        assert all(target.startswith(f"https://github.com/{REPO}/") for target in links(markdown))


def _assert_only_our_commands(ran: Ran) -> None:
    """Outputs of ours, the summary, and annotations that each begin and end as ours do."""
    assert {command for command, _ in ran.commands} <= {"set-output", "summary", "warning"}
    assert {name for command, name in ran.commands if command == "set-output"} == OUTPUTS
    for raw in ran.annotations:
        assert re.match(r"::warning title=#31%3A Check \d+ [^:\n]+::[^\n]*\n\Z", raw), raw
    for line in ran.log.splitlines():
        assert line.startswith("signoff-bot: ")
        assert "##[" not in line


def test_such_a_text_takes_over_a_careless_workflow(
    runner: Runner, scene: Scene, tmp_path: Path
) -> None:
    taken_over(scene, f"$(touch {CANARY})", tmp_path / "canary")
    careless = VERIFY.replace(
        "    steps:\n", '    steps:\n      - run: echo "${{ github.event.issue.title }}"\n'
    )
    runner.run(careless, "issue_comment", commented(scene), scene.github, token=TOKEN)
    assert (tmp_path / "canary").exists()
