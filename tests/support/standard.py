"""The InferenceX standard's parameters, and cases of changed files to judge by them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from support.build import account, changed, comment, evidence, pull

from signoff_bot.checks import KINDS
from signoff_bot.checks.base import Case, Finding, Parameters
from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.pull import ChangedFile
from signoff_bot.evidence.repository import RepositoryFile
from signoff_bot.packs.load import load_named
from signoff_bot.reading.candidates import Signoff
from signoff_bot.reading.settings import SignoffRules
from signoff_bot.reading.signoff import Form

FACTS = Path(__file__).parent.parent / "facts" / "inferencex"
RULES = SignoffRules(phrase="As a PR reviewer and CODEOWNER, I have reviewed this")
ZONE = "America/Los_Angeles"
SHARED = Path(__file__).parents[3] / "shared" / "data" / "inferencex"
GOLDEN = "golden_al_distribution/"

Texts = Mapping[str, tuple[str | None, str | None]]
"""Changed files by path, each with its text before and after; None where it is not there."""


@cache
def _standard() -> dict[str, dict[str, Any]]:
    checks = load_named("inferencex").checks
    return {c.id: c.parameters.model_dump(mode="json", by_alias=True) for c in checks}


def parameters(kind: str, **changes: Any) -> Parameters:
    """Those of the pack `inferencex`, whose checks are called by their kinds."""
    made = KINDS[kind].parameters.model_validate_json(json.dumps(_standard()[kind] | changes))
    assert isinstance(made, Parameters)
    return made


def judged(kind: str, case: Case, **changes: Any) -> Finding:
    finding: Finding = KINDS[kind].judge(case, parameters(kind, **changes))
    return finding


def case_of(
    texts: Texts,
    *,
    base: Mapping[str, str | None] | None = None,
    log: str | None = None,
    details: Sequence[str] = (),
    signed_at: str | None = "2026-08-21T18:00:00Z",
    merged_at: str | None = None,
    files: Sequence[ChangedFile] = (),
    renamed: Mapping[str, str] | None = None,
) -> Case:
    """A case of changed files; `log` is the diff of the change log, `base` more files there.

    `renamed` gives files their former names.
    """
    listed = [
        changed(path, status="renamed", previous_path=renamed[path])
        if renamed and path in renamed
        else _changed_file(path, *texts[path])
        for path in texts
    ]
    if log is not None:
        listed.append(changed("perf-changelog.yaml", patch=log))
    contents = [
        *(
            _file(path, "merge base", text[0])
            for path, text in texts.items()
            if text[0] is not None
        ),
        *(_file(path, "head", text[1]) for path, text in texts.items() if text[1] is not None),
        *(_file(path, "base", text) for path, text in (STANDARD_BASE | (base or {})).items()),
    ]
    found = evidence(
        collected_at="2026-08-22T12:00:00Z",
        pull=pull(merged_at=merged_at),
        files=(*listed, *files),
        contents=tuple(contents),
    )
    signoff = None if signed_at is None else _signoff(signed_at, details)
    signers = () if signoff is None else (signoff.author,)
    return Case(found, RULES, signoff, signers, time_zone=ZONE)


def _changed_file(path: str, before: str | None, after: str | None) -> ChangedFile:
    status = "added" if before is None else "removed" if after is None else "modified"
    return changed(path, status=status)


def _file(path: str, at: Any, text: str | Unread | None) -> RepositoryFile:
    return RepositoryFile(path=path, at=at, ref=at, text=text)


def _signoff(at: str, details: Sequence[str]) -> Signoff:
    form = Form("complete", (), None, None, (), tuple(enumerate(details, 20)), ())
    return Signoff(comment("..."), account("octavia-chen"), form, at, (), None)


def golden_base() -> dict[str, str | None]:
    texts = {f"{GOLDEN}{path.name}": path.read_text() for path in (FACTS / "golden").iterdir()}
    return {GOLDEN: "\n".join(sorted(texts))} | texts


STANDARD_BASE: dict[str, str | None] = {
    "MODELS.md": (FACTS / "MODELS.md").read_text(),
    "docs/MODELS.md": None,
    "inferencex-e2e/docs/MODELS.md": None,
    "configs/nvidia-master.yaml": None,
    "configs/amd-master.yaml": None,
    **golden_base(),
}


def entry(key: str = "dsv4-fp4-b200-sglang", **fields: Any) -> str:
    """The YAML of a configuration entry; `space` is its search space, one variant a line."""
    given = {
        "image": "lmsysorg/sglang:v0.5.16",
        "model": "deepseek-ai/DeepSeek-V4-Pro",
        "prefix": "dsv4",
        "runner": "b200",
        "precision": "fp4",
        "framework": "sglang",
        "multinode": "false",
        "scenario": "fixed-seq-len",
        "setting": "isl: 8192, osl: 1024",
        "space": ("{ tp: 8, conc-start: 4, conc-end: 16 }",),
    } | fields
    if given["scenario"] == "agentic-coding":
        given["setting"] = fields.get("setting", "dram-utilization: 0.9")
    settings = "\n      ".join(given["setting"].split(", "))
    space = "\n".join(f"      - {variant}" for variant in given["space"])
    return f"""\
{key}:
  image: {given["image"]}
  model: {given["model"]}
  model-prefix: {given["prefix"]}
  runner: {given["runner"]}
  precision: {given["precision"]}
  framework: {given["framework"]}
  multinode: {given["multinode"]}
  scenarios:
    {given["scenario"]}:
    - {settings}
      search-space:
{space}
"""
