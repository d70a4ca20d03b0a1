"""The check `golden-al`: what its findings say."""

import pytest
from support.acceptance import CONFIG, SCRIPT, VLLM, changed, multinode
from support.standard import GOLDEN, case_of, entry, judged, parameters

from signoff_bot.checks import KINDS
from signoff_bot.checks.needs import ContentNeed

FIX = (
    "pin the acceptance that the committed curve has for the model, method, draft length and "
    f"thinking mode ({GOLDEN}); for a model without a curve, state the value and its source in the "
    "sign-off's detail section"
)


def test_a_finding_says_what_is_right_and_what_to_do() -> None:
    right = judged("golden-al", case_of(changed(SCRIPT, VLLM)))
    assert right.summary.startswith(f"acceptance is the committed one: {SCRIPT}:5: ")
    assert (right.details, right.fix) == ((), None)
    wrong = judged("golden-al", case_of(changed(SCRIPT, VLLM.replace("=2.49", "=2.54"))))
    assert (wrong.details, wrong.fix) == ((wrong.summary,), FIX)
    open_ended = VLLM.replace("=2.49", "=$FROM_OUTSIDE")
    doubtful = judged("golden-al", case_of(changed(SCRIPT, open_ended)))
    assert doubtful.fix == "a person must compare these lines with the committed curves"
    none = judged("golden-al", case_of({CONFIG: (None, entry())}))
    assert none.summary == "no agentic benchmark with speculative decoding is changed"


def test_every_pin_outside_of_agentic_benchmarks_is_told() -> None:
    folder = "benchmarks/single_node/fixed_seq_len/dsv4_fp4_b300_"
    texts = {f"{folder}{name}_mtp.sh": (None, VLLM) for name in ("sglang", "vllm")}
    finding = judged("golden-al", case_of(texts))
    assert [line.split(":")[0] for line in finding.details] == sorted(texts)


def test_what_an_entry_pins_is_told_with_its_place_and_model() -> None:
    added = multinode("glm5.1", "SYNTHETIC_ACCEPTANCE_LENGTH=3.45")
    finding = judged("golden-al", case_of({CONFIG: (None, added)}))
    assert finding.summary.startswith(f"{CONFIG}:13 (glm5.1-fp4-gb200-dynamo-vllm-agentic): ")
    assert finding.summary.endswith(
        ": glm5.1 has no committed curve for this, and the sign-off states no source of the value"
    )
    said = "AL 3.45 from https://github.com/o/r/actions/runs/1"
    finding = judged("golden-al", case_of({CONFIG: (None, added)}, details=(said,)))
    assert finding.summary.endswith(
        f": glm5.1 has no committed curve for this; sign-off line 20: {said}"
    )


@pytest.mark.parametrize("said", ["AL 3.5 from a run", "AL 3.50 from a run"])
def test_a_value_may_be_stated_with_or_without_its_last_zero(said: str) -> None:
    added = multinode("glm5.1", "SYNTHETIC_ACCEPTANCE_LENGTH=3.5")
    finding = judged("golden-al", case_of({CONFIG: (None, added)}, details=(said,)))
    assert finding.status == "review"


def test_a_script_whose_model_cannot_be_told_is_for_a_person() -> None:
    path = "benchmarks/single_node/agentic/nameless.sh"
    finding = judged("golden-al", case_of(changed(path, VLLM.replace("$MODEL", "x"))))
    assert finding.status == "review"
    assert finding.summary.endswith(": it cannot be told which model is launched")


def test_a_simulation_that_is_switched_off_in_capitals_is_off() -> None:
    settings = ("SYNTHETIC_ACCEPTANCE=FALSE", "SYNTHETIC_ACCEPTANCE_LENGTH=4.44")
    finding = judged("golden-al", case_of({CONFIG: (None, multinode("dsv4", *settings))}))
    assert finding.status == "na"


def test_needs_are_launches_configurations_and_curves() -> None:
    needs = KINDS["golden-al"].needs(parameters("golden-al", files=["a/**"], configs=["c.yaml"]))
    assert needs.files
    assert needs.contents == {
        ContentNeed("a/**", "head"),
        ContentNeed("c.yaml", "head"),
        ContentNeed("c.yaml", "merge base"),
        ContentNeed(GOLDEN, "base"),
    }


RECIPE = "recipes/vllm/x/agentic/x.yaml"
PATH = f"benchmarks/multi_node/srt-slurm-{RECIPE}"


def test_variants_of_an_entry_that_pin_differently_are_each_judged() -> None:
    text = multinode("qwen3.5", "SYNTHETIC_ACCEPTANCE_LENGTH=3.39", "DECODE_MTP_SIZE=3")
    _, _, variant = text.partition("      - spec-decoding")
    both = f"{text}      - spec-decoding{variant.replace('3.39', '9.9').replace('tp: 8', 'tp: 4')}"
    finding = judged("golden-al", case_of({CONFIG: (None, both)}))
    assert finding.status == "fail"
    assert f"{CONFIG}:17 (" in finding.summary
    assert "3.39 (" in finding.details[-1]


def test_a_recipe_that_shows_no_speculative_decoding_leaves_it_open() -> None:
    texts = {
        CONFIG: (None, multinode("dsv4", f"CONFIG_FILE={RECIPE}")),
        PATH: (None, "backend: {}\n"),
    }
    finding = judged("golden-al", case_of(texts))
    assert finding.status == "review"
    assert finding.summary.endswith(
        f"speculative decoding, and neither the entry nor its recipe {PATH} pins acceptance"
    )


def test_a_pin_of_an_entry_is_told_as_it_stands_there() -> None:
    settings = ("SYNTHETIC_ACCEPTANCE_LENGTH=2.44", f"CONFIG_FILE={RECIPE}")
    recipe = 'speculative-config: \'{"method":"mtp","num_speculative_tokens":3}\'\n'
    texts = {CONFIG: (None, multinode("dsv4", *settings)), PATH: (None, recipe)}
    finding = judged("golden-al", case_of(texts))
    assert finding.status == "fail"
    assert "): SYNTHETIC_ACCEPTANCE_LENGTH = 2.44: the committed value is " in finding.summary
