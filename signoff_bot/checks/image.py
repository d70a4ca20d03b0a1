"""Whether engines run from their own projects' images, and the open engines come first.

**What it checks.** Two rules, for every configuration entry that the pull request adds or changes.
*Image*: an entry of an upstream engine on established hardware uses an image of that engine's own
organisation; a digest or any tag will do. *Ordering*: a new entry of a vendor's engine stands
beside an entry of an open engine for the same model prefix and hardware, in the same pull request
or before it. Deployment layers are part of an engine's name in the rules, such as `dynamo-vllm`.
Hardware is told from the runner. Neither rule applies to hardware that is not established.

**Why it exists.** A number that only a private image reaches cannot be reproduced, and a vendor's
own engine must not replace the open ones that users run.

**What it reads.** The configuration files before and after, by meaning; those that the pull request
leaves alone, at the base, for the ordering; and the sign-off's detail section.

**When a person must look.** The engine is not in the rules, or only such an engine stands beside a
vendor's; or an entry breaks a rule and the detail section says why, in a line that names its config
key, or its image.

**How to fix a failure.** Use an image of the organisation named, or land the open engine's entry
first. A genuine exception (hardware or an architecture that the engine cannot support yet) is to be
explained in the sign-off's detail section.
"""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from signoff_bot.checks.base import Case, CheckKind, Finding, Parameters
from signoff_bot.checks.configs import (
    conclude,
    config_changes,
    content_needs,
    known_entries,
    stated,
)
from signoff_bot.checks.needs import Needs
from signoff_bot.reading.config_entries import Entry, EntryChange
from signoff_bot.reading.globs import Glob
from signoff_bot.reading.images import read_image
from signoff_bot.reading.sku import SkuRules, sku_of
from signoff_bot.reading.wording import some


class ImageParameters(Parameters):
    """Where the configurations are, and what is known of engines and hardware."""

    configs: tuple[Glob, ...] = Field(min_length=1, description="The configuration files.")
    base_configs: tuple[str, ...] = Field(
        default=(),
        description="Paths of configuration files to read at the base where the pull request "
        "leaves them alone.",
    )
    upstream: dict[str, tuple[str, ...]] = Field(
        description="For each engine with an image rule, the organisations whose images it may "
        "use, as `REGISTRY/ORGANISATION`.",
    )
    open_engines: tuple[str, ...] = Field(description="Frameworks that are open engines.")
    vendor_engines: tuple[str, ...] = Field(description="Frameworks that are vendors' engines.")
    established: tuple[str, ...] = Field(description="Hardware that the rules apply to.")
    sku: SkuRules = Field(default=SkuRules(), description="How hardware is told from a runner.")

    def knows(self, framework: str) -> bool:
        """Whether the rules say what kind of engine it is."""
        return framework in (*self.open_engines, *self.vendor_engines)

    def is_established(self, entry: Entry) -> bool:
        """Whether the rules apply to the entry's hardware."""
        return sku_of(entry.runner, self.sku) in map(str.lower, self.established)


def needs(parameters: ImageParameters) -> Needs:
    """The configurations before and after, and those at the base."""
    return Needs(
        files=True,
        contents=content_needs(parameters.configs, "merge base", "head")
        | content_needs(parameters.base_configs, "base"),
    )


def judge(case: Case, parameters: ImageParameters) -> Finding:
    """Holds each submitted entry against both rules."""
    submitted = [
        (change, change.after)
        for change in config_changes(case, parameters.configs)
        if change.after is not None and change.submitted
    ]
    if not submitted:
        return Finding("na", "the pull request submits no configuration entry")
    failures: list[str] = []
    doubts: list[str] = []
    exempt: list[str] = []
    for change, entry in submitted:
        if not parameters.knows(entry.framework):
            doubts.append(f"{entry.place()}: {entry.framework} is an engine the rules do not know")
        if not parameters.is_established(entry):
            exempt.append(f"{entry.place()}: {entry.runner} is not established hardware")
            continue
        for broken, excuse in _broken(case, change, entry, parameters):
            why = stated(case, *_names(entry)) or excuse
            (doubts if why else failures).append(f"{broken}; {why}" if why else broken)
    return conclude(
        failures=failures,
        doubts=doubts,
        passed=f"images and order are right: {some([entry.key for _, entry in submitted])}",
        remarks=exempt,
        fix="use the engine's own image, land the open engine's entry first, or explain the "
        "exception in the sign-off's detail section in a line that names the config key",
        look="a person must decide whether the exception holds, and add an unknown engine to the "
        "rules",
    )


def _broken(
    case: Case, change: EntryChange, entry: Entry, parameters: ImageParameters
) -> Iterator[tuple[str, str | None]]:
    """What breaks a rule, and what may excuse it."""
    organisations = parameters.upstream.get(entry.framework)
    if organisations is not None:
        image = read_image(entry.image)
        if image is None:
            yield f"{entry.place()}: {entry.image} is no image name", None
        elif not any(map(image.is_of, organisations)):
            yield (
                f"{entry.place()}: {entry.framework} on {entry.runner} runs {entry.image}, which "
                f"is not of {' or '.join(organisations)}",
                None,
            )
    if entry.framework in parameters.vendor_engines and _is_new(change, parameters):
        before = {other.framework for other in _siblings(case, entry, parameters)}
        if before.isdisjoint(parameters.open_engines):
            unknown = sorted(name for name in before if not parameters.knows(name))
            yield (
                f"{entry.place()}: {entry.framework} is a vendor's engine, and no open engine has "
                f"an entry for {entry.prefix} on {sku_of(entry.runner, parameters.sku)}",
                f"the rules do not say what {some(unknown)}, which has one, is"
                if unknown
                else None,
            )


def _is_new(change: EntryChange, parameters: ImageParameters) -> bool:
    """Whether the entry brings its engine to a model and hardware where it was not before."""
    if change.before is None or change.after is None:
        return True
    before, after = (
        (e.framework, e.prefix, sku_of(e.runner, parameters.sku))
        for e in (change.before, change.after)
    )
    return before != after


def _siblings(case: Case, entry: Entry, parameters: ImageParameters) -> Iterator[Entry]:
    """The other entries, and this one, of the same model on the same hardware."""
    sku = sku_of(entry.runner, parameters.sku)
    for other in known_entries(
        case, parameters.configs, parameters.base_configs, mentioning=entry.prefix
    ):
        if other.prefix == entry.prefix and sku_of(other.runner, parameters.sku) == sku:
            yield other


def _names(entry: Entry) -> tuple[str, ...]:
    """What an explanation may call the entry by."""
    image = read_image(entry.image)
    return (entry.key, entry.image, *([image.repository] if image else []))


KIND = CheckKind(
    name="image",
    doc=__doc__,
    parameters=ImageParameters,
    needs=needs,
    judge=judge,
    needs_signoff=False,
)
