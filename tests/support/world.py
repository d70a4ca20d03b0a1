"""A small GitHub as plain data: what the loopback server of tests/wire answers from.

Everything is mutable on purpose: a scenario is built, then a test changes what it cares about.
Times are GitHub's (`2026-06-25T12:00:00Z`), SHAs are 40 hex digits.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from dataclasses import dataclass, field
from zlib import crc32

GITHUB_ACTIONS_APP = 15368
NOW = "2026-06-25T12:00:00Z"


def sha(text: str) -> str:
    """A made-up commit SHA, always the same for the same text."""
    return hashlib.sha1(text.encode()).hexdigest()


@dataclass
class User:
    """An account; `type` is GitHub's: User, Bot, Organization, Mannequin."""

    login: str
    id: int
    type: str = "User"


def user(login: str) -> User:
    """An account whose id follows from its login; `NAME[bot]` is an app's."""
    known = {"github-actions[bot]": 41898282}
    kind = "Bot" if login.endswith("[bot]") else "User"
    return User(login, known.get(login, crc32(login.lower().encode()) % 2**31), kind)


@dataclass
class Edit:
    """One edit of a comment; `by` is None for an account that is gone."""

    at: str
    by: User | None


@dataclass
class Comment:
    """A conversation comment, and what reviews and line comments share with it."""

    id: int
    author: User | None
    body: str
    created_at: str = "2026-06-24T10:00:00Z"
    association: str = "MEMBER"
    edits: list[Edit] = field(default_factory=list)
    minimized: str | None = None
    """GitHub's reason, such as `outdated`."""


@dataclass
class Review(Comment):
    """A review with its summary."""

    state: str = "APPROVED"
    commit_sha: str = ""


@dataclass
class LineComment(Comment):
    """A comment on a line of the diff."""

    path: str = "README.md"
    line: int | None = 1
    commit_sha: str = ""
    review_id: int | None = None
    resolved: bool = False
    """Whether the thread that it begins is resolved."""


@dataclass
class ChangedFile:
    path: str
    status: str = "modified"
    previous_path: str | None = None
    patch: str | None = "@@ -1 +1 @@\n-old\n+new"
    content: str | None = None
    """What its git id is taken of; its path unless a test cares."""


@dataclass
class Commit:
    sha: str
    parents: tuple[str, ...] = ()
    author: User | None = None
    message: str = "Change the recipe"
    date: str = "2026-06-23T08:00:00Z"


@dataclass
class PullRequest:
    """A pull request. The counters follow from the lists unless a test sets them."""

    number: int
    title: str
    author: User | None
    head_sha: str
    head_ref: str
    head_repo: str | None
    base_ref: str
    base_sha: str
    files: list[ChangedFile] = field(default_factory=list)
    commits: list[Commit] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    reviews: list[Review] = field(default_factory=list)
    line_comments: list[LineComment] = field(default_factory=list)
    body: str | None = "Adds a recipe."
    labels: list[str] = field(default_factory=list)
    state: str = "open"
    draft: bool = False
    merged_at: str | None = None
    created_at: str = "2026-06-20T08:00:00Z"
    earlier: dict[str, list[ChangedFile]] = field(default_factory=dict)
    """By commits that were its head once: what they changed of the base."""
    counted_files: int | None = None
    counted_commits: int | None = None


@dataclass
class Job:
    id: int
    name: str
    conclusion: str | None = "success"
    status: str = "completed"
    started_at: str | None = "2026-06-24T08:00:00Z"
    completed_at: str | None = "2026-06-24T09:00:00Z"
    runner: str | None = "runner-1"
    attempt: int = 1
    steps: list[tuple[str, str | None]] = field(default_factory=list)
    """Names with their conclusions."""


@dataclass
class Artifact:
    id: int
    name: str
    files: dict[str, bytes] = field(default_factory=dict)
    expired: bool = False
    archive: bytes | None = None
    """The archive itself, where a test wants an odd one."""

    def zipped(self) -> bytes:
        if self.archive is not None:
            return self.archive
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in sorted(self.files.items()):
                archive.writestr(zipfile.ZipInfo(name), content)
        return stream.getvalue()


@dataclass
class Run:
    id: int
    workflow_path: str
    head_sha: str
    head_branch: str | None
    name: str = "Run Sweep"
    event: str = "pull_request"
    status: str = "completed"
    conclusion: str | None = "success"
    attempt: int = 1
    created_at: str = "2026-06-24T08:00:00Z"
    jobs: list[Job] = field(default_factory=list)
    artifacts: list[Artifact] = field(default_factory=list)
    actor: User = field(default_factory=lambda: user("kiri-lund"))
    repository: str | None = None
    """Head repository when it is a fork's."""


