"""Tells which recipe files a benchmark configuration names in its settings."""

from __future__ import annotations

from pydantic import Field

from signoff_bot.reading.config_points import Variant
from signoff_bot.reading.settings import Settings

PREFILL, DECODE = "prefill", "decode"


class RecipeRules(Settings):
    """How settings (`NAME=VALUE`) name recipes. A `:` in a value ends the file's name."""

    settings: tuple[str, ...] = Field(
        default=("CONFIG_FILE",), description="Settings whose values name a recipe."
    )
    roots: dict[str, str] = Field(
        default_factory=dict,
        description="For the beginning of a recipe's name, the folder of the repository that it "
        "stands for; a name that begins otherwise is no file of the repository.",
    )

    def paths(self, variant: Variant) -> tuple[str, ...]:
        """The paths of the recipes that a variant names."""
        given = effective_settings(variant)
        names = (given[name].partition(":")[0] for name in self.settings if name in given)
        return tuple(
            folder + name.removeprefix(beginning)
            for name in names
            for beginning, folder in self.roots.items()
            if name.startswith(beginning)
        )


def effective_settings(variant: Variant) -> dict[str, str]:
    """The settings of a variant; where prefill and decode differ, those of decode."""
    return dict(variant.settings(PREFILL)) | dict(variant.settings(DECODE))
