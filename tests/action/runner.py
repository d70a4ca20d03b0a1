"""Runs the guide's workflows as a runner does, without Docker, against a loopback GitHub.

The workflow lies in a repository of its own, the action is this checkout under the name that the
workflow uses. The runner (act) plays neither permissions nor concurrency, nor activity types, nor
what only GitHub's servers know; `rules.py` keeps the first ones.

Dependencies are installed once for all runs: a step before the action puts them where it looks for
what an earlier use in the same job left. `Runner.run(..., prepared=False)` leaves that out.
"""

from __future__ import annotations

import compileall
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import Any

from action.machine import installed
from action.yaml_files import RELEASE, REUSABLE, ROOT
from wire.loopback.server import Loopback

ACT = Path(sys.executable).with_name("act")
CHECKOUT = "actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8"
LOOKED_FOR = ("click", "json", "re", "signoff_bot", "github", "sitecustomize", "usercustomize")
"""Modules that the workspace offers, and that must never be taken from there."""

_DECOYS = '      - run: cp "$DECOYS"/* .\n'
_PREPARED = '      - run: ln -s "$PREPARED" "$RUNNER_TEMP/signoff-bot"\n'
_FAKE_CHECKOUT = """\
name: Checkout
description: Puts this checkout where the workflow wants it
inputs:
  path: {description: Where, required: true}
  repository: {description: Of what, required: true}
  ref: {description: At what, required: true}
  persist-credentials: {description: Whether to keep the token, required: true}
runs:
  using: composite
  steps:
    - shell: bash
      run: ln -sfn "$PROJECT" "$GITHUB_WORKSPACE/$AT"; echo "checked out $WHAT"
      env:
        AT: ${{ inputs.path }}
        WHAT: ${{ inputs.repository }} at ${{ inputs.ref }}
"""


@dataclass(frozen=True)
class Ran:
    """What one run of a workflow left."""

    status: int
    events: list[dict[str, Any]]
    complaints: str
    """What the runner itself had to say."""

    @property
    def started(self) -> bool:
        """Whether a job started at all."""
        return any("jobResult" in event for event in self.events)

    @property
    def log(self) -> str:
        """What the steps printed."""
        return "".join(event["msg"] for event in self.events if event.get("raw_output"))

    @property
    def steps(self) -> dict[str, str]:
        """The results of the steps that ran, by their names, those of this harness left out."""
        found = {
            event["msg"].partition(" Main ")[2].rpartition(" [")[0]: event["stepResult"]
            for event in self.events
            if "stepResult" in event and event.get("stage") == "Main"
        }
        return {n: r for n, r in found.items() if '"$DECOYS"' not in n and '"$PREPARED"' not in n}

    @property
    def commands(self) -> list[tuple[str, str]]:
        """Every command that the runner obeyed: its name, and the output or variable it set."""
        return [
            (event["command"], event.get("name", "")) for event in self.events if "command" in event
        ]

    @property
    def annotations(self) -> list[str]:
        """What was put on the run's page, as it was printed."""
        return [
            event["raw"]
            for event in self.events
            if event.get("command") in ("error", "warning", "notice")
        ]

    @property
    def summary(self) -> str:
        """What the steps wrote into the summary of the job."""
        found = {e["content"] for e in self.events if e.get("command") == "summary"}
        return "".join(found)

    @cached_property
    def outputs(self) -> dict[str, str]:
        """The outputs of the action itself."""
        return {
            event["name"]: event["arg"]
            for event in self.events
            if event.get("command") == "set-output" and len(event.get("stepID", ())) == 1
        }


