"""Tells the hardware (SKU) from the name of a runner or runner pool.

A benchmark names a SKU (`b200`), a pool of it (`b200-nscale`, `mi355x-disagg`) or a cluster
(`cluster:gb300-nv`). Pools come and go, so no list of them is kept: a SKU is what stands before the
first hyphen, unless its own name holds one.
"""

from __future__ import annotations

from pydantic import Field

from signoff_bot.reading.settings import Settings


class SkuRules(Settings):
    """How runners are named."""

    prefixes: tuple[str, ...] = Field(
        default=("cluster:",), description="What may stand before a SKU in a runner's name."
    )
    hyphenated: tuple[str, ...] = Field(
        default=(), description="SKUs whose own names hold a hyphen, such as `tpu-v7`."
    )


def sku_of(runner: str, rules: SkuRules) -> str:
    """The SKU that a runner is of, in lower case."""
    name = runner.strip().lower()
    for prefix in rules.prefixes:
        if name.startswith(prefix.lower()):
            name = name.removeprefix(prefix.lower())
            break
    for sku in sorted(map(str.lower, rules.hyphenated), key=len, reverse=True):
        if name == sku or name.startswith(f"{sku}-"):
            return sku
    return name.split("-", 1)[0]
