"""Compares how the changed scripts launch their servers with the linked recipe.

The part of the check `recipe` that looks beyond the link, for rules that say what a launch is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from pydantic import Field

from signoff_bot.checks.base import Case, Finding
from signoff_bot.checks.changed_text import ChangedText, changed_texts
from signoff_bot.checks.configs import (
    conclude,
    config_changes,
    content_needs,
    known_entries,
    stated,
)
from signoff_bot.checks.needs import Needs
from signoff_bot.reading.code_text import is_shell
from signoff_bot.reading.config_entries import Entry
from signoff_bot.reading.config_points import Variant
from signoff_bot.reading.embedded_scripts import read_script
from signoff_bot.reading.globs import Glob
from signoff_bot.reading.recipe_match import Issue, issues
from signoff_bot.reading.recipe_text import RecipeText
from signoff_bot.reading.script_names import ScriptNames
from signoff_bot.reading.server_arguments import ServerRules, launches, minors
from signoff_bot.reading.settings import Settings
from signoff_bot.reading.wording import some

MAX_SETTINGS = 32
"""Settings of variables that a script is followed with."""


class ConfigVariable(Settings):
    """Where the value of a script's variable stands in a configuration."""

    key: str = Field(description="The key, in the search space or else in the entry.")
    default: str | None = Field(default=None, description="Its value where the key is absent.")


class LaunchRules(Settings):
    """Which launches need a recipe, and what the recipe must hold of them."""

    configs: tuple[Glob, ...] = Field(min_length=1, description="The configuration files.")
    base_configs: tuple[str, ...] = Field(
        default=(),
        description="Paths of configuration files to read at the base where the pull request "
        "leaves them alone.",
    )
    scripts: tuple[Glob, ...] = Field(min_length=1, description="The single-node launch scripts.")
    names: ScriptNames = Field(
        default=ScriptNames(), description="How launch scripts are named for their entries."
    )
    variables: dict[str, ConfigVariable] = Field(
        default_factory=dict, description="The variables that a script gets from its entry."
    )
    servers: ServerRules = Field(description="Which servers there are, and what matters of them.")
    recipe_files: tuple[Glob, ...] = Field(
        default=("**",), description="Files of the recipe repositories that hold recipes."
    )


def launch_needs(rules: LaunchRules) -> Needs:
    """The changed scripts, the configurations, and the files of linked pull requests."""
    return Needs(
        files=True,
        upstream_files=True,
        contents=content_needs(rules.scripts, "head")
        | content_needs(rules.configs, "merge base", "head")
        | content_needs(rules.base_configs, "base"),
    )


@dataclass
class Launches:
    """The launches that a pull request changes, and what is said of them."""

    case: Case
    rules: LaunchRules
    failures: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @cached_property
    def submitted(self) -> tuple[Entry, ...]:
        """The submitted entries that need a recipe: of these engines, and on a single node."""
        return tuple(
            change.after
            for change in config_changes(self.case, self.rules.configs)
            if change.after is not None and change.submitted and self._needs_recipe(change.after)
        )

    @cached_property
    def _changed(self) -> Mapping[str, ChangedText]:
        """The changed scripts by path."""
        found = changed_texts(self.case, self.rules.scripts)
        return {
            file.path: file
            for file in sorted(found, key=lambda file: file.path)
            if is_shell(file.path, file.text)
        }

    @cached_property
    def scripts(self) -> Mapping[str, ChangedText]:
        """The changed scripts that start one of these engines, by path."""
        return {
            path: file
            for path, file in self._changed.items()
            if any(launches(read_script(file.text), self.rules.servers))
        }

    @property
    def engines(self) -> str:
        """The engines that need a recipe, for people."""
        return " or ".join(self.rules.servers.servers)

    def judge(self, recipe: RecipeText | None, linked: Finding) -> Finding:
        """Every argument that matters, against the recipe; None is a page that is not fetched.

        `linked` is what was found of the link.
        """
        for file in self.scripts.values():
            self._judge_script(file, recipe)
        for path in sorted(self._changed.keys() - self.scripts.keys()):
            self._judge_without_launch(path)
        compared = f", with the arguments of {some(list(self.scripts))}" if self.scripts else ""
        if not self.scripts:
            self.remarks.append("no launch script is changed, so there is nothing to compare")
        return conclude(
            failures=self.failures,
            doubts=self.doubts,
            passed=linked.summary + compared,
            remarks=(*linked.details, *self.remarks),
            fix="bring the recipe and the launch together; or say in the sign-off's additional "
            "details, in a line that names the argument, why they differ",
            look="a person must compare these arguments with the recipe",
            links=linked.links,
        )

    def _needs_recipe(self, entry: Entry) -> bool:
        engines = self.rules.servers.servers
        return entry.framework in engines and not entry.multinode and not entry.disagg

    def _judge_without_launch(self, path: str) -> None:
        """A script that starts no server that the rules know, though a submitted entry runs it."""
        users = [
            entry.key
            for entry in self.submitted
            if any(self.rules.names.runs(entry, variant, path) for variant in entry.variants)
        ]
        if users:
            self.doubts.append(
                f"{path}: it runs for {some(users)}, and no start of {self.engines} is found in it"
            )

    def _judge_script(self, file: ChangedText, recipe: RecipeText | None) -> None:
        """Every launch of a script, for every setting that an entry runs it with."""
        found: dict[Issue, None] = {}
        others: dict[int, set[str]] = {}
        for given in self._settings(file.path) or [()]:
            script = read_script(file.text, given)
            if script.cut_off:
                found[Issue(1, f"it is not read to its end: {script.cut_off}", False)] = None
            for launch in launches(script, self.rules.servers):
                found |= dict.fromkeys(issues(launch, recipe, self.rules.servers))
                others.setdefault(launch.line, set()).update(minors(launch, self.rules.servers))
        for issue in found:
            self._file(issue, f"{file.path}:{issue.line}: {issue.says}")
        for line, names in others.items():
            if names:
                listed = some(sorted(names), most=8)
                self.remarks.append(f"{file.path}:{line}: not compared: {listed}")

    def _file(self, issue: Issue, line: str) -> None:
        """Puts an issue where it belongs; what the signer explains is for a person to weigh."""
        why = stated(self.case, *issue.names) if issue.names else None
        (self.failures if issue.certain and not why else self.doubts).append(
            f"{line}; {why}" if why else line
        )

    def _settings(self, path: str) -> list[tuple[tuple[str, str], ...]]:
        """The values that the entries which run a script give its variables, each set once."""
        prefix = path.rsplit("/", 1)[-1].split("_")[0]
        entries = known_entries(
            self.case, self.rules.configs, self.rules.base_configs, mentioning=prefix
        )
        found = {
            tuple(self._given(entry, variant)): None
            for entry in entries
            if self._needs_recipe(entry)
            for variant in entry.variants
            if self.rules.names.runs(entry, variant, path)
        }
        if len(found) > MAX_SETTINGS:
            self.doubts.append(f"{path}: over {MAX_SETTINGS} settings; not all were compared")
        return list(found)[:MAX_SETTINGS]

    def _given(self, entry: Entry, variant: Variant) -> Iterator[tuple[str, str]]:
        for name, variable in self.rules.variables.items():
            value = variant.data.get(variable.key, entry.data.get(variable.key, variable.default))
            if isinstance(value, bool):
                yield name, "true" if value else "false"
            elif isinstance(value, str | int):
                yield name, str(value)
