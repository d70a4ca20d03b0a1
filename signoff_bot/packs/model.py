"""What a rule pack is, once it is read, extended and validated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, Field, StringConstraints

from signoff_bot.checks.acks import ACK
from signoff_bot.checks.base import AnyKind, Parameters
from signoff_bot.checks.needs import Needs
from signoff_bot.packs.applies import ALWAYS, AppliesWhen
from signoff_bot.reading.settings import Settings, SignoffRules

CheckId = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,39}$")]
"""A check's id: lower-case letters, digits and hyphens. A number would be another check's name."""


def _check_time_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ValueError, OSError, LookupError):  # unknown, ill-formed, or a folder of zones
        raise ValueError(
            "no IANA time zone; write one such as `UTC` or `America/Los_Angeles`"
        ) from None
    return name


# Names in lower case (`localtime`, `posixrules`) stand for whatever the machine is set to.
TimeZone = Annotated[
    str, StringConstraints(pattern=r"^[A-Z][A-Za-z0-9_+/-]*$"), AfterValidator(_check_time_zone)
]
"""The name of an IANA time zone."""


class Welcome(Settings):
    """The one comment that tells a pull request's readers how to sign it off (the Action's)."""

    enabled: bool = Field(
        default=True,
        description="Whether the Action greets a pull request, once it is ready for review, with "
        "who can sign and the form to copy.",
    )
    text: str = Field(
        default="An owner of what this pull request changes has to sign it off. Copy the form, "
        "tick what you verified, and post it as a comment or a review.",
        min_length=1,
        max_length=4000,
        description="What stands above it, in Markdown.",
    )
    languages: dict[str, str] = Field(
        default_factory=dict,
        description="The same in other languages, each folded away under its name.",
    )


class Publication(Settings):
    """How a verdict is published on the pull request."""

    context: str = Field(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9 _./-]{0,99}$",
        description="Name of the commit status, and of the marker in the comment.",
    )
    comment: bool = Field(default=True, description="Whether to post the verdict as a comment.")
    status: bool = Field(default=True, description="Whether to set the commit status.")
    welcome: Welcome = Field(
        default_factory=Welcome,
        description="The comment that greets a pull request; none where `comment` is false.",
    )


class CheckEntry(Settings):
    """One check as a pack writes it."""

    kind: str = Field(description="The kind of check: what is judged, and which parameters it has.")
    number: int = Field(ge=0, le=99, description="Its number in the verdict, unique in the pack.")
    title: str | None = Field(default=None, description="Its name in the verdict; default: its id.")
    severity: Literal["blocking", "advisory"] = Field(
        default="blocking", description="An advisory check that fails is a `warn` and never blocks."
    )
    review: Literal["blocks", "shown"] = Field(
        default="blocks", description="Whether a finding that only a person can decide blocks."
    )
    depends_on: str | None = Field(
        default=None, description="Id of a check that must pass first; else this one is `blocked`."
    )
    applies_when: AppliesWhen = Field(
        default=ALWAYS, description="Conditions without which the check is `na`."
    )
    with_: dict[str, Any] = Field(
        alias="with", default_factory=dict, description="Parameters of the check kind."
    )


class PackFile(Settings):
    """A pack as plain data says it, after `extends` was resolved."""

    schema_: Literal["signoff-bot/rules/v1"] = Field(
        alias="schema", description="The version of this format."
    )
    name: str = Field(pattern=r"^[a-z0-9][a-z0-9.-]{0,63}$", description="The pack's name.")
    description: str = Field(
        description="What the pack demands and for whom, in a sentence or two."
    )
    signoff: SignoffRules = Field(description="What a sign-off looks like.")
    publish: Publication = Field(description="How the verdict is published.")
    time_zone: TimeZone = Field(
        default="UTC", description="IANA time zone in which the pack's deadlines are meant."
    )
    applies_when: AppliesWhen = Field(
        default=ALWAYS,
        description="Conditions without which no sign-off is needed, and every check is `na`.",
    )
    checks: dict[CheckId, CheckEntry] = Field(min_length=1, description="The checks, by id.")


@dataclass(frozen=True, slots=True)
class Check:
    """A check of a pack, with its kind and validated parameters."""

    id: str
    number: int
    title: str
    kind: AnyKind
    parameters: Parameters
    blocking: bool
    review_blocks: bool
    depends_on: str | None
    applies_when: AppliesWhen = ALWAYS

    @property
    def names(self) -> tuple[str, ...]:
        """By what people may call it in a command: its id, or its number."""
        return self.id, str(self.number)

    @property
    def needs(self) -> Needs:
        """The evidence that this check needs."""
        return self.kind.needs(self.parameters) | self.applies_when.needs


@dataclass(frozen=True, slots=True)
class Rules:
    """A rule pack in force.

    `checks` stand in an order in which each comes after what it depends on; `data` is the pack as
    plain JSON data and `digest` the SHA-256 of its canonical form.
    """

    name: str
    description: str
    signoff: SignoffRules
    publish: Publication
    time_zone: str
    checks: tuple[Check, ...]
    data: Mapping[str, Any]
    digest: str
    applies_when: AppliesWhen = ALWAYS

    @property
    def needs(self) -> Needs:
        """The union of what all checks and conditions need, and what is shown to signers.

        That is the form; and the commands that may clear a finding.
        """
        form = self.signoff.template_file is not None
        always = Needs(template=form, commands=frozenset({ACK})) | self.applies_when.needs
        return reduce(or_, (check.needs for check in self.checks), always)
