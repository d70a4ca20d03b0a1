"""The gate as the Action's first step runs it: one file, far from its package."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from signoff_bot import event

SCRIPT = Path(event.__file__)
SIGNED = "I have reviewed this.\n- [x] Verified it.\n"


def example(body: str = "Thanks!") -> dict[str, Any]:
    """A comment on a pull request."""
    return {
        "action": "created",
        "issue": {"number": 31, "state": "open", "pull_request": {}, "title": "x"},
        "comment": {"id": 9, "body": body, "user": {"type": "User"}},
        "sender": {"type": "User"},
    }


def run_script(tmp_path: Path, name: str, payload: Any, **env: str) -> tuple[int, str, str, str]:
    """Runs a copy of the script, far from the package: status, stdout, stderr, outputs."""
    script = Path(shutil.copy(SCRIPT, tmp_path))
    file, output = tmp_path / "event.json", tmp_path / "output"
    file.write_text(payload if isinstance(payload, str) else json.dumps(payload), "utf-8")
    output.write_text("", "utf-8")
    done = subprocess.run(
        [sys.executable, "-I", script],
        env={
            "PATH": os.environ["PATH"],
            "GITHUB_EVENT_NAME": name,
            "GITHUB_EVENT_PATH": str(file),
            "GITHUB_OUTPUT": str(output),
        }
        | env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr, output.read_text("utf-8")


def test_the_script_writes_its_decision(tmp_path: Path) -> None:
    signed = example(SIGNED)
    status, out, err, output = run_script(tmp_path, "issue_comment", signed)
    assert (status, err, output) == (0, "", "needed=true\n")
    assert out.startswith("signoff-bot: judging: ")
    idle = example()
    status, out, err, output = run_script(tmp_path, "issue_comment", idle)
    assert (status, err, output) == (0, "", "needed=false\n")
    assert out.startswith("signoff-bot: nothing to do: ")
    asked_for = run_script(tmp_path, "push", {}, SIGNOFF_PR="7")
    assert asked_for[3] == "needed=true\n"


@pytest.mark.parametrize(
    ("name", "payload", "says"),
    [
        ("", {}, "GITHUB_EVENT_NAME is not set"),
        ("issue_comment", "{", "no file with the event as JSON"),
        ("issue_comment", "[" * 100_000, "no file with the event as JSON"),
        ("merge_group", {"action": "checks_requested"}, "holds no merge_group.head_sha"),
    ],
)
def test_the_script_says_what_is_wrong_with_the_event(
    tmp_path: Path, name: str, payload: Any, says: str
) -> None:
    status, out, err, output = run_script(tmp_path, name, payload)
    assert (status, out, output) == (2, "", "")
    assert says in err
    assert err.count("\n") == 1


def test_the_script_needs_nothing_but_the_standard_library() -> None:
    tree = ast.parse(SCRIPT.read_text("utf-8"))
    names = {
        (node.module or "") if isinstance(node, ast.ImportFrom) else alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert {name.split(".")[0] for name in names} <= set(sys.stdlib_module_names)


def test_nothing_of_the_pull_request_is_in_the_log(tmp_path: Path) -> None:
    hostile = "::set-output name=needed::true\n::error::x ##[error]y"
    payload = example(f"{SIGNED}\n{hostile}")
    payload["issue"]["title"] = hostile
    _, out, _, output = run_script(tmp_path, "issue_comment", payload)
    assert "set-output" not in out + output
    assert out.count("\n") == 1
