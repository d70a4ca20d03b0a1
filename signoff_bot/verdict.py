"""The verdict: what was decided about one pull request, ready to be shown, posted and kept.

This is contract `signoff-bot/verdict/v1`; its keys keep their order in JSON.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from signoff_bot.checks.base import Status
from signoff_bot.evidence.base import Sha, Timestamp
from signoff_bot.evidence.conversation import CommentKind

Outcome = Literal["pass", "fail", "pending", "error"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class RulesStamp(_Part):
    """Which rules judged: the pack's name and the digest of its resolved content."""

    name: str
    digest: str


class SignoffReport(_Part):
    """The sign-off that the verdict speaks of."""

    author: str
    kind: CommentKind
    id: int
    url: str
    at: Timestamp
    completed: bool
    problems: tuple[str, ...]


class LinkReport(_Part):
    """Where a claim can be seen."""

    label: str
    url: str


class CheckReport(_Part):
    """What one check of the pack found."""

    id: str
    number: int
    title: str
    status: Status
    summary: str
    details: tuple[str, ...]
    fix: str | None
    links: tuple[LinkReport, ...]


class Verdict(_Part):
    """The outcome, with everything that led to it. Every text in it is plain, untrusted text."""

    schema_: Literal["signoff-bot/verdict/v1"] = Field(
        alias="schema", default="signoff-bot/verdict/v1"
    )
    tool_version: str
    rules: RulesStamp
    evidence_digest: str
    repo: str
    pr: int
    head_sha: Sha
    url: str
    signoff: SignoffReport | None
    verdict: Outcome
    checks: tuple[CheckReport, ...]

    def to_json(self) -> str:
        """The contract's JSON, with a final newline: the same bytes for the same verdict."""
        return self.model_dump_json(indent=2, by_alias=True) + "\n"
