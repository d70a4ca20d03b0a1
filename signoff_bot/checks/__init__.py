"""The checks: one file a kind, each a pure judgement of evidence under its own parameters.

`KINDS` names every kind. A check's module is imported when its kind is first asked for, so that a
rule pack costs no more than the checks it uses.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from signoff_bot.checks.base import AnyKind


class Kinds(Mapping[str, "AnyKind"]):
    """Check kinds by name; each comes from the `KIND` of the module that is named for it."""

    def __init__(self, modules: Mapping[str, str]) -> None:
        self._modules = modules

    def __getitem__(self, name: str) -> AnyKind:
        """The kind, its module imported."""
        kind: AnyKind = importlib.import_module(self._modules[name]).KIND
        return kind

    def __iter__(self) -> Iterator[str]:
        """The names, in the order in which the documentation presents the kinds."""
        return iter(self._modules)

    def __contains__(self, name: object) -> bool:
        """Whether there is such a kind; imports nothing."""
        return name in self._modules

    def __len__(self) -> int:
        return len(self._modules)


KINDS = Kinds(
    {
        "codeowner": "signoff_bot.checks.codeowner",
        "sweep": "signoff_bot.checks.sweep",
        "eval": "signoff_bot.checks.eval",
        "recipe": "signoff_bot.checks.recipe",
        "reuse": "signoff_bot.checks.reuse",
        "checklist": "signoff_bot.checks.checklist",
        "image": "signoff_bot.checks.image",
        "deprecated": "signoff_bot.checks.deprecated",
        "architecture": "signoff_bot.checks.architecture",
        "chat-template": "signoff_bot.checks.chat_template",
        "engine-patch": "signoff_bot.checks.engine_patch",
        "golden-al": "signoff_bot.checks.golden_al",
        "append-only": "signoff_bot.checks.append_only",
        "checks": "signoff_bot.checks.status_checks",
        "fresh": "signoff_bot.checks.fresh",
        "four-eyes": "signoff_bot.checks.four_eyes",
        "ticket": "signoff_bot.checks.ticket",
        "threads": "signoff_bot.checks.threads",
    }
)
