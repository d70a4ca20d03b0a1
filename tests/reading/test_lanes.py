import pytest
from support.build import job

from signoff_bot.evidence.actions import Step
from signoff_bot.evidence.base import MissingEvidence
from signoff_bot.reading.lanes import (
    DueLane,
    LaneRules,
    flaw,
    is_placeholder,
    model_of,
    read_lanes,
)

RULES = LaneRules(
    prefixes=(
        ("canary /", "canary"),
        ("single-node ", "single-node"),
        ("multi-node ", "multi-node"),
        ("multi-node eval /", "eval"),
        ("eval /", "eval"),
        ("agentic /", "agentic"),
        ("agentic eval /", "eval"),
        ("multi-node agentic /", "agentic"),
        ("multi-node agentic eval /", "eval"),
    ),
    required=(("single-node", "multi-node"), ("eval",)),
)
LANE = "qwen3.5 fp8 b200 sgl TP8 c16"
SINGLE = f"single-node 1k1k / / p1 | {LANE}"
EVAL = f"eval / / p1 | {LANE} | eval-only"


@pytest.mark.parametrize(
    ("name", "group"),
    [
        (SINGLE, "single-node"),
        (EVAL, "eval"),
        (f"multi-node 8k1k / / {LANE}", "multi-node"),
        (f"multi-node eval / / {LANE}", "eval"),
        (f"multi-node agentic / / {LANE}", "agentic"),
        (f"multi-node agentic eval / / {LANE}", "eval"),
        (f"agentic eval / / {LANE}", "eval"),
        ("canary / / x", "canary"),
        ("collect-evals / collect-evals", None),
        ("reuse-sweep-gate", None),
        ("Eval / / x", None),
        ("evaluate / x", None),
    ],
)
def test_the_longest_beginning_of_a_name_tells_the_group(name, group):
    assert RULES.group_of(name) == group


@pytest.mark.parametrize(
    ("name", "conclusion", "placeholder"),
    [
        ("eval /", "skipped", True),
        ("single-node 1k1k /", "skipped", True),
        ("eval", "skipped", True),
        (EVAL, "skipped", False),
        ("eval /", "success", False),
        ("eval /", "failure", False),
    ],
)
def test_only_a_bare_skipped_job_is_a_placeholder(name, conclusion, placeholder):
    assert is_placeholder(job(name, conclusion)) is placeholder


@pytest.mark.parametrize(
    ("name", "model"),
    [
        (EVAL, "qwen3.5"),
        (f"multi-node eval / / {LANE}", "qwen3.5"),
        ("eval / p12 | minimaxm3 fp8  mi355x", "minimaxm3"),
        ("eval / / cold | p3 | minimaxm3 fp8 mi355x | eval-only", "minimaxm3"),
        ("eval / / minimaxm3 fp8 mi355x | eval-only", "minimaxm3"),
        ("canary / / p1 | canary", "canary"),
        ("eval / / ", None),
        ("eval /", None),
        ("eval", None),
    ],
)
def test_the_model_is_read_from_a_lanes_name(name, model):
    assert model_of(name) == model


def test_green_lanes_of_every_required_group_satisfy():
    report = read_lanes([job(SINGLE), job(EVAL), job("agentic /", "skipped")], RULES)
    assert report.satisfied
    assert report.green == (("eval", 1), ("single-node", 1))


@pytest.mark.parametrize("conclusion", ["failure", "cancelled", "timed_out", "skipped", "neutral"])
def test_a_named_lane_that_is_not_green_spoils_the_run(conclusion):
    bad = f"single-node 8k1k / / p2 | {LANE}"
    report = read_lanes([job(SINGLE), job(EVAL), job(bad, conclusion)], RULES)
    assert not report.satisfied
    assert [lane.name for lane in report.failed] == [bad]


def test_a_success_that_no_runner_achieved_is_not_green():
    report = read_lanes([job(SINGLE, runner=None), job(EVAL)], RULES)
    assert not report.satisfied


def test_a_red_canary_spoils_the_run():
    assert not read_lanes([job(SINGLE), job(EVAL), job("canary / / x", "failure")], RULES).satisfied


def test_bookkeeping_jobs_do_not_matter():
    jobs = [job(SINGLE), job(EVAL), job("collect-evals / collect-evals", "failure")]
    assert read_lanes(jobs, RULES).satisfied


def test_an_aggregator_is_no_eval_lane():
    report = read_lanes([job(SINGLE), job("collect-evals / collect-evals")], RULES)
    assert report.missing == ("eval lane",)


@pytest.mark.parametrize("status", ["queued", "in_progress", "waiting"])
def test_a_lane_still_to_go_leaves_the_run_unfinished(status):
    report = read_lanes([job(SINGLE, None, status=status), job(EVAL)], RULES)
    assert not report.satisfied
    assert len(report.unfinished) == 1