class Runner:
    """A machine with dependencies installed, and a repository that holds the workflows."""

    def __init__(self, folder: Path, repository: str) -> None:
        self._home = folder / "home"
        self._prepared = folder / "prepared"
        self._decoys = folder / "decoys"
        self._project = folder / "project"
        self.repository = folder / "repository"
        self._named = repository
        (self._home / "checkout").mkdir(parents=True)
        (self._home / "checkout/action.yml").write_text(_FAKE_CHECKOUT, encoding="utf-8")
        installed(self._prepared)
        for part in ("action.yml", "requirements/run.txt"):
            (self._project / part).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / part, self._project / part)
        bytecode = shutil.ignore_patterns("__pycache__")
        for part in ("signoff_bot", "rules"):
            shutil.copytree(ROOT / part, self._project / part, ignore=bytecode)
        # The runner copies the action for every run, and dates the copies anew.
        compileall.compile_dir(
            self._project, quiet=2, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH
        )
        self._populate()

    def _populate(self) -> None:
        """A repository, and a work tree that takes over whatever looks there for code."""
        (self.repository / ".github/workflows").mkdir(parents=True)
        self._decoys.mkdir()
        for module in LOOKED_FOR:
            text = f"raise SystemExit('the workspace took over: {module}')\n"
            (self._decoys / f"{module}.py").write_text(text, encoding="utf-8")
        git = ["git", "-C", str(self.repository), "-c", "user.name=a", "-c", "user.email=a@b.c"]
        for command in (
            ["init", "--quiet", "--initial-branch=main"],
            ["remote", "add", "origin", f"https://github.com/{self._named}"],
            ["commit", "--quiet", "--allow-empty", "--message=First"],
        ):
            subprocess.run([*git, *command], check=True, timeout=60, capture_output=True)

    def run(
        self,
        workflow: str,
        event: str,
        payload: Mapping[str, Any],
        github: Loopback | None,
        *,
        token: str = "",
        prepared: bool = True,
        env: Mapping[str, str] | None = None,
        called: str | None = None,
    ) -> Ran:
        """Runs a workflow on an event.

        Args:
            workflow: its text; it names the action by its release.
            event: the kind of event.
            payload: the event.
            github: where the API is.
            token: the token of Actions.
            installed: whether the dependencies are there already.
            env: more environment variables of the job.
            called: the text of the workflow that it calls.
        """
        marker = "    steps:\n"
        before = _DECOYS + _PREPARED * prepared
        workflow = re.sub(r"^ +cache-mode: .*\n", "", workflow, flags=re.MULTILINE)
        name = "workflow.yml"
        project = self._project
        if called is None:
            workflow = workflow.replace(marker, marker + before)
        else:
            name = "caller.yml"
            project = self._home / "called"
            shutil.rmtree(project, ignore_errors=True)
            (project / ".github/workflows").mkdir(parents=True)
            (project / ".github/workflows/verify.yml").write_text(
                called.replace(marker, marker + before), encoding="utf-8"
            )
        path = self.repository / ".github/workflows" / name
        path.write_text(workflow, encoding="utf-8")
        payload_path = self._home / "event.json"
        payload_path.write_text(json.dumps(payload), encoding="utf-8")
        variables = {
            "PREPARED": str(self._prepared),
            "PROJECT": str(self._project),
            "DECOYS": str(self._decoys),
            "PYTHONPATH": str(self._decoys),
            "GITHUB_API_URL": github.url if github else "http://127.0.0.1:1",
            "GITHUB_GRAPHQL_URL": f"{github.url}/graphql" if github else "http://127.0.0.1:1",
            **(env or {}),
        }
        argv = [ACT, event, "--json", "--action-offline-mode", "--no-cache-server"]
        argv += ["--workflows", path, "--eventpath", payload_path]
        argv += ["--platform", "ubuntu-latest=-self-hosted", "--secret", f"GITHUB_TOKEN={token}"]
        for named, folder in (
            (RELEASE, self._project),
            (REUSABLE.replace("/.github/workflows/verify.yml", ""), project),
            (CHECKOUT, self._home / "checkout"),
        ):
            argv += ["--local-repository", f"{named}={folder}"]
        for key, value in variables.items():
            argv += ["--env", f"{key}={value}"]
        done = subprocess.run(
            argv,
            cwd=self.repository,
            env={"PATH": os.environ["PATH"], "HOME": str(self._home)},
            capture_output=True,
            text=True,
            timeout=120,
        )
        events = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        return Ran(done.returncode, events, done.stderr)
