"""Nothing innocent fails: the two founding pull requests, judged by the standard of today."""

import json
import re
from functools import cache

import pytest
from support.standard import FACTS, case_of, entry

from signoff_bot.evaluate import evaluate
from signoff_bot.packs.load import load_named

RULES = load_named("inferencex")
NEIGHBOURS = entry("minimaxm3-fp8-mi355x-vllm", prefix="minimaxm3", runner="mi355x")
HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")
BY_FILES = ("image", "deprecated", "architecture", "chat-template", "engine-patch", "golden-al")


def side(patch, group, kept):
    """One side of a diff as a text: what the diff does not show is left empty."""
    lines = {}
    number = 0
    for line in patch.rstrip("\n").split("\n"):
        header = HUNK.match(line)
        if header:
            number = int(header[group])
        elif line[:1] in kept:
            lines[number] = line[1:]
            number += 1
    return "\n".join(lines.get(n, "") for n in range(1, max(lines) + 1)) + "\n"


def texts(file):
    """A changed file before and after; of configurations, an entry beside those that are added."""
    patch = file["patch"]
    if file["path"].endswith("-master.yaml"):
        added = [line[1:] for line in patch.split("\n") if line.startswith("+")]
        return NEIGHBOURS, NEIGHBOURS + "\n".join(added) + "\n"
    before = None if file["status"] == "added" else side(patch, 1, (" ", "-"))
    return before, side(patch, 2, (" ", "+"))


@cache
def judged(number):
    files = json.loads((FACTS / f"pr-{number}.json").read_text())
    log = next(f["patch"] for f in files if f["path"] == "perf-changelog.yaml")
    others = {f["path"]: texts(f) for f in files if f["path"] != "perf-changelog.yaml"}
    evidence = case_of(others, log=log).evidence
    patches = {f["path"]: f["patch"] for f in files}
    shown = [f.model_copy(update={"patch": patches[f.path]}) for f in evidence.files]
    june = {"files": tuple(shown), "collected_at": "2026-06-25T18:00:00Z"}
    verdict = evaluate(evidence.model_copy(update=june), RULES)
    return {check.id: check for check in verdict.checks}


@pytest.mark.parametrize("number", ["1865", "1914"])
def test_every_changed_file_is_judged(number):
    assert all(judged(number)[check].status != "error" for check in (*BY_FILES, "append-only"))


@pytest.mark.parametrize(
    ("number", "found"),
    [
        ("1865", {"architecture": "fail", "chat-template": "review"}),
        ("1914", {"image": "review"}),
    ],
)
def test_only_what_breaks_the_standard_is_spoken_of(number, found):
    spoken = {c: judged(number)[c].status for c in (*BY_FILES, "append-only")}
    assert {c: s for c, s in spoken.items() if s not in ("pass", "na")} == found


def test_what_1865_breaks_is_the_one_line_that_skips_indexers():
    details = judged("1865")["architecture"].details
    assert len(details) == 1
    assert "server_atom.sh:155: --hf-overrides sets use_index_cache = true" in details[0]


def test_1865_is_asked_where_the_server_speculates_and_another_script_holds_the_client():
    details = judged("1865")["chat-template"].details
    assert [d for d in details if "server_atom.sh" not in d] == []


def test_what_1914_is_asked_is_an_engine_that_the_standard_does_not_place():
    details = judged("1914")["image"].details
    assert len(details) == 1
    assert "vllm-disagg is an engine the rules do not know" in details[0]
