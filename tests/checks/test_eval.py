import json

import pytest
from pydantic import ValidationError
from support.build import job, run
from support.judging import case, judged

from signoff_bot.checks.base import Finding
from signoff_bot.checks.eval import KIND
from signoff_bot.evidence.actions import Artifact, ArtifactFile
from signoff_bot.evidence.base import MissingEvidence, Unread

RULES = {
    "workflow": ".github/workflows/run-sweep.yml",
    "lanes": ("eval /", "multi-node eval /"),
    "artifact": "eval_results_all",
    "member": "agg_eval_all.json",
    "default": {"gsm8k": 0.90},
    "models": {"glm5": {"gsm8k": 0.94}},
}
UNREAD = Unread(unread="GitHub refused")
LANES = (job("eval / / p1 | minimaxm3 fp8 b200 c64 | eval-only"),)


def row(score=0.95, model="minimaxm3", task="gsm8k"):
    return {"model_prefix": model, "task": task, "score": score}


def artifact(*rows, id=1, text=None, **fields):
    content = json.dumps(rows) if text is None else text
    given = {
        "name": "eval_results_all",
        "size": 10,
        "expired": False,
        "created_at": "2026-06-25T09:05:00Z",
        "files": (ArtifactFile(name="agg_eval_all.json", text=content),),
    } | fields
    return Artifact(id=id, **given)


def found(*artifacts, lanes=LANES, accepted=900, rules=RULES, **fields):
    earlier = {"sweep": Finding("pass", "fine", run_id=accepted)}
    accepted_run = run(900, *lanes, **({"artifacts": artifacts} | fields))
    return judged(KIND, case(runs=(accepted_run,), earlier=earlier), **rules)


def test_results_at_or_above_their_thresholds_pass():
    finding = found(artifact(row(0.90), row(0.97)))
    assert finding.status == "pass"
    assert finding.summary == (
        "2 eval results of run 900 reach their thresholds: "
        "minimaxm3: gsm8k at least 0.9000, threshold 0.9"
    )
    assert [(link.label, link.url) for link in finding.links] == [("run 900", run(900).url)]


def test_a_result_below_the_threshold_fails_with_both_numbers():
    finding = found(artifact(row(0.8999999), row(0.97)))
    assert finding.status == "fail"
    assert finding.summary == ("minimaxm3 reaches 0.8999 in gsm8k, below its threshold 0.9")
    assert [link.label for link in finding.links] == ["run 900"]


@pytest.mark.parametrize(("score", "status"), [(0.93, "fail"), (0.94, "pass")])
def test_a_models_own_threshold_goes_before_the_default(score, status):
    jobs = (job("eval / / glm5 fp8 b200 c64"),)
    finding = found(artifact(row(score, model="glm5")), lanes=jobs)
    assert finding.status == status
    assert "threshold 0.94" in finding.summary


def test_a_model_without_the_task_falls_back_to_the_default():
    rules = RULES | {"models": {"minimaxm3": {"other": 0.99}}}
    assert found(artifact(row(0.91)), rules=rules).status == "pass"


def test_a_task_without_a_threshold_is_said():
    finding = found(artifact(row(), row(task="mmlu")))
    assert finding.status == "fail"
    assert finding.summary == "no threshold for mmlu (model minimaxm3); add one to the rule pack"


def test_every_evaluated_model_needs_a_result():
    lane = job("multi-node eval / / p2 | glm5 fp8 gb300 c64 | eval-only")
    finding = found(artifact(row()), lanes=(*LANES, lane))
    assert finding.status == "fail"
    assert finding.summary == f"no result for glm5, which the lane {lane.name} evaluated"


def test_a_lane_that_did_not_execute_needs_no_result():
    assert found(artifact(row()), lanes=(*LANES, job("multi-node eval /", "skipped"))).status == (
        "pass"
    )


def test_a_lane_that_names_no_model_is_said():
    finding = found(artifact(row()), lanes=(*LANES, job("eval / ")))
    assert finding.status == "fail"
    assert finding.summary == "the eval lane eval /  names no model, so its result cannot be told"


