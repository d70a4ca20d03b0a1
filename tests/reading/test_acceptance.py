"""Simulated acceptance in launch scripts and recipes, however it is spelled."""

import pytest
from support.standard import parameters

from signoff_bot.checks.golden_al import GoldenAlParameters
from signoff_bot.reading.acceptance import Launch, setting_pins
from signoff_bot.reading.branches import shell_lines, yaml_lines
from signoff_bot.reading.golden_curves import Curve, Launched, model_of, select
from signoff_bot.reading.golden_match import Tolerance, compare

STANDARD = parameters("golden-al")
assert isinstance(STANDARD, GoldenAlParameters)
RULES = STANDARD.acceptance


def pins(text: str, path: str = "a.sh") -> list[tuple[float | None, tuple[int, ...]]]:
    return [(pin.value, pin.draft_lengths) for pin in Launch(text, path, RULES).pins]


@pytest.mark.parametrize(
    "code",
    [
        "export SGLANG_SIMULATE_ACC_LEN=3.39",
        "SGLANG_SIMULATE_ACC_LEN=3.39 python3 -m sglang.launch_server",
        'export SGLANG_SIMULATE_ACC_LEN="3.39"',
        "docker run -e SGLANG_SIMULATE_ACC_LEN='3.39' x",
        "AL=3.39\nexport SGLANG_SIMULATE_ACC_LEN=$AL",
        "AL=3.39\nexport SGLANG_SIMULATE_ACC_LEN=${AL}",
        "export SGLANG_SIMULATE_ACC_LEN=${AL:-3.39}",
        'AL="${AL:-3.39}"\nexport SGLANG_SIMULATE_ACC_LEN="$AL"',
        "serve --spec-decode-acceptance-length 3.39",
        "serve --spec-decode-acceptance-length=3.39",
        'AL=3.39\nARGS+=(--spec-decode-acceptance-length "$AL")',
        "S='{\"synthetic_acceptance_length\": 3.39}'",
        'S="{\\"synthetic_acceptance_length\\":3.39}"',
        'AL=3.39\nS="{\\"synthetic_acceptance_length\\": $AL}"',
        'AL=3.39\nS="{\\"synthetic_acceptance_length\\": ${AL}}"',
        'cat <<EOF\n  "synthetic_acceptance_length": 3.39\nEOF',
    ],
)
def test_a_shell_script_pins_a_value(code: str) -> None:
    assert pins(f"serve --num-speculative-tokens 3\n{code}\n") == [(3.39, (3,))]


@pytest.mark.parametrize(
    "code",
    [
        "SGLANG_SIMULATE_ACC_LEN: '3.39'",
        'SGLANG_SIMULATE_ACC_LEN: "3.39"',
        "SGLANG_SIMULATE_ACC_LEN: 3.39",
        "- SGLANG_SIMULATE_ACC_LEN=3.39",
        "speculative-config: '{\"synthetic_acceptance_length\":3.39}'",
    ],
)
def test_a_recipe_pins_a_value(code: str) -> None:
    assert pins(f"num_speculative_tokens: 3\n{code}\n", "a.yaml") == [(3.39, (3,))]


@pytest.mark.parametrize(
    "code",
    [
        "# export SGLANG_SIMULATE_ACC_LEN=3.39",
        "serve  # SGLANG_SIMULATE_ACC_LEN=3.39",
        "unset SGLANG_SIMULATE_ACC_LEN",
        "env -u SGLANG_SIMULATE_ACC_LEN \\",
        "sed -i '/SGLANG_SIMULATE_ACC_LEN/d' x.yaml",
        "check_env_vars SGLANG_SIMULATE_ACC_LEN 3",
        "MY_SGLANG_SIMULATE_ACC_LEN=3.39",
        "SGLANG_SIMULATE_ACC_LEN_OLD=3.39",
        "export SGLANG_SIMULATE_ACC_METHOD=match-expected",
    ],
)
def test_what_only_mentions_a_name_pins_nothing(code: str) -> None:
    assert pins(f"{code}\n") == []


