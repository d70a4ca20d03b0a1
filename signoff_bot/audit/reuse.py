"""Decides for each listed pull request whether its stored row still holds.

In doubt, a pull request is collected again: what cannot be told counts as changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from signoff_bot import __version__
from signoff_bot.audit.basis import Basis
from signoff_bot.audit.changes import Look, before, difference, since
from signoff_bot.audit.report import Change
from signoff_bot.audit.rules_at import NoRules, RulesAt
from signoff_bot.audit.store import StoredRow
from signoff_bot.checks.needs import Needs
from signoff_bot.evidence.base import Timestamp
from signoff_bot.evidence.strict_json import digest
from signoff_bot.github.client import GitHubClient
from signoff_bot.github.failures import GitHubFailure
from signoff_bot.github.gate import Stopped
from signoff_bot.github.line_comments import commented_since
from signoff_bot.github.listing import ListedPull
from signoff_bot.github.suites import read_suites
from signoff_bot.packs.model import Rules


@dataclass(frozen=True, slots=True)
class Known:
    """What a page of the list shows beside the pull requests themselves."""

    suites: dict[int, str | None] = field(default_factory=dict)
    """The digest of all that ran, by number."""
    changes: dict[int, Change | None] = field(default_factory=dict)
    """What has changed since the stored row, by number; None where it still holds."""


@dataclass(frozen=True, slots=True)
class Reuse:
    """Compares the pages of one repository with the store."""

    client: GitHubClient
    repo: str
    rules: RulesAt
    as_of: Timestamp
    look: Look

    def known(self, page: Sequence[ListedPull], stored: dict[int, StoredRow]) -> Known:
        """What can be told of a page.

        Raises:
            Stopped: the budget is used up.
        """
        opened = [pull for pull in page if pull.merged_at is None]
        suites = self._suites(opened)
        changes: dict[int, Change | None] = {}
        for pull in page:
            row = stored.get(pull.number)
            if row is not None:
                changes[pull.number] = self._listed_change(pull, row, suites.get(pull.number))
        self._look_around(opened, stored, changes)
        return Known(suites, changes)

    def _suites(self, pulls: Sequence[ListedPull]) -> dict[int, str | None]:
        groups: dict[bool, list[ListedPull]] = {}
        told: dict[int, str | None] = {}
        needs_of: dict[str, Needs] = {}
        for pull in pulls:
            rules = self.rules(pull.base_ref)
            if isinstance(rules, NoRules):
                continue
            if rules.digest not in needs_of:
                needs_of[rules.digest] = rules.needs
            needs = needs_of[rules.digest]
            if needs.workflows or needs.head_checks:
                groups.setdefault(not needs.workflows, []).append(pull)
            else:
                told[pull.number] = ""
        for head_only, group in groups.items():
            try:
                found: dict[int, Any] = read_suites(self.client, group, head_only=head_only)
            except Stopped:
                raise
            except GitHubFailure:
                found = {}
            told |= {n: None if state is None else digest(state) for n, state in found.items()}
        return told

    def _listed_change(
        self, pull: ListedPull, stored: StoredRow, suites: str | None
    ) -> Change | None:
        basis, row = stored.basis, stored.row
        own_rules = self.rules.given is None
        if basis is None or row.class_ == "not-judged" or basis.own_rules != own_rules:
            return "other"
        if row.merged_at is not None or pull.merged_at is not None:
            return self._merged_change(pull, stored, basis)
        if any(check.status == "error" for check in row.checks):
            return "other"
        rules = self.rules(pull.base_ref)
        return difference(pull, suites, None if isinstance(rules, NoRules) else rules.digest, basis)

    def _merged_change(self, pull: ListedPull, stored: StoredRow, basis: Basis) -> Change | None:
        """Of a merged one: nothing that comes after the merge counts."""
        if stored.row.merged_at != pull.merged_at:
            return "other"
        if basis.tool != __version__:
            return "tool-changed"
        given = self.rules.given
        same = isinstance(given, Rules) and given.digest == basis.rules
        return None if given is None or same else "rules-changed"

    def _look_around(
        self,
        pulls: Sequence[ListedPull],
        stored: dict[int, StoredRow],
        changes: dict[int, Change | None],
    ) -> None:
        """Asks about the surroundings of the rows that seem to hold."""
        bases = {
            pull.number: basis
            for pull in pulls
            if changes.get(pull.number, "other") is None
            and (basis := stored[pull.number].basis) is not None
        }
        around = {n: b.surroundings for n, b in bases.items() if b.surroundings is not None}
        try:
            self.look.prefetch(around.values())
            commented = self._commented([p for p in pulls if p.number in bases], bases)
        except Stopped:
            raise
        except GitHubFailure:
            changes.update(dict.fromkeys(bases, "other"))
            return
        for number, surroundings in around.items():
            if number in commented:
                changes[number] = "signoff-edited"
            else:
                changes[number] = self.look.difference(surroundings, self.as_of)

    def _commented(self, pulls: Sequence[ListedPull], bases: dict[int, Basis]) -> set[int]:
        """Those on whose lines something was written since their row."""
        begun = {pull.number: bases[pull.number] for pull in pulls if pull.threads}
        start = since(begun.values())
        if start is None:
            return set()
        found = commented_since(self.client, self.repo, start)
        return {n for n, b in begun.items() if found.get(n, "") >= before(b.at)}
