"""When a pack, or one of its checks, applies to a pull request."""

from __future__ import annotations

from pydantic import Field, field_validator

from signoff_bot.checks.base import Case
from signoff_bot.checks.configs import config_changes, content_needs
from signoff_bot.checks.needs import Needs
from signoff_bot.evidence.base import known
from signoff_bot.reading.changelog import matches
from signoff_bot.reading.globs import Glob, matching
from signoff_bot.reading.settings import Settings


class ConfigKeys(Settings):
    """Entries of configurations that a pull request may change."""

    files: tuple[Glob, ...] = Field(min_length=1, description="The configuration files.")
    keys: tuple[str, ...] = Field(
        min_length=1,
        description="Keys of their entries, `*` for any text: some entry that is added, changed or "
        "removed must have one of these.",
    )


class AppliesWhen(Settings):
    """Conditions that must all hold; an empty list is no condition."""

    paths: tuple[Glob, ...] = Field(
        default=(),
        description="Globs (gitignore patterns, `!` takes out again): some changed path, old or "
        "new name, must match.",
    )
    labels: tuple[str, ...] = Field(
        default=(), description="The pull request must carry one of these labels, in any case."
    )
    config_keys: ConfigKeys | None = Field(
        default=None, description="Some changed entry of a configuration must have such a key."
    )

    @field_validator("paths")
    @classmethod
    def _some_path_can_match(cls, paths: tuple[str, ...]) -> tuple[str, ...]:
        # Else the pack never applies, and every pull request passes.
        if paths and paths[0].startswith("!"):
            raise ValueError("`!` takes out of the globs before it; write `**` first for all paths")
        return paths

    @property
    def needs(self) -> Needs:
        """The evidence that the conditions need."""
        if self.config_keys is None:
            return Needs(files=bool(self.paths))
        return Needs(
            files=True, contents=content_needs(self.config_keys.files, "merge base", "head")
        )

    def unmet(self, case: Case) -> str | None:
        """Why the conditions do not hold, or None when they do.

        Raises:
            MissingEvidence: the changed files, or their configurations, could not be read.
        """
        evidence = case.evidence
        if self.labels:
            carried = {label.casefold() for label in evidence.pull.labels}
            if carried.isdisjoint(label.casefold() for label in self.labels):
                return f"applies with the label {_any_of(self.labels)} only"
        if self.paths:
            changed = [
                path
                for file in known(evidence.files)
                for path in (file.path, file.previous_path)
                if path is not None
            ]
            if not matching(changed, self.paths):
                return f"applies to changes of {_any_of(self.paths)} only"
        if self.config_keys:
            entries = config_changes(case, self.config_keys.files)
            keys = self.config_keys.keys
            if not any(matches(pattern, entry.key) for entry in entries for pattern in keys):
                return f"applies to changes of configs {_any_of(keys)} only"
        return None


ALWAYS = AppliesWhen()
"""No condition."""


def _any_of(words: tuple[str, ...]) -> str:
    return " or ".join(words)
