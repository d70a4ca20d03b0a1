"""Runs the command against a loopback GitHub: the installed one, or in this very process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support.wire_inferencex import REPO, TOKEN
from wire.loopback.server import Loopback

from signoff_bot.cli import run

COMMAND = Path(sys.executable).with_name("signoff-bot")


@dataclass(frozen=True)
class Result:
    """What a run of the command left: exit status and both streams."""

    status: int
    out: str
    err: str

    @property
    def verdict(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out)
        return found

    @property
    def statuses(self) -> dict[str, str]:
        """Check id to its status."""
        return {check["id"]: check["status"] for check in self.verdict["checks"]}

    def check(self, id: str) -> dict[str, Any]:
        """One check of the verdict."""
        (found,) = (check for check in self.verdict["checks"] if check["id"] == id)
        return dict(found)

    @property
    def everything(self) -> str:
        return self.out + self.err


def environment(github: Loopback | None, token: str | None = TOKEN, **more: str) -> dict[str, str]:
    """The environment as a workflow sets it, and nothing of ours."""
    found = {"PATH": os.environ["PATH"], "HOME": os.devnull, "NO_COLOR": "1"}
    if github is not None:
        found |= {"GITHUB_API_URL": github.url, "GITHUB_REPOSITORY": REPO}
    if token is not None:
        found["GITHUB_TOKEN"] = token
    return found | more


def installed(*argv: str | Path, env: dict[str, str], cwd: Path | None = None) -> Result:
    """Runs the installed command in a process of its own."""
    done = subprocess.run(
        [COMMAND, *argv], env=env, cwd=cwd, capture_output=True, text=True, timeout=120, check=False
    )
    return Result(done.returncode, done.stdout, done.stderr)


class InProcess:
    """Runs the command in this process, without its pauses between tries."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *argv: str | Path, env: dict[str, str]) -> Result:
        with self._monkeypatch.context() as patch:
            for name in [n for n in os.environ if n.startswith(("GITHUB_", "GH_", "SIGNOFF_"))]:
                patch.delenv(name)
            for name, value in env.items():
                patch.setenv(name, value)
            patch.setattr("signoff_bot.github.retry.Retry._delay", lambda *_: 0.0)
            self._capsys.readouterr()
            status = run([str(argument) for argument in argv])
        caught = self._capsys.readouterr()
        return Result(status, caught.out, caught.err)
