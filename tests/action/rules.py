"""What every workflow here must keep to; each rule tells what is wrong, and nothing if all is well.

They hold where a runner on this machine cannot tell: triggers, permissions, pins, what is checked
out, and what of an event may stand in a file at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from action.yaml_files import RELEASE, REUSABLE, YamlFile

TRUSTED = {
    "issue_comment",
    "pull_request_target",
    "workflow_run",
    "workflow_dispatch",
    "schedule",
    "workflow_call",  # as trusted as its caller, whose permissions bound it
}
"""Triggers that run the default branch's copy of a workflow (or one that its starter may push)."""

WAKING = {"pull_request_review", "pull_request_review_comment"}
MAY_WRITE = {"pull-requests", "statuses"}
STATUSES = {"signoff-bot", "codeowner-signoff-verify"}
RELEASING = {"id-token", "attestations"}

EXPRESSIONS = {
    "concurrency and what is judged": r"""
        github\.event\.(issue|pull_request)\.number | github\.event\.workflow_run\.head_sha
        | github\.event\.workflow_run\.head_repository\.id
        | github\.event\.merge_group\.head_sha | inputs\.[a-z-]+ | 'audit'""",
    "what is checked out": r"""
        github\.event\.repository\.default_branch | job\.workflow_(sha|repository)""",
    "what the action says": r"(steps\.signoff|jobs\.verify)\.outputs\.(verdict|comment-url)",
    "tokens": r"""
        secrets\.(members-token|SIGNOFF_PRIVATE_KEY) | vars\.SIGNOFF_CLIENT_ID
        | steps\.app-token\.outputs\.token""",
    "our own CI": r"github\.ref | matrix\.python",
}
"""All that may stand between `${{` and `}}`: numbers, hashes, and what nobody outside can write."""

_SAFE = re.compile("|".join(f"(?:{one})" for one in EXPRESSIONS.values()), re.VERBOSE)
_PIN = re.compile(r"[\w.-]+(/[\w.-]+)+@[0-9a-f]{40}")
_EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)
_REASONED = re.compile(r"^ +[a-z-]+: (read|write) +# .{8,}$", re.MULTILINE)
_BRANCH = "${{ github.event.repository.default_branch }}"
_ITSELF = {"repository": "${{ job.workflow_repository }}", "ref": "${{ job.workflow_sha }}"}
_OURS = ("./", "./signoff-bot", RELEASE)


def complaints(file: YamlFile) -> list[str]:
    """Everything that is wrong with a workflow."""
    rules = (permissions, triggers, pins, scripts, expressions, checkouts, judging, waking, manners)
    return [f"{file}: {complaint}" for rule in rules for complaint in rule(file)]


def steps(job: dict[str, Any]) -> list[dict[str, Any]]:
    """The steps of a job; one that calls a workflow has none."""
    return job.get("steps", [])


def writes(job: dict[str, Any]) -> set[str]:
    """What a job may write."""
    granted = job.get("permissions", {})
    return {scope for scope, level in granted.items() if level == "write"}


def permissions(file: YamlFile) -> Iterator[str]:
    """Nothing by default; each job gets what it needs, with the reason beside it."""
    if file.data.get("permissions") != {}:
        yield "a workflow grants nothing by default: permissions: {}"
    granted = 0
    for name, job in file.jobs.items():
        scopes = job.get("permissions")
        if not isinstance(scopes, dict):
            yield f"job {name} does not name its permissions one by one"
        else:
            granted += len(scopes)
    if granted != len(_REASONED.findall(file.text)):
        yield "every permission stands on its own line with the reason beside it"


def triggers(file: YamlFile) -> Iterator[str]:
    """Only what runs the default branch's copy may write; a merge group sets a status at most."""
    tagged = file.data["on"] == {"push": {"tags": ["v*"]}}
    for name, job in file.jobs.items():
        if file.triggers <= TRUSTED:
            allowed = MAY_WRITE
        elif file.triggers == {"merge_group"}:
            allowed = {"statuses"}
        else:
            allowed = RELEASING if tagged else set()
        if extra := writes(job) - allowed:
            yield f"job {name} may write {sorted(extra)} on {sorted(file.triggers)}"


