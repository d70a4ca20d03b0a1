"""Whether the signer owns what the pull request changes.

**What it checks.** For every changed path, and the former name of a renamed file, the last matching
line of CODEOWNERS decides. A line that names owners for the path needs the signer among them, by
login (letter case aside) or as a member of an owning team. A path that only a catch-all (`*`) or no
owner at all covers is treated as the rules say. Where the rules combine sign-offs, the signers may
cover the paths together; the sign-off that is reported is of somebody who owns some of them. Files
that decide how sign-offs are judged (the `gate`) always need the owners on their own line, be it a
catch-all.

**Why it exists.** A sign-off is worth what its signer answers for. Somebody who owns nothing of the
change can only ask those who do.

**What it reads.** CODEOWNERS at the base branch, never the pull request's own copy of it; the
changed files; and the members of those owning teams that decide.

**When a person must look.** Never: the owners are on record. A team whose members cannot be read
makes the check an error where nothing else decides. An e-mail owner can never be proven to be a
signer, because GitHub tells nobody whose address it is.

**How to fix a failure.** Let one of the owners named in the finding sign off, or change CODEOWNERS
on the base branch first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal
from urllib.parse import quote

from pydantic import Field

from signoff_bot.checks.base import Case, CheckKind, Finding, Parameters, Reference
from signoff_bot.checks.needs import Needs
from signoff_bot.evidence.base import known
from signoff_bot.reading.codeowners import Codeowners, LineProblem
from signoff_bot.reading.globs import Glob, matching
from signoff_bot.reading.links import server_of
from signoff_bot.reading.ownership import (
    Claim,
    changed_paths,
    claims,
    is_email,
    names,
    owns,
)
from signoff_bot.reading.wording import count, listed

MOST_LINES = 10
"""Lines of CODEOWNERS shown one by one; the rest are counted."""


MOST_OWNERS = 6
"""Owners named where any of them can help."""


class CodeownerParameters(Parameters):
    """What to do with paths for which CODEOWNERS names nobody in particular."""

    catch_all: Literal["owner", "any-owner"] = Field(
        default="owner",
        description="Who may sign for a path that only a catch-all line such as `*` matches: an "
        "owner on that line, or anybody whom CODEOWNERS lists.",
    )
    unowned: Literal["any-owner", "fail"] = Field(
        default="any-owner",
        description="Who may sign for a path that no line matches, or whose line names nobody: "
        "anybody whom CODEOWNERS lists, or no one.",
    )
    gate: tuple[Glob, ...] = Field(
        default=(),
        description="Files that decide how sign-offs are judged, such as workflows and CODEOWNERS: "
        "only the owners on the line that matches may sign for them, also where `catch_all` opens "
        "that line to others.",
    )


def needs(_: CodeownerParameters) -> Needs:
    """The changed files, CODEOWNERS, and through it the teams that decide."""
    return Needs(files=True, codeowners=True)


def judge(case: Case, parameters: CodeownerParameters) -> Finding:
    """Judges the signers against the lines that decide the changed paths."""
    codeowners = case.codeowners
    if codeowners is None or not codeowners.listed_owners:
        return _nobody(codeowners)
    paths = changed_paths(known(case.evidence.files))
    if not paths:
        # Lists shorter than GitHub's counter never come here: the evaluator takes them for unread.
        return Finding("na", "GitHub counts no changed file, so there is nothing to own")
    to_sign = to_sign_for(codeowners, paths, parameters)
    answers = [owns(claim.owners, case.signers, case.evidence.team) for claim in to_sign]
    foreign = [claim for claim, answer in zip(to_sign, answers, strict=True) if answer is False]
    if foreign:
        foreign.sort(key=lambda claim: claim.open_to_all)
        return _foreign(case, codeowners, to_sign, foreign)
    for answer in answers:
        known(answer)
    if len(case.signers) > 1 and not _owns_any(case, to_sign):
        return _adds_nothing(case)
    return _owned(case, codeowners, to_sign)


def to_sign_for(
    codeowners: Codeowners, paths: Sequence[str], parameters: CodeownerParameters
) -> tuple[Claim, ...]:
    """Who may sign for which of the changed paths."""
    return claims(
        codeowners,
        paths,
        open_catch_all=parameters.catch_all == "any-owner",
        open_unowned=parameters.unowned == "any-owner",
        closed=frozenset(matching(paths, parameters.gate)),
    )


def _nobody(codeowners: Codeowners | None) -> Finding:
    missing = "has no CODEOWNERS file" if codeowners is None else "has a CODEOWNERS without owners"
    return Finding(
        "fail",
        f"the base branch {missing}, so nobody owns what changed",
        details=_warnings(codeowners.problems if codeowners else ()),
        fix="name the owners in CODEOWNERS on the base branch",
    )


def _owns_any(case: Case, to_sign: Sequence[Claim]) -> bool:
    """Whether the author of the judged sign-off may sign for any of the paths."""
    alone = [owns(claim.owners, case.signers[:1], case.evidence.team) for claim in to_sign]
    return True in alone or any(map(known, alone))


def _adds_nothing(case: Case) -> Finding:
    author, *others = (signer.login for signer in case.signers)
    return Finding(
        "fail",
        f"{author} owns nothing of what changed; the sign-offs of {listed(others)} cover it",
        fix="none: a sign-off of an owner is judged in its place",
    )


def _owned(case: Case, codeowners: Codeowners, to_sign: Sequence[Claim]) -> Finding:
    own = [path for claim in to_sign if not claim.open_to_all for path in claim.holding.paths]
    free = [path for claim in to_sign if claim.open_to_all for path in claim.holding.paths]
    alone = len(case.signers) == 1
    who = _signers(case)
    summary = f"{who} {'owns' if alone else 'together own'} {_paths(own)}" if own else ""
    if own and free:
        summary += f"; any listed owner may sign for the other {count(len(free), 'path')}"
    elif free:
        summary = (
            f"{who} {'is a listed owner' if alone else 'are listed owners'}, and any of them may "
            f"sign for {_paths(free)}"
        )
    return Finding(
        "pass",
        summary,
        details=_lines(codeowners, to_sign),
        links=_links(case, to_sign),
    )


def _foreign(
    case: Case, codeowners: Codeowners, to_sign: Sequence[Claim], foreign: Sequence[Claim]
) -> Finding:
    paths = [path for claim in foreign for path in claim.holding.paths]
    first = foreign[0].holding
    who = _signers(case)
    owned_by = (
        f"line {first.line.number}: {' '.join(first.owners) or 'nobody'}"
        if first.line
        else "no line of CODEOWNERS matches it"
    )
    verb = "does" if len(case.signers) == 1 else "do"
    more = f" nor {count(len(paths) - 1, 'other path')}" if len(paths) > 1 else ""
    everybody = codeowners.listed_owners
    strangers = [s.login for s in case.signers if not names(everybody, s.login)]
    remarks = [f"CODEOWNERS lists no @{login}" for login in strangers]
    remarks += [
        f"line {claim.holding.line.number}: {email} is an e-mail address, which cannot be proven "
        "to be anybody's here; list the login instead"
        for claim in foreign
        if claim.holding.line
        for email in filter(is_email, claim.holding.owners)
    ]
    return Finding(
        "fail",
        f"{who} {verb} not own {paths[0]} ({owned_by}){more}",
        details=(*_lines(codeowners, foreign), *remarks),
        fix=_fix(case, to_sign, foreign),
        links=_links(case, foreign),
    )


def _fix(case: Case, to_sign: Sequence[Claim], foreign: Sequence[Claim]) -> str:
    if not all(claim.owners for claim in foreign):
        return "name an owner for these paths in CODEOWNERS on the base branch"
    lacking = foreign if case.rules.combine else to_sign
    common = [o for o in foreign[0].owners if all(_holds(claim.owners, o) for claim in lacking)]
    if common:
        return f"a sign-off is needed from {_any_of(common)}"
    if case.rules.combine:
        choices = sorted({_any_of(owners) for owners in _fewest(foreign)})
        return f"sign-offs are needed from {', and from '.join(choices)}"
    return "a sign-off is needed from somebody who owns all of the changed paths"


def _fewest(foreign: Sequence[Claim]) -> list[tuple[str, ...]]:
    """The owners to choose from, without those lists that another one already answers."""
    lists = [claim.owners for claim in foreign]
    sets = [frozenset(map(str.lower, owners)) for owners in lists]
    return [o for o, mine in zip(lists, sets, strict=True) if not any(s < mine for s in sets)]


def _any_of(owners: Sequence[str]) -> str:
    shown = " or ".join(owners[:MOST_OWNERS])
    more = len(owners) - MOST_OWNERS
    return f"{shown} or {count(more, 'other owner')}" if more > 0 else shown


def _holds(owners: Sequence[str], owner: str) -> bool:
    return owner.lower() in map(str.lower, owners)


def _signers(case: Case) -> str:
    return " and ".join(signer.login for signer in case.signers)


def _paths(paths: Sequence[str]) -> str:
    return paths[0] if len(paths) == 1 else f"{len(paths)} changed paths"


def _lines(codeowners: Codeowners, to_sign: Sequence[Claim]) -> tuple[str, ...]:
    """The deciding lines with their paths, and warnings of lines that fail to decide."""
    paths = [path for claim in to_sign for path in claim.holding.paths]
    rest = to_sign[MOST_LINES:]
    held = sum(len(claim.holding.paths) for claim in rest)
    more = f"{count(len(rest), 'more line')} with {count(held, 'path')}"
    return (
        *map(str, to_sign[:MOST_LINES]),
        *([more] if rest else []),
        *_warnings(problem for path in paths for problem in codeowners.skipped_for(path)),
    )


def _warnings(problems: Iterable[LineProblem]) -> tuple[str, ...]:
    """What GitHub skips although it was probably meant for one of the paths."""
    by_line = {problem.number: problem.message for problem in problems}
    return tuple(
        f"warning: GitHub skips line {number} of CODEOWNERS, so it grants nothing: {message}"
        for number, message in sorted(by_line.items())[:MOST_LINES]
    )


def _links(case: Case, to_sign: Sequence[Claim]) -> tuple[Reference, ...]:
    file = known(case.evidence.codeowners)
    ref = quote(file.ref.removeprefix("refs/heads/"))
    repo = case.evidence.repository.full_name
    page = f"{server_of(case.evidence.pull.url)}/{repo}/blob/{ref}/{quote(file.path)}"
    telling = [claim for claim in to_sign if not claim.open_to_all] or to_sign
    lines = [claim.holding.line for claim in telling if claim.holding.line]
    return tuple(
        Reference(f"CODEOWNERS line {line.number}", f"{page}#L{line.number}")
        for line in lines[:MOST_LINES]
    )


KIND = CheckKind(
    name="codeowner",
    doc=__doc__,
    parameters=CodeownerParameters,
    needs=needs,
    judge=judge,
    needs_signoff=True,
)
