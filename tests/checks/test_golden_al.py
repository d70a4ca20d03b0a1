"""The check `golden-al`: agentic speculative decoding simulates the committed acceptance."""

import pytest
from support.acceptance import CONFIG, SCRIPT, VLLM, changed, multinode
from support.standard import FACTS, GOLDEN, case_of, entry, judged

RECIPES = "benchmarks/multi_node/srt-slurm-recipes/"

JSON = VLLM.replace("$SYNTHETIC_ACCEPT_LEN", "2.49")
SGLANG = """\
if [ "${EVAL_ONLY:-false}" != "true" ]; then
    export SGLANG_SIMULATE_ACC_LEN=3.77
fi
python3 -m sglang.launch_server \\
    --speculative-algorithm DSPARK \\
    --speculative-num-steps 1 \\
    --speculative-num-draft-tokens 7
"""
ATOM = """\
NUM_SPEC_TOKENS=3
SPEC_ACCEPTANCE_RATE=0.4967
SPEC_ARGS=(
    --method mtp
    --num-speculative-tokens "$NUM_SPEC_TOKENS"
)
if [ "${EVAL_ONLY:-false}" != "true" ]; then
    SPEC_ARGS+=(--spec-decode-acceptance-rate "$SPEC_ACCEPTANCE_RATE")
fi
"""
TRT = """\
backend:
  decode_environment:
    TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS: "2.61"
  trtllm_config:
    decode:
      speculative_config:
        decoding_type: MTP
        max_draft_len: 5
"""
INLINE = """\
backend:
  vllm_config:
    prefill:
      speculative-config: '{"method":"eagle3","model":"Inferact/MiniMax-M3-EAGLE3-GQA",\
"num_speculative_tokens":1,"synthetic_acceptance_length":1.79}'
    decode:
      speculative-config: '{"method":"eagle3","model":"Inferact/MiniMax-M3-EAGLE3-GQA",\
"num_speculative_tokens":3,"synthetic_acceptance_length":2.78}'
"""
ENVIRONMENT = """\
backend:
  aggregated_environment:
    SGLANG_SIMULATE_ACC_LEN: '3.39'
  sglang_config:
    aggregated:
      speculative-algorithm: EAGLE
      speculative-num-steps: 3
      speculative-num-draft-tokens: 4
"""
ARMS = """\
SPEC_NUM_TOKENS="${SPEC_NUM_TOKENS:-6}"
case "$SPEC_NUM_TOKENS" in
    2) SYNTHETIC_ACCEPT_LEN=2.51 ;;
    6) SYNTHETIC_ACCEPT_LEN=3.75 ;;
    7) SYNTHETIC_ACCEPT_LEN=3.84 ;;
    *) exit 1 ;;
esac
SPEC="{\\"method\\":\\"dspark\\",\\"num_speculative_tokens\\":$SPEC_NUM_TOKENS,\
\\"draft_sample_method\\":\\"probabilistic\\",\
\\"synthetic_acceptance_length\\": $SYNTHETIC_ACCEPT_LEN}"
vllm serve --speculative-config "$SPEC"
"""
BRANCHES = """\
if [ "$CONC" = 1 ]; then
    SYNTHETIC_ACCEPT_LEN=3.75
    SPEC_NUM_TOKENS=6
else
    SYNTHETIC_ACCEPT_LEN=2.51
    SPEC_NUM_TOKENS=2
fi
vllm serve --speculative-config "{\\"method\\":\\"dspark\\",\
\\"num_speculative_tokens\\":$SPEC_NUM_TOKENS,\\"draft_sample_method\\":\\"probabilistic\\",\
\\"synthetic_acceptance_length\\": $SYNTHETIC_ACCEPT_LEN}"
"""
K3 = "benchmarks/single_node/agentic/kimik3_fp4_mi355x_vllm_mtp.sh"
DSPARK = "benchmarks/single_node/agentic/dsv4_fp4_b300_sglang_mtp.sh"
ATOM_SCRIPT = "benchmarks/single_node/agentic/dsv4_fp4_mi355x_atom_mtp.sh"
GLM = f"{RECIPES}trtllm/glm5.2/b300-fp4/agentic/disagg-mtp5.yaml"
M3 = f"{RECIPES}vllm/minimax-m3/agentic/disagg.yaml"
QWEN = f"{RECIPES}sglang/qwen3.5/gb200-fp4/agentic/agg.yaml"