def test_results_without_an_eval_lane_prove_nothing():
    finding = found(artifact(row()), lanes=(job("single-node / / m"),))
    assert finding.status == "fail"
    assert finding.summary == "run 900 executed no eval lane"


@pytest.mark.parametrize(
    ("artifacts", "words"),
    [
        ((), "run 900 has no artifact eval_results_all"),
        ((artifact(row(), name="results_bmk"),), "run 900 has no artifact eval_results_all"),
        ((artifact(row(), expired=True),), "the artifact eval_results_all of run 900 has expired"),
        ((artifact(files=UNREAD, expired=True),), "the artifact eval_results_all of run 900"),
        (
            (artifact(files=()),),
            "the artifact eval_results_all of run 900 holds no file agg_eval_all.json",
        ),
        (
            (artifact(files=(ArtifactFile(name="agg_eval_all.json", text="[]"),) * 2),),
            "the artifact eval_results_all of run 900 holds two files agg_eval_all.json",
        ),
        ((artifact(),), "agg_eval_all.json of run 900 holds no accuracy"),
        ((artifact(text="{"),), "agg_eval_all.json of run 900 is not valid JSON"),
        (
            (artifact(text='[{"score": NaN}]'),),
            "agg_eval_all.json of run 900 is not valid JSON: NaN is no JSON number",
        ),
        ((artifact(row(float("inf"))),), "agg_eval_all.json of run 900 is not valid JSON"),
        ((artifact(row(95.2)),), "agg_eval_all.json: row 1 (minimaxm3, gsm8k) has the score 95.2"),
        (
            (artifact(row(), row(None)),),
            "agg_eval_all.json: row 2 (minimaxm3, gsm8k) has no score",
        ),
    ],
)
def test_missing_empty_or_malformed_results_are_told_exactly(artifacts, words):
    finding = found(*artifacts)
    assert finding.status == "fail"
    assert finding.summary.startswith(words)
    assert finding.fix == (
        "run the evals again on a commit of this pull request until all results are good"
    )


@pytest.mark.parametrize(
    ("artifacts", "fields"),
    [
        ((artifact(files=UNREAD),), {}),
        ((), {"artifacts": UNREAD}),
        ((artifact(row()),), {"jobs": UNREAD}),
    ],
)
def test_what_could_not_be_read_is_an_error(artifacts, fields):
    with pytest.raises(MissingEvidence, match="GitHub refused"):
        found(*artifacts, **fields)


def test_unread_runs_are_an_error():
    with pytest.raises(MissingEvidence, match="GitHub refused"):
        judged(KIND, case(runs=UNREAD), **RULES)


def test_a_rerun_is_judged_by_its_own_artifact():
    assert found(artifact(row(0.5), id=1), artifact(row(0.95), id=2)).status == "pass"
    assert found(artifact(row(0.5), id=2), artifact(row(0.95), id=1)).status == "fail"


def test_several_issues_are_counted_and_listed():
    finding = found(artifact(row(0.5), row(0.5, task="mmlu"), row(None)))
    assert finding.summary == (
        "agg_eval_all.json: row 3 (minimaxm3, gsm8k) has no score (and 2 more issues)"
    )
    assert len(finding.details) == 3
    two = found(artifact(row(0.5), row(None)))
    assert two.summary.endswith("(and 1 more issue)")
    assert len(two.details) == 2


def test_one_issue_is_not_told_twice():
    assert found(artifact(row(0.5))).details == ()


def test_hundreds_of_issues_stay_readable():
    finding = found(artifact(*(row(0.5, task=f"t{n}") for n in range(300))))
    assert finding.summary.endswith(" (and 299 more issues)")
    assert len(finding.details) == 10


@pytest.mark.parametrize("accepted", [None, 5])
def test_without_an_accepted_run_nothing_is_judged(accepted):
    finding = found(artifact(row()), accepted=accepted)
    assert (finding.status, finding.summary) == ("blocked", "the check sweep accepted no run")