@dataclass
class CheckRun:
    id: int
    name: str
    head_sha: str
    conclusion: str | None = "success"
    status: str = "completed"
    app_id: int = GITHUB_ACTIONS_APP


@dataclass
class CommitStatus:
    sha: str
    state: str
    context: str
    description: str | None
    target_url: str | None
    creator: User
    created_at: str = NOW
    id: int = 0


@dataclass
class Push:
    """An entry of the repository's activity, newest first in the list."""

    ref: str
    before: str
    after: str
    at: str
    actor: User | None
    kind: str = "push"


@dataclass
class Queued:
    """An entry of a merge queue: a pull request, and the commit it would be merged as."""

    number: int | None
    head_sha: str | None


@dataclass
class Issue:
    number: int
    title: str
    body: str | None
    author: User
    state: str = "open"


@dataclass
class Repository:
    full_name: str
    id: int
    private: bool = False
    default_branch: str = "main"
    branches: dict[str, str] = field(default_factory=dict)
    """Branch to commit."""
    trees: dict[str, dict[str, bytes]] = field(default_factory=dict)
    """Commit to its files."""
    pulls: dict[int, PullRequest] = field(default_factory=dict)
    runs: list[Run] = field(default_factory=list)
    check_runs: list[CheckRun] = field(default_factory=list)
    statuses: list[CommitStatus] = field(default_factory=list)
    activity: list[Push] = field(default_factory=list)
    required_checks: dict[str, list[tuple[str, int | None]]] = field(default_factory=dict)
    merge_queues: dict[str, list[Queued]] = field(default_factory=dict)
    """Branch to its queue, the next one first."""
    roles: dict[str, str] = field(default_factory=dict)
    """Login in lower case to role: admin, maintain, write, triage, read."""
    former_names: tuple[str, ...] = ()
    archived: bool = False
    issues: list[Issue] = field(default_factory=list)
    fork: bool = False

    @property
    def owner(self) -> str:
        return self.full_name.split("/")[0]

    @property
    def name(self) -> str:
        return self.full_name.split("/")[1]

    def put(self, path: str, content: bytes | str, branch: str = "main") -> None:
        """Writes a file on a branch, whose commit stays the same."""
        commit = self.branches.setdefault(branch, sha(f"{self.full_name} {branch}"))
        data = content.encode() if isinstance(content, str) else content
        self.trees.setdefault(commit, {})[path] = data

    def remove(self, path: str, branch: str = "main") -> None:
        del self.trees[self.branches[branch]][path]


@dataclass
class Team:
    name: str
    members: list[User] = field(default_factory=list)
    children: list[str] = field(default_factory=list)
    """Slugs of nested teams, whose members GitHub counts in."""


@dataclass
class Token:
    """A credential. `permissions` None may do everything its account may."""

    account: User
    permissions: dict[str, str] | None = None
    installation: bool = False
    """An app's token (such as GITHUB_TOKEN): it has no `/user`."""
    expired: bool = False


@dataclass
class World:
    repositories: dict[str, Repository] = field(default_factory=dict)
    """By full name in lower case."""
    teams: dict[str, Team] = field(default_factory=dict)
    """By `org/slug` in lower case."""
    users: dict[str, User] = field(default_factory=dict)
    tokens: dict[str, Token] = field(default_factory=dict)
    now: str = NOW
    next_id: int = 4_800_000_000
    """Past 32 bits, as GitHub's ids of comments are."""

    def add(self, repository: Repository) -> Repository:
        self.repositories[repository.full_name.lower()] = repository
        return repository

    def repository(self, full_name: str) -> Repository | None:
        """The repository of that name, in any letter case."""
        return self.repositories.get(full_name.lower())

    def renamed(self, full_name: str) -> Repository | None:
        """The repository that once had the name."""
        for repository in self.repositories.values():
            if full_name.lower() in (name.lower() for name in repository.former_names):
                return repository
        return None

    def new_id(self) -> int:
        self.next_id += 1
        return self.next_id

    def members(self, name: str) -> list[User]:
        """A team's members with those of nested teams, each once."""
        team = self.teams[name]
        org = name.split("/")[0]
        found = {member.id: member for member in team.members}
        for child in team.children:
            found |= {member.id: member for member in self.members(f"{org}/{child}")}
        return list(found.values())
