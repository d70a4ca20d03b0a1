"""GitHub's own examples of events drive the entry point, about a pull request that is served."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from support.wire_default import FORK, REPO, signed_form
from support.world import Queued
from wire.workflow import Stage

EXAMPLES: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "facts/github/webhooks/examples.json").read_text("utf-8")
)
CASES = [(name, action) for name, found in EXAMPLES.items() for action in found]
EVENT_OF = {"pull_request": "pull_request_target"}
IDLE = {"closed", "converted_to_draft", "assigned", "requested"}


def about(stage: Stage, name: str, action: str) -> dict[str, Any]:
    """The example, speaking of the served pull request; everything else as GitHub sends it."""
    found = copy.deepcopy(EXAMPLES[name][action])
    pull = stage.pull
    found["repository"]["full_name"] = REPO
    if name == "issue_comment":
        found["issue"] |= {"number": 31, "pull_request": {"url": "https://api.github.com/x"}}
        found["comment"] |= {"id": stage.signed.id, "body": signed_form()}
    if "pull_request" in found:
        found["pull_request"]["number"] = 31
        found["pull_request"]["head"]["sha"] = pull.head_sha
    for part in ("review", "comment"):
        if name.startswith("pull_request_review") and part in found:
            found[part]["body"] = signed_form()
    if name == "workflow_run":
        run = found["workflow_run"]
        run |= {"head_branch": pull.head_ref, "head_sha": pull.head_sha}
        run["head_repository"] |= {"full_name": FORK, "owner": {"login": FORK.split("/")[0]}}
    if name == "merge_group":
        stage.repo.merge_queues["main"] = [Queued(31, found["merge_group"]["head_sha"])]
        stage.repo.branches["group"] = found["merge_group"]["head_sha"]
        ref = f"refs/heads/gh-readonly-queue/main/pr-31-{found['merge_group']['base_sha']}"
        found["merge_group"]["head_ref"] = ref
    return found


@pytest.mark.parametrize(("name", "action"), CASES, ids=[f"{n}-{a}" for n, a in CASES])
def test_githubs_examples_are_understood(stage: Stage, name: str, action: str) -> None:
    payload = about(stage, name, action)
    event = EVENT_OF.get(name, name)
    inputs = {"pr": "31"} if name == "workflow_dispatch" else {}
    ran = stage.run(event, payload, **inputs)
    assert (ran.status, ran.err) == (0, "")
    if action in IDLE:
        assert ran.outputs == {"verdict": ""}
        assert not stage.github.seen
        return
    assert ran.outputs["verdict"] == "pass"
    if name.startswith("pull_request_review"):
        assert not stage.writes
    else:
        commit = payload["merge_group"]["head_sha"] if name == "merge_group" else None
        assert [(s.sha, s.state) for s in stage.repo.statuses] == [
            (commit or stage.pull.head_sha, "success")
        ]


@pytest.mark.parametrize(("name", "action"), CASES, ids=[f"{n}-{a}" for n, a in CASES])
def test_githubs_examples_as_they_are_write_nothing(stage: Stage, name: str, action: str) -> None:
    """They speak of other repositories, of issues, and of nothing that signs."""
    ran = stage.run(EVENT_OF.get(name, name), EXAMPLES[name][action])
    assert ran.status in (0, 2, 3)
    assert "Traceback" not in ran.err
    assert not stage.writes or name == "merge_group"