def pins(file: YamlFile) -> Iterator[str]:
    """Foreign code is named by its commit, with the version beside it."""
    for job in file.jobs.values():
        for used in [job.get("uses"), *(step.get("uses") for step in steps(job))]:
            if used is None or used in (*_OURS, REUSABLE):
                continue
            if not _PIN.fullmatch(used):
                yield f"{used} is not pinned to a commit"
            elif not re.search(rf"{re.escape(used)} # v\d+\.\d+\.\d+$", file.text, re.MULTILINE):
                yield f"{used} does not say which version that is"


def scripts(file: YamlFile) -> Iterator[str]:
    """Nothing is pasted into a script, and no job that can write fetches code by a script."""
    for name, job in file.jobs.items():
        for step in steps(job):
            script = step.get("run", "")
            if "${{" in script:
                yield f"job {name} pastes an expression into a script"
            fetching = re.search(r"\b(git|gh|curl|wget|pip|npm|docker)\b", script)
            if fetching and writes(job) & MAY_WRITE:
                yield f"job {name} can write, and calls {fetching[0]}"


def expressions(file: YamlFile) -> Iterator[str]:
    """What others write (titles, bodies, branches, names) stands nowhere in a file."""
    for expression in _EXPRESSION.findall(file.text):
        for term in expression.split("||"):
            if not _SAFE.fullmatch(term.strip()):
                yield f"${{{{ {term.strip()} }}}} is not among what may be used"


def checkouts(file: YamlFile) -> Iterator[str]:
    """A job that can write holds no code but the default branch's or the called workflow's."""
    for name, job in file.jobs.items():
        for step in steps(job):
            used, given = step.get("uses", ""), step.get("with", {})
            if used.startswith("actions/checkout@"):
                if given.get("persist-credentials") != "false":
                    yield f"job {name} leaves its token in the checkout"
                chosen = {key: given[key] for key in ("repository", "ref") if key in given}
                if writes(job) & MAY_WRITE and chosen not in ({"ref": _BRANCH}, _ITSELF):
                    yield f"job {name} can write, and checks out {chosen or 'what the event names'}"
            elif "artifact" in used and writes(job) & MAY_WRITE:
                yield f"job {name} can write, and downloads an artifact"
            if "cache" in used or any("cache" in key for key in given):
                yield f"job {name} restores a cache"


def judging(file: YamlFile) -> Iterator[str]:
    """Where we write, runs wait for each other behind the job's `if`, and none is cancelled."""
    for name, job in file.jobs.items():
        if writes(job) and any(step.get("uses") in _OURS for step in steps(job)):
            if job.get("concurrency", {}).get("cancel-in-progress") != "false":
                yield f"job {name} writes, and can be cancelled"
            group = job.get("concurrency", {}).get("group", "")
            if "workflow_run.head_sha" in group and "head_repository.id" not in group:
                yield f"job {name} can be pushed out of its queue by anybody with the same commit"
            if "concurrency" in file.data:
                yield "concurrency stands above the job's `if`"


def waking(file: YamlFile) -> Iterator[str]:
    """A review event runs the pull request's own copy: it does nothing and may do nothing."""
    if file.triggers & WAKING:
        for name, job in file.jobs.items():
            if job.get("permissions") != {} or steps(job) != [{"run": "true"}]:
                yield f"job {name} does more than wake"


def manners(file: YamlFile) -> Iterator[str]:
    """Every job ends by itself, has a name of its own, and hands no secret on unnamed."""
    for name, job in file.jobs.items():
        if "timeout-minutes" not in job and "uses" not in job:
            yield f"job {name} has no time limit"
        if job.get("name", name) in STATUSES:
            yield f"job {name} is called like the status that it sets"
        if job.get("secrets") == "inherit":
            yield f"job {name} hands every secret on"