@pytest.mark.parametrize(
    ("code", "counts"),
    [
        ('if [ "${EVAL_ONLY}" != "true" ]; then\n  PIN\nfi', True),
        ('if [[ "$EVAL_ONLY" != true ]]; then\n  PIN\nelse\n  echo x\nfi', True),
        ('if [ "${EVAL_ONLY:-false}" = "true" ]; then\n  echo x\nelse\n  PIN\nfi', True),
        ('if [ "${EVAL_ONLY}" = "true" ]; then\n  PIN\nfi', False),
        ('if [ "${EVAL_ONLY}" == true ]; then\n  if [ x ]; then\n    PIN\n  fi\nfi', False),
        ('if [ "${EVAL_ONLY}" != "true" ]; then\n  echo x\nelse\n  PIN\nfi', False),
        ('if [ "${EVAL_ONLY}" = "true" ]; then PIN; fi', False),
        ('[ "${EVAL_ONLY}" = "true" ] && PIN', False),
        ('[ "${EVAL_ONLY}" != "true" ] && PIN', True),
        ('if [ "${EVAL_ONLY}" = "true" ] && [ x ]; then\n  echo x\nelse\n  PIN\nfi', True),
        ('if [ "${EVAL_ONLY}" = "true" ]; then\n  echo x\nfi\nPIN', True),
        ('if [ "${EVAL_ONLY}" = "true" ]; then\n  echo x\nelif [ y ]; then\n  PIN\nfi', True),
    ],
)
def test_what_evaluations_alone_run_pins_nothing(code: str, counts: bool) -> None:
    text = code.replace("PIN", "export SGLANG_SIMULATE_ACC_LEN=3.39")
    assert bool(pins(text)) is counts


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("--speculative-num-draft-tokens 4", (3,)),
        ("--speculative-num-steps 3", (3,)),
        ("--speculative-num-steps 1 --speculative-num-draft-tokens 7", (6,)),
        ("--speculative-num-steps=3 --speculative-num-draft-tokens=4", (3,)),
        ("--num-speculative-tokens 5", (5,)),
        ("S='{\"num_speculative_tokens\": 2}'", (2,)),
        ("K=4\nserve --num-speculative-tokens $K", (4,)),
        ("K=4\nK=5\nserve --num-speculative-tokens $K", (4, 5)),
        ("serve --num-speculative-tokens $K", ()),
        ("echo nothing", ()),
    ],
)
def test_the_draft_length_is_read_from_the_first_spelling_in_use(code, expected) -> None:
    assert pins(f"export SGLANG_SIMULATE_ACC_LEN=3.39\n{code}\n") == [(3.39, expected)]


def test_a_value_goes_with_the_draft_length_of_its_branch_or_arm() -> None:
    text = """\
case "$K" in
    1|2) AL=1.8 ;;
    "3")
        AL=2.5 ;;
    *) AL=9.9 ;;
esac
serve --num-speculative-tokens $K --spec-decode-acceptance-length $AL
K=3
"""
    assert pins(text) == [(1.8, (1, 2)), (2.5, (3,)), (9.9, (3,))]


def test_an_arm_of_something_else_says_nothing_of_the_draft_length() -> None:
    text = (
        'case "$CONC" in\n    4) AL=1.8 ;;\nesac\nK=3\n'
        "serve --num-speculative-tokens $K --spec-decode-acceptance-length $AL\n"
    )
    assert pins(text) == [(1.8, (3,))]


def test_decode_counts_where_prefill_has_its_own_value() -> None:
    prefill = "prefill_environment:\n  SGLANG_SIMULATE_ACC_LEN: '1.79'\n"
    decode = "decode_environment:\n  SGLANG_SIMULATE_ACC_LEN: '3.39'\n"
    assert pins(prefill + decode, "a.yaml") == [(3.39, ())]
    assert pins(decode + prefill, "a.yaml") == [(3.39, ())]
    assert pins(prefill, "a.yaml") == [(1.79, ())]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("serve --method mtp", {"mtp"}),
        ("serve --speculative-algorithm EAGLE", {"mtp"}),
        ("serve --speculative-algorithm=NEXTN", {"mtp"}),
        ("serve --speculative-algorithm EAGLE3", {"eagle3"}),
        ('S="{\\"method\\": \\"dspark\\", \\"draft_sample_method\\": \\"mtp\\"}"', {"dspark"}),
        ('S=\'{"method":"eagle3"}\'', {"eagle3"}),
        ("decoding_type: MTP", {"mtp"}),
        ("export SGLANG_SIMULATE_ACC_METHOD=match-expected", set()),
    ],
)
def test_the_method_is_read_from_the_launch(code: str, expected: set[str]) -> None:
    assert Launch(code, "a.sh", RULES).methods == expected


@pytest.mark.parametrize(
    ("code", "thinks"),
    [
        ("serve", True),
        ("--default-chat-template-kwargs '{\"enable_thinking\": true}'", True),
        ("--default-chat-template-kwargs '{\"enable_thinking\": false}'", False),
        ('X="{\\"thinking\\":false}"', False),
        ('dyn-default-thinking-mode: "disabled"', False),
        ('dyn-default-thinking-mode: "enabled"', True),
        ("export THINKING_MODE=thinking_off", False),
        ("THINKING=thinking_off", False),
        ("--x '{\"clear_thinking\": false}'", True),
        ("# thinking_off", True),
    ],
)
def test_a_model_thinks_unless_its_launch_says_otherwise(code: str, thinks: bool) -> None:
    assert Launch(code, "a.sh", RULES).thinks is thinks


