"""The one comment that greets a pull request: who can sign, and the form to copy.

It mentions nobody, since nobody has done anything yet. Paths and owners stand in code spans, and
the form in a block of code, where nothing comes alive; the pack's own texts are Markdown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from signoff_bot.draft import Draft, Owned
from signoff_bot.packs.model import Publication
from signoff_bot.reading.marker import welcome_marker
from signoff_bot.reading.wording import count
from signoff_bot.render.budget import fit, size
from signoff_bot.render.comment import MAX_BYTES
from signoff_bot.render.inert import code, link, prose, visible

MAX_PATHS = 3
MAX_OWNERS = 10


def render_welcome(draft: Draft, publication: Publication) -> str:
    """The comment on a pull request that a sign-off is needed for."""
    welcome = publication.welcome
    top = [
        welcome_marker(publication.context),
        "### ✍️ This pull request needs a sign-off",
        "",
        welcome.text.strip(),
        "",
    ]
    folded = [
        f"<details>\n<summary>{_summary(name)}</summary>\n\n{text.strip()}\n\n</details>\n"
        for name, text in welcome.languages.items()
    ]
    form = [_form(draft), *folded]
    budget = MAX_BYTES - size(*top, *form) - 1000
    found, budget = _section("Evidence found so far:", map(str, _evidence(draft)), budget)
    owners, _ = _section(_who(draft), map(_owned, draft.owned), budget)
    return "\n".join([*top, *owners, *found, *form])


def render_not_needed(publication: Publication, summary: str) -> str:
    """What the comment says once the rules ask for no sign-off; `summary` is the verdict's."""
    marker = welcome_marker(publication.context)
    return f"{marker}\n### ✍️ This pull request needs no sign-off\n\n{prose(summary)}.\n"


def _section(title: str, lines: Iterable[str], budget: int) -> tuple[list[str], int]:
    shown, left = fit(lines, budget, lambda more: f"- and {more} more")
    return ([title, "", shown, ""] if shown else []), left


def _who(draft: Draft) -> str:
    if len(draft.owned) < 2:
        return "Who can sign:"
    if draft.together:
        return "Who can sign; several people may cover the paths together:"
    return "Who can sign; one person has to be an owner everywhere:"


def _owned(owned: Owned) -> str:
    paths = [code(path) for path in owned.paths[:MAX_PATHS]]
    if len(owned.paths) > MAX_PATHS:
        paths.append(f"{len(owned.paths) - MAX_PATHS} more")
    owners = [code(owner) for owner in owned.owners[:MAX_OWNERS]]
    if len(owned.owners) > MAX_OWNERS:
        owners.append(count(len(owned.owners) - MAX_OWNERS, "other owner"))
    who = " or ".join(owners) or "nobody: CODEOWNERS names no owner for it"
    return f"- {', '.join(paths)}: {'any listed owner: ' if owned.anybody else ''}{who}"


def _evidence(draft: Draft) -> Iterable[str]:
    for found in draft.found:
        yield f"- check {prose(found.check)}: {link(found.link.label, found.link.url)}"


def _form(draft: Draft) -> str:
    if draft.form is None:
        return f"{prose(draft.no_form)}.\n" if draft.no_form else ""
    if size(draft.form) > MAX_BYTES // 2:
        return "The form is too long to be shown here.\n"
    longest = max((len(run) for run in re.findall("`+", draft.form)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"The form to copy:\n\n{fence}markdown\n{draft.form.rstrip()}\n{fence}\n"


def _summary(name: str) -> str:
    """A language's name as the text of an HTML element."""
    shown = visible(name, 60)
    return shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
