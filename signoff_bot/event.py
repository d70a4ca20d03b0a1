"""Decides from the event alone whether there is anything to do, before anything is installed.

Only the standard library, and nothing else of this package: `python3 -I signoff_bot/event.py` runs
it as the Action's first step, which costs no request. The command `signoff-bot action` asks the
same function, so that there is one decision, not two.

Of what the event says only numbers, commits and names of branches are taken along; whatever they
stand for is read from GitHub again. The reasons are fixed words: no text of a pull request is in
them.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

About = Literal["nothing", "input", "pull", "branch", "all", "group"]

TRUSTED = frozenset(
    {"issue_comment", "workflow_run", "pull_request_target", "workflow_dispatch", "schedule"}
)
"""Events that run the workflow of the default branch. Every other may run a pull request's own copy
of it, and so must not write to pull requests."""

PHRASE_WORDS = frozenset({"reviewer", "codeowner", "have", "reviewed", "this"})
"""The longer words of the shipped packs' phrase; half of them are looked at as an attempt."""

_NAME = "[A-Za-z0-9][A-Za-z0-9 _./-]{0,99}"
_MARKER = re.compile(f"<!-- {_NAME} (?:sha=[0-9a-f]{{40,64}} signoff=[a-z0-9_-]+|welcome) -->")
_COMMAND = re.compile(r"^[ \t]{0,3}/[a-z]", re.MULTILINE)
_READY = ("opened", "reopened", "ready_for_review")
# What can change whether, and by which base, a pull request is judged; labels may be conditions.
_CHANGES = (*_READY, "synchronize", "edited", "labeled", "unlabeled")
_REVIEWS = ("pull_request_review", "pull_request_review_comment")


class BadEvent(ValueError):
    """The event is not what GitHub sends."""


@dataclass(frozen=True)
class Branch:
    """Where a workflow ran: the commit, and the branch of which repository."""

    owner: str
    repo: str
    name: str
    sha: str


@dataclass(frozen=True)
class Group:
    """A group of the merge queue: its head commit and what it will be merged into."""

    head_sha: str
    head_ref: str
    base_sha: str
    base_ref: str


@dataclass(frozen=True)
class Event:
    """What an event asks for, and why."""

    about: About
    reason: str
    trusted: bool = False
    number: int | None = None
    comment: int | None = None
    """The id of the conversation comment that the event speaks of."""
    branch: Branch | None = None
    group: Group | None = None
    ready: bool = False
    """Whether a pull request becomes ready for review, so that it is to be welcomed."""
    reviewed: bool = False
    """Whether a review, or a comment on a line, is what it is about."""

    @property
    def needed(self) -> bool:
        """Whether there is anything to do."""
        return self.about != "nothing"


def read_event(environ: Mapping[str, str]) -> Event:
    """What the event in a workflow's environment asks for.

    Raises:
        BadEvent: there is none, or it is not what GitHub sends.
    """
    name = environ.get("GITHUB_EVENT_NAME", "")
    asked = any(environ.get(key, "").strip() for key in ("SIGNOFF_PR", "SIGNOFF_SIGNOFF_URL"))
    if asked or name in ("workflow_dispatch", "schedule"):
        return decide(name, {}, asked=asked)
    if not name:
        raise BadEvent("GITHUB_EVENT_NAME is not set; run this in a workflow, or set SIGNOFF_PR")
    try:
        payload = json.loads(Path(environ.get("GITHUB_EVENT_PATH", "")).read_bytes())
    except (OSError, ValueError, RecursionError):
        raise BadEvent("GITHUB_EVENT_PATH names no file with the event as JSON") from None
    return decide(name, payload, asked=False)


def decide(name: str, payload: Any, *, asked: bool) -> Event:
    """What an event asks for; `asked`: the inputs already name the pull request.

    Raises:
        BadEvent: it is not what GitHub sends.
    """
    if asked or name == "workflow_dispatch":
        return Event("input", "the inputs name the pull request", name in TRUSTED)
    if name == "schedule":
        return Event("all", "all open pull requests are due", trusted=True)
    if name == "issue_comment":
        return _comment(payload)
    if name == "workflow_run":
        return _run(payload)
    if name in ("pull_request_target", "pull_request"):
        return _pull(name, payload)
    if name in _REVIEWS:
        return _review(payload)
    if name == "merge_group":
        return _group(payload)
    return _nothing("this kind of event tells of no sign-off")


def may_matter(text: str) -> bool:
    """A coarse test that no sign-off and no command fails.

    A sign-off of any pack has a ticked box. What only looks like one is recognised by three boxes,
    or by half of the words of the shipped packs' phrase; a command, by the slash before it.
    """
    lowered = text.lower()
    if "[x]" in lowered or lowered.count("[ ]") >= 3 or _COMMAND.search(lowered):
        return True
    return sum(word in lowered for word in PHRASE_WORDS) * 2 >= len(PHRASE_WORDS)


def is_ours(text: str) -> bool:
    """Whether a comment claims to be one of ours; that it is, only its author shows."""
    return _MARKER.match(text) is not None


