"""The pack of the InferenceX standard: its cases, its severities, and what it was settled with."""

import json

import pytest

from signoff_bot.evaluate import evaluate
from signoff_bot.packs.cases import CaseEntry, cases_folder, load_cases
from signoff_bot.packs.expectation import differences
from signoff_bot.packs.load import load_named, load_text, read_yaml_file
from signoff_bot.packs.shipped import shipped_folder

NAME = "inferencex"
FOLDER = cases_folder(shipped_folder() / f"{NAME}.yaml", NAME)
RULES = load_named(NAME)
CASES = {case.name: case for case in load_cases(FOLDER, RULES)}
BASES = {
    f"{file.stem}/{name}": entry.get("base")
    for file in sorted(FOLDER.glob("*.yaml"))
    for name, entry in read_yaml_file(file).data.items()
}
BROKEN = ("fail", "review", "error")
NOT_SIGNED_RIGHT = {
    "signoffs-phrases/mentioned-in-a-request",
    "signoffs-phrases/mentioned-in-backticks",
}
"""A mention in prose holds no checklist and no link, so that two checks fail at once."""


def statuses(case, rules=RULES):
    return {check.id: check.status for check in evaluate(CASES[case].evidence, rules).checks}


def extended(changes):
    return load_text(f"extends: {NAME}\nname: test\n{changes}", "test.yaml")


def base_of(name):
    base = BASES[name]
    return base if base is None or "/" in base else f"{name.split('/')[0]}/{base}"


def newly_broken(name):
    """The checks that a case breaks and that its root, a passing pull request, does not."""
    root = name
    while base_of(root) is not None and CASES[root].expected.verdict != "pass":
        root = base_of(root)
    before, after = CASES[root].expected.checks, CASES[name].expected.checks
    return {c for c in after if after[c] in BROKEN and after[c] != before[c]}


@pytest.mark.parametrize("name", CASES)
def test_every_case_is_judged_as_expected(name):
    case = CASES[name]
    verdict = evaluate(case.evidence, RULES).model_dump(mode="json", by_alias=True)
    assert differences(case.expected, verdict) == []


@pytest.mark.parametrize("name", [n for n in CASES if CASES[n].expected.verdict == "fail"])
def test_a_failing_case_fails_for_one_reason_only(name):
    if name in NOT_SIGNED_RIGHT:
        assert newly_broken(name) == {"recipe", "checklist"}
    else:
        assert len(newly_broken(name)) <= 1


def test_a_case_that_fails_without_any_check_is_no_completed_sign_off():
    for name, case in CASES.items():
        if case.expected.verdict == "fail" and not newly_broken(name):
            assert case.expected.problems, name


@pytest.mark.parametrize("check", [check.id for check in RULES.checks])
def test_every_check_has_a_passing_case_and_three_failing_ones(check):
    found = [case.expected.checks[check] for case in CASES.values()]
    alone = [
        n for n in CASES if newly_broken(n) == {check} and CASES[n].expected.checks[check] == "fail"
    ]
    assert "pass" in found
    assert len(alone) >= 3


def test_every_case_says_what_it_shows():
    files = [read_yaml_file(file).data for file in FOLDER.glob("*.yaml")]
    assert all(
        CaseEntry.model_validate_json(json.dumps(c)).about for f in files for c in f.values()
    )


def test_the_checks_are_those_of_the_standard_in_its_order():
    assert [(check.number, check.id) for check in sorted(RULES.checks, key=lambda c: c.number)] == [
        (0, "codeowner"),
        (1, "sweep"),
        (2, "eval"),
        (3, "recipe"),
        (4, "reuse"),
        (5, "checklist"),
        (6, "image"),
        (7, "deprecated"),
        (8, "architecture"),
        (9, "chat-template"),
        (10, "engine-patch"),
        (11, "golden-al"),
        (12, "append-only"),
    ]


def test_only_findings_that_are_hints_do_not_block():
    assert {check.number for check in RULES.checks if not check.review_blocks} == {3, 7, 9, 11}
    assert all(check.blocking for check in RULES.checks)


def test_it_is_published_under_the_name_that_the_project_gates_on():
    assert RULES.publish.context == "codeowner-signoff-verify"


def test_its_deadlines_are_those_of_the_projects_people():
    assert RULES.time_zone == "America/Los_Angeles"
    utc = extended("time_zone: UTC\n")
    assert statuses("deprecated/last-day")["deprecated"] == "pass"
    assert statuses("deprecated/last-day", utc)["deprecated"] == "fail"


def test_a_pack_may_keep_signers_apart():
    apart = extended("signoff: { combine: false }\n")
    assert statuses("codeowner/both-vendors")["codeowner"] == "pass"
    assert statuses("codeowner/both-vendors", apart)["codeowner"] == "fail"


def test_a_pack_may_tolerate_a_cancelled_lane():
    tolerant = extended("checks: { sweep: { with: { tolerate_cancelled: 1 } } }\n")
    assert statuses("sweep/one-cancelled")["sweep"] == "fail"
    assert statuses("sweep/one-cancelled", tolerant)["sweep"] == "pass"


def test_a_pack_may_ask_for_reuse_only_where_the_sweep_is_older_than_the_head():
    lenient = extended("checks: { reuse: { with: { demanded: reused } } }\n")
    assert statuses("reuse/no-command")["reuse"] == "fail"
    assert statuses("reuse/no-command", lenient)["reuse"] == "na"


def test_a_pack_may_let_hints_block():
    strict = extended("checks: { golden-al: { review: blocks } }\n")
    case = CASES["golden-al/no-curve-but-a-source"].evidence
    assert evaluate(case, RULES).verdict == "pass"
    assert evaluate(case, strict).verdict == "fail"
