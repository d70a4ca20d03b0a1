"""Judgements that say what a test wants, for the publisher."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from support.verdicts import verdict

from signoff_bot.evidence.conversation import SignoffRef
from signoff_bot.service import Judgement
from signoff_bot.verdict import Verdict


@dataclass(frozen=True)
class Told(Judgement):
    """A judgement whose verdicts are told: of the whole, and of single sign-offs by anchor.

    A sign-off that is neither the whole's nor among the `others` does not count (any more).
    """

    others: Mapping[str, Verdict] = field(default_factory=dict)

    def about(self, signoff: SignoffRef | None) -> Judgement:
        if signoff is None or signoff == self.signoff:
            return self
        whole = self.verdict
        gone = verdict(
            "pending", repo=whole.repo, pr=whole.pr, head_sha=whole.head_sha, signoff=None
        )
        return Judgement(self.evidence, self.rules, self.others.get(signoff.anchor, gone))