@pytest.mark.parametrize(
    ("path", "code", "expected"),
    [
        ("benchmarks/single_node/agentic/dsv4_fp4_b300_vllm_mtp.sh", "", "dsv4"),
        ("benchmarks/single_node/agentic/qwen3.5_fp8_h200.sh", "", "qwen3.5"),
        ("benchmarks/single_node/agentic/other_int4_h200.sh", "", "other"),
        ("benchmarks/r/vllm/kimi-k3/agentic/a.yaml", "", "kimik3"),
        ("benchmarks/r/vllm/deepseek-v4/agentic/a.yaml", "", "dsv4"),
        ("benchmarks/r/vllm/deepseek-v4/agentic/a.yaml", "MODEL_PREFIX: glm5.2\n", "glm5.2"),
        ("benchmarks/r/vllm/llama/agentic/a.yaml", "", None),
        ("benchmarks/r/kimi-k3/deepseek-v4/a.yaml", "", None),
    ],
)
def test_the_model_is_told_from_the_name_or_the_folder(path, code, expected) -> None:
    assert model_of(path, code, STANDARD.curves) == expected


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"SYNTHETIC_ACCEPTANCE_LENGTH": "2.49"}, [(2.49, ())]),
        ({"SYNTHETIC_ACCEPTANCE_LENGTH": "2.49", "DECODE_MTP_SIZE": "3"}, [(2.49, (3,))]),
        ({"SYNTHETIC_ACCEPTANCE_LENGTH": "$AL"}, [(None, ())]),
        ({"SYNTHETIC_ACCEPTANCE": "true"}, []),
    ],
)
def test_the_settings_of_an_entry_pin_a_value(settings, expected) -> None:
    found = setting_pins(settings, RULES)
    assert [(pin.value, pin.draft_lengths) for pin in found] == expected


CURVE = Curve("c.yaml", {"thinking_on": {1: 1.5, 3: 2.49}, "thinking_off": {3: 3.0}}, True)


@pytest.mark.parametrize(
    ("unit", "value", "lengths", "thinks", "fits"),
    [
        ("length", 2.49, (3,), True, True),
        ("length", 2.50, (3,), True, True),
        ("length", 2.5001, (3,), True, False),
        ("length", 2.48, (3,), True, True),
        ("length", 2.4799, (3,), True, False),
        ("length", 2.49, (1,), True, False),
        ("length", 2.49, (2,), True, False),
        ("length", 2.49, (3,), False, False),
        ("length", 3.0, (3,), False, True),
        ("accepted", 1.49, (3,), True, True),
        ("accepted", 2.49, (3,), True, False),
        ("rate", 0.4967, (3,), True, True),
        ("rate", 0.5016, (3,), True, True),
        ("rate", 0.5020, (3,), True, False),
        ("rate", 0.5, (1,), True, True),
    ],
)
def test_values_are_compared_in_their_own_unit(unit, value, lengths, thinks, fits) -> None:
    right, wrong = compare(unit, value, lengths, [CURVE], thinks, Tolerance())
    assert (bool(right), bool(wrong)) == (fits, not fits)


def test_without_a_draft_length_every_one_of_the_curve_may_be_meant() -> None:
    right, wrong = compare("length", 2.49, (), [CURVE], True, Tolerance())
    assert right == ["2.49 (c.yaml, thinking on, 3 draft tokens)"]
    assert wrong == ["1.5 (c.yaml, thinking on, 1 draft tokens)"]


TEXTS = {
    f"golden/{rule.file}": f"{rule.key}:\n  thinking_on:\n    3: 2.0\n" for rule in STANDARD.curves
}


@pytest.mark.parametrize(
    ("model", "methods", "code", "files"),
    [
        ("dsv4", {"mtp"}, "", ["dsv4_mtp.yaml"]),
        ("dsv4", {"dspark"}, "", ["dsv4-pro-0813-dspark.yaml"]),
        ("dsv4", set(), None, ["dsv4_mtp.yaml", "dsv4-pro-0813-dspark.yaml"]),
        ("minimaxm3", {"eagle3"}, "Inferact/MiniMax-M3-EAGLE3", ["minimaxm3_eagle3.yaml"]),
        ("minimaxm3", {"eagle3"}, "MiniMax-M3-EAGLE3-GQA", ["minimaxm3_eagle3_gqa.yaml"]),
        ("minimaxm3", set(), None, ["minimaxm3_eagle3.yaml", "minimaxm3_eagle3_gqa.yaml"]),
        ("kimik3", {"dspark"}, "greedy", ["kimik3_dspark.yaml"]),
        ("dsv4", {"eagle3"}, "", []),
        ("dsr1", set(), "", []),
    ],
)
def test_rules_select_the_curves_that_may_hold(model, methods, code, files) -> None:
    found = select(Launched(model, frozenset(methods), code), STANDARD.curves, TEXTS)
    assert [curve.file for curve in found] == files


SHELL = """\
a
if x; then
  b # c
else
  d
fi
case $K in
 1) e ;;
esac
"""
RECIPE = """\
x:
  prefill:
    a: 1
  decode_env:
  - b: 2
    c: 3
  - d
e: 4
"""


def test_the_branches_of_a_script() -> None:
    lines = list(shell_lines(SHELL, "EVAL_ONLY"))
    assert [(line.number, line.code) for line in lines] == [
        (1, "a"),
        (3, "b"),
        (5, "d"),
        (8, "e ;;"),
    ]
    assert len({line.branch for line in lines}) == 4
    assert (lines[3].subject, lines[3].label) == ("K", "1")


def test_the_roles_of_a_recipe() -> None:
    roles = [line.branch for line in yaml_lines(RECIPE, ("prefill", "decode"))]
    assert roles == ["", "prefill", "prefill", "decode", "decode", "decode", "decode", ""]
