"""The Action against a loopback GitHub: a pull request, events about it, and what a run leaves."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from action import events
from support.wire_default import FORK, PASSING, REPO, TOKEN
from support.world import Comment, PullRequest, Repository, World, sha
from wire.command import InProcess, Result, environment, installed
from wire.loopback.server import Loopback

CONTEXT = "signoff-bot"


@dataclass(frozen=True)
class Ran:
    """What a run left."""

    status: int
    log: str
    err: str
    outputs: dict[str, str]
    summary: str

    @property
    def verdicts(self) -> list[dict[str, Any]]:
        """The verdicts of the report."""
        lines = Path(self.outputs["report-json"]).read_text("utf-8").splitlines()
        return [json.loads(line) for line in lines]

    @property
    def report(self) -> dict[str, Any]:
        """The report of an audit."""
        found: dict[str, Any] = json.loads(Path(self.outputs["report-json"]).read_text("utf-8"))
        return found

    @property
    def annotations(self) -> list[str]:
        return [line for line in self.log.splitlines() if line.startswith("::")]


def outputs_of(path: Path) -> dict[str, str]:
    """The outputs as a runner reads them."""
    found = {}
    lines = path.read_bytes().decode().split("\n") if path.exists() else []
    while len(lines) > 1:
        name, _, end = lines.pop(0).partition("<<")
        stop = lines.index(end)
        found[name] = "\n".join(lines[:stop])
        del lines[: stop + 1]
    return found


class Stage:
    """A served pull request that passes, and runs of the Action on events about it."""

    def __init__(self, github: Loopback, command: InProcess, folder: Path) -> None:
        self.github = github
        self.world: World = github.world
        self.repo: Repository = github.world.repositories[REPO]
        self.pull: PullRequest = self.repo.pulls[PASSING]
        self._command = command
        self.folder = folder

    @property
    def signed(self) -> Comment:
        """The sign-off."""
        return self.pull.comments[1]

    @property
    def ours(self) -> list[Comment]:
        """Verdicts under our marker on the pull request, whoever wrote them."""
        marker = f"<!-- {CONTEXT} sha="
        return [comment for comment in self.pull.comments if comment.body.startswith(marker)]

    @property
    def heads(self) -> list[str]:
        """What those verdicts say."""
        return [comment.body.split("**")[1] for comment in self.ours]

    @property
    def states(self) -> list[str]:
        return [status.state for status in self.repo.statuses]

    @property
    def writes(self) -> list[str]:
        """Every request that changed something."""
        found = [seen for seen in self.github.seen if seen.method != "GET"]
        return [
            f"{seen.method} {seen.path}"
            for seen in found
            if seen.path != "/graphql" or seen.body["query"].lstrip().startswith("mutation")
        ]

    def run(self, name: str, payload: dict[str, Any], **inputs: str) -> Ran:
        """Runs the Action on an event in this process; inputs as `fail_on="fail"`."""
        folder, env = self._surroundings(name, payload, inputs)
        return _ran(self._command("action", env=env), folder)

    def run_installed(self, name: str, payload: dict[str, Any], **inputs: str) -> Ran:
        """Runs the installed command in a process of its own."""
        folder, env = self._surroundings(name, payload, inputs)
        return _ran(installed("action", env=env), folder)

    def _surroundings(
        self, name: str, payload: dict[str, Any], inputs: dict[str, str]
    ) -> tuple[Path, dict[str, str]]:
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        (folder / "event.json").write_text(json.dumps(payload), "utf-8")
        env = environment(
            self.github,
            token=None,
            GITHUB_REPOSITORY=REPO,
            GITHUB_EVENT_NAME=name,
            GITHUB_EVENT_PATH=str(folder / "event.json"),
            GITHUB_OUTPUT=str(folder / "output"),
            GITHUB_STEP_SUMMARY=str(folder / "summary"),
            GITHUB_RUN_ID="77",
            RUNNER_TEMP=str(folder),
            SIGNOFF_GITHUB_TOKEN=TOKEN,
        )
        return folder, env | {f"SIGNOFF_{key.upper()}": value for key, value in inputs.items()}


def _ran(result: Result, folder: Path) -> Ran:
    summary = folder / "summary"
    return Ran(
        result.status,
        result.out,
        result.err,
        outputs_of(folder / "output"),
        summary.read_text("utf-8") if summary.exists() else "",
    )


def commented(stage: Stage, comment: Comment | None = None, **more: Any) -> dict[str, Any]:
    return events.issue_comment(stage.repo, stage.pull, comment or stage.signed, **more)


def pulled(stage: Stage, action: str, **more: Any) -> dict[str, Any]:
    return events.pull_request(stage.repo, stage.pull, action, **more)


def ran_on(stage: Stage, event: str = "pull_request") -> dict[str, Any]:
    run = replace(stage.repo.runs[0], event=event)
    return events.workflow_run(stage.repo, stage.pull, run)


EVENTS = {
    "comment": ("issue_comment", commented),
    "edited comment": ("issue_comment", lambda s: commented(s, action="edited", before="x")),
    "opened": ("pull_request_target", lambda s: pulled(s, "opened")),
    "reopened": ("pull_request_target", lambda s: pulled(s, "reopened")),
    "ready": ("pull_request_target", lambda s: pulled(s, "ready_for_review")),
    "push": ("pull_request_target", lambda s: pulled(s, "synchronize")),
    "new base": (
        "pull_request_target",
        lambda s: pulled(s, "edited", changes={"base": {"ref": {"from": "old"}}}),
    ),
    "run": ("workflow_run", ran_on),
    "review": ("workflow_run", lambda s: ran_on(s, "pull_request_review")),
}
"""Trusted events about one pull request, by what happened."""


def on(stage: Stage, what: str, **inputs: str) -> Ran:
    name, make = EVENTS[what]
    return stage.run(name, make(stage), **inputs)


def pushed(stage: Stage, name: str = "31 pushed", at: str = "2026-06-24T09:00:00Z") -> None:
    """A new head, by default older than the sign-off, whose checks ran again."""
    head = sha(name)
    stage.pull.commits.append(replace(stage.pull.commits[-1], sha=head))
    fork = stage.world.repositories[FORK]
    fork.activity.insert(
        0, replace(fork.activity[0], before=stage.pull.head_sha, after=head, at=at)
    )
    fork.branches["hammer"] = stage.pull.head_sha = head
    run = stage.repo.runs[0]
    stage.repo.runs.insert(0, replace(run, id=run.id + 1, head_sha=head))
    stage.repo.check_runs += [replace(check, head_sha=head) for check in stage.repo.check_runs]
