"""What can be asked about one pull request, each in one call: verify, replay, publish, show.

The command line and the Action call these; nothing here reads the environment or writes files.
What talks to GitHub is imported when it is used, so that a replay starts without it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from signoff_bot.errors import InvalidInput
from signoff_bot.evaluate import evaluate
from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.bundle import Bundle, read_bundle, write_bundle
from signoff_bot.evidence.conversation import SignoffRef
from signoff_bot.evidence.model import Evidence
from signoff_bot.evidence.secrets import without_secrets
from signoff_bot.packs.load import from_data, load
from signoff_bot.packs.model import Rules
from signoff_bot.target import Target
from signoff_bot.verdict import Outcome, Verdict

if TYPE_CHECKING:
    from signoff_bot.github.client import GitHubClient
    from signoff_bot.github.publish import Published

Face = Literal["text", "json", "markdown", "html"]

EXIT_STATUS: dict[Outcome, int] = {"pass": 0, "fail": 1, "pending": 1, "error": 3}


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with the evidence and the rules that it rests on."""

    evidence: Evidence
    rules: Rules
    verdict: Verdict

    @property
    def bundle(self) -> bytes:
        """The evidence bundle from which `replay` gives the same verdict."""
        return write_bundle(Bundle(self.evidence, self.rules.data))

    @property
    def signoff(self) -> SignoffRef | None:
        """The sign-off that the verdict speaks of."""
        found = self.verdict.signoff
        return None if found is None else SignoffRef(kind=found.kind, id=found.id)


def verify(
    client: GitHubClient, repo: str, target: Target, rules: str | None, secret: str
) -> Judgement:
    """Collects the evidence of a pull request of `repo` and judges it.

    `rules` names a pack or its file; None takes the repository's own, else `default`. `secret` is
    the token in use, to keep it out of the evidence.

    Raises:
        InvalidInput: the rules are invalid, or the sign-off asked about is not on the pull request.
        Unavailable: the pull request itself could not be read.
    """
    from signoff_bot.github.collect import collect

    chosen = None if rules is None else load(rules)
    collected, in_force = collect(client, repo, target.number, target.signoff, chosen)
    evidence = without_secrets(_without_verdicts(collected, in_force), [secret])
    return _judge(_about(evidence, target.signoff), in_force)


def replay(content: bytes, source: str, target: Target | None, rules: str | None) -> Judgement:
    """Judges a saved bundle; `source` names it in messages.

    Its own rules give the byte-identical verdict; `rules` judges it by others. A target must be the
    bundle's pull request, and may select a sign-off on it.

    Raises:
        InvalidInput: the bundle or the rules are invalid, or the target is another one.
    """
    bundle = read_bundle(content, source)
    evidence = bundle.evidence
    if target is not None:
        _check_target(evidence, source, target)
        if target.signoff is not None:
            evidence = _about(evidence, target.signoff)
    chosen = from_data(bundle.rules, source) if rules is None else load(rules)
    return _judge(evidence, chosen)


def publish(client: GitHubClient, judgement: Judgement) -> Published:
    """Posts the verdict as its rules say.

    Raises:
        Unavailable: what was judged has changed meanwhile, or the status could not be set.
    """
    from signoff_bot.github.plan import CommentPlan, plan
    from signoff_bot.github.publish import publish as carry_out
    from signoff_bot.render.comment import marker
    from signoff_bot.render.words import status_description

    verdict, publication = judgement.verdict, judgement.rules.publish
    planned = plan(
        verdict,
        publication,
        comment=CommentPlan(marker(verdict, publication.context), _comment(judgement)),
        description=status_description(verdict),
    )
    return carry_out(client, judgement.evidence, judgement.signoff, planned)


def show(judgement: Judgement, face: Face, *, color: bool = False, width: int | None = None) -> str:
    """The verdict in one of its faces; `color` and `width` are for text on a terminal."""
    verdict = judgement.verdict
    if face == "json":
        return verdict.to_json()
    if face == "markdown":
        return _comment(judgement)
    if face == "html":
        from signoff_bot.render.html import render_html

        return render_html(verdict, judgement.evidence, judgement.rules)
    from signoff_bot.render.text import render_text

    return render_text(verdict, color=color, width=width)


def _judge(evidence: Evidence, rules: Rules) -> Judgement:
    return Judgement(evidence, rules, evaluate(evidence, rules))


def _comment(judgement: Judgement) -> str:
    from signoff_bot.packs.load import load_named
    from signoff_bot.packs.shipped import shipped_names
    from signoff_bot.render.comment import render_comment

    rules = judgement.rules
    shipped = rules.name in shipped_names() and load_named(rules.name).digest == rules.digest
    return render_comment(
        judgement.verdict,
        judgement.evidence,
        rules.publish.context,
        pack=rules.name if shipped else None,
    )


def _without_verdicts(evidence: Evidence, rules: Rules) -> Evidence:
    """The evidence without the comments that say of themselves that they are verdicts.

    Whoever wrote them, they prove nothing; and a verdict must not change by having been posted.
    """
    if isinstance(evidence.comments, Unread):
        return evidence
    beginning = f"<!-- {rules.publish.context} sha="
    kept = tuple(c for c in evidence.comments if not c.body.startswith(beginning))
    return evidence.model_copy(update={"comments": kept})


def _about(evidence: Evidence, signoff: SignoffRef | None) -> Evidence:
    """The evidence, asking about one comment, which must be on the pull request."""
    if signoff is None or isinstance(evidence.comments, Unread):
        return evidence
    if not any((c.kind, c.id) == (signoff.kind, signoff.id) for c in evidence.comments):
        raise InvalidInput(
            f"{signoff.anchor} is no comment on {evidence.repository.full_name}"
            f"#{evidence.pull.number}; copy the link of the sign-off from its menu"
        )
    return evidence.model_copy(update={"signoff": signoff})


def _check_target(evidence: Evidence, source: str, target: Target) -> None:
    name, number = evidence.repository.full_name, evidence.pull.number
    if target.number != number or (target.repo or name).lower() != name.lower():
        raise InvalidInput(f"{source} holds the evidence of {name}#{number}, not of {target}")
