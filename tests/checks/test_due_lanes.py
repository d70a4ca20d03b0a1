"""The lanes that are due follow what is submitted, and nothing else."""

import json
import re

import pytest
from pydantic import ValidationError
from support.build import HEAD, changed, job, run
from support.standard import case_of, entry

from signoff_bot.checks.base import Case
from signoff_bot.checks.due_lanes import DueRules, lanes_for
from signoff_bot.checks.sweep import KIND, SweepParameters
from signoff_bot.evidence.base import MissingEvidence, Unread
from signoff_bot.evidence.pull import Commit
from signoff_bot.reading.lanes import LaneRules

CONFIG, OTHER_CONFIG = "configs/nvidia-master.yaml", "configs/amd-master.yaml"
DUE = {
    "configs": ["configs/*-master.yaml"],
    "base_configs": [CONFIG, OTHER_CONFIG],
    "changelog": "perf-changelog.yaml",
    "evals_only": "evals-only",
    "benchmarks": ["benchmarks/**", "!*.md"],
    "scenarios": [
        {
            "scenario": "fixed-seq-len",
            "multinode": False,
            "lanes": ["single-node"],
            "single_point": ["canary"],
            "evals": ["eval"],
            "eval_lengths": [{"isl": 8192, "osl": 1024}],
            "eval_concurrency": 16,
        },
        {
            "scenario": "fixed-seq-len",
            "multinode": True,
            "lanes": ["multi-node"],
            "evals": ["multi-node-eval"],
            "eval_lengths": [{"isl": 8192, "osl": 1024}],
        },
        {
            "scenario": "agentic-coding",
            "multinode": False,
            "lanes": ["agentic"],
            "evals": ["agentic-eval"],
        },
        {"scenario": "agentic-coding", "multinode": True, "lanes": ["multi-node-agentic"]},
    ],
}
RULES = DueRules.model_validate_json(json.dumps(DUE))
STATIC = LaneRules((("single-node ", "single-node"),), (("single-node",),), min_seconds=60)
SMALL = entry(space=("{ tp: 8, conc-list: [4, 8] }",))
LARGE = entry(space=("{ tp: 8, conc-list: [4, 16] }",))


def log(*keys, extra=""):
    added = "".join(f"+    - {key}\n" for key in keys)
    return f"@@ -9,1 +9,9 @@\n   pr-link: A\n+\n+- config-keys:\n{added}{extra}+  pr-link: B\n"


def due(texts, **fields):
    lanes = lanes_for(case_of(texts, **fields), STATIC, RULES)
    return lanes if lanes is None else sorted(map(str, lanes.due))


BENCH, EVAL = "single-node lane of dsv4", "eval lane of dsv4"
ALONE = "single-node or canary lane of dsv4"
ONE = entry(space=("{ tp: 8, conc-list: [4] }",))


@pytest.mark.parametrize(
    ("before", "after", "lanes"),
    [
        (None, SMALL, [BENCH]),
        (None, LARGE, [EVAL, BENCH]),
        (None, entry(setting="isl: 1024, osl: 1024"), [BENCH]),
        (
            None,
            entry(multinode="true"),
            ["multi-node lane of dsv4", "multi-node-eval lane of dsv4"],
        ),
        (
            None,
            entry(scenario="agentic-coding"),
            ["agentic lane of dsv4", "agentic-eval lane of dsv4"],
        ),
        (
            None,
            entry(scenario="agentic-coding", multinode="true"),
            ["multi-node-agentic lane of dsv4"],
        ),
        (SMALL, SMALL.replace("v0.5.16", "v0.5.17"), [BENCH]),
        (SMALL, LARGE, [EVAL, BENCH]),
        (LARGE, LARGE.replace("[4, 16]", "[4, 8, 16]"), [BENCH]),
        (
            SMALL,
            SMALL + entry("k3", prefix="kimik3", space=("{ tp: 8, conc-list: [1] }",)),
            ["single-node or canary lane of kimik3"],
        ),
    ],
    ids=[
        *("new", "new with evals", "1k1k", "multi-node", "agentic", "agentic multi-node"),
        *("new image", "a point whose evals are due", "a point between", "another model"),
    ],
)
def test_the_submitted_points_say_which_lanes_are_due(before, after, lanes):
    assert due({CONFIG: (before, after)}) == lanes


APPEND = "+  append-only: true\n"
TWO = ONE + ONE.replace("dsv4-fp4-b200-sglang:", "other:")


