"""The pack as it is shipped, and what a maintainer changes by extending it."""

import pytest

from signoff_bot.evaluate import evaluate
from signoff_bot.packs.cases import cases_folder, load_cases
from signoff_bot.packs.expectation import differences
from signoff_bot.packs.load import load_named, load_text
from signoff_bot.packs.shipped import shipped_folder

NAME = "inferencex-2026-06-24"
CASES = {
    case.name: case
    for case in load_cases(cases_folder(shipped_folder() / f"{NAME}.yaml", NAME), load_named(NAME))
}


def statuses(rules, case):
    verdict = evaluate(CASES[case].evidence, rules)
    return {check.id: check.status for check in verdict.checks}


def extended(changes):
    text = f"extends: {NAME}\nname: test\nchecks:\n{changes}"
    return load_text(text, "test.yaml")


@pytest.mark.parametrize("name", CASES)
def test_every_case_is_judged_as_expected(name):
    case = CASES[name]
    verdict = evaluate(case.evidence, load_named(NAME)).model_dump(mode="json", by_alias=True)
    assert differences(case.expected, verdict) == []


@pytest.mark.parametrize("check", ["codeowner", "sweep", "eval", "recipe"])
def test_every_check_has_cases_that_fail_for_its_reason_only(check):
    alone = [
        case
        for case in CASES.values()
        if case.expected.checks[check] == "fail"
        and {*case.expected.checks.values()} <= {"pass", "blocked", "fail"}
        and list(case.expected.checks.values()).count("fail") == 1
    ]
    assert len(alone) >= 3


def test_it_is_published_under_the_name_that_the_project_gates_on():
    assert load_named(NAME).publish.context == "codeowner-signoff-verify"


def test_a_pack_may_demand_that_the_recipe_is_merged():
    merged = extended("  recipe:\n    with:\n      merged: true\n")
    assert statuses(load_named(NAME), "pull/passing")["recipe"] == "pass"
    assert statuses(merged, "pull/passing")["recipe"] == "fail"
    assert statuses(merged, "recipe/published-page")["recipe"] == "pass"


def test_a_pack_may_tolerate_a_cancelled_lane():
    tolerant = extended("  sweep:\n    with:\n      tolerate_cancelled: 1\n")
    assert statuses(load_named(NAME), "sweep/one-cancelled")["sweep"] == "fail"
    assert set(statuses(tolerant, "sweep/one-cancelled").values()) == {"pass"}


def test_a_pack_may_count_runs_on_the_head_only():
    head = extended("  sweep:\n    with:\n      commit: head\n")
    assert statuses(load_named(NAME), "sweep/older-commit")["sweep"] == "pass"
    assert statuses(head, "sweep/older-commit")["sweep"] == "fail"


def test_a_pack_may_combine_the_sign_offs_of_both_vendors():
    both = load_text(f"extends: {NAME}\nname: test\nsignoff:\n  combine: true\n", "test.yaml")
    assert statuses(load_named(NAME), "codeowner/both-vendors")["codeowner"] == "fail"
    assert statuses(both, "codeowner/both-vendors")["codeowner"] == "pass"
