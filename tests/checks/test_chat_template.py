"""The check `chat-template`: whether clients chat where speculative decoding is on."""

from dataclasses import replace
from typing import Any

import pytest
from support.scripts import judged, parameters, script_case
from support.standard import entry

from signoff_bot.checks.base import Finding
from signoff_bot.checks.needs import ContentNeed
from signoff_bot.evidence.base import MissingEvidence, Unread

SCRIPT = "benchmarks/single_node/fixed_seq_len/dsv4_fp4_b200_sglang_mtp.sh"
RECIPE = "benchmarks/multi_node/srt-slurm-recipes/vllm/dsv4.yaml"
CONFIG = "configs/nvidia-master.yaml"
SERVER = "python3 -m sglang.launch_server --model m --speculative-algorithm EAGLE &\n"
CLIENT = "run_benchmark_serving --model m --backend vllm {}\n"
MTP = entry(space=("{ tp: 8, conc-list: [4], spec-decoding: mtp }",))


def found(text: Any, path: str = SCRIPT, **changes: Any) -> Finding:
    return judged("chat-template", script_case({path: text}), **changes)


@pytest.mark.parametrize(
    "client",
    [
        CLIENT.format("--use-chat-template"),
        CLIENT.format("--dsv4"),
        CLIENT.format("--endpoint /v1/chat/completions"),
        CLIENT.format("--endpoint=/v1/chat/completions"),
        CLIENT.format("--endpoint /v1/completions --use-chat-template"),
        "FLAGS=(--use-chat-template)\n" + CLIENT.format('"${FLAGS[@]}"'),
        "python3 utils/bench_serving/benchmark_serving.py --use-chat-template\n",
        "vllm bench serve --backend openai-chat --model m\n",
        "python3 -m sglang.bench_serving --backend sglang-oai-chat\n",
        "run_agentic_replay_and_write_outputs out\n",
        "build_replay_cmd out\n",
        "aiperf profile --endpoint-type chat\n",
        "if x; then run_benchmark_serving --use-chat-template; fi\n",
        'bash -c "run_benchmark_serving --use-chat-template"\n',
    ],
)
def test_a_client_that_chats_passes(client: str) -> None:
    finding = found(SERVER + client)
    assert finding.status == "pass", finding
    assert finding.summary.startswith(f"clients chat with speculative decoding: {SCRIPT}:")
    assert finding.summary.endswith(" (speculative decoding (mtp))")
    assert finding.details == ()


@pytest.mark.parametrize(
    ("client", "line"),
    [
        (CLIENT.format("--endpoint /v1/completions"), 2),
        ("vllm bench serve --backend vllm\n", 2),
        ("vllm bench serve --backend=openai\n", 2),
        ("x\npython3 -m sglang.bench_serving --backend sglang\n", 3),
        ("aiperf profile --endpoint-type completions\n", 2),
    ],
)
def test_raw_completions_fail_with_their_line(client: str, line: int) -> None:
    finding = found(SERVER + client)
    assert finding.status == "fail"
    assert finding.summary.startswith(f"{SCRIPT}:{line}: ")
    assert finding.summary.endswith(" sends raw completions, with speculative decoding (mtp)")
    assert finding.fix == "let the benchmark client chat, or apply the model's chat template"


@pytest.mark.parametrize(
    "client",
    [
        CLIENT.format(""),
        "F=; if [ $MTP = 1 ]; then F=--use-chat-template; fi\n" + CLIENT.format("$F"),
        CLIENT.format("$EXTRA_FLAGS"),
        CLIENT.format('"$@"'),
        CLIENT.format("--endpoint $ENDPOINT"),
        "vllm bench serve --backend $BACKEND\n",
        "python3 -m sglang.bench_serving $MORE\n",
    ],
)
def test_a_client_that_may_or_may_not_chat_is_for_a_person(client: str) -> None:
    finding = found(SERVER + client)
    assert finding.status == "review", finding
    assert finding.summary.endswith(
        " is not told to chat for certain, with speculative decoding (mtp)"
    )
    assert finding.fix == "a person must see that the client goes through the model's chat template"


def test_an_unknown_value_of_another_flag_leaves_raw_completions_raw() -> None:
    finding = found(SERVER + "vllm bench serve --backend vllm --model $MODEL --port $PORT\n")
    assert finding.status == "fail"


def test_a_pack_may_say_what_a_client_does_by_default() -> None:
    raw = (
        {"command": "run_benchmark_serving", "chat": ("--use-chat-template",), "default": "raw"},
    )
    assert found(SERVER + CLIENT.format(""), clients=raw).status == "fail"
    assert found(SERVER + CLIENT.format("--use-chat-template"), clients=raw).status == "pass"


@pytest.mark.parametrize(
    ("server", "method"),
    [
        ('vllm serve m --speculative-config \'{"method": "eagle3"}\'', "eagle3"),
        ("python3 -m sglang.launch_server --speculative-algorithm DSPARK", "dspark"),
        ("ARGS=(--method mtp --num-speculative-tokens 3)", "mtp"),
        ('C="{\\"method\\": \\"deepseek_mtp\\"}"\nvllm serve m --speculative-config "$C"', "mtp"),
    ],
)
def test_the_method_is_read_from_the_script(server: str, method: str) -> None:
    finding = found(f"{server}\n{CLIENT.format('--dsv4')}")
    assert finding.status == "pass"
    assert f"(speculative decoding ({method}))" in finding.summary


def test_without_a_method_that_is_told_it_is_still_speculative_decoding() -> None:
    finding = found("vllm serve m --speculative-config $C\n" + CLIENT.format("--dsv4"))
    assert finding.summary.endswith("run_benchmark_serving (speculative decoding)")