def test_without_the_sweep_check_nothing_is_judged():
    assert judged(KIND, case(runs=()), **RULES).status == "blocked"


def test_a_single_result_is_told_in_the_singular():
    assert found(artifact(row())).summary.startswith(
        "1 eval result of run 900 reaches its threshold: "
    )


def test_the_lowest_results_are_listed_and_the_first_is_in_the_summary():
    rules = RULES | {"default": {"gsm8k": 0.5, "mmlu": 0.5}}
    finding = found(artifact(row(0.9), row(0.7), row(0.8, task="mmlu")), rules=rules)
    assert finding.details == (
        "minimaxm3: gsm8k at least 0.7000, threshold 0.5",
        "minimaxm3: mmlu at least 0.8000, threshold 0.5",
    )
    assert finding.summary.endswith("minimaxm3: gsm8k at least 0.7000, threshold 0.5 and 1 more")


def test_another_run_is_not_judged_in_its_place():
    earlier = {"sweep": Finding("pass", "fine", run_id=901)}
    good = run(900, *LANES, artifacts=(artifact(row()),))
    poor = run(901, *LANES, artifacts=(artifact(row(0.5)),))
    at = case(runs=(good, poor), earlier=earlier)
    assert judged(KIND, at, **RULES).status == "fail"


@pytest.mark.parametrize("wrong", [{"default": {"gsm8k": 1.1}}, {"lanes": ()}, {"lanes": ("",)}])
def test_rules_that_mean_nothing_are_refused(wrong):
    with pytest.raises(ValidationError):
        KIND.parameters(**RULES | wrong)
    assert not KIND.needs_signoff


def test_needs_name_the_file_to_collect():
    (need,) = KIND.needs(KIND.parameters(**RULES)).artifacts
    assert (need.workflow, need.artifact, need.member) == (
        RULES["workflow"],
        "eval_results_all",
        "agg_eval_all.json",
    )


@pytest.mark.parametrize(
    ("score", "shown"),
    [(0.57, "0.5700"), (0.56999, "0.5699"), (1.0, "1.0000"), (1e-7, "0.0000")],
)
def test_scores_are_cut_off_to_four_digits(score, shown):
    rules = RULES | {"default": {"gsm8k": 0.0}}
    assert f"gsm8k at least {shown}, threshold" in found(artifact(row(score)), rules=rules).summary


LATE = job("eval / / p2 | minimaxm3 fp8 b200 c16 | eval-only", completed_at="2026-06-25T12:00:00Z")


def test_results_from_before_the_last_eval_lane_was_over_are_of_an_earlier_attempt():
    finding = found(artifact(row()), lanes=(*LANES, LATE), attempt=2)
    assert finding.status == "fail"
    assert finding.summary == (
        "the artifact eval_results_all of run 900 is of 2026-06-25T09:05:00Z, from before its last "
        "eval lane was over at 2026-06-25T12:00:00Z"
    )
    now = artifact(row(), created_at="2026-06-25T12:00:00Z")
    assert found(now, lanes=(*LANES, LATE), attempt=2).status == "pass"


@pytest.mark.parametrize("created_at", ["2026-06-25T09:05:00Z", None])
def test_the_results_of_a_run_that_was_never_run_again_are_its_own(created_at):
    results = artifact(row(), created_at=created_at)
    assert found(results, lanes=(*LANES, LATE)).status == "pass"


@pytest.mark.parametrize("name", ["single-node 8k1k / / p1 | minimaxm3 x", "collect-evals"])
def test_other_jobs_may_be_over_after_the_results(name):
    other = job(name, completed_at="2026-06-25T12:00:00Z")
    assert found(artifact(row()), lanes=(*LANES, other), attempt=2).status == "pass"


def test_results_of_an_unknown_time_are_missing_evidence():
    words = (
        "^when the artifact eval_results_all of run 900 was uploaded is not known; collect the "
        "evidence again$"
    )
    with pytest.raises(MissingEvidence, match=words):
        found(artifact(row(), created_at=None), attempt=2)
