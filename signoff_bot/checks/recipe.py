"""Whether the sign-off links the public recipe that the benchmark follows.

**What it checks.** Among the links in the signer's own visible text there is one to a public
recipe: a pull request, commit or file of an allowed repository, or a page where recipes are
published. A linked pull request must exist there and, where the rules say so, be merged. Rules that
describe launches ask further: the arguments that make a changed launch what it is (model,
parallelism, quantization, backends) stand in the recipe with the same values. Then only launches of
the engines named, on a single node, need a recipe at all.

**Why it exists.** A benchmark that only its authors can reproduce helps nobody; the recipe has to
be where the community finds it. "It was discussed", a pull request of the benchmark's own
repository, or an address that merely looks right is no recipe.

**What it reads.** The addresses in the sign-off, exactly as written, and what GitHub says about a
linked pull request. Nothing is fetched from an address: whether a published page still says what it
did is for people to see. Links that the form itself holds, start pages and tables of contents do
not count. Arguments are read from the changed launch scripts, with the values that their
configurations give them, and looked for in the diffs of the linked pull requests.

**When a person must look.** Never for the link. For the arguments: when only a published page is
linked, when a value is left open by the script, when an argument is missing from a diff that shows
a part of the recipe, or is not always given, or when the sign-off's details say why it differs.

**How to fix a failure.** Open a pull request in one of the recipe repositories, or find the
published page, and put its full address into the sign-off's additional details. Bring a recipe and
a launch that differ together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pydantic import Field

from signoff_bot.checks.base import Case, CheckKind, Finding, Parameters, Reference
from signoff_bot.checks.needs import Needs
from signoff_bot.checks.recipe_arguments import Launches, LaunchRules, launch_needs
from signoff_bot.evidence.base import Unread, known, not_collected
from signoff_bot.evidence.model import Evidence
from signoff_bot.evidence.upstream import UpstreamState
from signoff_bot.reading.links import (
    NoRecipe,
    RecipeLink,
    RecipePage,
    RecipeSources,
    read_recipe_link,
    run_links,
    server_of,
)
from signoff_bot.reading.recipe_text import read_recipes
from signoff_bot.reading.settings import Host, RepositoryName, Settings
from signoff_bot.reading.signoff import Link
from signoff_bot.reading.wording import shorten

MOST_LINKS = 10
"""Links spoken of one by one."""

_MENTION = re.compile(r"(?<![\w/#&])([\w.-]+/[\w.-]+)?#[1-9][0-9]{0,9}\b", re.ASCII)


class PublishedPages(Settings):
    """A place on the web where recipes are published."""

    host: Host = Field(description="Host name, such as `recipes.example.com`.")
    under: str = Field(default="/", description="Path under which the recipes are.")
    depth: int = Field(
        default=1, ge=1, description="How many path segments below `under` a recipe's page is."
    )


class RecipeParameters(Parameters):
    """Where a recipe may be, and whether it must be merged."""

    repositories: tuple[RepositoryName, ...] = Field(
        description="Repositories (`OWNER/REPO`) whose pull requests, commits and files count."
    )
    pages: tuple[PublishedPages, ...] = Field(
        default=(), description="Places where recipes are published; their pages count."
    )
    merged: bool = Field(
        default=True,
        description="Whether a linked pull request must be merged. Then neither a bare commit nor "
        "a file at a commit counts, since they do not show a merge.",
    )
    launches: LaunchRules | None = Field(
        default=None,
        description="Which launches need a recipe, and which of their arguments it must hold; "
        "without it every pull request needs a link, and nothing is compared.",
    )


def needs(parameters: RecipeParameters) -> Needs:
    """The form, for the links it holds itself, and the linked pull requests."""
    repositories = (repo.lower() for repo in parameters.repositories)
    found = Needs(template=True, upstream_repos=frozenset(repositories))
    return found | launch_needs(parameters.launches) if parameters.launches else found


def judge(case: Case, parameters: RecipeParameters) -> Finding:
    """Looks for a link in the sign-off that leads to a public recipe, then for what it says."""
    if parameters.launches is None:
        links, refused = _recipes(case, parameters)
        return _passed(links[0][0]) if links else _failed(case, parameters, refused)
    launches = Launches(case, parameters.launches)
    if not launches.submitted and not launches.scripts:
        return Finding(
            "na", f"the pull request changes no single-node launch of {launches.engines}"
        )
    links, refused = _recipes(case, parameters)
    if not links:
        return _failed(case, parameters, refused)
    pulls = [pull for _, recipe in links if (pull := _state(case.evidence, recipe)) is not None]
    files = [file for pull in pulls for file in known(pull.files)]
    text = read_recipes(files, parameters.launches.recipe_files) if pulls else None
    if text is not None and len(pulls) < len(links):
        text = replace(text, whole=False)  # the page that is linked too may hold the rest
    return launches.judge(text, _passed(links[0][0]))


def _recipes(
    case: Case, parameters: RecipeParameters
) -> tuple[list[tuple[Link, RecipeLink]], list[NoRecipe]]:
    """The signer's links to public recipes, and those that are none.

    Raises:
        MissingEvidence: there is no good link, and one could not be looked up.
    """
    sources = _sources(case, parameters)
    good: list[tuple[Link, RecipeLink]] = []
    refused: list[NoRecipe] = []
    unread: list[Unread] = []
    for link in _own_links(case):
        recipe = read_recipe_link(link.url, sources)
        doubt = recipe if isinstance(recipe, NoRecipe) else _doubt(case, recipe, parameters)
        if doubt is None and _is_the_forms(case, link):
            doubt = NoRecipe(link.url, "is a link of the form itself, not the signer's")
        if isinstance(doubt, NoRecipe):
            refused.append(doubt)
        elif isinstance(doubt, Unread):
            unread.append(doubt)
        elif isinstance(recipe, RecipeLink):
            good.append((link, recipe))
    if not good:
        for missing in unread:
            known(missing)
    return good, sorted(refused, key=lambda r: _distance(r, sources))


def _state(evidence: Evidence, link: RecipeLink) -> UpstreamState | None:
    found = _upstream(evidence, link) if link.number is not None else None
    return found if isinstance(found, UpstreamState) else None


def _sources(case: Case, parameters: RecipeParameters) -> RecipeSources:
    return RecipeSources(
        server=server_of(case.evidence.pull.url),
        repositories=parameters.repositories,
        pages=tuple(RecipePage(p.host, p.under, p.depth) for p in parameters.pages),
        home=case.evidence.repository.full_name,
    )


def _own_links(case: Case) -> tuple[Link, ...]:
    """The links in the sign-off, but for those that name a run."""
    written = case.signoff.form.links if case.signoff else ()
    repo, server = case.evidence.repository.full_name, server_of(case.evidence.pull.url)
    pages = case.rules.run_pages
    return tuple(link for link in written if not run_links([link.url], repo, server, pages))


def _is_the_forms(case: Case, link: Link) -> bool:
    """Whether the form that signers copy holds the link."""
    formal = case.template.links if case.template else frozenset()
    return link.url.rstrip("/") in {url.rstrip("/") for url in formal}


def _doubt(case: Case, link: RecipeLink, parameters: RecipeParameters) -> NoRecipe | Unread | None:
    """What keeps a link to the right place from being good; None when nothing does."""
    if link.number is None:
        pinned = link.form == "commit" or re.fullmatch("[0-9a-f]{7,64}", link.ref or "")
        if parameters.merged and pinned:
            return NoRecipe(link.url, "shows no merge; link its pull request or the published page")
        return None
    found = _upstream(case.evidence, link)
    if isinstance(found, Unread):
        return found
    reason = _doubt_about_pull(found, link, parameters)
    return NoRecipe(link.url, reason) if reason else None


def _doubt_about_pull(
    found: UpstreamState | None, link: RecipeLink, parameters: RecipeParameters
) -> str | None:
    if found is None:
        return "is no pull request that GitHub knows"
    if found.base_repo.lower() != link.repo:
        return f"is a pull request of {found.base_repo}, not of {link.repo}"
    if found.merged_at is None and found.state == "closed":
        return "was closed without being merged"
    if found.merged_at is None and parameters.merged:
        return f"is {'a draft' if found.draft else 'open'}, not merged yet"
    if found.other_branch is not None and parameters.merged:
        return f"was merged into {found.other_branch}, which is not the default branch"
    return None


def _upstream(evidence: Evidence, link: RecipeLink) -> UpstreamState | Unread | None:
    for pull in evidence.upstream:
        if (pull.repo, pull.number) == (link.repo, link.number):
            return pull.found
    missing: Unread = not_collected(f"pull request {link.repo}#{link.number}")
    return missing


def _distance(refused: NoRecipe, sources: RecipeSources) -> int:
    """How far a link is from a recipe, so that the one meant as such is spoken of first."""
    address = refused.url.lower()
    if isinstance(read_recipe_link(refused.url, sources), RecipeLink):
        return 0
    if sources.home and f"/{sources.home.lower()}/pull/" in address:
        return 1
    places = (*sources.repositories, *(page.host for page in sources.pages))
    return 2 if any(place.lower() in address for place in places) else 3


def _passed(link: Link) -> Finding:
    hidden = f"line {link.line}: the link has no text, so readers cannot see it"
    return Finding(
        "pass",
        f"the sign-off links a public recipe: {shorten(link.url)}",
        details=() if link.text.strip() else (hidden,),
        links=(Reference("recipe", link.url),),
    )


def _failed(case: Case, parameters: RecipeParameters, refused: Sequence[NoRecipe]) -> Finding:
    mentions = _mentions(case)
    lines = [f"{shorten(refusal.url)} {refusal.reason}" for refusal in refused] + mentions
    cause = f": {lines[0]}" if lines else ""
    return Finding(
        "fail",
        f"the sign-off links no public recipe{cause}",
        details=tuple(lines[:MOST_LINKS]) if len(lines) > 1 else (),
        fix=f"link in the sign-off {_wanted(parameters)}",
    )


def _mentions(case: Case) -> list[str]:
    """Bare `#12` and `owner/repo#12` in the details, which are no links to a recipe either."""
    details = case.signoff.form.details if case.signoff else ()
    return [
        f"line {number}: {match[0]} is "
        + ("no link; write the full address" if match[1] else "a number in this repository")
        for number, text in details
        for match in _MENTION.finditer(text)
    ]


def _wanted(parameters: RecipeParameters) -> str:
    merged = (
        "a merged pull request or file" if parameters.merged else "a pull request, commit or file"
    )
    wanted = f"{merged} of {' or '.join(parameters.repositories)}"
    hosts = [page.host for page in parameters.pages]
    return f"{wanted}, or a recipe's page on {' or '.join(hosts)}" if hosts else wanted


KIND = CheckKind(
    name="recipe",
    doc=__doc__,
    parameters=RecipeParameters,
    needs=needs,
    judge=judge,
    needs_signoff=True,
)
