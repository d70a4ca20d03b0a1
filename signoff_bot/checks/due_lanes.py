"""Which lanes a pull request makes necessary: those of the benchmark points that it submits.

A point is submitted where an entry of the configurations is new or changed so that the point is
measured differently, and where the change log asks to run an entry again. Each needs a green lane
of its kind and model, and of its evals where the benchmark's own selection schedules them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pydantic import Field

from signoff_bot.checks.base import Case
from signoff_bot.checks.configs import config_changes, content_needs, known_entries, log_additions
from signoff_bot.checks.needs import Needs
from signoff_bot.evidence.base import MissingEvidence, known
from signoff_bot.reading.changelog import LogEntry
from signoff_bot.reading.config_entries import Entry, EntryChange
from signoff_bot.reading.config_points import Point
from signoff_bot.reading.globs import Glob, matching
from signoff_bot.reading.lanes import DueLane, LaneRules
from signoff_bot.reading.ownership import changed_paths
from signoff_bot.reading.settings import Settings


class Lengths(Settings):
    """Input and output lengths of a scenario."""

    isl: int = Field(description="Tokens of input.")
    osl: int = Field(description="Tokens of output.")


class ScenarioLanes(Settings):
    """The lanes that measure the points of one scenario."""

    scenario: str = Field(description="Key under `scenarios` of an entry.")
    multinode: bool = Field(description="Whether it is for entries that span several nodes.")
    lanes: tuple[str, ...] = Field(
        min_length=1, description="Lane groups, of which any one will do."
    )
    evals: tuple[str, ...] = Field(
        default=(),
        description="Lane groups that evaluate it, of which any one will do; none: it has no "
        "evals.",
    )
    eval_lengths: tuple[Lengths, ...] = Field(
        default=(), description="Lengths whose points are evaluated; none: all of them."
    )
    eval_concurrency: int = Field(
        default=1, ge=1, description="Lowest concurrency whose points are evaluated."
    )

    def evaluates(self, point: Point) -> bool:
        """Whether the benchmark's own selection may schedule an eval of the point."""
        lengths = {(at.isl, at.osl) for at in self.eval_lengths}
        return (
            bool(self.evals)
            and (not lengths or (point.isl, point.osl) in lengths)
            and point.conc >= self.eval_concurrency
        )


class DueRules(Settings):
    """How the submitted points of a pull request, and the lanes they need, are found."""

    configs: tuple[Glob, ...] = Field(min_length=1, description="The configuration files.")
    base_configs: tuple[str, ...] = Field(
        default=(),
        description="Paths of configuration files to read at the base where the pull request "
        "leaves them alone.",
    )
    changelog: str = Field(description="Path of the change log that asks to run entries.")
    evals_only: str | None = Field(
        default=None, description="Field of a log entry that asks for its evals alone."
    )
    benchmarks: tuple[Glob, ...] = Field(
        min_length=1,
        description="Files that benchmarks run; where no point is submitted, a change of one needs "
        "the lanes under `required`.",
    )
    scenarios: tuple[ScenarioLanes, ...] = Field(
        min_length=1, description="Which lanes measure which scenario."
    )

    @property
    def needs(self) -> Needs:
        """The configurations before and after, and at the base."""
        return Needs(
            files=True,
            contents=content_needs(self.configs, "merge base", "head")
            | content_needs(self.base_configs, "base"),
        )


def lanes_for(case: Case, lanes: LaneRules, rules: DueRules | None) -> LaneRules | None:
    """The lanes that this pull request needs green, or None where it submits nothing to measure.

    Raises:
        MissingEvidence: the changed files or a configuration could not be read.
    """
    if rules is None:
        return lanes
    due = tuple(dict.fromkeys(_due(case, rules)))
    if due:
        return replace(lanes, required=(), due=due)
    touched = matching(changed_paths(known(case.evidence.files)), rules.benchmarks)
    # Lines of the log that are no whole entry may ask for anything.
    return lanes if touched or log_additions(case, rules.changelog).unclear else None


def _due(case: Case, rules: DueRules) -> Iterator[DueLane]:
    changes = {change.key: change for change in config_changes(case, rules.configs)}
    log = log_additions(case, rules.changelog).entries
    for change in changes.values():
        naming = [entry for entry in log if entry.names(change.key)]
        evals_only = bool(naming) and all(_asks_evals_only(entry, rules) for entry in naming)
        if change.after is not None:
            yield from _lanes(change.after, change.submitted, rules, evals_only=evals_only)
    for entry in log:
        evals_only = _asks_evals_only(entry, rules)
        for found in known_entries(case, rules.configs, rules.base_configs, keys=entry.names):
            if not _submits(changes.get(found.key)):
                points = (
                    point
                    for point in found.points
                    if not entry.scenarios or point.scenario in entry.scenarios
                )
                yield from _lanes(found, points, rules, evals_only=evals_only)


def _submits(change: EntryChange | None) -> bool:
    return change is not None and bool(change.submitted)


def _asks_evals_only(entry: LogEntry, rules: DueRules) -> bool:
    return rules.evals_only is not None and entry.fields.get(rules.evals_only) is True


def _lanes(
    entry: Entry, points: Iterable[Point], rules: DueRules, *, evals_only: bool
) -> Iterator[DueLane]:
    by_scenario = {s.scenario: s for s in rules.scenarios if s.multinode == entry.multinode}
    for point in points:
        scenario = by_scenario.get(point.scenario)
        if scenario is None:
            raise MissingEvidence(
                f"{entry.place()}: the rules name no lanes for its scenario {point.scenario}"
            )
        if not evals_only:
            yield DueLane(scenario.lanes, entry.prefix, evals=False)
        if scenario.evaluates(point):
            yield DueLane(scenario.evals, entry.prefix, evals=True)
