"""The pack for every repository, as it is shipped, and what a team changes by extending it."""

import pytest

from signoff_bot.errors import InvalidInput
from signoff_bot.evaluate import evaluate
from signoff_bot.evidence.model import Evidence
from signoff_bot.packs.cases import cases_folder, load_cases
from signoff_bot.packs.changes import apply_changes
from signoff_bot.packs.expectation import differences
from signoff_bot.packs.load import load_named, load_text
from signoff_bot.packs.mistakes import validate
from signoff_bot.packs.shipped import shipped_folder
from signoff_bot.packs.shorthand import complete, unfold

NAME = "default"
CASES = {
    case.name: case
    for case in load_cases(cases_folder(shipped_folder() / f"{NAME}.yaml", NAME), load_named(NAME))
}
STRICT = """
extends: default
name: acme
checks:
  ticket: { severity: blocking, with: { patterns: ["ACME-{number}"] } }
  threads: { with: { enabled: true } }
  checks: { with: { names: [test, lint] } }
"""


@pytest.mark.parametrize("name", CASES)
def test_every_case_is_judged_as_expected(name):
    case = CASES[name]
    verdict = evaluate(case.evidence, load_named(NAME)).model_dump(mode="json", by_alias=True)
    assert differences(case.expected, verdict) == []


def test_a_reminder_has_cases_that_pass_and_that_warn():
    found = [case.expected.checks["ticket"] for case in CASES.values()]
    assert (found.count("warn"), "pass" in found) == (3, True)


def test_what_is_wrong_with_the_only_element_of_a_list_is_told_once():
    with pytest.raises(InvalidInput) as caught:
        load_text(STRICT.replace("ACME-{number}", "*"), "p")
    assert str(caught.value).split("\n")[1:] == [
        'p:5: checks.ticket.with.patterns[0]: "*": a pattern that finds anything; write what it '
        "looks like: ACME-{number}"
    ]


@pytest.mark.parametrize("check", ["codeowner", "checklist", "checks", "fresh", "four-eyes"])
def test_every_check_has_cases_that_fail_for_its_reason_only(check):
    assert "pass" in [case.expected.checks[check] for case in CASES.values()]
    alone = [
        case
        for case in CASES.values()
        if case.expected.checks[check] == "fail"
        and {*case.expected.checks.values()} <= {"pass", "na", "warn", "fail"}
        and list(case.expected.checks.values()).count("fail") == 1
    ]
    assert len(alone) >= 3


GONE = {"unread": "taken away for the test"}


@pytest.mark.parametrize(
    ("case", "path", "expected"),
    [
        ("pull/passing", "comments", "error"),
        ("pull/passing", "comments[0].history", "error"),
        ("pull/passing", "files", "error"),
        ("pull/passing", "commits", "error"),
        ("pull/passing", "push", "error"),
        ("pull/passing", "codeowners", "error"),
        ("pull/passing", "contents[0].text", "error"),
        ("pull/passing", "head_runs", "error"),
        ("pull/passing", "head_runs[0].jobs", "error"),
        ("pull/passing", "required_checks", "error"),
        ("four_eyes/commit-of-nobody-cleared", "comments[1].history", "error"),
        ("four_eyes/commit-of-nobody-cleared", "access[0].permission", "error"),
        # What was pushed since is only excused where it is proven to change nothing.
        ("fresh/main-merged-in", "pushes", "fail"),
        ("fresh/main-merged-in", "earlier_changes[0].files", "fail"),
    ],
)
def test_a_fact_that_is_taken_away_never_leaves_a_pass_and_is_named(case, path, expected):
    verdict = evaluate(with_changes(CASES[case].evidence, {path: GONE}), load_named(NAME))
    assert verdict.verdict == expected
    assert any(GONE["unread"] in "\n".join([c.summary, *c.details]) for c in verdict.checks)


def with_changes(evidence, changes):
    data = apply_changes(evidence.model_dump(mode="json"), changes, {}, [])
    evidence, wrongs = validate(Evidence, complete(unfold(data)))
    assert evidence is not None, wrongs
    return evidence


def changed(**changes):
    """The passing pull request as a team with stricter rules would like it, and then changed."""
    resolved = {"author": "code-critic", "resolved": True}
    sound = {"pull.title": "ACME-7: say hello", "threads": [resolved, resolved]}
    return with_changes(CASES["pull/passing"].evidence, sound | changes)


def outcome(**changes):
    verdict = evaluate(changed(**changes), load_text(STRICT, "acme.yml"))
    return verdict.verdict, {c.id: c.status for c in verdict.checks if c.status != "pass"}


def test_a_stricter_pack_passes_what_is_sound():
    assert outcome() == ("pass", {})


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"threads[0].resolved": False}, "fail"),
        ({"threads[*].resolved": False}, "fail"),
        ({"threads": [{"author": None}]}, "fail"),
        ({"threads": {"unread": "GitHub answered 502"}}, "error"),
    ],
)
def test_a_team_may_demand_that_threads_are_resolved(changes, status):
    assert outcome(**changes) == (status, {"threads": status})


@pytest.mark.parametrize(
    "changes",
    [
        {"pull.title": "Say hello (#12)"},
        {"pull.title": "Say hello", "pull.body": "> ACME-7"},
        {"pull.title": "Say hello", "pull.head_ref": "acme-7"},
    ],
)
def test_a_team_may_demand_tickets_of_its_own_kind(changes):
    assert outcome(**changes) == ("fail", {"ticket": "fail"})


@pytest.mark.parametrize(
    "changes",
    [
        {"head_runs[0].jobs[name=lint].conclusion": "failure"},
        {"head_runs[0].jobs[name=lint].name": "tint"},
        {"head_runs[0].jobs[name=test].started_at": None},
    ],
)
def test_a_team_may_name_the_checks_that_count(changes):
    assert outcome(**changes) == ("fail", {"checks": "fail"})


def test_what_nobody_switched_on_is_not_asked_for():
    assert not load_named(NAME).needs.threads
    assert load_text(STRICT, "acme.yml").needs.threads
