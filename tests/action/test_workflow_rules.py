"""The rules for workflows: ours and those in the docs keep them, and each rule finds its breach."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from action.rules import complaints
from action.yaml_files import GUIDE, OWN, README, ROOT, WORKFLOWS, YamlFile, guide, own

VERIFY, WAKE, AUDIT = "signoff-bot.yml", "signoff-bot-wake.yml", "signoff-bot-audit.yml"
QUEUE = "signoff-bot-merge-queue.yml"
CHECKOUT = "actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0"
REF = "          ref: ${{ github.event.repository.default_branch }}\n"


@pytest.mark.parametrize("file", WORKFLOWS, ids=str)
def test_a_workflow_keeps_every_rule(file: YamlFile) -> None:
    assert complaints(file) == []


BREACHES = [
    (VERIFY, "permissions: {}", "permissions: read-all", "grants nothing by default"),
    (VERIFY, "permissions: {}\n", "", "grants nothing by default"),
    (VERIFY, "actions: read # the runs", "actions: write # the runs", "may write ['actions']"),
    (VERIFY, "checks: read # the check runs on the head", "checks: read", "the reason beside it"),
    (WAKE, "    permissions: {}\n", "", "does not name its permissions"),
    (VERIFY, "  issue_comment:\n", "  pull_request:\n", "may write ['pull-requests', 'statuses']"),
    (VERIFY, "  workflow_dispatch:\n", "  merge_group:\n  workflow_dispatch:\n", "may write"),
    (QUEUE, "pull-requests: read", "pull-requests: write", "may write ['pull-requests']"),
    ("release.yml", 'tags: ["v*"]', "branches: [main]", "may write"),
    (VERIFY, CHECKOUT, "actions/checkout@v5", "not pinned"),
    (VERIFY, CHECKOUT, CHECKOUT.partition(" #")[0], "which version"),
    ("verify.yml", "uses: ./signoff-bot", "uses: octo-works/anvil@main", "not pinned"),
    (VERIFY, "- uses: ./\n", '- run: echo "${{ github.event.issue.title }}"\n', "pastes"),
    (VERIFY, "- uses: ./\n", "- run: echo ${{ inputs.pr }}\n", "pastes an expression"),
    (VERIFY, "- uses: ./\n", "- run: gh pr checkout 7\n", "can write, and calls gh"),
    (AUDIT, "- uses: ./\n", "- run: pip install x\n", "can write, and calls pip"),
    (VERIFY, "${{ inputs.pr }}", "${{ github.event.comment.body }}", "not among what may be used"),
    (VERIFY, "${{ inputs.pr }}", "${{ toJSON(github.event) }}", "not among what may be used"),
    (VERIFY, "workflow_run.head_sha", "workflow_run.head_branch", "not among what may be used"),
    (VERIFY, "          persist-credentials: false\n", "", "leaves its token"),
    (VERIFY, REF, "", "checks out what the event names"),
    (VERIFY, "event.repository.default_branch", "event.pull_request.head.sha", "and checks out"),
    (VERIFY, "${{ github.event.repository.default_branch }}", "main", "and checks out"),
    ("verify.yml", "${{ job.workflow_repository }}", "octo-works/anvil", "and checks out"),
    (VERIFY, CHECKOUT, CHECKOUT.replace("checkout", "download-artifact"), "an artifact"),
    (AUDIT, CHECKOUT, CHECKOUT.replace("checkout", "cache"), "restores a cache"),
    (
        "ci.yml",
        "          python-version",
        "          cache: pip\n          python-version",
        "cache",
    ),
    (VERIFY, "cancel-in-progress: false", "cancel-in-progress: true", "can be cancelled"),
    (VERIFY, "-${{ github.event.workflow_run.head_repository.id }}", "", "with the same commit"),
    (AUDIT, "jobs:\n", "concurrency: one\n\njobs:\n", "above the job's `if`"),
    (WAKE, '- run: "true"', f"- uses: {CHECKOUT}", "does more than wake"),
    (WAKE, '- run: "true"', '- run: "true"\n      - run: "true"', "does more than wake"),
    (WAKE, "permissions: {}\n    #", "permissions:\n      contents: read # it asks\n    #", "wake"),
    (WAKE, "    timeout-minutes: 5\n", "", "no time limit"),
    (VERIFY, "name: Verify sign-offs", "name: codeowner-signoff-verify", "called like the status"),
]


@pytest.mark.parametrize(("name", "kept", "broken", "complaint"), BREACHES)
def test_a_breach_is_found(name: str, kept: str, broken: str, complaint: str) -> None:
    file = guide(name) if name == QUEUE else own(name)
    assert kept in file.text
    found = complaints(replace(file, text=file.text.replace(kept, broken)))
    assert any(complaint in one for one in found), found


def test_a_called_workflow_gets_no_secret_unnamed() -> None:
    caller = GUIDE[-1]
    broken = replace(caller, text=caller.text + "    secrets: inherit\n")
    assert any("every secret" in one for one in complaints(broken))


def test_the_triggers_are_the_decided_ones() -> None:
    assert own(VERIFY).data["on"] == {
        "issue_comment": {"types": ["created", "edited", "deleted"]},
        "pull_request_target": {
            "types": ["opened", "reopened", "ready_for_review", "synchronize", "edited"]
        },
        "workflow_run": {"workflows": ["signoff-bot wake", "CI"], "types": ["completed"]},
        "workflow_dispatch": own(VERIFY).data["on"]["workflow_dispatch"],
    }
    assert set(own(WAKE).data["on"]) == {"pull_request_review", "pull_request_review_comment"}
    assert set(own(AUDIT).data["on"]) == {"schedule"}
    assert guide(QUEUE).data["on"] == {"merge_group": {"types": ["checks_requested"]}}


@pytest.mark.parametrize("verify", [own(VERIFY), *(f for f in GUIDE if f.name.endswith(VERIFY))])
def test_the_wake_up_is_listened_to_by_its_name(verify: YamlFile) -> None:
    for wake in (own(WAKE), guide(WAKE)):
        assert wake.data["name"] in verify.data["on"]["workflow_run"]["workflows"]


def test_our_own_workflows_are_those_of_the_guide_but_for_the_action_that_lies_here() -> None:
    for name in (VERIFY, WAKE, AUDIT):
        ours, shown = (_without_origin(file) for file in (own(name), guide(name)))
        assert ours == shown


def _without_origin(file: YamlFile) -> object:
    data = yaml.load(file.text, yaml.BaseLoader)
    for job in data["jobs"].values():
        job["steps"] = [s for s in job["steps"] if "checkout" not in s.get("uses", "")]
        for step in job["steps"]:
            if "uses" in step:
                step["uses"] = "the action"
    return data


def test_the_workflow_to_call_starts_judges_and_waits_as_the_one_to_copy() -> None:
    (called,), (copied,) = (own(name).jobs.values() for name in ("verify.yml", VERIFY))
    for key in ("runs-on", "timeout-minutes", "permissions"):
        assert called[key] == copied[key]
    same = "(github.event_name == 'issue_comment' && github.event.issue.pull_request"
    starts = [" ".join(job["if"].split()).partition(same) for job in (called, copied)]
    assert starts[0][1:] == starts[1][1:]
    assert starts[0][2]
    first, last = copied["concurrency"]["group"].split(" }}", 1)
    assert called["concurrency"]["group"].startswith(first)
    assert called["concurrency"]["group"].endswith(last)


def test_the_caller_starts_as_the_one_to_copy_and_grants_what_is_asked() -> None:
    caller, copied = GUIDE[-1], guide(VERIFY)
    assert caller.data["on"] == copied.data["on"]
    assert caller.jobs["verify"]["permissions"] == own("verify.yml").jobs["verify"]["permissions"]
    offered = own("verify.yml").data["on"]["workflow_call"]["inputs"]
    assert set(caller.jobs["verify"]["with"]) <= set(offered)


def test_readme_shows_the_two_files_of_the_guide() -> None:
    shown = [(file.name, file.text) for file in README]
    assert shown == [(guide(name).name, guide(name).text) for name in (VERIFY, WAKE)]


def test_the_default_rules_ignore_what_these_files_run_on_the_head() -> None:
    rules = yaml.safe_load((ROOT / "rules/default.yaml").read_text(encoding="utf-8"))
    ignored = rules["checks"]["checks"]["with"]["ignore"]
    assert {guide(VERIFY).name, guide(WAKE).name} <= set(ignored)


def test_every_workflow_is_in_the_tree_that_the_rules_look_at() -> None:
    names = {Path(file.name).name for file in OWN}
    assert {path.name for path in (ROOT / ".github/workflows").iterdir()} == names