@pytest.mark.parametrize(
    ("path", "text", "pinned", "wrong"),
    [
        pytest.param(SCRIPT, VLLM, "=2.49", "=2.54", id="variable in JSON"),
        pytest.param(
            SCRIPT, VLLM.replace("$SYNTHETIC_ACCEPT_LEN", "2.49"), ": 2.49", ": 2.6", id="J"
        ),
        pytest.param(SCRIPT, VLLM, "TOKENS=3", "TOKENS=2", id="another draft length"),
        pytest.param(DSPARK, SGLANG, "3.77", "3.73", id="export"),
        pytest.param(DSPARK, SGLANG, "tokens 7", "tokens 8", id="draft tokens are one more"),
        pytest.param(ATOM_SCRIPT, ATOM, "0.4967", "0.5200", id="rate"),
        pytest.param(GLM, TRT, "2.61", "3.61", id="one less"),
        pytest.param(M3, INLINE, "2.78", "2.83", id="inline JSON, the other draft's curve"),
        pytest.param(M3, INLINE, ":3,", ":2,", id="inline JSON, another draft length"),
        pytest.param(QWEN, ENVIRONMENT, "3.39", "3.97", id="YAML"),
        pytest.param(K3, ARMS, "=3.75", "=3.54", id="arms, the other sampling's curve"),
        pytest.param(K3, ARMS, "=2.51", "=3.00", id="arms"),
        pytest.param(K3, BRANCHES, "=3.75", "=2.51", id="branches"),
        pytest.param(
            SCRIPT,
            VLLM.replace("=3\n", "=3\nX='{\"enable_thinking\": false}'\n").replace("2.49", "2.97"),
            "=2.97",
            "=2.49",
            id="thinking off",
        ),
    ],
)
def test_every_spelling_is_held_to_its_curve(path, text, pinned, wrong) -> None:
    right = judged("golden-al", case_of(changed(path, text)))
    assert right.status == "pass", right
    assert text.count(pinned) >= 1
    altered = judged("golden-al", case_of(changed(path, text.replace(pinned, wrong))))
    assert altered.status == "fail", altered
    assert altered.summary.startswith(f"{path}:")
    assert "the committed value is" in altered.summary


@pytest.mark.parametrize(
    ("value", "status"),
    [("2.48", "pass"), ("2.50", "pass"), ("2.47", "fail"), ("2.51", "fail"), ("2.5", "pass")],
)
def test_a_length_may_be_off_by_a_hundredth(value: str, status: str) -> None:
    text = VLLM.replace("=2.49", f"={value}")
    assert judged("golden-al", case_of(changed(SCRIPT, text))).status == status


def test_agentic_speculative_decoding_without_a_pin_fails() -> None:
    text = "\n".join(line for line in VLLM.split("\n") if "synthetic" not in line)
    finding = judged("golden-al", case_of(changed(SCRIPT, text)))
    assert finding.status == "fail"
    assert "acceptance is not pinned" in finding.summary


def test_acceptance_that_only_evaluations_simulate_does_not_count() -> None:
    text = VLLM.replace('= "true"', '!= "true"')
    finding = judged("golden-al", case_of(changed(SCRIPT, text)))
    assert finding.status == "fail"
    assert "acceptance is not pinned" in finding.summary


def test_a_pin_may_be_in_a_file_that_the_script_runs() -> None:
    text = "source ./dsv4_common.sh\nserve --speculative-config x\n"
    finding = judged("golden-al", case_of(changed(SCRIPT, text)))
    assert finding.status == "review"
    assert "dsv4_common.sh" in finding.summary


@pytest.mark.parametrize(
    "path",
    [
        "benchmarks/multi_node/agentic/eval_mtp.sh",
        f"{RECIPES}vllm/minimax-m3/agentic/agg-eval-agentic.yaml",
        "benchmarks/single_node/fixed_seq_len/dsv4_fp4_b300_vllm_mtp.sh",
        "docs/agentic/x.sh",
    ],
)
def test_real_acceptance_is_right_in_evaluations_and_elsewhere(path: str) -> None:
    text = "serve --speculative-config x\n"
    assert judged("golden-al", case_of(changed(path, text))).status == "na"