@pytest.mark.parametrize(
    ("before", "after", "added", "lane"),
    [
        (None, ONE, None, ALONE),
        (None, SMALL, None, BENCH),
        (ONE, SMALL, None, BENCH),
        (ONE, SMALL, log("dsv4-*"), BENCH),
        (ONE, SMALL, log("dsv4-*", extra=APPEND), ALONE),
        (ONE, SMALL.replace("[4, 8]", "[4, 8, 12]"), log("dsv4-*", extra=APPEND), BENCH),
        (ONE, SMALL, log("dsv4-*", extra=APPEND) + log("dsv4-*"), BENCH),
        (None, TWO, None, BENCH),
        (ONE, ONE.replace("v0.5.16", "v0.5.17"), log("dsv4-*", "dsv4-fp4-*"), ALONE),
        (LARGE, LARGE.replace("[4, 16]", "[16]") + TWO.removeprefix(ONE), None, ALONE),
    ],
    ids=[
        *("alone", "two", "second", "named", "appended", "two appended", "also run again"),
        *("two entries", "named twice", "beside an entry that loses a point"),
    ],
)
def test_a_lane_for_single_points_will_do_where_no_other_point_of_the_model_runs(
    before, after, added, lane
):
    assert due({CONFIG: (before, after)}, log=added) == [lane]


@pytest.mark.parametrize(
    ("texts", "files"),
    [
        ({}, [changed("README.md")]),
        ({}, [changed("benchmarks/README.md")]),
        ({CONFIG: (LARGE, f"# a remark\n{LARGE}")}, []),
        ({CONFIG: (LARGE, LARGE.replace("[4, 16]", "[16]"))}, []),
        ({CONFIG: (LARGE, None)}, []),
        ({CONFIG: (LARGE, ""), OTHER_CONFIG: ("", LARGE)}, []),
    ],
    ids=["docs", "docs of benchmarks", "remark", "fewer points", "removed", "moved"],
)
def test_where_nothing_is_submitted_nothing_is_due(texts, files):
    assert due(texts, files=files) is None


def test_a_changed_script_needs_what_is_required_of_all():
    lanes = lanes_for(case_of({}, files=[changed("benchmarks/a.sh")]), STATIC, RULES)
    assert lanes == STATIC


def test_a_log_that_cannot_be_read_may_ask_for_anything():
    unclear = "@@ -9,1 +9,2 @@\n - config-keys:\n+    - *\n"
    assert lanes_for(case_of({}, log=unclear), STATIC, RULES) == STATIC


def test_what_is_due_takes_the_place_of_what_is_required_of_all():
    lanes = lanes_for(case_of({CONFIG: (None, SMALL)}), STATIC, RULES)
    assert (lanes.required, lanes.min_seconds) == ((), 60)


def test_without_rules_for_it_the_lanes_stay_as_they_are():
    assert lanes_for(case_of({}), STATIC, None) is STATIC


BASE = {CONFIG: LARGE + entry("k3-b200", prefix="kimik3", space=("{ tp: 8, conc-list: [1] }",))}
KIMI = "single-node or canary lane of kimik3"


@pytest.mark.parametrize(
    ("added", "lanes"),
    [
        (log("k3-b200"), [KIMI]),
        (log("k3-*"), [KIMI]),
        (log('"*"'), [EVAL, BENCH, KIMI]),
        (log("dsv4-fp4-b200-sglang", extra="+  evals-only: true\n"), [EVAL]),
        (log("dsv4-fp4-b200-sglang", extra="+  evals-only: false\n"), [EVAL, BENCH]),
        (log("dsv4-*", extra="+  scenario-type: [fixed-seq-len]\n"), [EVAL, BENCH]),
        (log("dsv4-*", extra="+  scenario-type: [agentic-coding]\n"), None),
        (log("gone"), None),
    ],
)
def test_what_the_change_log_runs_again_is_due(added, lanes):
    assert due({}, log=added, base=BASE) == lanes


def test_a_changed_entry_that_the_log_names_is_due_by_its_submitted_points():
    more = LARGE.replace("[4, 16]", "[4, 8, 16]")
    assert due({CONFIG: (LARGE, more)}, log=log("dsv4-*")) == [BENCH]
    assert due({CONFIG: (LARGE, f"# x\n{LARGE}")}, log=log("dsv4-*")) == [EVAL, BENCH]


def test_a_changed_entry_may_be_there_for_its_evals_alone():
    bumped = LARGE.replace("v0.5.16", "v0.5.17")
    evals = log("dsv4-*", extra="+  evals-only: true\n")
    assert due({CONFIG: (LARGE, bumped)}, log=evals) == [EVAL]


