"""One pull request: its evidence collected, judged, and put into a row of the report."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from signoff_bot.audit.as_of import at_merge, gone, restored
from signoff_bot.audit.classes import Ruling, rule_merged, rule_open, who_can_fix
from signoff_bot.audit.report import PullRow
from signoff_bot.errors import InvalidInput
from signoff_bot.evaluate import evaluate
from signoff_bot.evidence.base import Timestamp
from signoff_bot.evidence.bundle import Bundle, write_bundle
from signoff_bot.evidence.model import Evidence
from signoff_bot.evidence.secrets import without_secrets
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.collect import collect
from signoff_bot.github.failures import GitHubFailure
from signoff_bot.github.listing import ListedPull, ListedRepository
from signoff_bot.packs.model import Rules


@dataclass(frozen=True, slots=True)
class Judged:
    """A row, with what it rests on."""

    row: PullRow
    evidence: Evidence | None
    """What was judged; None where nothing could be."""
    rules: Rules | None
    at: Timestamp
    """When it was collected, by GitHub's clock; where nothing was, the audit's own time."""

    @property
    def bundle(self) -> bytes | None:
        """The evidence bundle; `signoff-bot verify --evidence` shows its verdict."""
        if self.evidence is None or self.rules is None:
            return None
        return write_bundle(Bundle(self.evidence, self.rules.data))


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges pull requests, each as of one time. Safe to use from many threads."""

    client: GitHubClient
    secrets: tuple[str, ...]
    """The tokens in use, to keep them out of the evidence."""
    as_of: Timestamp
    members: GitHubClient | None = None
    """Reads teams instead of `client`."""

    def __call__(
        self,
        repo: ListedRepository,
        pull: ListedPull,
        rules: Rules | str | None,
        stored: Evidence | None,
    ) -> Judged:
        """Collects and judges.

        `rules` may be the path of a file at the base; they are None where the base has its own.
        `stored` is the evidence of an earlier audit. Whatever goes wrong with one pull request, the
        others are judged.
        """
        try:
            return self._judge(repo, pull, rules, stored)
        except GitHubFailure as failure:
            return not_judged(repo, pull, str(failure), self.as_of)
        except InvalidInput as problem:
            return not_judged(repo, pull, f"the rules are invalid: {problem}", self.as_of)
        except Exception as error:  # noqa: BLE001 - one odd pull request must not hide the others
            reason = f"internal error: {type(error).__name__}: {error}; please report it"
            return not_judged(repo, pull, reason, self.as_of)

    def _judge(
        self,
        repo: ListedRepository,
        pull: ListedPull,
        rules: Rules | str | None,
        stored: Evidence | None,
    ) -> Judged:
        collected, in_force = collect(
            self.client, repo.full_name, pull.number, None, rules, members=self.members
        )
        evidence = without_secrets(collected, self.secrets)
        merged_at = evidence.pull.merged_at
        if merged_at is None:
            evidence = evidence.model_copy(update={"collected_at": self.as_of})
            ruling = rule_open(evaluate(evidence, in_force), in_force)
        else:
            evidence = at_merge(restored(evidence, stored), merged_at)
            ruling = rule_merged(evaluate(evidence, in_force), evidence, in_force)
            ruling = _excused(ruling, evidence, in_force, self.as_of)
        row = _row(repo, pull, ruling, evidence, in_force, self.as_of)
        return Judged(row, evidence, in_force, collected.collected_at)


def _excused(ruling: Ruling, evidence: Evidence, rules: Rules, as_of: Timestamp) -> Ruling:
    """Not judged, where all that fails rests on evidence that GitHub has deleted."""
    checks = {check.id: check for check in rules.checks}
    needs = [checks[check.id].needs for check in ruling.failing]
    deletable = all(n.workflows or n.artifacts or n.head_checks for n in needs)
    reason = gone(evidence, rules, as_of) if needs and deletable else None
    if ruling.class_ != "merged-rejected" or reason is None:
        return ruling
    return replace(ruling, class_="not-judged", reasons=(reason,))


def not_judged(repo: ListedRepository, pull: ListedPull, reason: str, as_of: Timestamp) -> Judged:
    """The row of a pull request of which nothing can be said but why."""
    row = PullRow(
        repo=repo.full_name,
        pr=pull.number,
        title=pull.title,
        author=pull.author,
        class_="not-judged",
        verdict=None,
        head_sha=pull.head_sha,
        signer=None,
        signed_at=None,
        signoff_url=None,
        merged_at=pull.merged_at,
        failing=(),
        reasons=(reason,),
        fixable_by=(),
        url=pull.url,
        changed=None,
        age_days=days_between(pull.created_at, as_of),
        checks=(),
        evidence_digest=None,
    )
    return Judged(row, None, None, as_of)


def _row(
    repo: ListedRepository,
    pull: ListedPull,
    ruling: Ruling,
    evidence: Evidence,
    rules: Rules,
    as_of: Timestamp,
) -> PullRow:
    verdict, facts = ruling.verdict, evidence.pull
    signoff = verdict.signoff
    return PullRow(
        repo=repo.full_name,
        pr=pull.number,
        title=facts.title,
        author=facts.author.login if facts.author else None,
        class_=ruling.class_,
        verdict=verdict.verdict,
        head_sha=verdict.head_sha,
        signer=signoff.author if signoff else None,
        signed_at=signoff.at if signoff else None,
        signoff_url=signoff.url if signoff else None,
        merged_at=facts.merged_at,
        failing=tuple(check.id for check in ruling.failing),
        reasons=ruling.reasons,
        fixable_by=who_can_fix(ruling, evidence, rules),
        url=verdict.url,
        changed=None,
        age_days=days_between(signoff.at if signoff else facts.created_at, as_of),
        checks=verdict.checks,
        evidence_digest=verdict.evidence_digest,
    )


def days_between(since: Timestamp, until: Timestamp) -> int:
    """Whole days from one time to a later one; 0 when it is not later."""
    return max((datetime.fromisoformat(until) - datetime.fromisoformat(since)).days, 0)
