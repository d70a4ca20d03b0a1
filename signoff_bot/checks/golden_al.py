"""Whether agentic benchmarks with speculative decoding simulate the committed acceptance.

**What it checks.** In launch scripts and recipes that the pull request changes, and in the settings
of configuration entries that it submits: an agentic benchmark with speculative decoding pins
its acceptance, and the pinned value is that of the committed curve for its model, method, draft
length and thinking mode (thinking is on unless said). A submission chooses its draft length, never
its target. Where prefill and decode differ, decode counts. What evaluations alone run is exempt,
since they need real acceptance.

**Why it exists.** Replayed traffic does not show how well a draft model guesses. One curve for all
engines keeps their numbers comparable.

**What it reads.** The changed files at the head, the configurations before and after, and the
curves at the base. A committed length is turned into the unit of a pinned value (a length, a number
of accepted draft tokens, a rate) before the two are compared.

**When a person must look.** The draft length, the curve, or a value cannot be told from the pull
request; a curve is not in the rules; acceptance is simulated outside of the agentic scenarios; or
a model has no curve and the sign-off says where its value comes from.

**How to fix a failure.** Pin the value that the finding names. For a model without a curve, state
the value and its source in the sign-off's detail section.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from pydantic import Field

from signoff_bot.checks.base import Case, CheckKind, Finding, Parameters
from signoff_bot.checks.configs import (
    base_text,
    changed_files,
    conclude,
    config_changes,
    content_needs,
    stated,
)
from signoff_bot.checks.needs import Needs
from signoff_bot.reading.acceptance import AcceptanceRules, Launch, Pin, setting_pins
from signoff_bot.reading.config_entries import Entry
from signoff_bot.reading.config_points import NO_SPECULATION, Variant
from signoff_bot.reading.config_recipes import RecipeRules, effective_settings
from signoff_bot.reading.globs import Glob, matching
from signoff_bot.reading.golden_curves import Curve, CurveRule, Launched, model_of, select
from signoff_bot.reading.golden_match import Tolerance, compare
from signoff_bot.reading.wording import some


class GoldenAlParameters(Parameters):
    """Where launches and curves are, how engines spell acceptance, and which curve holds."""

    files: tuple[Glob, ...] = Field(min_length=1, description="Launch scripts and recipes.")
    agentic: tuple[Glob, ...] = Field(description="Those of them that are agentic benchmarks.")
    eval_twins: tuple[Glob, ...] = Field(
        default=(), description="Those that evaluations alone use, and that are exempt."
    )
    configs: tuple[Glob, ...] = Field(description="The configuration files.")
    scenarios: tuple[str, ...] = Field(description="The scenarios that are agentic benchmarks.")
    generic_speculation: tuple[str, ...] = Field(
        default=(), description="Values of `spec-decoding` that stand for any method."
    )
    recipes: RecipeRules = Field(
        default=RecipeRules(), description="How configurations name their recipes."
    )
    switch_setting: str = Field(
        default="SYNTHETIC_ACCEPTANCE",
        description="The setting that turns an entry's pinned acceptance off when not `true`.",
    )
    directory: str = Field(
        pattern=r"/$", description="Directory of the curves at the base, with a slash at its end."
    )
    acceptance: AcceptanceRules = Field(description="How engines spell speculative decoding.")
    curves: tuple[CurveRule, ...] = Field(description="Which curve holds for what.")
    tolerance: Tolerance = Field(default=Tolerance(), description="How far a value may be off.")


def needs(parameters: GoldenAlParameters) -> Needs:
    """The changed launches and configurations, and the curves at the base."""
    return Needs(
        files=True,
        contents=content_needs(parameters.files, "head")
        | content_needs(parameters.configs, "head", "merge base")
        | content_needs((parameters.directory,), "base"),
    )


def judge(case: Case, parameters: GoldenAlParameters) -> Finding:
    """Judges every changed launch, then every submitted entry."""
    judgement = _Judgement(case, parameters)
    for path, launch in sorted(judgement.launches.items()):
        judgement.judge_launch(path, launch)
    for entry, variant in judgement.variants:
        judgement.judge_variant(entry, variant)
    if not (judgement.failures or judgement.doubts or judgement.right):
        return Finding("na", "no agentic benchmark with speculative decoding is changed")
    return conclude(
        failures=judgement.failures,
        doubts=judgement.doubts,
        passed=f"acceptance is the committed one: {some(judgement.right)}",
        remarks=judgement.right if judgement.failures or judgement.doubts else (),
        fix="pin the acceptance that the committed curve has for the model, method, draft length "
        f"and thinking mode ({parameters.directory}); for a model without a curve, state the "
        "value and its source in the sign-off's detail section",
        look="a person must compare these lines with the committed curves",
    )


@dataclass
class _Judgement:
    """The issues found so far. Texts name the place first, as `FILE:LINE`."""

    case: Case
    parameters: GoldenAlParameters
    failures: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    right: list[str] = field(default_factory=list)
    seen: set[object] = field(default_factory=set)

    @cached_property
    def launches(self) -> Mapping[str, Launch]:
        """The changed scripts and recipes, without those of evaluations."""
        return {
            file.path: Launch(file.after, file.path, self.parameters.acceptance)
            for file in changed_files(self.case, self.parameters.files)
            if file.after is not None and not matching([file.path], self.parameters.eval_twins)
        }

    @cached_property
    def variants(self) -> tuple[tuple[Entry, Variant], ...]:
        """The submitted variants with speculative decoding, or that pin its acceptance."""
        found = {
            (change.key, variant.where): (change.after, variant)
            for change in config_changes(self.case, self.parameters.configs)
            for variant in change.submitted.values()
            if change.after is not None and variant.speculation != NO_SPECULATION
        }
        return tuple((entry, variant) for entry, variant in found.values())

    @cached_property
    def curve_files(self) -> Mapping[str, str] | None:
        """The texts of the curves at the base by path; None where there is no such directory."""
        listing = base_text(self.case, self.parameters.directory)
        if listing is None:
            return None
        paths = [path for path in listing.split("\n") if path.endswith((".yaml", ".yml"))]
        return {path: base_text(self.case, path) or "" for path in paths}

    def judge_launch(self, path: str, launch: Launch) -> None:
        """A script or recipe: its pins, or that it has none."""
        users = [(e, v) for e, v in self.variants if path in self.parameters.recipes.paths(v)]
        agentic = bool(matching([path], self.parameters.agentic)) or any(
            variant.scenario in self.parameters.scenarios for _, variant in users
        )
        if launch.pins and not agentic:
            self.doubts += [
                f"{path}:{pin.line}: {pin.name} simulates acceptance, and this is no agentic "
                "benchmark"
                for pin in launch.pins
            ]
        elif launch.pins:
            model = model_of(path, launch.code, self.parameters.curves)
            launched = Launched(model, launch.methods, launch.code)
            for pin in launch.pins:
                self.judge_pin(f"{path}:{pin.line}", pin, launched, launch.thinks)
        elif agentic and launch.switch is not None and not users:
            unpinned = f"{path}:{launch.switch}: speculative decoding, and acceptance is not pinned"
            if launch.sources:
                self.doubts.append(f"{unpinned} here; it may be in {some(launch.sources)}")
            elif path.endswith(".sh"):
                self.failures.append(unpinned)
            else:
                self.doubts.append(f"{unpinned} here; it may be in the entry that uses it")

    def judge_variant(self, entry: Entry, variant: Variant) -> None:
        """A variant of an entry: what its settings pin, or that nothing pins it.

        Variants of an entry that pin alike are judged once.
        """
        settings = effective_settings(variant)
        path = next(iter(self.parameters.recipes.paths(variant)), "")
        recipe = self.launches.get(path)
        off = settings.get(self.parameters.switch_setting, "true").lower() != "true"
        pins = () if off else setting_pins(settings, self.parameters.acceptance)
        alike = (entry.key, variant.scenario, pins, recipe and path)
        if alike not in self.seen:
            self.seen.add(alike)
            self.judge_setting(entry, variant, pins, (path, recipe))

    def judge_setting(
        self, entry: Entry, variant: Variant, pins: Sequence[Pin], named: tuple[str, Launch | None]
    ) -> None:
        """The pins of a variant, or their absence; `named` is the recipe that it names."""
        place = entry.place(variant.where)
        path, recipe = named
        agentic = variant.scenario in self.parameters.scenarios
        if not agentic:
            self.doubts += [
                f"{place}: {pin} simulates acceptance, and "
                f"{variant.scenario} is no agentic scenario"
                for pin in pins
            ]
        elif pins:
            for pin in pins:
                self.judge_pin(place, *self.in_context(pin, entry, variant, recipe))
        elif recipe is not None and not recipe.pins:
            issue = f"{place}: speculative decoding, and neither the entry nor its recipe {path} "
            (self.doubts if recipe.switch is None else self.failures).append(
                f"{issue}pins acceptance"
            )

    def in_context(
        self, pin: Pin, entry: Entry, variant: Variant, recipe: Launch | None
    ) -> tuple[Pin, Launched, bool]:
        """A pin of an entry, with what its recipe says where that is at hand."""
        if recipe is None:
            named = {variant.speculation} - set(self.parameters.generic_speculation)
            return pin, Launched(entry.prefix, frozenset(named), None), True
        lengths = pin.draft_lengths or recipe.draft_lengths
        known = Pin(pin.line, pin.name, pin.unit, pin.value, pin.written, lengths)
        return known, Launched(entry.prefix, recipe.methods, recipe.code), recipe.thinks

    def judge_pin(self, place: str, pin: Pin, launched: Launched, thinks: bool) -> None:
        """One pinned value against the curves that may hold for it."""
        what = f"{place}: {pin}"
        if self.curve_files is None:
            self.doubts.append(f"{what}: the base has no {self.parameters.directory}")
        elif launched.model is None:
            self.doubts.append(f"{what}: it cannot be told which model is launched")
        elif pin.value is None:
            self.doubts.append(f"{what}: its value cannot be told from the file")
        else:
            curves = select(launched, self.parameters.curves, self.curve_files)
            self.judge_value(what, pin, pin.value, launched.model, curves, thinks)

    def judge_value(
        self,
        what: str,
        pin: Pin,
        value: float,
        model: str,
        curves: tuple[Curve, ...],
        thinks: bool,
    ) -> None:
        """A known value against known curves."""
        if not curves:
            why = stated(self.case, f"{value:g}", f"{value:.2f}")
            line = f"{what}: {model} has no committed curve for this"
            if why:
                self.doubts.append(f"{line}; {why}")
            else:
                self.failures.append(f"{line}, and the sign-off states no source of the value")
            return
        fits, others = compare(
            pin.unit, value, pin.draft_lengths, curves, thinks, self.parameters.tolerance
        )
        if fits and not others:
            self.right.append(f"{what} ({some(fits)})")
        elif fits:
            why = f"it may be {some(others)}" if pin.draft_lengths else "this is not said here"
            self.doubts.append(f"{what}: right for {some(fits)}, but {why}")
        elif all(curve.ruled for curve in curves):
            self.failures.append(f"{what}: the committed value is {some(others)}")
        else:
            self.doubts.append(f"{what}: the committed value may be {some(others)}")


KIND = CheckKind(
    name="golden-al",
    doc=__doc__,
    parameters=GoldenAlParameters,
    needs=needs,
    judge=judge,
    needs_signoff=False,
)
