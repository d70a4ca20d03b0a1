"""Whether the pull request submits a model or scenario that the project has deprecated.

**What it checks.** Every point that a configuration entry gains or measures differently, and every
config that an added change-log entry re-runs (its keys may hold `*`), against the page on which the
project lists its models: retired models, scenarios deprecated for all or for one model, precisions,
and arms without speculative decoding. Archived configurations are no submission. A last day is
still open; what is announced for later is allowed until then; a table that is "not yet enacted"
forbids nothing.

**Why it exists.** Machines and people are few. What was retired must not come back by accident.

**What it reads.** The page at the base; the configurations before and after; the diff of the change
log; and, for a re-run of configs that the pull request leaves alone, those configurations at the
base. The day is that of the sign-off in the time zone of the rules, and never after the merge, so
that a later audit comes to the same result.

**When a person must look.** Only prose or the title of a row says that something is deprecated; the
page's words cannot be told apart; the change log names a config that does not exist or alters an
older entry; or the base has no such page.

**How to fix a failure.** Take the deprecated points out of the pull request.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pydantic import Field

from signoff_bot.checks.base import Case, CheckKind, Finding, Parameters
from signoff_bot.checks.configs import (
    base_text,
    conclude,
    config_changes,
    content_needs,
    known_entries,
    log_additions,
    review_date,
)
from signoff_bot.checks.needs import Needs
from signoff_bot.reading.changelog import LogAdditions, matches
from signoff_bot.reading.config_entries import Entry
from signoff_bot.reading.config_points import NO_SPECULATION, Point, Variant
from signoff_bot.reading.deprecations import Deprecation
from signoff_bot.reading.globs import Glob
from signoff_bot.reading.models_page import read_models
from signoff_bot.reading.wording import shorten, some


class DeprecatedParameters(Parameters):
    """Where submissions and deprecations stand."""

    configs: tuple[Glob, ...] = Field(min_length=1, description="The configuration files in use.")
    base_configs: tuple[str, ...] = Field(
        default=(),
        description="Paths of configuration files to read at the base where the pull request "
        "leaves them alone.",
    )
    changelog: str | None = Field(
        default=None, description="Path of the change log, whose new entries re-run configs."
    )
    pages: tuple[str, ...] = Field(
        min_length=1,
        description="Paths at which the page of models may be; the first that exists counts.",
    )
    generic_speculation: tuple[str, ...] = Field(
        default=(),
        description="Values of `spec-decoding` that stand for any method.",
    )


def needs(parameters: DeprecatedParameters) -> Needs:
    """The configurations before and after, and the page and the configurations at the base."""
    return Needs(
        files=True,
        contents=content_needs(parameters.configs, "merge base", "head")
        | content_needs((*parameters.pages, *parameters.base_configs), "base"),
    )


def judge(case: Case, parameters: DeprecatedParameters) -> Finding:
    """Holds every submitted point against the page."""
    log = (
        log_additions(case, parameters.changelog) if parameters.changelog else LogAdditions((), ())
    )
    submitted = _submitted(case, parameters, log)
    doubts = list(_unclear(parameters, log, submitted))
    if not submitted and not doubts:
        return Finding("na", "the pull request submits no benchmark configuration")
    page = next((path for path in parameters.pages if base_text(case, path) is not None), None)
    day = review_date(case)
    failures: list[str] = []
    if page is None:
        doubts.append(f"the base has no {' or '.join(parameters.pages)}")
    else:
        models = read_models(base_text(case, page) or "", page)
        for entry, points in submitted.values():
            applying = [d for d in models.of(entry.prefix) if d.in_force(day)]
            certain, uncertain = _objections(entry, points, applying, page, parameters)
            failures += certain
            doubts += () if certain else uncertain
    return conclude(
        failures=failures,
        doubts=doubts,
        passed=f"nothing deprecated on {day}: {some(sorted(submitted))}",
        remarks=(f"judged by the day {day} ({case.time_zone})",),
        fix="take the deprecated configurations out of this pull request",
        look="a person must decide whether this is still to be submitted",
    )


Submissions = dict[str, tuple[Entry, dict[Point, Variant]]]
"""What is submitted: the entries by key, with the points concerned."""


def _submitted(case: Case, parameters: DeprecatedParameters, log: LogAdditions) -> Submissions:
    found: Submissions = {
        change.key: (change.after, dict(change.submitted))
        for change in config_changes(case, parameters.configs)
        if change.after is not None and change.submitted
    }
    if log.entries:
        rerun = known_entries(
            case,
            parameters.configs,
            parameters.base_configs,
            keys=lambda key: any(entry.names(key) for entry in log.entries),
        )
        for entry in rerun:
            points = found.get(entry.key, (entry, {}))[1]
            points |= _rerun(entry, log)
            found[entry.key] = (entry, points)
    return found


def _rerun(entry: Entry, log: LogAdditions) -> dict[Point, Variant]:
    limits = [added.scenarios for added in log.entries if added.names(entry.key)]
    return {
        point: variant
        for point, variant in entry.points.items()
        if any(not scenarios or point.scenario in scenarios for scenarios in limits)
    }


def _unclear(
    parameters: DeprecatedParameters, log: LogAdditions, submitted: Iterable[str]
) -> Iterator[str]:
    keys = list(submitted)
    for entry in log.entries:
        for pattern in entry.keys:
            if not any(matches(pattern, key) for key in keys):
                yield (
                    f"{parameters.changelog}:{entry.line}: {pattern} is no configuration that "
                    "could be found"
                )
    for line, text in log.unclear:
        yield f"{parameters.changelog}:{line}: an older entry is altered: {shorten(text.strip())}"


def _objections(
    entry: Entry,
    points: dict[Point, Variant],
    applying: Sequence[Deprecation],
    page: str,
    parameters: DeprecatedParameters,
) -> tuple[list[str], list[str]]:
    """What the page forbids of an entry for certain, and what it may forbid.

    All points of a setting with the same speculative decoding are alike here.
    """
    alike = {(by.where[:3], point.speculation): (point, by) for point, by in points.items()}
    certain: list[str] = []
    uncertain: list[str] = []
    for point, variant in alike.values():
        what = f"{entry.place(variant.where)}: {entry.prefix} {_named(point)}"
        for deprecation in applying:
            forbids = deprecation.concerns(point, entry.precision, parameters.generic_speculation)
            if forbids is not False:
                says = f"{page}:{deprecation.line}: {shorten(deprecation.says)}"
                (uncertain if forbids is None else certain).append(
                    f"{what} is deprecated by {says}"
                )
            if forbids:
                break
    return certain, uncertain


def _named(point: Point) -> str:
    lengths = f"{point.isl}/{point.osl}" if point.isl and point.osl else point.scenario
    return f"{lengths} ({point.speculation})" if point.speculation != NO_SPECULATION else lengths


KIND = CheckKind(
    name="deprecated",
    doc=__doc__,
    parameters=DeprecatedParameters,
    needs=needs,
    judge=judge,
    needs_signoff=False,
)
