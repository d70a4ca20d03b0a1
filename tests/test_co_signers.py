"""What mutations of the evaluator once went unnoticed in: who counts, and what is still told."""

import pytest

from signoff_bot.evaluate import evaluate
from signoff_bot.packs.cases import cases_folder, load_cases
from signoff_bot.packs.load import load_named, load_text
from signoff_bot.packs.shipped import shipped_folder

NAME = "inferencex"


@pytest.fixture(scope="module")
def cases():
    rules = load_named(NAME)
    loaded = load_cases(cases_folder(shipped_folder() / f"{NAME}.yaml", NAME), rules)
    return {case.name: case.evidence for case in loaded}


def judged(evidence, checks):
    rules = load_text(f"extends: {NAME}\nname: test\nchecks: {checks}\n", "test.yaml")
    verdict = evaluate(evidence, rules)
    return {check.id: check for check in verdict.checks}


@pytest.mark.parametrize(("needed", "status"), [("sweep", "pass"), ("codeowner", "fail")])
def test_a_co_signer_stands_only_with_what_the_demanded_check_depends_on(cases, needed, status):
    found = judged(cases["codeowner/both-vendors"], f"{{ checklist: {{ depends_on: {needed} }} }}")
    assert found["codeowner"].status == status


def test_a_warning_tells_all_that_the_failure_would(cases):
    evidence = cases["recipe/other-backend"]
    failure = judged(evidence, "{}")["recipe"]
    warning = judged(evidence, "{ recipe: { severity: advisory } }")["recipe"]
    assert failure.fix
    assert failure.links
    assert warning == failure.model_copy(update={"status": "warn"})


def test_an_advisory_check_that_passes_or_does_not_apply_warns_of_nothing(cases):
    advisory = "{ image: { severity: advisory }, golden-al: { severity: advisory } }"
    found = judged(cases["pull/passing"], advisory)
    assert (found["image"].status, found["golden-al"].status) == ("pass", "na")


def test_what_cannot_be_read_is_to_be_asked_again(cases):
    found = judged(cases["sweep/unreadable-jobs"], "{}")["sweep"]
    assert found.status == "error"
    assert found.fix == "run the verification again once this can be read"


def test_of_several_that_pass_the_newest_by_an_owner_is_reported(cases):
    verdict = evaluate(cases["signoffs-signers/several"], load_named(NAME))
    assert (verdict.verdict, verdict.signoff.author) == ("pass", "octavia-chen")
    both = evaluate(cases["codeowner/both-vendors"], load_named(NAME))
    assert both.signoff.at == max(
        comment.created_at
        for comment in cases["codeowner/both-vendors"].comments
        if comment.body.startswith("As a PR")
    )


def test_the_problems_of_a_sign_off_are_told_in_words(cases):
    verdict = evaluate(cases["signoffs-phrases/phrase-missing"], load_named(NAME))
    assert len(verdict.signoff.problems) == 1
    assert verdict.signoff.problems[0].startswith("line 1: the checklist lacks its first line")


def test_while_nobody_has_signed_the_checks_say_so(cases):
    verdict = evaluate(cases["signoffs-phrases/quoted"], load_named(NAME))
    assert verdict.checks[0].summary == "nobody has signed off yet"


def test_deadlines_are_judged_in_the_time_zone_of_the_pack(cases):
    verdict = evaluate(cases["deprecated/last-day"], load_named(NAME))
    assert verdict.verdict == "pass"
