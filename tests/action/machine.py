"""A runner's machine in small: the folders of a job, and the action's scripts run one by one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from action.yaml_files import ACTION, ROOT

GATE, INSTALL, JUDGE = (step["run"] for step in ACTION.data["runs"]["steps"])


def installed(venv: Path) -> None:
    """Puts there what the step `Install` leaves, with the packages of this very environment."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True, timeout=60)
    (site,) = venv.glob("lib/python3.*/site-packages")
    (site / "packages.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    shutil.copy(ROOT / "requirements/run.txt", venv / "installed.txt")


@dataclass(frozen=True)
class Machine:
    """A job's folders, as a runner hands them to a step."""

    root: Path

    @property
    def output(self) -> str:
        """What the steps wrote as their outputs."""
        path = self.root / "output"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    @property
    def venv(self) -> Path:
        """Where the action installs."""
        return self.root / "temp/signoff-bot"

    def run(
        self, step: str, action: Path = ROOT, event: str = "{}", **env: str
    ) -> subprocess.CompletedProcess[str]:
        """Runs a script with the environment of a step."""
        for folder in ("temp", "tools", "workspace"):
            (self.root / folder).mkdir(exist_ok=True)
        for name, text in (("script.sh", step), ("event.json", event)):
            (self.root / name).write_text(text, encoding="utf-8")
        variables = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.root),
            "GITHUB_ACTION_PATH": str(action),
            "GITHUB_EVENT_PATH": str(self.root / "event.json"),
            "GITHUB_OUTPUT": str(self.root / "output"),
            "GITHUB_STEP_SUMMARY": str(self.root / "summary"),
            "GITHUB_WORKSPACE": str(self.root / "workspace"),
            "RUNNER_TEMP": str(self.root / "temp"),
            "RUNNER_TOOL_CACHE": str(self.root / "tools"),
        }
        bash = shutil.which("bash") or "bash"
        return subprocess.run(
            [bash, "--noprofile", "--norc", "-eo", "pipefail", self.root / "script.sh"],
            cwd=self.root / "workspace",
            env=variables | env,
            capture_output=True,
            text=True,
            timeout=300,
        )
