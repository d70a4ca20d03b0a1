"""Whether benchmarks of speculative decoding talk to the model through its chat template.

**What it checks.** Every changed launch script or recipe that turns speculative decoding on: the
benchmark client that it runs chats, or applies the chat template itself. Speculative decoding is
read from the script, and so is its method; a configuration entry only tells which script it runs.

**Why it exists.** A draft model guesses well on text like that it was made for. Random tokens sent
as raw completions give an acceptance that no user sees.

**What it reads.** The changed scripts and recipes at the head, and the configurations before and
after. Nothing is run.

**When a person must look.** A client that is not told to chat, since a missing flag proves nothing;
one whose arguments depend on what only a run would tell; a script without any client that the
rules know; a submitted entry whose script this pull request does not hold.

**How to fix a failure.** Let the client chat: the finding names the line, and the rules name the
arguments.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from pydantic import Field

from signoff_bot.checks.base import Case, CheckKind, Finding, Parameters
from signoff_bot.checks.changed_text import ChangedText, changed_texts
from signoff_bot.checks.configs import conclude, config_changes, content_needs
from signoff_bot.checks.needs import Needs
from signoff_bot.reading.acceptance import AcceptanceRules, Launch
from signoff_bot.reading.benchmark_clients import Client, ClientRun, client_runs
from signoff_bot.reading.code_text import code_of
from signoff_bot.reading.config_entries import Entry
from signoff_bot.reading.config_points import NO_SPECULATION, Variant
from signoff_bot.reading.config_recipes import RecipeRules
from signoff_bot.reading.embedded_scripts import read_scripts
from signoff_bot.reading.globs import Glob
from signoff_bot.reading.script_names import ScriptNames
from signoff_bot.reading.wording import count, some


class ChatTemplateParameters(Parameters):
    """Where launches are, what turns speculative decoding on, and how clients talk."""

    files: tuple[Glob, ...] = Field(min_length=1, description="Launch scripts and recipes.")
    configs: tuple[Glob, ...] = Field(description="The configuration files.")
    switches: tuple[str, ...] = Field(
        min_length=1,
        description="Names that turn speculative decoding on where they stand.",
    )
    method_settings: tuple[str, ...] = Field(
        default=(), description="Names whose values name the method of speculative decoding."
    )
    methods: dict[str, tuple[str, ...]] = Field(
        default_factory=dict,
        description="For each method, its names in those values, in lower case.",
    )
    clients: tuple[Client, ...] = Field(min_length=1, description="The benchmark clients.")
    chat_settings: tuple[str, ...] = Field(
        default=(),
        description="Settings of a recipe by which its client chats, as `NAME: VALUE`.",
    )
    raw_settings: tuple[str, ...] = Field(
        default=(), description="Settings of a recipe by which it sends raw completions."
    )
    eval_variable: str = Field(
        default="EVAL_ONLY", description="The variable that is `true` in evaluations only."
    )
    libraries: tuple[str, ...] = Field(
        default=(), description="Names of sourced files that run no client."
    )
    scripts: ScriptNames = Field(
        default=ScriptNames(), description="How launch scripts are named for their entries."
    )
    recipes: RecipeRules = Field(
        default=RecipeRules(), description="How configurations name their recipes."
    )

    @cached_property
    def launch_rules(self) -> AcceptanceRules:
        """How a launch is read for its speculative decoding."""
        return AcceptanceRules(
            pins=(),
            draft_lengths=(),
            method_settings=self.method_settings,
            methods=self.methods,
            switches=self.switches,
            thinking_off=(),
            eval_variable=self.eval_variable,
            libraries=self.libraries,
        )


def needs(parameters: ChatTemplateParameters) -> Needs:
    """The changed launches at the head, and the configurations before and after."""
    return Needs(
        files=True,
        contents=content_needs(parameters.files, "head")
        | content_needs(parameters.configs, "merge base", "head"),
    )


def judge(case: Case, parameters: ChatTemplateParameters) -> Finding:
    """Judges every changed launch with speculative decoding, then the entries without one."""
    judgement = _Judgement(case, parameters)
    for file in judgement.files.values():
        judgement.judge_file(file)
    judgement.judge_entries()
    if not (judgement.failures or judgement.doubts or judgement.right):
        return Finding("na", "no benchmark with speculative decoding is changed")
    return conclude(
        failures=judgement.failures,
        doubts=judgement.doubts,
        passed=f"clients chat with speculative decoding: {some(judgement.right)}",
        remarks=judgement.right if judgement.failures or judgement.doubts else (),
        fix="let the benchmark client chat, or apply the model's chat template",
        look="a person must see that the client goes through the model's chat template",
    )


@dataclass
class _Judgement:
    """The issues found so far. Texts name the place first, as `FILE:LINE`."""

    case: Case
    parameters: ChatTemplateParameters
    failures: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    right: list[str] = field(default_factory=list)

    @cached_property
    def files(self) -> Mapping[str, ChangedText]:
        """The changed launches by path."""
        found = changed_texts(self.case, self.parameters.files)
        return {file.path: file for file in sorted(found, key=lambda file: file.path)}

    @cached_property
    def variants(self) -> tuple[tuple[Entry, Variant, tuple[str, ...]], ...]:
        """The submitted variants with speculative decoding, and the changed launches they run."""
        rules = self.parameters
        return tuple(
            (change.after, variant, self._launches(change.after, variant))
            for change in config_changes(self.case, rules.configs)
            if change.after is not None
            for variant in {by.where: by for by in change.submitted.values()}.values()
            if variant.speculation != NO_SPECULATION
        )

    def _launches(self, entry: Entry, variant: Variant) -> tuple[str, ...]:
        recipes = self.parameters.recipes.paths(variant)
        named = self.parameters.scripts.scripts(entry, variant, self.files)
        return (*(path for path in recipes if path in self.files), *named)

    def judge_file(self, file: ChangedText) -> None:
        """One launch: what its clients do, where it turns speculative decoding on."""
        launch = Launch(file.text, file.path, self.parameters.launch_rules)
        users = [variant for _, variant, paths in self.variants if file.path in paths]
        if launch.switch is None and not users:
            return
        line = launch.switch or 1
        methods = sorted(launch.methods) or sorted({user.speculation for user in users})
        what = f"speculative decoding ({some(methods)})" if methods else "speculative decoding"
        script = read_scripts(file.path, file.text, self._clients_named)
        runs = list(client_runs(script, self.parameters.clients))
        if script.cut_off:
            self.doubts.append(f"{file.path} is not read to its end: {script.cut_off}")
        for run in runs:
            self.judge_run(file.path, run, what)
        if not runs and not self.judge_settings(file, what):
            where = f"; it may be in {some(launch.sources)}" if launch.sources else ""
            self.doubts.append(
                f"{file.path}:{line}: {what}, and no benchmark client that the rules know{where}"
            )

    @cached_property
    def _clients_named(self) -> re.Pattern[str]:
        names = (client.command.split()[-1] for client in self.parameters.clients)
        return re.compile("|".join(map(re.escape, names)))

    def judge_run(self, path: str, run: ClientRun, what: str) -> None:
        """One run of a client."""
        place = f"{path}:{run.line}: {run.command}"
        if run.talk == "chat":
            self.right.append(f"{place} ({what})")
        elif run.talk == "raw":
            self.failures.append(f"{place} sends raw completions, with {what}")
        else:
            self.doubts.append(f"{place} is not told to chat for certain, with {what}")

    def judge_settings(self, file: ChangedText, what: str) -> bool:
        """A recipe's own settings of its client; False where there are none."""
        for number, line in enumerate(code_of(file.path, file.text).split("\n"), 1):
            said = re.sub(r"[\"']", "", " ".join(line.split())).removeprefix("- ")
            if said in self.parameters.chat_settings:
                self.right.append(f"{file.path}:{number}: {said} ({what})")
                return True
            if said in self.parameters.raw_settings:
                self.failures.append(f"{file.path}:{number}: {said}, with {what}")
                return True
        return False

    def judge_entries(self) -> None:
        """The submitted entries that run no changed launch."""
        elsewhere: dict[str, list[str]] = {}
        for entry, variant, paths in self.variants:
            if not paths:
                elsewhere.setdefault(entry.place(variant.where[:3]), []).append(variant.speculation)
        for place, methods in elsewhere.items():
            named = some(sorted(set(methods)))
            self.doubts.append(
                f"{place}: speculative decoding ({named}) in {count(len(methods), 'variant')}, and "
                "the script that benchmarks it is not in this pull request"
            )


KIND = CheckKind(
    name="chat-template",
    doc=__doc__,
    parameters=ChatTemplateParameters,
    needs=needs,
    judge=judge,
    needs_signoff=False,
)
