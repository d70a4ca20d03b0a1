"""Whether a change that claims to add points only leaves every existing point alone.

**What it checks.** Where an entry that the pull request adds to the change log claims
`append-only`: every added entry does, and none asks for evaluations beside it; the entries name
existing configs, and no other config changes; each of these keeps every point it had, image and
recipe included, and gains at least one within a scenario it had and that the log entry is for.

**Why it exists.** Such a change is not measured again as a whole. What it altered would be
published next to old numbers as if nothing had happened.

**What it reads.** The diff of the change log, the configurations before and after, expanded into
their points, and the names of the other changed files.

**When a person must look.** Another changed file may alter how existing points run: every one that
the rules do not call harmless, except a new recipe that only added points name. A person must see
that nothing in it reaches an existing point. So too where an older entry of the log is altered.

**How to fix a failure.** Take out what changes existing points, or drop `append-only` and run the
full sweep.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pydantic import Field

from signoff_bot.checks.base import Case, CheckKind, Finding, Parameters
from signoff_bot.checks.configs import (
    conclude,
    config_changes,
    content_needs,
    known_entries,
    log_additions,
)
from signoff_bot.checks.needs import Needs
from signoff_bot.evidence.base import known
from signoff_bot.reading.changelog import LogAdditions, LogEntry, matches
from signoff_bot.reading.config_entries import EntryChange
from signoff_bot.reading.config_points import Point, Variant
from signoff_bot.reading.config_recipes import RecipeRules
from signoff_bot.reading.globs import Glob, matching
from signoff_bot.reading.wording import count, shorten, some


class AppendOnlyParameters(Parameters):
    """Where configurations and the change log are, and which other files do no harm."""

    configs: tuple[Glob, ...] = Field(min_length=1, description="The configuration files.")
    base_configs: tuple[str, ...] = Field(
        default=(),
        description="Paths of configuration files to read at the base where the pull request "
        "leaves them alone.",
    )
    changelog: str = Field(description="Path of the change log.")
    eval_fields: tuple[str, ...] = Field(
        default=(), description="Fields of a log entry that ask for evaluations."
    )
    harmless: tuple[Glob, ...] = Field(
        default=(), description="Files that cannot change how a benchmark runs."
    )
    recipes: RecipeRules = Field(
        default=RecipeRules(), description="How configurations name their recipes."
    )


def needs(parameters: AppendOnlyParameters) -> Needs:
    """The diff of the change log comes with the files; the configurations before and after."""
    return Needs(
        files=True,
        contents=content_needs(parameters.configs, "merge base", "head")
        | content_needs(parameters.base_configs, "base"),
    )


def judge(case: Case, parameters: AppendOnlyParameters) -> Finding:
    """Judges the log entries, then the configs they name, then all other files."""
    log = log_additions(case, parameters.changelog)
    if not any(entry.append_only for entry in log.entries):
        return Finding("na", "nothing in the change log claims to be append-only")
    changes = config_changes(case, parameters.configs)
    failures = [
        *_log_issues(log, parameters),
        *_unknown_keys(case, log, changes, parameters),
        *(issue for change in changes for issue in _config_issues(change, log)),
    ]
    doubts = [
        f"{parameters.changelog}:{line}: an older entry is altered: {shorten(text.strip())}"
        for line, text in log.unclear
    ]
    doubts += _other_files(case, changes, parameters)
    added = sum(len(change.submitted) for change in changes)
    return conclude(
        failures=failures,
        doubts=doubts,
        passed=f"{count(added, 'point')} added to {some([c.key for c in changes])}, and no "
        "existing point changed",
        remarks=(f"points added: {added}",) if failures or doubts else (),
        fix="take out what changes existing points, or drop `append-only` and run the full sweep",
        look="a person must see that none of this reaches an existing point",
    )


def _log_issues(log: LogAdditions, parameters: AppendOnlyParameters) -> Iterator[str]:
    for entry in log.entries:
        place = f"{parameters.changelog}:{entry.line}"
        if not entry.append_only:
            yield f"{place}: an entry without `append-only` beside one that has it"
        for name in parameters.eval_fields:
            if entry.append_only and name in entry.fields:
                yield f"{place}: `{name}` beside `append-only`"


def _unknown_keys(
    case: Case,
    log: LogAdditions,
    changes: Sequence[EntryChange],
    parameters: AppendOnlyParameters,
) -> Iterator[str]:
    """What the log names without gaining anything: configs that are new, unchanged or unknown."""
    changed = {change.key for change in changes}
    for entry in log.entries:
        place = f"{parameters.changelog}:{entry.line}"
        named = {
            found.key
            for found in known_entries(
                case, parameters.configs, parameters.base_configs, keys=entry.names
            )
        }
        for pattern in entry.keys:
            if not any(matches(pattern, key) for key in named):
                yield f"{place}: {pattern} is no configuration"
        for key in sorted(named - changed):
            yield f"{place}: nothing is added to {key}"


def _config_issues(change: EntryChange, log: LogAdditions) -> Iterator[str]:
    """What is wrong with one changed config."""
    naming = [entry for entry in log.entries if entry.names(change.key)]
    entry = change.after or change.before
    if entry is None:
        return
    if not naming:
        yield f"{entry.place()}: changed, and no new entry of the change log names it"
    elif change.before is None:
        yield f"{entry.place()}: a new config; append-only adds to existing ones"
    elif change.after is None:
        yield f"{entry.place()}: removed, with {count(len(change.before.points), 'point')}"
    else:
        before, after = change.before.points, change.after.points
        yield from _lost(change, [point for point in before if point not in after])
        yield from _misplaced(change, naming)


def _lost(change: EntryChange, points: Sequence[Point]) -> Iterator[str]:
    if points and change.after is not None:
        shown = some([_named(point) for point in points])
        yield (
            f"{change.after.place()}: {count(len(points), 'existing point')} removed or measured "
            f"differently: {shown}"
        )


def _misplaced(change: EntryChange, naming: Sequence[LogEntry]) -> Iterator[str]:
    """Points that are added where the log entry does not let them be; or none at all."""
    if change.before is None or change.after is None:
        return
    if not change.submitted:
        yield f"{change.after.place()}: no point is added"
    existing = {_scenario(point) for point in change.before.points}
    allowed = {scenario for entry in naming for scenario in entry.scenarios}
    unlimited = any(not entry.scenarios for entry in naming)
    for where, point in _by_scenario(change.submitted).items():
        place = change.after.place(where)
        if _scenario(point) not in existing:
            yield f"{place}: {_named(point)} is in a scenario that the config did not have"
        elif not unlimited and point.scenario not in allowed:
            yield f"{place}: {_named(point)} is outside of the log entry's {some(sorted(allowed))}"


def _by_scenario(points: Mapping[Point, Variant]) -> dict[tuple[str | int, ...], Point]:
    return {variant.where[:3]: point for point, variant in points.items()}


def _scenario(point: Point) -> tuple[str, int | None, int | None]:
    return point.scenario, point.isl, point.osl


def _named(point: Point) -> str:
    lengths = f" {point.isl}/{point.osl}" if point.isl and point.osl else ""
    return f"{point.scenario}{lengths} concurrency {point.conc} ({point.speculation})"


def _other_files(
    case: Case, changes: Sequence[EntryChange], parameters: AppendOnlyParameters
) -> Iterator[str]:
    """The other changed files that may alter how existing points run."""
    settled = (*parameters.configs, *parameters.harmless)
    added = [variant for change in changes for variant in change.submitted.values()]
    recipes = {path for variant in added for path in parameters.recipes.paths(variant)}
    for file in known(case.evidence.files):
        names = [name for name in (file.path, file.previous_path) if name is not None]
        if file.path == parameters.changelog or len(matching(names, settled)) == len(names):
            continue
        if file.status != "added" or file.path not in recipes:
            yield f"{file.path} ({file.status}) may change how existing points run"


KIND = CheckKind(
    name="append-only",
    doc=__doc__,
    parameters=AppendOnlyParameters,
    needs=needs,
    judge=judge,
    needs_signoff=False,
)
