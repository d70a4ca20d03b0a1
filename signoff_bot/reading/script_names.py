"""Tells which launch script a configuration entry runs, from the script's name.

A script is named for what it launches: `PREFIX_PRECISION_SKU[_FRAMEWORK][_SPECULATION].sh`, such as
`dsv4_fp4_b200_vllm_mtp.sh`. Without a framework it may be any engine's.
"""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import Field

from signoff_bot.reading.config_entries import Entry
from signoff_bot.reading.config_points import NO_SPECULATION, Variant
from signoff_bot.reading.settings import Settings
from signoff_bot.reading.sku import SkuRules, sku_of


class ScriptNames(Settings):
    """How launch scripts are named for the entries that run them."""

    folders: dict[str, str] = Field(
        default_factory=dict,
        description="For each scenario, a folder that its scripts are in (with a slash at its "
        "end); a scenario that is not named has them anywhere.",
    )
    speculation: tuple[str, ...] = Field(
        default=("mtp",), description="Words in the name of a script with speculative decoding."
    )
    sku: SkuRules = Field(default=SkuRules(), description="How hardware is told from a runner.")

    def runs(self, entry: Entry, variant: Variant, path: str) -> bool:
        """Whether a variant of an entry runs the script at this path."""
        if self.folders.get(variant.scenario, "") not in path:
            return False
        stem = path.rsplit("/", 1)[-1].rsplit(".", 1)[0].lower()
        head = f"{entry.prefix}_{entry.precision}_{sku_of(entry.runner, self.sku)}".lower()
        rest = stem.removeprefix(head)
        if rest == stem or (rest and not rest.startswith("_")):
            return False
        words = [word for word in rest.split("_") if word]
        speculative = [word for word in words if word in self.speculation]
        engine = [word for word in words if word not in speculative]
        return bool(speculative) == (variant.speculation != NO_SPECULATION) and (
            engine in ([], [entry.framework.lower()])
        )

    def scripts(self, entry: Entry, variant: Variant, paths: Iterable[str]) -> tuple[str, ...]:
        """The scripts among these that a variant runs: those that name its framework, if any do."""
        found = [path for path in paths if self.runs(entry, variant, path)]
        named = [path for path in found if f"_{entry.framework.lower()}" in path.lower()]
        return tuple(named or found)
