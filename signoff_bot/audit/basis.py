"""What a stored row rests on: enough to tell, without collecting, that nothing has changed."""

from __future__ import annotations

import hashlib
from typing import Any

from pydantic import BaseModel, ConfigDict

from signoff_bot import __version__
from signoff_bot.evaluate import evaluate
from signoff_bot.evidence.base import Timestamp, Unread
from signoff_bot.evidence.conversation import History
from signoff_bot.evidence.model import Evidence
from signoff_bot.evidence.pull import Account
from signoff_bot.evidence.strict_json import digest
from signoff_bot.evidence.upstream import UpstreamState
from signoff_bot.github.listing import ListedPull
from signoff_bot.packs.model import Rules
from signoff_bot.reading.codeowners.text import LOCATIONS

LATER = "9000-01-01T00:00:00Z"
"""After every deadline that rules may have."""


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class Surroundings(_Kept):
    """What a verdict rests on beyond its pull request, each as a digest; it is asked for again."""

    base_ref: str
    files: dict[str, str | None]
    """At the base branch: git's id of a file or, for a path that ends in `/`, of all in it."""
    teams: dict[str, str]
    access: dict[str, str]
    """What people may do in the repository, by id and login."""
    required: str | None
    """The checks that the branch requires; None where no rule asks for them."""
    upstream: dict[str, str]
    """Linked pull requests that are not merged yet, as `owner/repo#1`."""
    runs: dict[str, str]
    """Runs on other commits than those of the pull request, by id."""
    expires: Timestamp | None
    """When the first artifact that was read will be deleted."""


class Basis(_Kept):
    """All that a row rests on. None stands for what cannot be told: then nothing is reused."""

    tool: str
    rules: str
    """The digest of the rules."""
    own_rules: bool
    """Whether they were those of the base, and not given by the user."""
    at: Timestamp
    """When it was read, by GitHub's clock."""
    head: str
    described: str
    written: str | None
    suites: str | None
    """The check suites of its commits."""
    surroundings: Surroundings | None


def basis_of(
    pull: ListedPull,
    suites: str | None,
    rules: Rules,
    evidence: Evidence,
    at: Timestamp,
    *,
    own_rules: bool,
) -> Basis:
    """What a row rests on that was judged on this evidence, which was listed as `pull`."""
    merged = evidence.pull.merged_at is not None
    return Basis(
        tool=__version__,
        rules=rules.digest,
        own_rules=own_rules,
        at=at,
        head=pull.head_sha,
        described=digest([pull.described, pull.updated_at]),
        written=None if pull.written is None else digest(pull.written),
        suites=suites,
        surroundings=None if merged else _surroundings(evidence, rules),
    )


def _surroundings(evidence: Evidence, rules: Rules) -> Surroundings | None:
    files = _base_files(evidence)
    fleeting = (_holds_line_signoff(evidence), _hangs_on_open_files(evidence))
    if files is None or any(fleeting) or _hangs_on_the_day(evidence, rules):
        return None
    required = evidence.required_checks
    asked = rules.needs.head_checks and not isinstance(required, Unread)
    return Surroundings(
        base_ref=evidence.pull.base_ref,
        files=files,
        teams={team.name: members_digest(team.members) for team in evidence.teams},
        access={
            f"{one.id} {one.login}": "unread"
            if isinstance(one.permission, Unread)
            else one.permission
            for one in evidence.access
        },
        required=required_digest(required) if asked else None,
        upstream={
            f"{one.repo}#{one.number}": upstream_digest(one.found)
            for one in evidence.upstream
            if not (isinstance(one.found, UpstreamState) and one.found.merged_at)
        },
        runs=_foreign_runs(evidence),
        expires=_expires(evidence),
    )


def members_digest(members: tuple[Account, ...] | Unread) -> str:
    """Stands for the members of a team."""
    if isinstance(members, Unread):
        return "unread"
    return digest(sorted((member.id, member.login) for member in members))


def required_digest(required: Any) -> str:
    """Stands for the checks that a branch requires."""
    if required is None or isinstance(required, Unread):
        return "unread"
    return digest(sorted([check.context, check.app_id or 0] for check in required))


def upstream_digest(found: UpstreamState | Unread | None) -> str:
    """Stands for what GitHub says of a linked pull request."""
    if found is None or isinstance(found, Unread):
        return "none" if found is None else "unread"
    return digest(found.model_dump(mode="json", exclude={"files"}))


def file_id(content: bytes) -> str:
    """Git's id of a file's content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def folder_digest(ids: dict[str, str | None]) -> str:
    """Stands for all files in a directory, by path."""
    return digest(dict(sorted(ids.items())))


def _base_files(evidence: Evidence) -> dict[str, str | None] | None:
    """The ids of all files that were looked at on the base branch; None where one is unknown."""
    texts: dict[str, str | None] = {}
    looked_at = [file for file in evidence.contents if file.at == "base"]
    owners = evidence.codeowners
    if not isinstance(owners, Unread):
        earlier = LOCATIONS if owners.text is None else LOCATIONS[: LOCATIONS.index(owners.path)]
        texts |= dict.fromkeys(earlier)
        looked_at.append(owners)
    for file in looked_at:
        if isinstance(file.text, Unread):
            return None
        texts[file.path] = file.text
    ids = {
        path: None if text is None else file_id(text.encode("utf-8", "surrogatepass"))
        for path, text in texts.items()
    }
    for folder in [path for path in texts if path.endswith("/")]:
        listing = texts[folder]
        held = listing.split("\n") if listing else []
        if listing is not None:
            ids[folder] = folder_digest({path: ids.pop(path, None) for path in held})
    return ids


def _holds_line_signoff(evidence: Evidence) -> bool:
    """Whether a line comment might be a sign-off: no list tells when one is hidden or deleted."""
    if isinstance(evidence.comments, Unread):
        return True
    return any(
        comment.kind == "review_comment" and isinstance(comment.history, History)
        for comment in evidence.comments
    )


def _hangs_on_open_files(evidence: Evidence) -> bool:
    """Whether the files of a linked pull request were read that may still change."""
    return any(
        isinstance(one.found, UpstreamState)
        and one.found.merged_at is None
        and not isinstance(one.found.files, Unread)
        for one in evidence.upstream
    )


def _hangs_on_the_day(evidence: Evidence, rules: Rules) -> bool:
    """Whether a deadline may change the verdict although no fact does."""
    later = evidence.model_copy(update={"collected_at": LATER})
    return evaluate(later, rules).checks != evaluate(evidence, rules).checks


def _foreign_runs(evidence: Evidence) -> dict[str, str]:
    if isinstance(evidence.runs, Unread):
        return {}
    commits = () if isinstance(evidence.commits, Unread) else evidence.commits
    own = {evidence.pull.head_sha, *(commit.sha for commit in commits)}
    return {
        str(run.id): run_state(run.attempt, run.status, run.conclusion)
        for run in evidence.runs
        if run.head_sha not in own and run.head_branch != evidence.pull.head_ref
    }


def run_state(attempt: int, status: str, conclusion: str | None) -> str:
    """Stands for how a run fares."""
    return f"{attempt} {status} {conclusion}"


def _expires(evidence: Evidence) -> Timestamp | None:
    runs = () if isinstance(evidence.runs, Unread) else evidence.runs
    times = [
        artifact.expires_at
        for run in runs
        if not isinstance(run.artifacts, Unread)
        for artifact in run.artifacts
        if not isinstance(artifact.files, Unread) and artifact.expires_at is not None
    ]
    return min(times, default=None)