def _nothing(reason: str) -> Event:
    return Event("nothing", reason)


def _comment(payload: Any) -> Event:
    issue = _get(payload, "issue")
    if not isinstance(_get(issue, "pull_request"), dict):
        return _nothing("the comment is on an issue, not on a pull request")
    idle = _closed_or_draft(issue) or _unspoken(payload, "comment")
    return idle or Event(
        "pull",
        "a comment that may matter, or was one of ours, came, changed or went",
        trusted=True,
        number=_number(issue),
        comment=_whole(_get(payload, "comment", "id"), "comment.id"),
    )


def _review(payload: Any) -> Event:
    pull = _get(payload, "pull_request")
    part = "review" if isinstance(_get(payload, "review"), dict) else "comment"
    idle = _closed_or_draft(pull) or _unspoken(payload, part)
    reason = "a review that may matter came, changed or went"
    return idle or Event("pull", reason, number=_number(pull), reviewed=True)


def _unspoken(payload: Any, part: str) -> Event | None:
    """Why what was written cannot matter, or None when it can."""
    action, author = _get(payload, "action"), _get(payload, part, "user", "type")
    old = _get(payload, "changes", "body", "from")
    texts = [text for text in (_get(payload, part, "body"), old) if isinstance(text, str)]
    ours = any(map(is_ours, texts))
    if ours and action != "created" and _get(payload, "sender", "type") != "Bot":
        return None  # somebody changed what we said, or took it away
    if author == "Bot":
        return _nothing("an app wrote it, and apps sign nothing")
    if ours and action == "created":
        return _nothing("it is a verdict, not a sign-off")
    if not any(map(may_matter, texts)):
        return _nothing("it holds no sign-off and no command")
    return None


def _pull(name: str, payload: Any) -> Event:
    pull, action = _get(payload, "pull_request"), _get(payload, "action")
    if action not in _CHANGES:
        return _nothing("it changes nothing that is judged")
    if action == "edited" and not isinstance(_get(payload, "changes", "base"), dict):
        return _nothing("only its title or description was edited")
    return _closed_or_draft(pull) or Event(
        "pull",
        "a pull request became ready or changed",
        trusted=name in TRUSTED,
        number=_number(pull),
        ready=action in _READY,
    )


def _closed_or_draft(pull: Any) -> Event | None:
    if _get(pull, "state") != "open":
        return _nothing("the pull request is closed")
    if _get(pull, "draft") is True:
        return _nothing("the pull request is a draft")
    return None


def _run(payload: Any) -> Event:
    run = _get(payload, "workflow_run")
    if _get(payload, "action") != "completed":
        return _nothing("the run of the workflow is not over")
    if _get(run, "event") == "merge_group":
        return _nothing("the run was one of the merge queue, whose groups are judged on their own")
    branch = _get(run, "head_branch")
    if not branch or not isinstance(_get(run, "head_repository"), dict):
        return _nothing("the run was on no branch, or on one of a repository that is gone")
    return Event(
        "branch",
        "a workflow ran to its end, which may be evidence, or wake for a review",
        trusted=True,
        branch=Branch(
            owner=_text(_get(run, "head_repository", "owner", "login"), "head_repository.owner"),
            repo=_text(_get(run, "head_repository", "full_name"), "head_repository.full_name"),
            name=_text(branch, "head_branch"),
            sha=_text(_get(run, "head_sha"), "head_sha"),
        ),
        reviewed=_get(run, "event") in _REVIEWS,
    )


def _group(payload: Any) -> Event:
    if _get(payload, "action") != "checks_requested":
        return _nothing("the merge queue asks for no checks")
    group = _get(payload, "merge_group")
    parts = ("head_sha", "head_ref", "base_sha", "base_ref")
    found = Group(*(_text(_get(group, part), f"merge_group.{part}") for part in parts))
    return Event("group", "the merge queue asks for its checks", group=found)


def _get(data: Any, *path: str) -> Any:
    """What stands at a path, or None."""
    for name in path:
        data = data.get(name) if isinstance(data, dict) else None
    return data


def _number(pull: Any) -> int:
    return _whole(_get(pull, "number"), "number")


def _whole(value: Any, name: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise BadEvent(f"the event holds no {name}; GitHub sends one")
    return value


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str) or not value:
        raise BadEvent(f"the event holds no {name}; GitHub sends one")
    return value


def main() -> int:
    """Writes `needed=true` or `needed=false` to GITHUB_OUTPUT, and the reason to the log."""
    try:
        event = read_event(os.environ)
        output = os.environ.get("GITHUB_OUTPUT")
        if output:
            with Path(output).open("a", encoding="utf-8") as file:
                file.write(f"needed={str(event.needed).lower()}\n")
    except BadEvent as problem:
        sys.stderr.write(f"signoff-bot: {problem}\n")
        return 2
    verb = "judging" if event.needed else "nothing to do"
    sys.stdout.write(f"signoff-bot: {verb}: {event.reason}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
