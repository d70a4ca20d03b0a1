"""The verdict as the comment on a pull request (contract 3), and as `--format markdown`.

First line a hidden marker, by which the publisher finds its own comment again; then the verdict,
what blocks it, and one line a check, for a reader who has 15 seconds. Everything else is folded
away. All text of the pull request goes through `inert`.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Sequence

from signoff_bot.evidence.conversation import SignoffRef
from signoff_bot.evidence.model import Evidence
from signoff_bot.reading.marker import verdict_marker
from signoff_bot.render.budget import fit, size
from signoff_bot.render.inert import cell, code, link, mention, prose, visible
from signoff_bot.render.words import EMOJI, STATUS_LABELS, check_name, summary
from signoff_bot.verdict import CheckReport, SignoffReport, Verdict

MAX_BYTES = 65_536
"""GitHub's limit is 65,536 characters; bytes are the strictest way to count them."""
MAX_LINKS = 5
MAX_DETAILS = 10


def marker(verdict: Verdict, context: str) -> str:
    """The comment's first line: which head and which sign-off it speaks of."""
    signoff = "none" if verdict.signoff is None else _anchor(verdict.signoff)
    return verdict_marker(context, verdict.head_sha, signoff)


def render_withdrawn() -> str:
    """What a comment says, after its marker, once the sign-off it spoke of counts no more."""
    return (
        "### ↩️ Sign-off verdict: **WITHDRAWN**\n\n"
        "The sign-off that this comment spoke of does not count any more: it was deleted, "
        "dismissed, hidden, or edited so that it is none.\n"
    )


def render_comment(
    verdict: Verdict, evidence: Evidence, context: str, pack: str | None = None
) -> str:
    """The comment; `context` is the name of the commit status that the rule pack gives.

    `pack` is the name under which the rules come with the tool, if they do.
    """
    top = "\n".join(_top(verdict, context))
    table = "\n".join(_table(verdict, evidence))
    bottom = "\n".join(_replay(verdict, pack))
    budget = MAX_BYTES - size(top, table, bottom) - 500
    checks, budget = fit(map(_check, verdict.checks), budget, _more("checks"))
    details, _ = fit(_all_details(verdict), budget, _more("details"), "\n\n")
    folded = [_FOLD, table, details, bottom, "</details>"]
    return "\n\n".join(part for part in (top, checks, *folded) if part) + "\n"


_FOLD = "<details>\n<summary>Evidence, details and replay</summary>"


def _top(verdict: Verdict, context: str) -> Iterable[str]:
    yield marker(verdict, context)
    mark = EMOJI[verdict.verdict]
    yield f"### {mark} Sign-off verdict: **{verdict.verdict.upper()}**"
    if verdict.verdict == "pass":
        return
    yield ""
    whom = "" if verdict.signoff is None else f"{mention(verdict.signoff.author)} "
    yield f"{whom}{prose(summary(verdict), 600)}."
    if verdict.signoff is not None and not verdict.signoff.completed and verdict.signoff.problems:
        first, *others = verdict.signoff.problems
        more = f" ({len(others)} more below)" if others else ""
        yield f"In the sign-off: {prose(first)}{more}"


def _more(what: str) -> Callable[[int], str]:
    return lambda n: f"- {n} more {what} do not fit here; the JSON verdict has them all"


def _anchor(signoff: SignoffReport) -> str:
    return SignoffRef(kind=signoff.kind, id=signoff.id).anchor


def _check(check: CheckReport) -> str:
    links = [link(found.label, found.url) for found in check.links[:MAX_LINKS]]
    if len(check.links) > MAX_LINKS:
        links.append(f"and {len(check.links) - MAX_LINKS} more")
    shown = f" ({', '.join(links)})" if links else ""
    line = (
        f"- {EMOJI[check.status]} {prose(check_name(check))}: **{STATUS_LABELS[check.status]}** — "
        f"{prose(check.summary)}{shown}"
    )
    if check.fix is None or check.status in ("pass", "na"):
        return line
    return f"{line}\n  - Fix: {prose(check.fix)}"


def _table(verdict: Verdict, evidence: Evidence) -> Iterable[str]:
    pull = evidence.pull
    head = link(verdict.head_sha, f"{verdict.url}/commits/{verdict.head_sha}")
    yield "| Evidence | |"
    yield "|---|---|"
    yield f"| Head | {cell(head)} |"
    yield f"| Base | {cell(code(pull.base_ref))} at {code(pull.base_sha)} |"
    if verdict.signoff is not None:
        signoff = verdict.signoff
        page = link(_anchor(signoff), signoff.url)
        completed = "" if signoff.completed else ", not completed"
        by = f"{page} by {code(signoff.author)}, {code(signoff.at)}{completed}"
        yield f"| Sign-off | {cell(by)} |"
    yield f"| Rules | {cell(code(verdict.rules.name))}, {code(verdict.rules.digest)} |"
    yield f"| Evidence | {code(verdict.evidence_digest)} |"
    yield f"| Judged by | signoff-bot {code(verdict.tool_version)} |"


def _all_details(verdict: Verdict) -> Iterable[str]:
    if verdict.signoff is not None and verdict.signoff.problems:
        yield _list("The sign-off:", verdict.signoff.problems)
    for check in verdict.checks:
        if check.details:
            yield _list(f"{prose(check_name(check))}:", check.details)


def _list(title: str, lines: Sequence[str]) -> str:
    shown = [f"- {prose(line)}" for line in lines[:MAX_DETAILS]]
    if len(lines) > MAX_DETAILS:
        shown.append(f"- and {len(lines) - MAX_DETAILS} more")
    return "\n".join([title, *shown])


def _replay(verdict: Verdict, pack: str | None) -> Iterable[str]:
    about = verdict.url if verdict.signoff is None else verdict.signoff.url
    rules = f" --rules {pack}" if pack else ""
    yield "To judge again from GitHub, and then once more from the saved evidence alone:"
    yield ""
    yield "```sh"
    yield (f"signoff-bot verify {shlex.quote(visible(about))}{rules} --save-evidence evidence.json")
    yield "signoff-bot verify --evidence evidence.json"
    yield "```"
