"""The guide's workflows on events that change no verdict, run for real: no job, or nothing done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from action import events
from action.conftest import Scene
from action.runner import Runner
from action.yaml_files import GUIDE, guide, own
from support.wire_default import TOKEN

VERIFY, WAKE = (guide(f"signoff-bot{part}.yml").text for part in ("", "-wake"))
Make = Callable[[Scene], dict[str, Any]]


def commented(scene: Scene, **more: Any) -> dict[str, Any]:
    return events.issue_comment(scene.repo, scene.pull, scene.pull.comments[-1], **more)


def pulled(action: str, **more: Any) -> Make:
    return lambda scene: events.pull_request(scene.repo, scene.pull, action, **more)


NOTHING: dict[str, tuple[str, Make]] = {
    "an issue": ("issue_comment", lambda s: without(commented(s), "issue", "pull_request")),
    "a closed one": ("issue_comment", lambda s: having(commented(s), "issue", state="closed")),
    "a draft's comment": ("issue_comment", lambda s: having(commented(s), "issue", draft=True)),
    "an app's comment": ("issue_comment", lambda s: by_app(commented(s))),
    "a draft": (
        "pull_request_target",
        lambda s: having(pulled("synchronize")(s), "pull_request", draft=True),
    ),
    "a new title": (
        "pull_request_target",
        pulled("edited", changes={"title": {"from": "Something"}}),
    ),
}


def without(event: dict[str, Any], part: str, key: str) -> dict[str, Any]:
    return event | {part: {k: v for k, v in event[part].items() if k != key}}


def having(event: dict[str, Any], part: str, **values: Any) -> dict[str, Any]:
    return event | {part: event[part] | values}


def by_app(event: dict[str, Any]) -> dict[str, Any]:
    app = {"login": "lint[bot]", "id": 5, "type": "Bot"}
    return having(event, "comment", user=app) | {"sender": app}


@pytest.mark.parametrize("kind", NOTHING)
def test_what_cannot_matter_starts_no_job(kind: str, runner: Runner, scene: Scene) -> None:
    name, make = NOTHING[kind]
    ran = runner.run(VERIFY, name, make(scene), scene.github, token=TOKEN)
    assert (ran.status, ran.started) == (0, False)
    assert not scene.github.seen


def test_a_person_who_edits_what_an_app_wrote_starts_the_job(runner: Runner, scene: Scene) -> None:
    event = by_app(commented(scene, action="edited", before="x"))
    event["sender"] = {"login": "bram-ito", "id": 6, "type": "User"}
    assert runner.run(VERIFY, "issue_comment", event, scene.github, token=TOKEN).started


def test_idle_talk_installs_nothing_and_asks_nothing(runner: Runner, scene: Scene) -> None:
    scene.pull.comments[-1].body = "Thanks, looks good!"
    ran = runner.run(VERIFY, "issue_comment", commented(scene), scene.github, prepared=False)
    assert ran.status == 0
    assert "Install" not in ran.steps
    assert ran.outputs["verdict"] == ""
    assert not scene.github.seen


def test_the_wake_up_does_nothing(runner: Runner, scene: Scene) -> None:
    event = events.review(scene.repo, scene.pull, "Approved")
    ran = runner.run(WAKE, "pull_request_review", event, scene.github, prepared=False)
    assert (ran.status, ran.steps) == (0, {"true": "success"})
    assert not scene.github.seen


def test_a_called_workflow_that_is_not_told_its_revision_stops(
    runner: Runner, scene: Scene
) -> None:
    called = own("verify.yml").text
    event = commented(scene)
    ran = runner.run(
        GUIDE[-1].text, "issue_comment", event, scene.github, token=TOKEN, called=called
    )
    assert ran.status == 1
    assert ran.steps == {"Know this revision": "failure"}
    assert not scene.github.seen