def test_placeholders_alone_executed_nothing():
    report = read_lanes([job("eval /", "skipped"), job("reuse-sweep-gate")], RULES)
    assert report.executed_nothing
    assert not report.satisfied


def test_cancelled_lanes_are_forgiven_up_to_the_number_that_the_rules_say():
    rules = LaneRules(RULES.prefixes, RULES.required, tolerate_cancelled=1)
    other = f"single-node 8k1k / / {LANE}"
    one = [job(SINGLE), job(EVAL), job(other, "cancelled")]
    assert read_lanes(one, rules).satisfied
    assert not read_lanes(one, RULES).satisfied
    assert not read_lanes([*one, job(f"{other} c32", "cancelled")], rules).satisfied
    assert not read_lanes([job(SINGLE), job(EVAL), job(other, "failure")], rules).satisfied


def test_a_cancelled_lane_never_stands_in_for_a_green_one():
    rules = LaneRules(RULES.prefixes, RULES.required, tolerate_cancelled=1)
    assert read_lanes([job(SINGLE), job(EVAL, "cancelled")], rules).missing == ("eval lane",)


DUE = (DueLane(("single-node", "canary"), "qwen3.5", evals=False),)
TIMED = LaneRules(RULES.prefixes, (), min_seconds=60)
STEPPED = LaneRules(RULES.prefixes, (), key_steps=("Launch", "Serve"))


@pytest.mark.parametrize(
    ("names", "missing"),
    [
        ([SINGLE], ()),
        ([f"canary / / p1 | {LANE}"], ()),
        ([SINGLE.replace("qwen3.5", "qwen3")], ("single-node or canary lane of qwen3.5",)),
        ([f"multi-node 8k1k / / {LANE}"], ("single-node or canary lane of qwen3.5",)),
        (["single-node 1k1k /"], ("single-node or canary lane of qwen3.5",)),
    ],
)
def test_a_due_lane_is_one_of_its_groups_and_of_its_model(names, missing):
    rules = LaneRules(RULES.prefixes, (), due=DUE)
    assert read_lanes([job(name) for name in names], rules).missing == missing


def test_a_red_lane_is_none_of_those_that_are_due():
    rules = LaneRules(RULES.prefixes, (), due=DUE)
    assert read_lanes([job(SINGLE, "failure")], rules).missing == (str(DUE[0]),)


def steps(*ended, name="Launch"):
    return tuple(Step(number=n, name=name, conclusion=end) for n, end in enumerate(ended))


@pytest.mark.parametrize(
    ("fields", "rules", "why"),
    [
        ({}, RULES, None),
        ({"conclusion": "failure"}, RULES, "failure"),
        ({"runner": None}, RULES, "no runner took it up"),
        ({"started_at": None}, RULES, "GitHub tells no start and end of it"),
        ({"completed_at": None}, RULES, "GitHub tells no start and end of it"),
        (
            {"started_at": "2026-06-25T09:00:01Z"},
            RULES,
            "GitHub tells no start and end of it",
        ),
        ({"started_at": "2026-06-25T09:00:00Z"}, RULES, "over after 0 s"),
        ({"started_at": "2026-06-25T08:59:59Z"}, RULES, None),
        ({"started_at": "2026-06-25T08:59:59Z"}, TIMED, "over after 1 s"),
        ({"started_at": "2026-06-25T08:59:01Z"}, TIMED, "over after 59 s"),
        ({"started_at": "2026-06-25T08:59:00Z"}, TIMED, None),
        ({"steps": steps("success")}, STEPPED, None),
        ({"steps": steps("skipped", "success")}, STEPPED, None),
        ({"steps": steps("success", name="Serve")}, STEPPED, None),
        ({"steps": ()}, STEPPED, "its step Launch or Serve did not succeed"),
        ({"steps": steps("skipped")}, STEPPED, "its step Launch or Serve did not succeed"),
        ({"steps": steps("success", "failure")}, STEPPED, "its step Launch or Serve did not"),
        ({"steps": steps(None)}, STEPPED, "its step Launch or Serve did not succeed"),
        ({"steps": steps("success", name="Set up")}, STEPPED, "its step Launch or Serve did not"),
    ],
)
def test_what_keeps_a_lane_from_being_green(fields, rules, why):
    given = {"conclusion": "success"} | fields
    found = job(SINGLE, given.pop("conclusion"), **given)
    assert (flaw(found, rules) or "").startswith(why or "")
    assert (flaw(found, rules) is None) == (why is None)
    assert [lane.name for lane in read_lanes([found], rules).failed] == ([SINGLE] if why else [])


def test_steps_that_were_not_collected_decide_nothing():
    with pytest.raises(MissingEvidence, match="steps of single-node"):
        read_lanes([job(SINGLE)], STEPPED)
    assert read_lanes([job(SINGLE, "failure")], STEPPED).failed