@pytest.mark.parametrize(
    "text",
    [
        "vllm serve m\n" + CLIENT.format(""),
        "# --speculative-algorithm EAGLE\n" + CLIENT.format("--endpoint /v1/completions"),
        "",
    ],
)
def test_a_script_without_speculative_decoding_is_not_judged(text: str) -> None:
    finding = found(text, "benchmarks/single_node/other.sh")
    assert (finding.status, finding.summary) == (
        "na",
        "no benchmark with speculative decoding is changed",
    )


def test_a_script_without_a_known_client_is_for_a_person() -> None:
    finding = found(f"source ./common.sh\n{SERVER}bash bench.sh\n")
    assert finding.status == "review"
    assert finding.summary == (
        f"{SCRIPT}:2: speculative decoding (mtp), and no benchmark client that the rules know; it "
        "may be in ./common.sh, bench.sh"
    )
    alone = found(SERVER)
    assert alone.summary.endswith("no benchmark client that the rules know")


RECIPE_TEXT = """\
backend:
  vllm_config:
    decode:
      speculative-config: '{"method":"mtp","num_speculative_tokens":2}'
benchmark:
  type: custom
"""


@pytest.mark.parametrize(
    ("setting", "status"),
    [
        ("  use_chat_template: true\n", "pass"),
        ('  "use_chat_template":   true  # comment\n', "pass"),
        ("  - use_chat_template: true\n", "pass"),
        ("  use_chat_template: false\n", "fail"),
        ("  # use_chat_template: true\n", "review"),
        ("", "review"),
        ("  command: run_benchmark_serving --use-chat-template\n", "pass"),
    ],
)
def test_a_recipe_says_how_its_client_talks(setting: str, status: str) -> None:
    finding = found(RECIPE_TEXT + setting, RECIPE)
    assert finding.status == status, finding
    if status != "review":
        assert f"{RECIPE}:7: " in finding.summary
        assert finding.details == ((finding.summary,) if status == "fail" else ())


def test_an_entry_makes_its_changed_script_speculative() -> None:
    texts = {SCRIPT: CLIENT.format("--endpoint /v1/completions"), CONFIG: (None, MTP)}
    finding = judged("chat-template", script_case(texts))
    assert finding.status == "fail"
    assert finding.summary.endswith("with speculative decoding (mtp)")


def test_an_entry_makes_its_changed_recipe_speculative() -> None:
    space = (
        "{ conc-list: [4], spec-decoding: eagle3, prefill: { additional-settings: "
        '["CONFIG_FILE=recipes/vllm/dsv4.yaml"] } }',
    )
    texts = {RECIPE: "use_chat_template: false\n", CONFIG: (None, entry(space=space))}
    finding = judged("chat-template", script_case(texts))
    assert finding.summary == (
        f"{RECIPE}:1: use_chat_template: false, with speculative decoding (eagle3)"
    )


def test_an_entry_whose_script_is_not_at_hand_is_for_a_person() -> None:
    finding = judged("chat-template", script_case({CONFIG: (None, MTP)}))
    assert finding.status == "review"
    assert finding.summary == (
        f"{CONFIG}:11 (dsv4-fp4-b200-sglang): speculative decoding (mtp) in 1 variant, and the "
        "script that benchmarks it is not in this pull request"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, entry()),
        (MTP, entry()),
        (MTP, MTP + "# more\n"),
    ],
    ids=["no speculation", "taken out", "only a comment"],
)
def test_entries_without_new_speculation_are_not_judged(before: str | None, after: str) -> None:
    assert judged("chat-template", script_case({CONFIG: (before, after)})).status == "na"


def test_the_good_is_told_beside_the_bad() -> None:
    other = "benchmarks/single_node/other_mtp.sh"
    texts = {SCRIPT: SERVER + CLIENT.format("--dsv4"), other: SERVER + CLIENT.format("")}
    finding = judged("chat-template", script_case(texts))
    assert finding.status == "review"
    assert finding.details[-1] == f"{SCRIPT}:2: run_benchmark_serving (speculative decoding (mtp))"


def test_a_script_that_is_not_read_to_its_end_is_for_a_person() -> None:
    text = SERVER + "X=aaaaaaaa\n" + 'X="$X$X"; run_benchmark_serving --dsv4 $X\n' * 3000
    finding = found(text)
    assert finding.status == "review"
    assert finding.summary.startswith(f"{SCRIPT} is not read to its end: ")


def test_evidence_that_is_missing_is_named() -> None:
    case = script_case({SCRIPT: SERVER, CONFIG: (None, MTP)})
    for update in ({"contents": ()}, {"files": Unread(unread="not collected")}):
        lacking = replace(case, evidence=case.evidence.model_copy(update=update))
        with pytest.raises(MissingEvidence, match="not collected"):
            judged("chat-template", lacking)


def test_needs_are_the_launches_and_the_configurations() -> None:
    from signoff_bot.checks.chat_template import KIND

    needs = KIND.needs(parameters("chat-template", files=["a/**"], configs=["c.yaml"]))
    assert needs.files
    assert needs.contents == {
        ContentNeed("a/**", "head"),
        ContentNeed("c.yaml", "head"),
        ContentNeed("c.yaml", "merge base"),
    }
    assert not KIND.needs_signoff


def test_a_launch_that_only_an_entry_makes_speculative_is_told_by_its_first_line() -> None:
    path = "benchmarks/single_node/fixed_seq_len/dsv4_fp4_b200_sglang_mtp.sh"
    case = script_case({path: "exec serve-it\n", CONFIG: (None, MTP)})
    finding = judged("chat-template", case)
    assert finding.summary.startswith(f"{path}:1: speculative decoding (mtp), and no benchmark")
