"""What GitHub Actions ran: workflow runs, their jobs and their artifacts."""

from __future__ import annotations

from signoff_bot.evidence.base import Listed, Sha, Timestamp, Unordered, Unread


class Step(Listed):
    """One step of a job."""

    identity = ("number",)

    number: int
    name: str
    conclusion: str | None
    """success, failure, skipped, ...; None until it is over."""


class Job(Listed):
    """One job of a run's latest attempt. `runner` is None for a job that no runner took up."""

    id: int
    name: str
    status: str
    """queued, in_progress, completed, waiting, ..."""
    conclusion: str | None
    """success, failure, cancelled, skipped, neutral, timed_out, ...; None until completed."""
    started_at: Timestamp | None
    completed_at: Timestamp | None
    runner: str | None
    url: str
    steps: Unordered[Step] | None = None
    """Of its steps, those that the rules name; None where they name none."""

    @property
    def executed(self) -> bool:
        """Whether a runner took the job up and it ran to an end: not skipped, not queued."""
        return (
            self.status == "completed"
            and self.conclusion not in (None, "skipped", "neutral", "stale")
            and self.runner is not None
            and self.started_at is not None
            and self.completed_at is not None
            and self.started_at <= self.completed_at
        )

    @property
    def green(self) -> bool:
        """Whether the job was executed and succeeded."""
        return self.executed and self.conclusion == "success"


class ArtifactFile(Listed):
    """One file out of an artifact's archive, as text."""

    identity = ("name",)

    name: str
    text: str


class Artifact(Listed):
    """Something a run uploaded. Its content is read only where a rule asks for it."""

    id: int
    name: str
    size: int
    """Bytes of the archive, as GitHub counts them."""
    expired: bool
    files: Unordered[ArtifactFile] | Unread
    expires_at: Timestamp | None = None
    """When GitHub deletes its content; None where it does not tell."""
    created_at: Timestamp | None = None
    """When it was uploaded; None where that is not known, which proves no result to be of now."""


class Run(Listed):
    """One workflow run.

    Evidence is identified by all of repository, workflow path, event, head SHA and attempt; the
    names of jobs alone identify nothing.
    """

    identity = ("id", "attempt")

    id: int
    attempt: int
    repository_id: int
    workflow_path: str
    """Such as `.github/workflows/ci.yml`, without the `@ref` GitHub may append."""
    event: str
    head_sha: Sha
    head_branch: str | None
    status: str
    conclusion: str | None
    created_at: Timestamp
    url: str
    jobs: Unordered[Job] | Unread
    artifacts: Unordered[Artifact] | Unread


class RequiredCheck(Listed):
    """A status check that the base branch's rules demand before a merge."""

    identity = ("context", "app_id")

    context: str
    app_id: int | None
    """The app it must come from; None where the rule takes it from anybody."""


class CheckRun(Listed):
    """A check run on the head commit, as its app reported it (Actions jobs are check runs too)."""

    id: int
    name: str
    app_id: int
    status: str
    conclusion: str | None
    url: str
    completed_at: Timestamp | None = None
    """When it was over, by its app's account; None before that."""