def test_a_scenario_that_the_rules_do_not_know_decides_nothing():
    odd = entry(scenario="offline-batch", setting="isl: 1, osl: 1")
    words = re.escape(
        f"{CONFIG}:1 (dsv4-fp4-b200-sglang): the rules name no lanes for its scenario offline-batch"
    )
    with pytest.raises(MissingEvidence, match=f"^{words}$"):
        due({CONFIG: (None, odd)})


def test_an_unreadable_configuration_decides_nothing():
    with pytest.raises(MissingEvidence, match="502"):
        due({CONFIG: (None, Unread(unread="HTTP 502"))})


SWEEP = {
    "workflow": ".github/workflows/run-sweep.yml",
    "events": ["pull_request"],
    "lanes": {
        "canary": ["canary /"],
        "single-node": ["single-node "],
        "multi-node": ["multi-node "],
        "multi-node-eval": ["multi-node eval /"],
        "agentic": ["agentic /"],
        "agentic-eval": ["agentic eval /"],
        "multi-node-agentic": ["multi-node agentic /"],
        "eval": ["eval /"],
    },
    "required": [["single-node"]],
    "due": DUE,
}
LANE = "single-node 8k1k / / p1 | {} fp4 b200 sgl TP8 c4"
EVAL_LANE = "eval / / p1 | {} fp4 b200 sgl TP8 c16 | eval-only"


def swept(*names, texts=None):
    given = SweepParameters.model_validate_json(json.dumps(SWEEP))
    case = case_of(texts or {CONFIG: (None, LARGE)})
    facts = {
        "commits": (Commit(sha=HEAD, parents=(), author=None, committer=None),),
        "runs": (run(900, *map(job, names)),),
    }
    case = Case(case.evidence.model_copy(update=facts), case.rules, case.signoff, case.signers)
    return KIND.judge(case, given)


def test_the_sweep_of_what_is_submitted_passes_and_hands_on_what_was_due():
    finding = swept(LANE.format("dsv4"), EVAL_LANE.format("dsv4"))
    assert finding.status == "pass"
    assert [lane.evals for lane in finding.lanes.due] == [False, True]
    assert finding.details[0] == f"due by what is submitted: {BENCH}, {EVAL}"


def test_of_many_lanes_that_are_due_the_first_are_told_and_the_rest_counted():
    models = "".join(entry(f"k{n:02}", prefix=f"k{n:02}") for n in range(6))
    told = swept(texts={CONFIG: (None, models)}).details[0]
    lanes = [f"{kind} lane of k{n:02}" for n in range(6) for kind in ("single-node", "eval")]
    assert told == f"due by what is submitted: {', '.join(lanes[:10])} and 2 more"


@pytest.mark.parametrize(
    ("names", "lacks"),
    [
        ([LANE.format("dsv4")], f"no green {EVAL}"),
        ([EVAL_LANE.format("dsv4")], f"no green {BENCH}"),
        ([LANE.format("kimik3"), EVAL_LANE.format("dsv4")], f"no green {BENCH}"),
        ([LANE.format("dsv4"), EVAL_LANE.format("kimik3")], f"no green {EVAL}"),
        (["agentic / / p1 | dsv4 x", EVAL_LANE.format("dsv4")], f"no green {BENCH}"),
    ],
    ids=["no evals", "no benchmark", "another model", "evals of another model", "another kind"],
)
def test_a_sweep_of_anything_else_fails_and_says_what_lacks(names, lacks):
    finding = swept(*names)
    assert finding.status == "fail"
    assert lacks in finding.summary
    assert finding.lanes is not None


def test_a_canary_may_be_the_only_lane_of_a_single_point_and_of_no_more():
    canary = "canary / / p1 | dsv4 fp4 b200 sgl TP8 c4"
    assert swept(canary, texts={CONFIG: (None, ONE)}).status == "pass"
    assert swept(canary, EVAL_LANE.format("dsv4")).status == "fail"


def test_without_anything_to_measure_the_sweep_does_not_apply():
    finding = swept(texts={CONFIG: (LARGE, f"# x\n{LARGE}")})
    assert (finding.status, finding.lanes) == ("na", None)
    assert finding.summary == (
        "the pull request submits no benchmark point and touches no benchmark"
    )


def test_the_sweep_needs_the_configurations_where_lanes_are_due():
    needs = KIND.needs(SweepParameters.model_validate_json(json.dumps(SWEEP)))
    assert {need.at for need in needs.contents} == {"merge base", "head", "base"}
    assert needs.files
    (workflow,) = needs.workflows
    assert workflow.due == RULES
    assert hash(workflow)


def test_lanes_must_be_groups_that_exist():
    wrong = SWEEP | {"lanes": {"single-node": ["single-node "]}}
    with pytest.raises(ValidationError, match="agentic"):
        SweepParameters.model_validate_json(json.dumps(wrong))
