"""Whether the pull request names the ticket that it belongs to.

**What it checks.** Its title, its description or the name of its branch holds something that looks
like one of the patterns, such as `ACME-{number}`. Of the description, only what readers see counts,
link targets included: neither an HTML comment that a template brought along, nor quoted words, nor
blocks of code.

**Why it exists.** Years later, the ticket tells why a change was made and who asked for it.

**What it reads.** The title, the description and the branch's name. Whether there is such a ticket
is for people to see: nothing is looked up in the tracker.

**When a person must look.** Never: a ticket is named, or it is not.

**How to fix a failure.** Write the ticket into the title or the description.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from signoff_bot.checks.base import Case, CheckKind, Finding, Parameters
from signoff_bot.checks.needs import Needs
from signoff_bot.evidence.base import known
from signoff_bot.reading.patterns import Pattern, find
from signoff_bot.reading.wording import listed, shorten

Where = Literal["title", "description", "branch"]


class TicketParameters(Parameters):
    """What a ticket looks like, and where it may be named."""

    patterns: tuple[Pattern, ...] = Field(
        min_length=1,
        description="What tickets look like, such as `ACME-{number}` or "
        "`https://tracker.example.com/browse/*-{number}`: `{number}` stands for a whole number, "
        "`*` for one or more letters, digits and any of `-_./`. Any one will do.",
    )
    where: tuple[Where, ...] = Field(
        default=("title", "description", "branch"),
        min_length=1,
        description="Where the ticket may be named.",
    )


def needs(_: TicketParameters) -> Needs:
    """Nothing beyond the pull request."""
    return Needs()


def judge(case: Case, parameters: TicketParameters) -> Finding:
    """Looks for the patterns, place by place."""
    for where in parameters.where:
        for text in _texts(case, where):
            for pattern in parameters.patterns:
                ticket = find(pattern, text)
                if ticket is not None:
                    return Finding("pass", f"the {where} names {shorten(ticket)}")
    places = listed([f"the {where}" for where in parameters.where]).replace(" and ", " or ")
    return Finding(
        "fail",
        f"no ticket is named in {places}",
        details=(f"a ticket looks like {' or '.join(parameters.patterns)}",),
        fix=f"write the ticket into {places}",
    )


def _texts(case: Case, where: Where) -> Iterator[str]:
    pull = case.evidence.pull
    if where == "title":
        yield pull.title
    elif where == "branch":
        yield pull.head_ref
    else:
        yield from _description(known(pull.body) or "")


def _description(body: str) -> Iterator[str]:
    """The lines that readers see, and where their links lead."""
    from signoff_bot.reading.markdown import read_document  # takes 35 ms to import

    for line in read_document(body).lines:
        yield line.span.text
        yield from (link.url for link in line.span.links)


KIND = CheckKind(
    name="ticket",
    doc=__doc__,
    parameters=TicketParameters,
    needs=needs,
    judge=judge,
    needs_signoff=False,
)
