"""Whether a launch leaves the model's architecture as it is.

**What it checks.** In the lines that the pull request adds to launch scripts, recipes and
configurations: every override of the model's own configuration (`--hf-overrides`,
`--json-model-override-args` and the like, given as JSON, key by key, in YAML or by a variable), and
every edit of its `config.json` (`jq`, `sed -i`, Python). A key that skips layers, indexers, heads
or experts fails; keys that only rename things or stretch positions pass.

**Why it exists.** Making the same computation faster is what the benchmark measures. Computing less
than the model does is another model, and its numbers must not stand under this one's name.

**What it reads.** The changed files at the head, and their diffs, to tell new lines from old ones.
Nothing is run: a value counts as far as the file itself tells it.

**When a person must look.** A key that the rules do not know, a value or an edit that cannot be
told from the file, or a changed file of which GitHub shows no diff.

**How to fix a failure.** Take the override out, and run the model as its checkpoint describes it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pydantic import Field

from signoff_bot.checks.base import Case, CheckKind, Finding, Parameters
from signoff_bot.checks.changed_text import ChangedText, changed_texts
from signoff_bot.checks.configs import conclude, content_needs
from signoff_bot.checks.needs import Needs
from signoff_bot.reading.code_text import code_of
from signoff_bot.reading.config_edits import Edit, find_edits
from signoff_bot.reading.embedded_scripts import read_scripts
from signoff_bot.reading.globs import Glob
from signoff_bot.reading.overrides import Override, Setting, find_overrides
from signoff_bot.reading.wording import count, shorten, some


class ArchitectureParameters(Parameters):
    """Where launches are, how models are overridden, and what the keys mean."""

    files: tuple[Glob, ...] = Field(
        min_length=1, description="Launch scripts, recipes, programs and configurations."
    )
    knobs: tuple[str, ...] = Field(
        min_length=1,
        description="Names by which engines take overrides, without hyphens before them; `_` and "
        "`-` are the same.",
    )
    forbidden: dict[str, tuple[bool | int | str, ...]] = Field(
        description="Keys that change how much a model computes, each with the values that do not."
    )
    benign: tuple[str, ...] = Field(
        default=(), description="Keys that do no harm, whatever is below them."
    )
    model_files: tuple[str, ...] = Field(
        default=("config.json",), description="Names of the files that describe a model."
    )


def needs(parameters: ArchitectureParameters) -> Needs:
    """The changed launches at the head; their diffs come with the files."""
    return Needs(files=True, contents=content_needs(parameters.files, "head"))


def judge(case: Case, parameters: ArchitectureParameters) -> Finding:
    """Judges every override and edit in the new lines of the changed launches."""
    judgement = _Judgement(parameters)
    files = list(changed_texts(case, parameters.files))
    if not files:
        return Finding("na", "the pull request changes no launch, recipe or configuration")
    for file in files:
        judgement.judge_file(file)
    return conclude(
        failures=judgement.failures,
        doubts=judgement.doubts,
        passed=f"no override in {count(len(files), 'changed file')} alters a model"
        + (f" (harmless: {some(judgement.harmless)})" if judgement.harmless else ""),
        fix="take the override out, and run the model as its checkpoint describes it",
        look="a person must decide whether the model still computes what it is published to",
    )


@dataclass
class _Judgement:
    """The issues found so far. Texts name the place first, as `FILE:LINE`."""

    parameters: ArchitectureParameters
    failures: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    harmless: list[str] = field(default_factory=list)

    def judge_file(self, file: ChangedText) -> None:
        """The overrides and edits of one file."""
        for override in find_overrides(code_of(file.path, file.text), self.parameters.knobs):
            if file.added(override.lines):
                self.judge_override(file, override)
        named = re.compile("|".join(map(re.escape, self.parameters.model_files)))
        if named.search(file.text):
            script = read_scripts(file.path, file.text, named)
            if script.cut_off:
                self.doubts.append(f"{file.path} is not read to its end: {script.cut_off}")
            for edit in find_edits(file.path, file.text, script, self.parameters.model_files):
                if file.added(edit.lines):
                    self.judge_edit(file, edit)

    def judge_override(self, file: ChangedText, override: Override) -> None:
        """One override: each of its keys."""
        what = f"{file.path}:{override.line}: {override.name}"
        if override.settings is None:
            self.doubts.append(f"{what}: what it sets cannot be told: {_line(file, override.line)}")
        sets: dict[str, list[str]] = {"forbidden": [], "benign": [], "unknown": []}
        for setting in override.settings or ():
            key = ".".join(setting.path)
            sets[self.verdict(setting)].append(f"{key} = {shorten(setting.written, 40)}")
        if sets["forbidden"] and not file.unclear:
            self.failures.append(
                f"{what} sets {some(sets['forbidden'])}, which changes how much the model computes"
            )
        elif sets["forbidden"] or sets["unknown"]:
            self.doubts.append(f"{what} sets {some(sets['forbidden'] + sets['unknown'])}")
        self.harmless += sets["benign"]

    def verdict(self, setting: Setting) -> str:
        """What a key means: `forbidden`, `benign` or `unknown`."""
        named = [key for key in setting.path if key in self.parameters.forbidden]
        if named:
            harmless = self.parameters.forbidden[named[-1]]
            return "benign" if setting.told and _is_one_of(setting.value, harmless) else "forbidden"
        return "benign" if set(setting.path) & set(self.parameters.benign) else "unknown"

    def judge_edit(self, file: ChangedText, edit: Edit) -> None:
        """One edit of a model's description."""
        what = f"{file.path}:{edit.line}: {edit.how} rewrites {some(self.parameters.model_files)}"
        forbidden = [key for key in self.parameters.forbidden if edit.sets(key, file.added)]
        benign = [key for key in self.parameters.benign if edit.sets(key, file.added)]
        if edit.whole:
            known = (*self.parameters.forbidden, *self.parameters.benign)
            if not edit.document or any(key in edit.document for key in known):
                self.doubts.append(f"{what}: {_line(file, edit.line)}")
        elif forbidden and not file.unclear:
            self.failures.append(f"{what} and sets {some(forbidden)}")
        elif benign and not forbidden:
            self.harmless += benign
        else:
            self.doubts.append(f"{what}: {_line(file, edit.line)}")


def _is_one_of(value: object, harmless: tuple[bool | int | str, ...]) -> bool:
    """Whether it is one of these values; `true` is not 1."""
    return any(type(value) is type(other) and value == other for other in harmless)


def _line(file: ChangedText, line: int) -> str:
    return shorten(file.lines[line - 1].strip()) if line <= len(file.lines) else ""


KIND = CheckKind(
    name="architecture",
    doc=__doc__,
    parameters=ArchitectureParameters,
    needs=needs,
    judge=judge,
    needs_signoff=False,
)
