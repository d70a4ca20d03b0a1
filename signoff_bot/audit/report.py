"""What an audit found: contract `signoff-bot/audit/v1`, the one model behind all of its faces.

Rows stand in the order of repository (letter case aside) and number. Readers ignore keys they do
not know; every text in a report is plain, untrusted text.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from signoff_bot.evidence.base import Sha, Timestamp
from signoff_bot.verdict import CheckReport, Outcome

Class = Literal[
    "ready",
    "rejected",
    "pending",
    "stale",
    "merged-unsigned",
    "merged-rejected",
    "merged-ok",
    "not-judged",
]
"""What became of a pull request. Open: `ready` = passes; `pending` = nobody signed; `stale` = only
the check that the sign-off is newer than the last change blocks; `rejected` = else. Merged, judged
as of the merge: `merged-ok` = passed; `merged-unsigned` = no completed sign-off by an owner;
`merged-rejected` = a valid one with another check failing. `not-judged` = could not be decided."""

Change = Literal[
    "new",
    "signoff-edited",
    "upstream-merged",
    "evidence-expired",
    "owner-left",
    "head-moved",
    "rules-changed",
    "tool-changed",
    "other",
]
"""Why a row differs from the last audit."""

CLASSES: tuple[Class, ...] = get_args(Class)


Status = Literal["ok", "renamed", "empty", "unreadable", "broken-rules", "incomplete"]
"""How a repository could be audited."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore", populate_by_name=True)


class RepositoryRow(_Part):
    """One repository of the audit, whether it could be read or not."""

    repo: str
    """`OWNER/REPO` as GitHub spells it now."""
    id: int | None
    """The key of a repository: names change. None where it could not be read."""
    status: Status
    message: str | None
    """What is wrong and what to do; None where nothing is."""
    private: bool
    pulls: int
    """How many of its pull requests the report lists."""


class PullRow(_Part):
    """One pull request."""

    repo: str
    pr: int
    title: str
    author: str | None
    class_: Class = Field(alias="class")
    verdict: Outcome | None
    """None where nothing was judged."""
    head_sha: Sha | None
    signer: str | None
    signed_at: Timestamp | None
    signoff_url: str | None
    merged_at: Timestamp | None
    failing: tuple[str, ...]
    """Ids of the checks that block."""
    reasons: tuple[str, ...]
    """One line for each of `failing`, or why nothing was judged."""
    fixable_by: tuple[str, ...]
    """Who can do something about it: owners who may sign, the author, ..."""
    url: str
    changed: Change | None
    """What changed since the last audit; None where nothing did, or there was none."""
    age_days: int
    """Days from the sign-off, else from the opening, to `as_of`."""
    checks: tuple[CheckReport, ...]
    evidence_digest: str | None


class TrendPoint(_Part):
    """The totals of one stored audit."""

    as_of: Timestamp
    counts: dict[Class, int]


class ShardStamp(_Part):
    """Which share of an audit a report is, counted from 1."""

    index: int
    of: int


class Report(_Part):
    """A whole audit. `complete` is False when anything was left out or not judged."""

    schema_: Literal["signoff-bot/audit/v1"] = Field(alias="schema", default="signoff-bot/audit/v1")
    tool_version: str
    as_of: Timestamp
    """The audit's one "now": ages derive from it, and resuming keeps it."""
    scope: str = ""
    """The digest of what was asked for: only reports of equal scope belong together."""
    shard: ShardStamp | None = None
    """The share that this report covers; None where it covers everything."""
    complete: bool
    notes: tuple[str, ...]
    """What a reader must know: what was left out and why, remarks on membership, ..."""
    counts: dict[Class, int]
    repos: tuple[RepositoryRow, ...]
    pulls: tuple[PullRow, ...]
    trend: tuple[TrendPoint, ...]
    """Earlier audits in the store, oldest first."""

    def to_json(self) -> str:
        """The contract's JSON, with a final newline: the same bytes for the same report."""
        # Row by row, so that a long report stands in memory no more often than it must.
        rest = self.model_copy(update={"pulls": ()}).model_dump_json(indent=2, by_alias=True)
        if not self.pulls:
            return rest + "\n"
        before, key, after = rest.partition('\n  "pulls": [')
        rows = (row.model_dump_json(indent=2, by_alias=True) for row in self.pulls)
        parts = [",\n    " + row.replace("\n", "\n    ") for row in rows]
        parts[0] = f"{before}{key}{parts[0][1:]}"
        parts.append(f"\n  {after}\n")
        return "".join(parts)


def counted(rows: Iterable[PullRow]) -> dict[Class, int]:
    """How many rows there are of each class, classes without any included."""
    counts: dict[Class, int] = dict.fromkeys(CLASSES, 0)
    for row in rows:
        counts[row.class_] += 1
    return counts
