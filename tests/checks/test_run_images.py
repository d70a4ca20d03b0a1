"""Evals speak for the image that was measured, and for the models that were due."""

import json

import pytest
from support.build import HEAD, job, run
from support.standard import case_of, entry

from signoff_bot.checks.base import Case, Finding
from signoff_bot.checks.eval import KIND, EvalParameters
from signoff_bot.evidence.actions import Artifact, ArtifactFile
from signoff_bot.evidence.base import MissingEvidence, Unread
from signoff_bot.evidence.repository import RepositoryFile
from signoff_bot.reading.lanes import DueLane, LaneRules

CONFIG, OLD = "configs/nvidia-master.yaml", "d" * 40
BEFORE = entry()
AFTER = entry(image="lmsysorg/sglang:v0.5.17")
RULES = {
    "workflow": ".github/workflows/run-sweep.yml",
    "lanes": ["eval /"],
    "artifact": "eval_results_all",
    "member": "agg.json",
    "configs": ["configs/*-master.yaml"],
    "default": {"gsm8k": 0.9},
}
BENCH = DueLane(("single-node",), "dsv4", evals=False)
EVAL = DueLane(("eval",), "dsv4", evals=True)


def judge(at_run, *, texts=None, head=OLD, due=(), measured=("dsv4",), ref=None, rules=RULES):
    rows = [{"model_prefix": model, "task": "gsm8k", "score": 0.95} for model in measured]
    file = ArtifactFile(name="agg.json", text=json.dumps(rows))
    artifact = Artifact(
        id=1,
        name="eval_results_all",
        size=1,
        expired=False,
        files=(file,),
        created_at="2026-06-25T09:00:00Z",
    )
    sweep = run(900, job("eval / / p1 | dsv4 fp4"), head_sha=head, artifacts=(artifact,))
    at = case_of(texts or {CONFIG: (BEFORE, AFTER)})
    contents = tuple(
        RepositoryFile(path=path, at="run", ref=ref or OLD, text=text)
        for path, text in at_run.items()
    )
    facts = {"runs": (sweep,), "contents": (*at.evidence.contents, *contents)}
    lanes = LaneRules((), (), due=tuple(due))
    return KIND.judge(
        Case(
            at.evidence.model_copy(update=facts),
            at.rules,
            at.signoff,
            at.signers,
            {"sweep": Finding("pass", "", run_id=900, lanes=lanes)},
        ),
        EvalParameters.model_validate_json(json.dumps(rules)),
    )


def test_the_image_that_was_measured_is_the_one_submitted():
    assert judge({CONFIG: AFTER}).status == "pass"


def test_another_image_fails_with_both_named():
    finding = judge({CONFIG: BEFORE})
    assert finding.status == "fail"
    assert finding.summary == (
        f"{CONFIG}:1 (dsv4-fp4-b200-sglang) has the image lmsysorg/sglang:v0.5.17, and run 900 "
        "measured lmsysorg/sglang:v0.5.16"
    )


@pytest.mark.parametrize("text", [None, "", entry("other")])
def test_an_entry_that_the_run_did_not_have_fails(text):
    finding = judge({CONFIG: text})
    assert finding.status == "fail"
    assert finding.summary == (
        f"{CONFIG}:1 (dsv4-fp4-b200-sglang) was not there yet on ddddddd, which run 900 measured"
    )


def test_a_run_on_the_head_had_what_the_head_has():
    assert judge({}, head=HEAD).status == "pass"


def test_entries_that_submit_nothing_are_not_compared():
    remark = {CONFIG: (BEFORE, f"# a remark\n{BEFORE}")}
    assert judge({CONFIG: None}, texts=remark).status == "pass"
    assert judge({CONFIG: None}, texts={CONFIG: (BEFORE, None)}).status == "pass"
    fewer = entry(space=("{ tp: 8, conc-list: [4] }",))
    assert judge({CONFIG: None}, texts={CONFIG: (BEFORE, fewer)}).status == "pass"


def test_entries_that_are_not_submitted_are_not_read_as_the_run_has_them():
    assert judge({CONFIG: f"{AFTER}other: no mapping\n"}).status == "pass"


def test_an_entry_that_was_in_another_file_then_is_found_there():
    other = "configs/amd-master.yaml"
    moved = {CONFIG: ("", AFTER), other: (BEFORE, "")}
    assert judge({other: AFTER, CONFIG: ""}, texts=moved).status == "pass"
    assert judge({other: BEFORE, CONFIG: ""}, texts=moved).status == "fail"


@pytest.mark.parametrize(
    ("at_run", "ref", "words"),
    [
        ({}, None, "not collected"),
        ({CONFIG: Unread(unread="HTTP 502")}, None, "502"),
        ({CONFIG: "- no mapping\n"}, None, f"^{CONFIG} holds no mapping"),
        (
            {CONFIG: AFTER},
            "e" * 40,
            f"^{CONFIG} was collected at {'e' * 40}, and run 900 was on {OLD}; collect the "
            "evidence again with these rules$",
        ),
    ],
    ids=["not collected", "unread", "malformed", "of another run"],
)
def test_configurations_that_are_not_the_runs_decide_nothing(at_run, ref, words):
    with pytest.raises(MissingEvidence, match=words):
        judge(at_run, ref=ref)


def test_a_pack_that_names_no_configurations_compares_no_images():
    without = {key: value for key, value in RULES.items() if key != "configs"}
    assert judge({}, rules=without).status == "pass"
    needs = KIND.needs(EvalParameters.model_validate_json(json.dumps(without)))
    assert (needs.files, needs.contents) == (False, frozenset())


def test_it_needs_the_configurations_before_now_and_in_the_run():
    needs = KIND.needs(EvalParameters.model_validate_json(json.dumps(RULES)))
    assert needs.files
    assert {need.at for need in needs.contents} == {"merge base", "head", "run"}


def test_where_no_eval_is_due_it_does_not_apply():
    finding = judge({CONFIG: BEFORE}, due=[BENCH])
    assert finding == Finding("na", "no eval is due by what the pull request submits")
    assert judge({CONFIG: AFTER}, due=[BENCH, EVAL]).status == "pass"


def test_every_model_whose_evals_are_due_must_have_a_result():
    kimi = DueLane(("eval",), "kimik3", evals=True)
    finding = judge({CONFIG: AFTER}, due=[EVAL, kimi])
    assert finding.status == "fail"
    assert finding.summary == "no result for kimik3, whose evals are due by what is submitted"
    assert judge({CONFIG: AFTER}, due=[EVAL, kimi], measured=("dsv4", "kimik3")).status == "pass"


def test_a_model_without_a_result_is_spoken_of_once():
    finding = judge({CONFIG: AFTER}, due=[EVAL], measured=("kimik3",))
    assert finding.summary == "no result for dsv4, which the lane eval / / p1 | dsv4 fp4 evaluated"
