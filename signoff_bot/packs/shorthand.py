"""Completes evidence that a person wrote down in short, so that a case shows only what matters.

Where a fact has one telling field, that field alone will do: a login for an account, a path for a
changed file, a name for a job. One hexadecimal digit stands for the commit id of forty of them.
Whatever field is left out takes its usual value: a comment by a member that nobody edited, a job
that ran and succeeded, a run on the head.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin
from zlib import crc32

from signoff_bot.evidence.actions import Artifact, CheckRun, Job, RequiredCheck, Run, Step
from signoff_bot.evidence.base import Fact, Unread
from signoff_bot.evidence.conversation import Comment, History, ReviewThread, SignoffRef
from signoff_bot.evidence.model import Evidence
from signoff_bot.evidence.pull import Account, ChangedFile, Commit, Pull, Push, Repository
from signoff_bot.evidence.repository import Access, RepositoryFile
from signoff_bot.evidence.upstream import UpstreamPull, UpstreamState

_SERVER = "https://github.com"
_ACTIONS_APP = 15368  # the app behind every check run of GitHub Actions
_START, _END, _POSTED = "2026-06-25T08:00:00Z", "2026-06-25T09:00:00Z", "2026-06-25T10:00:00Z"

TELLING: Mapping[type[Fact], str] = {
    Account: "login",
    Artifact: "name",
    ChangedFile: "path",
    CheckRun: "name",
    Commit: "sha",
    Job: "name",
    RepositoryFile: "text",
    RequiredCheck: "context",
    Step: "name",
}
"""The field that may stand for the whole fact."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a fact stands: in which evidence, in what, and as which of its list (from 1)."""

    evidence: Mapping[str, Any]
    parent: Mapping[str, Any] | None = None
    number: int = 1

    @property
    def pull(self) -> Mapping[str, Any]:
        filled: Mapping[str, Any] = self.evidence["pull"]
        return filled

    @property
    def repository(self) -> Mapping[str, Any]:
        filled: Mapping[str, Any] = self.evidence["repository"]
        return filled

    def count(self, key: str) -> int:
        listed = self.evidence.get(key)
        return len(listed) if isinstance(listed, list) else 1

    @property
    def home(self) -> str:
        return f"{_SERVER}/{self.repository['full_name']}"


def _comment_url(fact: Mapping[str, Any], place: _Place) -> str:
    known = fact["kind"] in ("comment", "review", "review_comment")
    ref = SignoffRef(kind=fact["kind"] if known else "comment", id=int(fact["id"]))
    return f"{place.pull['url']}#{ref.anchor}"


def _account_type(fact: Mapping[str, Any], _: _Place) -> str:
    return "Bot" if str(fact.get("login")).endswith("[bot]") else "User"


def _ref(fact: Mapping[str, Any], place: _Place) -> str:
    if fact["at"] == "base":
        return f"refs/heads/{place.pull['base_ref']}"
    return str(place.pull["base_sha" if fact["at"] == "merge base" else "head_sha"])


def _status(fact: Mapping[str, Any], _: _Place) -> str:
    return "queued" if fact["conclusion"] is None else "completed"


def _ran(fact: Mapping[str, Any]) -> bool:
    return fact["conclusion"] not in (None, "skipped")


Usual = Callable[[Mapping[str, Any], _Place], Any]

