"""What a check is: parameters, the evidence it needs, and a judgement.

A check file defines its `Parameters`, `needs(parameters)` and a pure `judge(case, parameters)`, and
ties them together in a `CheckKind`. Its module docstring is the documentation that
`signoff-bot rules show` prints.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Generic, Literal, TypeVar

from signoff_bot.checks.needs import Needs
from signoff_bot.evidence.base import known
from signoff_bot.evidence.model import Evidence
from signoff_bot.evidence.pull import Account
from signoff_bot.reading.candidates import Signoff
from signoff_bot.reading.codeowners import Codeowners, parse_codeowners
from signoff_bot.reading.lanes import LaneRules
from signoff_bot.reading.settings import Settings, SignoffRules
from signoff_bot.reading.template import Template, read_template

Status = Literal["pass", "fail", "warn", "na", "blocked", "review", "error"]


class Parameters(Settings):
    """The parameters of a check kind, as a rule pack writes them under `with:`."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A claim's source: a page that shows it."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found. Texts are plain; the faces make them inert where they are shown."""

    status: Status
    summary: str
    """One line: the root issue, or what was proven."""
    details: tuple[str, ...] = ()
    fix: str | None = None
    """What to do about it; None where there is nothing to do."""
    links: tuple[Reference, ...] = ()
    run_id: int | None = None
    """The run that the check accepted as evidence, for the checks that depend on it."""
    lanes: LaneRules | None = None
    """The lanes that a run had to have, for those checks too."""


@dataclass(frozen=True)
class Case:
    """What a check may look at.

    `signoff` is the one being judged, or None while nobody has signed. `signers` are the people
    whose sign-offs count together: its author first, then those of other completed sign-offs where
    the rules combine them. `earlier` holds the findings of the checks before it, by check id.
    `time_zone` is the IANA zone in which the rules mean their deadlines.
    """

    evidence: Evidence
    rules: SignoffRules
    signoff: Signoff | None
    signers: tuple[Account, ...]
    earlier: Mapping[str, Finding] = field(default_factory=dict)
    time_zone: str = "UTC"

    @cached_property
    def codeowners(self) -> Codeowners | None:
        """CODEOWNERS at the base, or None when the repository has none.

        Raises:
            MissingEvidence: it could not be read.
        """
        text = known(known(self.evidence.codeowners).text)
        return None if text is None else _codeowners(text)

    @cached_property
    def template(self) -> Template | None:
        """The form at the base, else the pack's own, else None.

        Raises:
            MissingEvidence: the file could not be read.
        """
        text = None
        if self.rules.template_file is not None:
            text = known(known(self.evidence.content(self.rules.template_file)).text)
        text = self.rules.template if text is None else text
        return None if text is None else read_template(text, self.rules.phrase)


_codeowners = lru_cache(maxsize=4)(parse_codeowners)
"""Remembered, since every sign-off is held against the same file."""


P = TypeVar("P", bound=Parameters)


@dataclass(frozen=True, slots=True)
class CheckKind(Generic[P]):
    """A kind of check, for rule packs to use by `name`."""

    name: str
    doc: str
    """The module's docstring: what it checks, why, what it reads, how to fix a failure."""
    parameters: type[P]
    needs: Callable[[P], Needs]
    judge: Callable[[Case, P], Finding]
    needs_signoff: bool
    """Whether it judges a sign-off, and so is `blocked` while there is none."""
    each_signer: bool = False
    """Whether a sign-off must pass it to count beside the judged one where the rules combine."""


AnyKind = CheckKind[Any]
