"""A fact that a verdict rests on, once taken away, never leaves a pass and is named."""

import json

import pytest

from signoff_bot.evaluate import evaluate
from signoff_bot.evidence.model import Evidence
from signoff_bot.packs.cases import cases_folder, load_cases
from signoff_bot.packs.load import load_named
from signoff_bot.packs.shipped import shipped_folder

PACK = "inferencex-2026-06-24"
GONE = {"unread": "taken away for the test"}
FACTS = [
    ("comments",),
    ("comments", 0, "history"),
    ("files",),
    ("commits",),
    ("codeowners",),
    ("codeowners", "text"),
    ("contents", 0, "text"),
    ("runs",),
    ("runs", 0, "jobs"),
    ("runs", 0, "artifacts"),
    ("runs", 0, "artifacts", 0, "files"),
    ("upstream", 0, "found"),
]
LISTS = [
    ("comments",),
    ("files",),
    ("commits",),
    ("contents",),
    ("runs",),
    ("runs", 0, "jobs"),
    ("runs", 0, "artifacts"),
    ("runs", 0, "artifacts", 0, "files"),
    ("upstream",),
]


@pytest.fixture(scope="module")
def rules():
    return load_named(PACK)


@pytest.fixture(scope="module")
def passing(rules):
    folder = cases_folder(shipped_folder() / f"{PACK}.yaml", PACK)
    case = next(case for case in load_cases(folder, rules) if case.name == "pull/passing")
    return case.evidence


def without(evidence, path, value):
    data = evidence.model_dump(mode="json")
    *way, last = path
    place = data
    for step in way:
        place = place[step]
    place[last] = value
    return Evidence.model_validate_json(json.dumps(data))


def named(path):
    return ".".join(map(str, path))


def test_the_evidence_passes_as_it_is(passing, rules):
    assert evaluate(passing, rules).verdict == "pass"


@pytest.mark.parametrize("path", FACTS, ids=named)
def test_an_unread_fact_is_an_error_that_names_it(passing, rules, path):
    verdict = evaluate(without(passing, path, GONE), rules)
    assert verdict.verdict == "error"
    assert any(GONE["unread"] in check.summary for check in verdict.checks)


@pytest.mark.parametrize("name", ["files", "commits"])
@pytest.mark.parametrize("pack", ["default", "inferencex", PACK])
def test_a_list_shorter_than_github_counts_never_leaves_a_pass(pack, name):
    rules = load_named(pack)
    folder = cases_folder(shipped_folder() / f"{pack}.yaml", pack)
    whole = next(c for c in load_cases(folder, rules) if c.name == "pull/passing").evidence
    for kept in ((), getattr(whole, name)[:-1]):
        verdict = evaluate(whole.model_copy(update={name: kept}), rules)
        assert verdict.verdict == "error"
        total, what = len(getattr(whole, name)), {"files": "changed files"}.get(name, name)
        told = f"the evidence holds {len(kept)} of the {total} {what} that GitHub counts"
        assert any(told in check.summary for check in verdict.checks)


@pytest.mark.parametrize("name", ["files", "commits"])
def test_what_is_listed_twice_does_not_stand_for_what_is_missing(passing, rules, name):
    whole = getattr(passing, name)
    shifted = passing.model_copy(update={name: (*whole[:-1], whole[0])})
    verdict = evaluate(shifted, rules)
    assert verdict.verdict == "error"
    told = f"holds {len(whole) - 1} of the {len(whole)} "
    assert any(told in check.summary for check in verdict.checks)


@pytest.mark.parametrize("path", LISTS, ids=named)
def test_an_emptied_list_never_leaves_a_pass(passing, rules, path):
    verdict = evaluate(without(passing, path, []), rules)
    assert verdict.verdict in ("fail", "pending", "error")
