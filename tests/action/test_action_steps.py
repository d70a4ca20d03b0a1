"""The action's own scripts, each run as a runner runs it: finding Python, and installing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from action.machine import GATE, INSTALL, JUDGE, Machine

from signoff_bot import __version__

WHEELS = Path(sys.prefix) / "wheels"
EVENT = {"GITHUB_EVENT_NAME": "watch"}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture
def old_python(tmp_path: Path) -> str:
    """A PATH on which there is only a Python that is too old."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "python3").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    (folder / "python3").chmod(0o755)
    return str(folder)


def test_python_is_taken_from_the_path(machine: Machine) -> None:
    done = machine.run(GATE, **EVENT)
    assert (done.returncode, machine.output) == (0, "python=python3\nneeded=false\n"), done.stderr


def test_an_old_python_is_passed_over_for_one_of_the_tool_cache(
    machine: Machine, old_python: str
) -> None:
    for version in ("3.10.4", "3.12.1"):
        folder = machine.root / f"tools/Python/{version}/x64/bin"
        folder.mkdir(parents=True)
        found = old_python + "/python3" if version == "3.10.4" else sys.executable
        (folder / "python3").symlink_to(found)
    done = machine.run(GATE, **EVENT, PATH=old_python)
    assert done.returncode == 0, done.stderr
    found = machine.root / "tools/Python/3.12.1/x64/bin/python3"
    assert machine.output == f"python={found}\nneeded=false\n"


@pytest.mark.parametrize("cache", ["", "tools"])
def test_without_python_it_says_what_to_do(machine: Machine, old_python: str, cache: str) -> None:
    tools = str(machine.root / cache) if cache else ""
    done = machine.run(GATE, **EVENT, PATH=old_python, RUNNER_TOOL_CACHE=tools)
    assert done.returncode == 3
    assert done.stdout.startswith("::error::signoff-bot needs Python 3.11 or newer")
    assert "actions/setup-python" in done.stdout
    assert machine.output == ""


def test_an_event_that_is_none_stops_the_gate(machine: Machine) -> None:
    done = machine.run(GATE, GITHUB_EVENT_NAME="issue_comment", GITHUB_EVENT_PATH="/nowhere")
    assert done.returncode == 2
    assert "needed" not in machine.output


def test_it_installs_itself_and_is_deaf_to_the_workspace(machine: Machine) -> None:
    assert WHEELS.is_dir(), "there are no wheels to install; run `make test`, which fetches them"
    offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(WHEELS), "PYTHON": sys.executable}
    done = machine.run(INSTALL, **offline)
    assert done.returncode == 0, done.stdout + done.stderr
    site = next(machine.venv.glob("lib/python3.*/site-packages"))
    assert not list(site.glob("signoff_bot*")), "the package itself is not built"

    for module in ("click", "json", "signoff_bot", "sitecustomize"):
        decoy = machine.root / f"workspace/{module}.py"
        decoy.write_text("raise SystemExit('taken over')\n", encoding="utf-8")
    hostile = {"PYTHONPATH": ".", "PYTHONSTARTUP": "json.py", "PYTHONHOME": "/nowhere"}
    asked = JUDGE.replace("signoff_bot action", "signoff_bot --version")
    shown = machine.run(asked, **hostile)
    assert (shown.returncode, shown.stdout) == (0, f"signoff-bot, version {__version__}\n")

    kept = machine.venv / "kept"
    kept.touch()
    assert machine.run(INSTALL, PYTHON="/nowhere").returncode == 0
    assert kept.exists(), "a second use in the same job installs nothing"


def other_action(folder: Path, requirement: str) -> Path:
    action = folder / "action"
    (action / "requirements").mkdir(parents=True)
    (action / "requirements/run.txt").write_text(requirement, encoding="utf-8")
    return action


def test_a_package_that_is_not_the_known_one_is_not_installed(machine: Machine) -> None:
    assert WHEELS.is_dir(), "there are no wheels to install; run `make test`, which fetches them"
    action = other_action(machine.root, f"mdurl==0.1.2 --hash=sha256:{'0' * 64}\n")
    offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(WHEELS), "PYTHON": sys.executable}
    done = machine.run(INSTALL, action, **offline)
    assert done.returncode == 1
    assert "DO NOT MATCH THE HASHES" in done.stderr
    assert not (machine.venv / "installed.txt").exists()


def test_what_another_revision_left_is_not_used(machine: Machine) -> None:
    (machine.venv / "lib").mkdir(parents=True)
    (machine.venv / "installed.txt").write_text("click==1.0\n", encoding="utf-8")
    action = other_action(machine.root, "click==8.1.8\n")
    assert machine.run(INSTALL, action, PYTHON="false").returncode == 1
    assert not machine.venv.exists()
