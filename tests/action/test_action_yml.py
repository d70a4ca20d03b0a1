"""The action itself: what it may hold, and that it is documented and wired as it says."""

from __future__ import annotations

import re

import pytest
from action.yaml_files import ACTION, ROOT, own

STEPS = {step["name"]: step for step in ACTION.data["runs"]["steps"]}
INPUTS = ACTION.data["inputs"]
OUTPUTS = ACTION.data["outputs"]


def variable(name: str) -> str:
    return "SIGNOFF_" + name.upper().replace("-", "_")


def test_it_runs_no_other_action() -> None:
    assert ACTION.data["runs"]["using"] == "composite"
    assert all(set(step) <= {"name", "id", "if", "shell", "env", "run"} for step in STEPS.values())


@pytest.mark.parametrize("name", STEPS)
def test_nothing_is_pasted_into_a_script(name: str) -> None:
    assert "${{" not in STEPS[name]["run"]
    for value in STEPS[name].get("env", {}).values():
        assert re.fullmatch(r"\$\{\{ (inputs\.[a-z-]+|steps\.gate\.outputs\.python) \}\}", value)


@pytest.mark.parametrize("name", STEPS)
def test_python_is_isolated_from_the_workspace_wherever_it_runs(name: str) -> None:
    starts = re.findall(r"python\" ([^>]\S*)", STEPS[name]["run"], re.IGNORECASE)
    assert starts
    assert set(starts) == {"-I"}


def test_nothing_is_installed_before_it_is_known_that_there_is_something_to_do() -> None:
    assert list(STEPS) == ["See whether there is anything to do", "Install", "Judge"]
    assert [step.get("if") for step in STEPS.values()] == [
        None,
        "steps.gate.outputs.needed == 'true'",
        "steps.gate.outputs.needed == 'true'",
    ]


def test_only_wheels_with_known_hashes_are_installed() -> None:
    install = STEPS["Install"]["run"]
    assert install.count("pip install") == 1
    assert "--require-hashes --only-binary :all:" in install
    assert "$GITHUB_ACTION_PATH/requirements/run.txt" in install


def test_only_the_judging_step_sees_a_token() -> None:
    for name, step in STEPS.items():
        assert ("token" in str(step.get("env"))) == (name == "Judge")


@pytest.mark.parametrize("name", INPUTS)
def test_every_input_reaches_the_command(name: str) -> None:
    assert STEPS["Judge"]["env"][variable(name)] == f"${{{{ inputs.{name} }}}}"


def test_the_command_gets_nothing_but_the_inputs() -> None:
    assert set(STEPS["Judge"]["env"]) == set(map(variable, INPUTS))


def test_the_inputs_are_optional_and_the_decided_ones() -> None:
    defaults = {name: about["default"] for name, about in INPUTS.items()}
    assert defaults == {
        "github-token": "${{ github.token }}",
        "members-token": "",
        "rules": "",
        "pr": "",
        "signoff-url": "",
        "post-comment": "true",
        "set-status": "true",
        "fail-on": "",
        "save-evidence": "",
        "also-ours": "",
    }


def test_the_outputs_are_those_of_the_judging_step() -> None:
    assert list(OUTPUTS) == ["verdict", "report-json", "evidence-path", "comment-url"]
    for name, about in OUTPUTS.items():
        assert about["value"] == f"${{{{ steps.judge.outputs.{name} }}}}"


@pytest.mark.parametrize(("heading", "names"), [("input", INPUTS), ("output", OUTPUTS)])
def test_the_guide_tells_of_every_input_and_output(heading: str, names: dict[str, object]) -> None:
    guide = (ROOT / "docs/action.md").read_text(encoding="utf-8")
    (table,) = re.findall(rf"^\| {heading} \|.*\n\|[-|]+\n((?:\|.*\n)+)", guide, re.MULTILINE)
    assert re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE) == list(names)


def test_the_workflow_to_call_offers_inputs_of_the_action_with_the_same_defaults() -> None:
    call = own("verify.yml").data["on"]["workflow_call"]
    assert set(call["inputs"]) < set(INPUTS)
    for name, about in call["inputs"].items():
        assert about["default"] == INPUTS[name]["default"]
    given = own("verify.yml").jobs["verify"]["steps"][-1]["with"]
    assert set(given) == {*call["inputs"], *call["secrets"]}