def test_simulated_acceptance_outside_of_agentic_benchmarks_is_for_a_person_to_see() -> None:
    path = "benchmarks/single_node/fixed_seq_len/dsv4_fp4_b300_vllm_mtp.sh"
    finding = judged("golden-al", case_of(changed(path, VLLM)))
    assert finding.status == "review"
    assert "no agentic benchmark" in finding.summary


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (VLLM.replace("=2.49", "=$FROM_OUTSIDE"), "its value cannot be told"),
        (VLLM.replace("=3\n", "=$FROM_OUTSIDE\n"), "but this is not said here"),
        (VLLM.replace("=3\n", "=3\nNUM_SPEC_TOKENS=4\n"), "but it may be 2.54"),
    ],
    ids=["value", "draft length", "two draft lengths"],
)
def test_what_cannot_be_told_is_for_a_person_to_decide(text: str, why: str) -> None:
    finding = judged("golden-al", case_of(changed(SCRIPT, text)))
    assert finding.status == "review", finding
    assert why in finding.summary


def test_a_value_on_no_curve_fails_whatever_the_draft_length() -> None:
    text = VLLM.replace("=3\n", "=$FROM_OUTSIDE\n").replace("=2.49", "=4.44")
    assert judged("golden-al", case_of(changed(SCRIPT, text))).status == "fail"


def test_a_sampling_that_is_not_said_leaves_both_curves_open() -> None:
    settings = ("SYNTHETIC_ACCEPTANCE_LENGTH=3.84",)
    finding = judged("golden-al", case_of({CONFIG: (None, multinode("kimik3", *settings))}))
    assert finding.status == "review"


@pytest.mark.parametrize(
    ("settings", "status"),
    [
        (("SYNTHETIC_ACCEPTANCE_LENGTH=2.49", "DECODE_MTP_SIZE=3"), "review"),
        (("SYNTHETIC_ACCEPTANCE=true", "SYNTHETIC_ACCEPTANCE_LENGTH=2.49"), "review"),
        (("SYNTHETIC_ACCEPTANCE_LENGTH=2.49", "DECODE_MTP_SIZE=2"), "fail"),
        (("SYNTHETIC_ACCEPTANCE_LENGTH=4.44",), "fail"),
        (("SYNTHETIC_ACCEPTANCE=false", "SYNTHETIC_ACCEPTANCE_LENGTH=4.44"), "na"),
        (("CONFIG_FILE=recipes/vllm/deepseek-v4/agentic/x.yaml",), "na"),
    ],
)
def test_the_settings_of_an_entry_are_held_to_the_curve(settings, status) -> None:
    finding = judged("golden-al", case_of({CONFIG: (None, multinode("dsv4", *settings))}))
    assert finding.status == status, finding


def test_an_entry_that_says_its_draft_length_passes_where_one_curve_holds() -> None:
    added = multinode("qwen3.5", "SYNTHETIC_ACCEPTANCE_LENGTH=3.39", "DECODE_MTP_SIZE=3")
    assert judged("golden-al", case_of({CONFIG: (None, added)})).status == "pass"


def test_a_changed_recipe_tells_the_draft_length_of_the_entry_that_names_it() -> None:
    settings = ("SYNTHETIC_ACCEPTANCE_LENGTH=2.49", "CONFIG_FILE=recipes/vllm/x/agentic/x.yaml:a")
    recipe = 'speculative-config: \'{"method":"mtp","num_speculative_tokens":3}\'\n'
    texts = {
        CONFIG: (None, multinode("dsv4", *settings)),
        f"{RECIPES}vllm/x/agentic/x.yaml": (None, recipe),
    }
    assert judged("golden-al", case_of(texts)).status == "pass"
    texts[f"{RECIPES}vllm/x/agentic/x.yaml"] = (None, recipe.replace(":3", ":2"))
    assert judged("golden-al", case_of(texts)).status == "fail"


def test_neither_entry_nor_changed_recipe_pins_acceptance() -> None:
    recipe = 'speculative-config: \'{"method":"mtp","num_speculative_tokens":3}\'\n'
    path = f"{RECIPES}vllm/x/agentic/x.yaml"
    texts = {
        CONFIG: (None, multinode("dsv4", "CONFIG_FILE=recipes/vllm/x/agentic/x.yaml")),
        path: (None, recipe),
    }
    finding = judged("golden-al", case_of(texts))
    assert finding.status == "fail"
    assert f"neither the entry nor its recipe {path} pins acceptance" in finding.summary
    assert judged("golden-al", case_of({path: (None, recipe)})).status == "review"


