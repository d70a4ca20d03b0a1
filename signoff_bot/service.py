"""What can be asked about one pull request, each in one call: judge, verify, replay, show.

The command line and the Action call these; nothing here reads the environment or writes files.
What talks to GitHub is imported when it is used, so that a replay starts without it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from signoff_bot.draft import draft_of
from signoff_bot.errors import InvalidInput, Unavailable
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

Face = Literal["text", "json", "markdown", "html"]

EXIT_STATUS: dict[Outcome, int] = {"pass": 0, "fail": 1, "pending": 1, "error": 3}


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with the evidence and the rules that it rests on."""

    evidence: Evidence
    rules: Rules
    verdict: Verdict
    collected_for: str | None = None
    """The other rules that a replayed bundle was collected for, where evidence is missing."""

    @property
    def bundle(self) -> bytes:
        """The evidence bundle from which `replay` gives the same verdict."""
        return write_bundle(Bundle(self.evidence, self.rules.data))

    @property
    def signoff(self) -> SignoffRef | None:
        """The sign-off that the verdict speaks of."""
        found = self.verdict.signoff
        return None if found is None else SignoffRef(kind=found.kind, id=found.id)

    def about(self, signoff: SignoffRef | None) -> Judgement:
        """The judgement of one sign-off by the same evidence, or of the whole pull request."""
        if signoff == self.evidence.signoff:
            return self
        return _judge(_about(self.evidence, signoff), self.rules)


@dataclass(frozen=True, slots=True)
class Source:
    """Where evidence comes from: a repository, asked by one token, or two.

    `rules` are those to judge by; a path names a file at each pull request's base, and None takes
    the repository's own, else `default`. `members` reads teams instead of `client`, whose token may
    not. `secrets` are the tokens in use, to keep them out of the evidence.
    """

    client: GitHubClient
    repo: str
    rules: Rules | str | None
    secrets: tuple[str, ...]
    members: GitHubClient | None = None


def judge(source: Source, number: int, signoff: SignoffRef | None = None) -> Judgement:
    """Collects the evidence of a pull request and judges all its sign-offs.

    `signoff` is one of which everything is to be read, so that it can be asked `about`.

    Raises:
        InvalidInput: the rules are invalid.
        Unavailable: the pull request itself could not be read.
    """
    evidence, rules = _collect(source, number, signoff)
    return _judge(_about(evidence, None), rules)


def verify(source: Source, target: Target) -> Judgement:
    """Judges a pull request, or the one sign-off on it that is asked about.

    Raises:
        InvalidInput: the rules are invalid, or the sign-off is not on the pull request.
        Unavailable: the pull request itself could not be read.
    """
    evidence, rules = _collect(source, target.number, target.signoff)
    _check_signoff(evidence, target.signoff)
    return _judge(evidence, rules)


def replay(content: bytes, source: str, target: Target | None, rules: str | None) -> Judgement:
    """Judges a saved bundle; `source` names it in messages.

    Its own rules give the byte-identical verdict; `rules` judges it by others. A target must be the
    bundle's pull request, and may select a sign-off on it.

    Raises:
        InvalidInput: the bundle or the rules are invalid, or the target is another one.
    """
    bundle = read_bundle(content, source)
    evidence = bundle.evidence
    chosen = from_data(bundle.rules, source) if rules is None else load(rules)
    if target is not None:
        _check_target(evidence, source, target)
        if target.signoff is not None:
            _check_signoff(evidence, target.signoff)
            evidence = _about(evidence, target.signoff)
    judgement = _judge(evidence, chosen)
    lacking = any(check.status == "error" for check in judgement.verdict.checks)
    if lacking and bundle.rules != chosen.data:
        return replace(judgement, collected_for=str(bundle.rules.get("name")))
    return judgement


def show(judgement: Judgement, face: Face, *, color: bool = False, width: int | None = None) -> str:
    """The verdict in one of its faces; `color` and `width` are for text on a terminal."""
    verdict = judgement.verdict
    if face == "json":
        return verdict.to_json()
    if face == "markdown":
        return comment_of(judgement)
    if face == "html":
        from signoff_bot.render.html import render_html

        return render_html(verdict, judgement.evidence, judgement.rules)
    from signoff_bot.render.text import render_text

    return render_text(verdict, color=color, width=width)


def welcome_of(judgement: Judgement) -> str:
    """The comment that greets the pull request."""
    from signoff_bot.render.welcome import render_not_needed, render_welcome
    from signoff_bot.render.words import summary

    whole = judgement.about(None)
    publication = whole.rules.publish
    if whole.verdict.verdict == "pass" and whole.verdict.signoff is None:
        return render_not_needed(publication, summary(whole.verdict))
    return render_welcome(draft_of(whole.evidence, whole.rules, whole.verdict), publication)


def form_of(judgement: Judgement) -> str:
    """The form to sign, with the evidence found so far and every box unticked.

    Raises:
        InvalidInput: the rules name no form.
        Unavailable: the form could not be read.
    """
    whole = judgement.about(None)
    draft = draft_of(whole.evidence, whole.rules, whole.verdict)
    if draft.form is not None:
        return draft.form
    if draft.no_form is None:
        raise InvalidInput(
            f"the rules {whole.rules.name} name no form, or one without items; give them a "
            "`signoff.template_file` or a `signoff.template`"
        )
    raise Unavailable(draft.no_form)


def _collect(source: Source, number: int, signoff: SignoffRef | None) -> tuple[Evidence, Rules]:
    from signoff_bot.github.collect import collect

    evidence, rules = collect(
        source.client, source.repo, number, signoff, source.rules, members=source.members
    )
    return without_secrets(evidence, source.secrets), rules


def _about(evidence: Evidence, signoff: SignoffRef | None) -> Evidence:
    return evidence.model_copy(update={"signoff": signoff})


def _judge(evidence: Evidence, rules: Rules) -> Judgement:
    return Judgement(evidence, rules, evaluate(evidence, rules))


def comment_of(judgement: Judgement) -> str:
    """The verdict as a comment on the pull request."""
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


def _check_signoff(evidence: Evidence, signoff: SignoffRef | None) -> None:
    """Makes sure that the comment asked about is on the pull request, as far as that is known."""
    if signoff is None or isinstance(evidence.comments, Unread):
        return
    if not any((c.kind, c.id) == (signoff.kind, signoff.id) for c in evidence.comments):
        raise InvalidInput(
            f"{signoff.anchor} is no comment on {evidence.repository.full_name}"
            f"#{evidence.pull.number}; copy the link of the sign-off from its menu"
        )


def _check_target(evidence: Evidence, source: str, target: Target) -> None:
    name, number = evidence.repository.full_name, evidence.pull.number
    if target.number != number or (target.repo or name).lower() != name.lower():
        raise InvalidInput(f"{source} holds the evidence of {name}#{number}, not of {target}")