# In the order of need: a value may rest on those before it. Plain values stand for themselves.
USUAL: Mapping[type[Fact], Mapping[str, Any | Usual]] = {
    Evidence: {
        "collected_at": "2026-06-25T12:00:00Z",
        "signoff": None,
        "repository": {},
        "pull": {},
        "comments": [],
    },
    Repository: {"id": 1, "full_name": "octo-org/octo-repo", "private": False},
    Pull: {
        "number": 7,
        "url": lambda f, at: f"{at.home}/pull/{f['number']}",
        "title": "A change",
        "state": "open",
        "draft": False,
        "merged_at": None,
        "author": "kiri-lund",
        "labels": [],
        "created_at": "2026-06-20T08:00:00Z",
        "body": None,
        "head_sha": "a",
        "head_ref": "feature",
        "head_repo": lambda _, at: at.repository["full_name"],
        "base_ref": "main",
        "base_sha": "b",
        "changed_files": lambda _, at: at.count("files"),
        "commit_count": lambda _, at: at.count("commits"),
    },
    Account: {
        "id": lambda f, _: crc32(str(f.get("login")).lower().encode()),
        "type": _account_type,
    },
    ChangedFile: {"previous_path": None, "status": "modified", "patch": None},
    Commit: {"parents": ["b"], "author": "kiri-lund", "committer": "kiri-lund"},
    Push: {"sha": lambda _, at: at.pull["head_sha"], "at": _START, "actor": "kiri-lund"},
    Comment: {
        "kind": "comment",
        "id": lambda _, at: 4000 + at.number,
        "url": _comment_url,
        "association": "MEMBER",
        "created_at": _POSTED,
        "review_state": None,
        "commit_sha": None,
        "history": {},
    },
    ReviewThread: {
        "id": lambda _, at: f"thread-{at.number}",
        "url": lambda _, at: f"{at.pull['url']}#discussion_r{3000 + at.number}",
        "author": "noor-nv",
        "resolved": False,
    },
    Access: {
        "id": lambda f, _: crc32(str(f.get("login")).lower().encode()),
        "permission": "write",
    },
    History: {"edited_at": None, "editors": [], "minimized": False},
    Run: {
        "id": lambda _, at: 900 + at.number,
        "attempt": 1,
        "repository_id": lambda _, at: at.repository["id"],
        "event": "pull_request",
        "head_sha": lambda _, at: at.pull["head_sha"],
        "head_branch": lambda _, at: at.pull["head_ref"],
        "conclusion": "success",
        "status": _status,
        "created_at": _START,
        "url": lambda f, at: f"{at.home}/actions/runs/{f['id']}",
        "jobs": [],
        "artifacts": [],
    },
    Job: {
        "id": lambda _, at: (at.parent or {}).get("id", 900) * 1000 + at.number,
        "conclusion": "success",
        "status": _status,
        "started_at": lambda f, _: _START if _ran(f) else None,
        "completed_at": lambda f, _: _END if _ran(f) else None,
        "runner": lambda f, _: "runner-1" if _ran(f) else None,
        "url": lambda f, at: f"{(at.parent or {}).get('url', at.home)}/job/{f['id']}",
    },
    Step: {"number": lambda _, at: at.number, "conclusion": "success"},
    Artifact: {
        "id": lambda _, at: 600 + at.number,
        "size": 1000,
        "expired": False,
        "created_at": _END,
        "files": [],
    },
    RequiredCheck: {"app_id": None},
    CheckRun: {
        "id": lambda _, at: 700 + at.number,
        "app_id": _ACTIONS_APP,
        "conclusion": "success",
        "status": _status,
        "url": lambda f, at: f"{at.home}/runs/{f['id']}",
    },
    RepositoryFile: {
        "path": ".github/CODEOWNERS",
        "at": "base",
        "ref": _ref,
    },
    UpstreamPull: {"found": {}},
    UpstreamState: {
        "base_repo": lambda _, at: (at.parent or {}).get("repo"),
        "state": "closed",
        "draft": False,
        "merged_at": _START,
        "title": "An upstream change",
    },
}


def unfold(data: Any, annotation: Any = Evidence) -> Any:
    """The data with facts in place of the fields that stand for them; nothing is filled in."""
    fact = _fact_type(annotation)
    if isinstance(data, list):
        return [unfold(item, _item_type(annotation)) for item in data]
    if fact is None:
        return data
    if data is not None and not isinstance(data, dict):
        return {TELLING[fact]: data} if fact in TELLING else data
    if not isinstance(data, dict) or data.keys() == {"unread"}:
        return data
    fields = fact.model_fields
    return {
        key: unfold(value, fields[key].annotation) if key in fields else value
        for key, value in data.items()
    }


def complete(data: Mapping[str, Any]) -> dict[str, Any]:
    """Evidence in full, as plain data to be validated, from what `unfold` gave."""
    evidence = dict(data)
    _fill(Evidence, evidence, _Place(evidence))
    return evidence


def _fill(fact: type[Fact], data: dict[str, Any], place: _Place) -> None:
    for name, usual in USUAL.get(fact, {}).items():
        if name not in data:
            try:
                value = usual(data, place) if callable(usual) else usual
            except (TypeError, ValueError, LookupError):
                continue  # a field that it rests on is wrong, which validation will say
            data[name] = unfold(value, fact.model_fields[name].annotation)
        data[name] = _filled(data[name], fact.model_fields[name].annotation, data, place)
    for name, info in fact.model_fields.items():
        if name in data and name not in USUAL.get(fact, {}):
            data[name] = _filled(data[name], info.annotation, data, place)
        if name in data and (name.endswith("sha") or name == "parents"):
            data[name] = _commit_ids(data[name])


def _filled(value: Any, annotation: Any, parent: dict[str, Any], place: _Place) -> Any:
    if isinstance(value, list):
        item = _item_type(annotation)
        return [
            _filled(each, item, parent, _Place(place.evidence, parent, number))
            for number, each in enumerate(value, 1)
        ]
    fact = _fact_type(annotation)
    if fact is None or not isinstance(value, dict) or value.keys() == {"unread"}:
        return value
    copy = dict(value)
    _fill(fact, copy, _Place(place.evidence, parent, place.number))
    return copy


def _commit_ids(value: Any) -> Any:
    if isinstance(value, list):
        return [_commit_ids(each) for each in value]
    short = isinstance(value, str) and len(value) == 1 and value in "0123456789abcdef"
    return value * 40 if short else value


def _fact_type(annotation: Any) -> type[Fact] | None:
    facts = (part for part in _parts(annotation) if isinstance(part, type))
    return next((p for p in facts if issubclass(p, Fact) and p is not Unread), None)


def _item_type(annotation: Any) -> Any:
    listed = (part for part in _parts(annotation) if get_origin(part) is tuple)
    return next((get_args(part)[0] for part in listed), None)


def _parts(annotation: Any) -> Iterator[Any]:
    """The members of a union, freed of their annotations."""
    if get_origin(annotation) is Annotated:
        yield from _parts(get_args(annotation)[0])
    elif get_origin(annotation) in (Union, UnionType):
        for part in get_args(annotation):
            yield from _parts(part)
    else:
        yield annotation