def test_simulated_acceptance_of_a_fixed_length_entry_is_for_a_person_to_see() -> None:
    added = multinode("dsv4", "SYNTHETIC_ACCEPTANCE_LENGTH=2.27", scenario="fixed-seq-len")
    assert judged("golden-al", case_of({CONFIG: (None, added)})).status == "review"


@pytest.mark.parametrize(
    ("details", "status"),
    [
        ((), "fail"),
        (("The acceptance length is from a pending run.",), "fail"),
        (("AL 3.45 from https://github.com/o/r/actions/runs/1",), "review"),
        (("AL 13.45 from https://github.com/o/r/actions/runs/1",), "fail"),
    ],
)
def test_without_a_curve_the_signoff_must_state_the_value_and_its_source(details, status) -> None:
    added = multinode("glm5.1", "SYNTHETIC_ACCEPTANCE_LENGTH=3.45")
    finding = judged("golden-al", case_of({CONFIG: (None, added)}, details=details))
    assert finding.status == status


def test_a_new_curve_that_no_rule_knows_counts_by_its_name() -> None:
    new = f"{GOLDEN}qwen3.8_mtp.yaml"
    listing = "\n".join(sorted([*(f"{GOLDEN}{p.name}" for p in (FACTS / "golden").iterdir()), new]))
    base = {GOLDEN: listing, new: "qwen3.8-2.4t:\n  thinking_on:\n    3: 3.21\n"}
    settings = ("SYNTHETIC_ACCEPTANCE_LENGTH=3.21", "DECODE_MTP_SIZE=3")
    texts = {CONFIG: (None, multinode("qwen3.8", *settings))}
    assert judged("golden-al", case_of(texts, base=base)).status == "pass"
    texts = {CONFIG: (None, multinode("qwen3.8", settings[0].replace("21", "91"), settings[1]))}
    assert judged("golden-al", case_of(texts, base=base)).status == "review"


def test_without_the_directory_of_curves_a_person_must_decide() -> None:
    finding = judged("golden-al", case_of(changed(SCRIPT, VLLM), base={GOLDEN: None}))
    assert finding.status == "review"
    assert "the base has no golden_al_distribution/" in finding.summary


def test_a_pull_request_without_agentic_speculative_decoding_is_not_concerned() -> None:
    assert judged("golden-al", case_of({CONFIG: (None, entry())})).status == "na"


def test_a_recipe_is_agentic_where_an_agentic_entry_names_it() -> None:
    recipe = 'speculative-config: \'{"method":"mtp","num_speculative_tokens":3,\
"synthetic_acceptance_length":9.9}\'\nMODEL_PREFIX: dsv4\n'
    path = f"{RECIPES}vllm/x/plain.yaml"
    names = "CONFIG_FILE=recipes/vllm/x/plain.yaml"
    for scenario, status in (("agentic-coding", "fail"), ("fixed-seq-len", "review")):
        entry_text = multinode("dsv4", names, scenario=scenario)
        finding = judged("golden-al", case_of({CONFIG: (None, entry_text), path: (None, recipe)}))
        assert finding.status == status, finding


def test_what_a_variant_without_speculative_decoding_sets_is_not_judged() -> None:
    added = multinode("dsv4", "SYNTHETIC_ACCEPTANCE_LENGTH=9.9").replace(
        "spec-decoding: mtp", "spec-decoding: none"
    )
    assert judged("golden-al", case_of({CONFIG: (None, added)})).status == "na"


def test_a_right_value_is_shown_beside_a_wrong_one() -> None:
    texts = {SCRIPT: (None, VLLM), DSPARK: (None, SGLANG.replace("3.77", "3.0"))}
    finding = judged("golden-al", case_of(texts))
    assert finding.status == "fail"
    assert [line for line in finding.details if line.startswith(SCRIPT) and "2.49 (" in line]


def test_variants_that_pin_alike_are_said_once() -> None:
    text = multinode("qwen3.5", "SYNTHETIC_ACCEPTANCE_LENGTH=9.9", "DECODE_MTP_SIZE=3")
    _, _, variant = text.partition("      - spec-decoding")
    both = f"{text}      - spec-decoding{variant.replace('tp: 8', 'tp: 4')}"
    finding = judged("golden-al", case_of({CONFIG: (None, both)}))
    assert (finding.status, len(finding.details)) == ("fail", 1)
