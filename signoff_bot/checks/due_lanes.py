"""Which lanes a pull request makes necessary: those of the benchmark points that it submits.

A point is submitted where an entry of the configurations is new or changed so that the point is
measured differently, and where the change log asks to run an entry again. Each needs a green lane
of its kind and model, and of its evals where the benchmark's own selection schedules them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

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
    single_point: tuple[str, ...] = Field(
        default=(),
        description="Lane groups that will do as well where a single point of the model runs.",
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


@dataclass(frozen=True, slots=True)
class _Asked:
    """Points of an entry whose lanes are due; `running` are all that run because of them."""

    entry: Entry
    points: Sequence[Point]
    running: Sequence[Point]
    evals_only: bool


def _due(case: Case, rules: DueRules) -> Iterator[DueLane]:
    asked = tuple(_asked(case, rules))
    measured = [one for one in asked if not one.evals_only]
    points = {(one.entry.key, p): one.entry for one in measured for p in one.running}
    running = Counter((_scenario(e, p, rules), e.prefix) for (_, p), e in points.items())
    for one in asked:
        prefix = one.entry.prefix
        for point in one.points:
            scenario = _scenario(one.entry, point, rules)
            if not one.evals_only:
                alone = scenario.single_point if running[scenario, prefix] == 1 else ()
                yield DueLane((*scenario.lanes, *alone), prefix, evals=False)
            if scenario.evaluates(point):
                yield DueLane(scenario.evals, prefix, evals=True)


def _asked(case: Case, rules: DueRules) -> Iterator[_Asked]:
    changes = {change.key: change for change in config_changes(case, rules.configs)}
    log = log_additions(case, rules.changelog).entries
    for change in changes.values():
        if change.after is None or not change.submitted:
            continue
        naming = [entry for entry in log if entry.names(change.key)]
        submitted = tuple(change.submitted)
        # Unless it only appends, a changed entry runs as a whole.
        appends = bool(naming) and all(entry.append_only for entry in naming)
        running = submitted if appends else tuple(change.after.points)
        evals_only = bool(naming) and all(_asks_evals_only(entry, rules) for entry in naming)
        yield _Asked(change.after, submitted, running, evals_only)
    for entry in log:
        evals_only = _asks_evals_only(entry, rules)
        for found in known_entries(case, rules.configs, rules.base_configs, keys=entry.names):
            if not _submits(changes.get(found.key)):
                points = tuple(
                    point
                    for point in found.points
                    if not entry.scenarios or point.scenario in entry.scenarios
                )
                yield _Asked(found, points, points, evals_only)


def _submits(change: EntryChange | None) -> bool:
    return change is not None and bool(change.submitted)


def _asks_evals_only(entry: LogEntry, rules: DueRules) -> bool:
    return rules.evals_only is not None and entry.fields.get(rules.evals_only) is True


def _scenario(entry: Entry, point: Point, rules: DueRules) -> ScenarioLanes:
    for scenario in rules.scenarios:
        if (scenario.scenario, scenario.multinode) == (point.scenario, entry.multinode):
            return scenario
    raise MissingEvidence(
        f"{entry.place()}: the rules name no lanes for its scenario {point.scenario}"
    )
