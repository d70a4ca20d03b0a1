"""The workflow of docs/audit-shares.md: its steps are run, and the shares become one audit."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.wire_audit import ALL, REPO, audit_world
from support.world import World
from wire.command import COMMAND, environment
from wire.loopback.server import Loopback

Serve = Callable[[World], Loopback]
ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^```yaml title=\"[^\"]+/([^\"]+)\"\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILES: dict[str, dict[str, Any]] = {
    name: yaml.load(text, yaml.BaseLoader)  # keeps every scalar as it is written
    for name, text in _BLOCK.findall((ROOT / "docs/audit-shares.md").read_text(encoding="utf-8"))
}
AUDIT, ALARM = FILES["signoff-audit.yml"], FILES["signoff-audit-alarm.yml"]
SHARES = 2
GH = """#!/bin/sh
case "$*" in
  *"run list"*) if [ -d "$KEPT" ]; then echo 77; fi ;;
  *"run download 77"*"--name audit-store --dir"*)
    for to; do :; done
    mkdir -p "$to"
    cp "$KEPT"/* "$to" ;;
  *) exit 9 ;;
esac
"""


class Runner:
    """Runs the steps of jobs in folders of their own; artifacts lie in `artifacts`."""

    def __init__(self, folder: Path, github: Loopback | None) -> None:
        self._folder = folder
        self.artifacts = folder / "artifacts"
        tools = folder / "tools"
        tools.mkdir(parents=True, exist_ok=True)
        (tools / "gh").write_text(GH)
        (tools / "gh").chmod(0o755)
        self._env = environment(github) | {"GITHUB_REPOSITORY": REPO, "GH_TOKEN": "t"}
        self._env["PATH"] = f"{tools}:{COMMAND.parent}:{os.environ['PATH']}"
        self._env |= AUDIT["env"] | {"SHARES": str(SHARES), "REPOSITORIES": f"{REPO}\n"}
        self._env |= {"KEPT": str(self.artifacts / "audit-store"), "BRANCH": "main"}

    def job(self, workflow: dict[str, Any], name: str, place: str, **given: str) -> dict[str, str]:
        """Runs a job, in a folder called `place`; its outputs. It fails with a step."""
        here = self._folder / place
        shutil.rmtree(here, ignore_errors=True)
        here.mkdir()
        env = self._env | given
        env |= {"GITHUB_OUTPUT": str(here / "out"), "GITHUB_STEP_SUMMARY": str(here / "summary")}
        for step in workflow["jobs"][name]["steps"]:
            action, about = step.get("uses", "").partition("@")[0], step.get("with", {})
            if action == "actions/upload-artifact":
                kept = self.artifacts / about["name"].replace("${{ matrix.share }}", place)
                self._copy([here / about["path"]], kept)
            elif action == "actions/download-artifact":
                found = sorted(self.artifacts.glob(about.get("name", about.get("pattern"))))
                assert found, about
                for one in found:
                    shutil.copytree(one, here / about["path"], dirs_exist_ok=True)
            elif "run" in step and step["name"] != "Install":
                shell = ["bash", "-e", "-o", "pipefail", "-c", step["run"]]
                done = subprocess.run(shell, cwd=here, env=env, capture_output=True, text=True)
                self.said = done.stdout + done.stderr
                if done.returncode:
                    raise AssertionError(self.said)
        told = (here / "out").read_text().splitlines() if (here / "out").exists() else []
        return dict(line.split("=", 1) for line in told)

    def _copy(self, paths: list[Path], into: Path) -> None:
        shutil.rmtree(into, ignore_errors=True)
        for path in paths:
            if path.is_dir():
                shutil.copytree(path, into)
            else:
                into.mkdir(parents=True)
                shutil.copy(path, into)

    def night(self) -> Path:
        """The whole workflow once; the folder of its last job."""
        planned = self.job(AUDIT, "plan", "plan")
        for share in json.loads(planned["shares"]):
            self.job(
                *(AUDIT, "share", str(share)),
                AS_OF=planned["as-of"],
                EACH=planned["each"],
                SHARE=str(share),
            )
        self.job(AUDIT, "merge", "merge")
        return self._folder / "merge"


def test_two_nights_of_the_workflow_are_two_audits(serve: Serve, tmp_path: Path) -> None:
    github = serve(audit_world(ALL[:7]))
    runner = Runner(tmp_path, github)
    merged = runner.night()
    assert "There is no store" not in runner.said
    assert len(list((merged / "shares").glob("*.json"))) == SHARES
    assert "<html" in (merged / "audit.html").read_text(encoding="utf-8")
    assert REPO in (merged / "summary").read_text(encoding="utf-8")
    cold = len(github.seen)
    github.forget()
    runner.night()
    assert len(github.seen) < cold / 2, "the second night starts from the first one's store"
    second = json.loads((tmp_path / "merge/shares/1.json").read_text())
    assert len(second["trend"]) == 1
    runner.job(ALARM, "age", "age")
    assert "the last audit is of" in runner.said


def test_the_alarm_goes_off_where_no_audit_ever_succeeded(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="No audit ever succeeded"):
        Runner(tmp_path, None).job(ALARM, "age", "age")


def test_a_missing_share_fails_the_night(serve: Serve, tmp_path: Path) -> None:
    runner = Runner(tmp_path, serve(audit_world(ALL[:3])))
    runner.night()
    shutil.rmtree(runner.artifacts / "share-2")
    with pytest.raises(AssertionError, match="these are missing: 2"):
        runner.job(AUDIT, "merge", "merge")


def test_the_budget_is_divided_and_what_it_leaves_is_done_by_the_next_nights(
    serve: Serve, tmp_path: Path
) -> None:
    github = serve(audit_world(ALL[:4]))
    runner = Runner(tmp_path, github)
    runner._env["REQUESTS"] = "60"
    assert runner.job(AUDIT, "plan", "plan")["each"] == "30"
    incomplete = []
    for _ in range(4):
        github.forget()
        incomplete.append("Incomplete" in (runner.night() / "summary").read_text(encoding="utf-8"))
        assert len(github.seen) <= 60
    assert (incomplete[0], incomplete[-1]) == (True, False)


def test_nothing_but_artifacts_is_written_and_every_action_is_pinned() -> None:
    for workflow in (AUDIT, ALARM):
        assert workflow["permissions"] == {}
        for job in workflow["jobs"].values():
            assert set(job["permissions"].values()) <= {"read"}
            for step in job["steps"]:
                assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", step.get("uses", "a@" + "0" * 40))
                assert "${{" not in step.get("run", "")
