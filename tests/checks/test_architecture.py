"""The check `architecture`: whether a launch leaves the model as it is."""

from dataclasses import replace
from typing import Any

import pytest
from support.build import changed
from support.scripts import judged, parameters, script_case

from signoff_bot.checks.base import Finding
from signoff_bot.checks.needs import ContentNeed
from signoff_bot.evidence.base import MissingEvidence, Unread

SCRIPT = "benchmarks/single_node/dsv4_fp4_b200_sglang.sh"
RECIPE = "benchmarks/multi_node/recipes/dsv4.yaml"
LAUNCH = 'python3 -m sglang.launch_server --model-path "$MODEL" --tp 8 {}\n'
FIX = "take the override out, and run the model as its checkpoint describes it"


def found(text: Any, path: str = SCRIPT, **changes: Any) -> Finding:
    return judged("architecture", script_case({path: text}), **changes)


@pytest.mark.parametrize(
    ("text", "sets"),
    [
        ("--hf-overrides '{\"num_hidden_layers\": 4}'", "num_hidden_layers = 4"),
        ("--hf-overrides='{\"index_topk_freq\":4}'", "index_topk_freq = 4"),
        ("--hf_overrides '{\"use_index_cache\": true}'", "use_index_cache = true"),
        ("--json-model-override-args '{\"n_routed_experts\": 64}'", "n_routed_experts = 64"),
        (
            '--hf-overrides \'{"text_config": {"num_experts_per_tok": 4}}\'',
            "text_config.num_experts_per_tok = 4",
        ),
        ("--hf-overrides.num_hidden_layers 4", "num_hidden_layers = 4"),
        ("--hf-overrides.text_config.sliding_window=512", "text_config.sliding_window = 512"),
        ('--hf-overrides "{\\"num_hidden_layers\\": $N}"', "num_hidden_layers = $N"),
        ("--hf-overrides \\\n  '{\"num_hidden_layers\": 4}'", "num_hidden_layers = 4"),
        (
            '--hf-overrides "${OVERRIDES:-{\\"num_hidden_layers\\": 4}}"',
            "num_hidden_layers = 4",
        ),
    ],
)
def test_an_override_of_what_the_model_computes_fails_with_its_value(text: str, sets: str) -> None:
    finding = found("#!/bin/sh\n" + LAUNCH.format(text))
    assert finding.status == "fail"
    assert finding.summary.startswith(f"{SCRIPT}:2: --")
    assert finding.summary.endswith(f" sets {sets}, which changes how much the model computes")
    assert finding.fix == FIX


@pytest.mark.parametrize(
    ("before", "use"),
    [
        ("OV='{\"num_hidden_layers\": 4}'\n", '--hf-overrides "$OV"'),
        ('A="--hf-overrides \'{\\"num_hidden_layers\\": 4}\'"\n', "$A"),
        ("export HF_OVERRIDES='{\"num_hidden_layers\": 4}'\n", '--hf-overrides "$HF_OVERRIDES"'),
        ("ARGS+=(--hf-overrides '{\"num_hidden_layers\": 4}')\n", '"${ARGS[@]}"'),
    ],
)
def test_an_override_is_found_in_the_variable_that_carries_it(before: str, use: str) -> None:
    finding = found(before + LAUNCH.format(use))
    assert finding.status == "fail"
    assert "num_hidden_layers = 4" in finding.summary


def test_a_variable_that_changes_under_an_old_flag_counts_as_new() -> None:
    old = "OV='{\"rope_theta\": 4}'\n" + LAUNCH.format('--hf-overrides "$OV"')
    new = old.replace("rope_theta", "num_hidden_layers")
    assert found((old, new)).status == "fail"
    assert found((old, old + "echo done\n")).status == "pass"


@pytest.mark.parametrize(
    "text",
    [
        "vllm_config:\n  decode:\n    hf-overrides: '{\"index_topk_freq\": 4}'\n",
        "x:\n  hf_overrides: {index_topk_freq: 4}\n",
        "x:\n  hf-overrides:\n    index_topk_freq: 4\n  y: 1\n",
        'args:\n  - "--hf-overrides"\n  - \'{"index_topk_freq": 4}\'\n',
        "env: {HF_OVERRIDES: '{\"index_topk_freq\": 4}'}\n",
        "settings:\n- 'EXTRA=--json-model-override-args {\"index_topk_freq\": 4}'\n",
    ],
)
def test_recipes_and_configurations_are_searched_too(text: str) -> None:
    finding = found(text, RECIPE)
    assert finding.status == "fail"
    assert "index_topk_freq = 4" in finding.summary


def test_python_is_searched_too() -> None:
    text = 'from vllm import LLM\nLLM("m", hf_overrides={"num_hidden_layers": 4})\n'
    finding = found(text, "benchmarks/run.py")
    assert finding.status == "fail"
    assert finding.summary.startswith("benchmarks/run.py:2: hf_overrides sets num_hidden_layers")


@pytest.mark.parametrize(
    ("text", "harmless"),
    [
        ('--hf-overrides \'{"rope_scaling": {"type": "yarn"}}\'', 'rope_scaling.type = "yarn"'),
        ("--hf-overrides '{\"max_position_embeddings\": 9}'", "max_position_embeddings = 9"),
        ("--hf-overrides '{\"index_topk_freq\": 1}'", "index_topk_freq = 1"),
        ("--hf-overrides '{\"use_index_cache\": false}'", "use_index_cache = false"),
    ],
)
def test_what_stretches_names_or_changes_nothing_passes(text: str, harmless: str) -> None:
    finding = found(LAUNCH.format(text))
    assert finding.status == "pass"
    assert finding.summary == f"no override in 1 changed file alters a model (harmless: {harmless})"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# --hf-overrides '{\"num_hidden_layers\": 4}'",
        "--port 1 # was --hf-overrides '{\"num_hidden_layers\": 4}'",
        "--hf-overrides ''",
        "--hf-overrides '{}'",
        "--page-size 256 --num-hidden-layers-of-nothing 3",
    ],
)
def test_a_launch_without_an_override_passes(text: str) -> None:
    finding = found(LAUNCH.format(text))
    assert (finding.status, finding.summary, finding.details) == (
        "pass",
        "no override in 1 changed file alters a model",
        (),
    )


def test_an_empty_variable_and_a_mere_use_of_one_are_no_override() -> None:
    text = 'HF_OVERRIDES_ARG=""\necho "${HF_OVERRIDES_ARG}" $HF_OVERRIDES_ARG\n'
    assert found(text).status == "pass"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('--hf-overrides \'{"architectures": ["X"]}\'', 'sets architectures = ["X"]'),
        ("--hf-overrides '{\"use_index_cache\": 0}' --x", None),
        ('--hf-overrides "$FROM_OUTSIDE"', "what it sets cannot be told: python3 -m sglang"),
        ('--hf-overrides "$(cat overrides.json)"', "what it sets cannot be told"),
        ("--hf-overrides @overrides.json", "what it sets cannot be told"),
        ("--hf-overrides 'dict(a=1)'", "what it sets cannot be told"),
    ],
)
def test_an_unknown_key_or_value_is_for_a_person(text: str, says: str | None) -> None:
    finding = found(LAUNCH.format(text))
    if says is None:  # 0 is not the false that the rules know
        assert finding.status == "fail"
    else:
        assert finding.status == "review"
        assert says in finding.summary
        assert finding.fix == (
            "a person must decide whether the model still computes what it is published to"
        )


def test_a_known_key_beside_an_unknown_one_still_fails() -> None:
    finding = found(LAUNCH.format('--hf-overrides \'{"a": 1, "num_layers": 2}\''))
    assert finding.status == "fail"
    assert finding.summary.endswith(
        "sets num_layers = 2, which changes how much the model computes"
    )


@pytest.mark.parametrize(
    "edit",
    [
        "jq '.num_hidden_layers = 4' $M/config.json > /tmp/c && mv /tmp/c $M/config.json",
        "jq 'del(.layer_types)' config.json",
        "jq '.text_config.num_experts |= 4' \"$MODEL_PATH/config.json\"",
        'sed -i \'s/"num_hidden_layers": 61/"num_hidden_layers": 8/\' "$MODEL_PATH/config.json"',
        "perl -pi -e 's/num_hidden_layers.*/x/' config.json",
        "python3 - <<'EOF'\nimport json\np = 'config.json'\nc = json.load(open(p))\n"
        "c['num_hidden_layers'] = 4\njson.dump(c, open(p, 'w'))\nEOF",
        'python3 -c \'import json; c = json.load(open("config.json")); '
        'c["num_hidden_layers"] = 1; open("config.json", "w").write(json.dumps(c))\'',
    ],
)
def test_an_edit_of_what_the_model_computes_fails(edit: str) -> None:
    finding = found(f"#!/bin/sh\n{edit}\n")
    assert finding.status == "fail", finding
    assert " rewrites config.json and sets " in finding.summary


@pytest.mark.parametrize(
    ("edit", "status"),
    [
        ("jq -r .num_hidden_layers config.json", "pass"),
        ("jq '.num_hidden_layers == 4' config.json", "pass"),
        ("grep num_hidden_layers config.json", "pass"),
        ("sed 's/num_hidden_layers/x/' config.json", "pass"),
        ("jq '.rope_scaling = {}' config.json", "pass"),
        ("sed -i 's/num_hidden_layers/x/' other.json", "pass"),
        ('cat > config.json <<EOF\n{"mode": "embedded"}\nEOF', "pass"),
        ("python3 - <<'EOF'\nimport json\nprint(json.load(open('config.json')))\nEOF", "pass"),
        ("jq '.foo = 4' config.json", "review"),
        ('sed -i "$PROGRAM" config.json', "review"),
        ('cp mine/config.json "$MODEL_PATH/config.json"', "review"),
        ('echo "$C" > $MODEL_PATH/config.json', "review"),
        ("foo | tee $MODEL_PATH/config.json", "review"),
        ('cat > config.json <<EOF\n{"num_hidden_layers": 61}\nEOF', "review"),
        (
            "python3 - <<'EOF'\nc = json.load(open('config.json'))\nprint(c['num_hidden_layers'])\n"
            "c['foo'] = 4\njson.dump(c, open('config.json', 'w'))\nEOF",
            "review",
        ),
        (
            "python3 - <<'EOF'\nc = json.load(open('config.json'))\n"
            "c['rope_theta'] = 4\njson.dump(c, open('config.json', 'w'))\nEOF",
            "pass",
        ),
    ],
)
def test_other_uses_of_a_models_description_are_told_apart(edit: str, status: str) -> None:
    finding = found(f"#!/bin/sh\n{edit}\n")
    assert finding.status == status, finding
    if status == "review":
        assert finding.summary.split(":")[1] == ("6" if "json.dump" in edit else "2")


def test_edits_in_recipes_and_dockerfiles_are_found() -> None:
    recipe = "preamble: |\n  cd /model\n  jq '.num_layers = 4' config.json > c\n"
    assert found(recipe, RECIPE).summary.startswith(f"{RECIPE}:3: jq rewrites config.json")
    docker = "FROM x\nRUN a && \\\n    sed -i 's/num_layers/x/' /m/config.json\n"
    assert found(docker, "benchmarks/Dockerfile").status == "fail"


def test_only_lines_that_the_pull_request_adds_count() -> None:
    old = LAUNCH.format("--hf-overrides '{\"num_hidden_layers\": 4}'")
    assert found((old, f"{old}echo more\n")).status == "pass"
    assert found((old, "")).status == "pass"
    edit = "jq '.num_layers = 4' config.json\n"
    assert found((edit, f"{edit}echo more\n")).status == "pass"


def test_without_a_diff_an_override_is_for_a_person() -> None:
    text = LAUNCH.format("--hf-overrides '{\"num_hidden_layers\": 4}'")
    case = script_case({SCRIPT: ("", text)})
    unshown = (changed(SCRIPT, patch=None),)
    case = replace(case, evidence=case.evidence.model_copy(update={"files": unshown}))
    finding = judged("architecture", case)
    assert finding.status == "review"
    assert finding.summary.endswith("--hf-overrides sets num_hidden_layers = 4")
    edited = script_case({SCRIPT: ("", "jq '.num_layers = 4' config.json\n")})
    edited = replace(edited, evidence=edited.evidence.model_copy(update={"files": unshown}))
    assert judged("architecture", edited).status == "review"


@pytest.mark.parametrize("path", ["docs/notes.md", "benchmarks/README.md", "src/x.sh"])
def test_files_that_launch_nothing_are_not_searched(path: str) -> None:
    finding = found(LAUNCH.format("--hf-overrides '{\"num_layers\": 4}'"), path)
    assert (finding.status, finding.summary) == (
        "na",
        "the pull request changes no launch, recipe or configuration",
    )


def test_several_files_and_overrides_are_told_together() -> None:
    text = LAUNCH.format("--hf-overrides '{\"num_layers\": 4}'")
    other = LAUNCH.format("--hf-overrides '{\"x\": 4}'")
    case = script_case({"benchmarks/a.sh": text, "benchmarks/b.sh": other, "benchmarks/c.sh": ""})
    finding = judged("architecture", case)
    assert finding.status == "fail"
    assert finding.details[1] == "to be looked at: benchmarks/b.sh:1: --hf-overrides sets x = 4"


def test_a_script_that_is_not_read_to_its_end_is_for_a_person() -> None:
    text = "X=aaaaaaaa\n" + 'X="$X$X"; run $X config.json\n' * 3000
    finding = found(text)
    assert finding.status == "review"
    assert finding.summary.startswith(f"{SCRIPT} is not read to its end: ")


def test_a_file_full_of_overrides_is_not_passed_over() -> None:
    text = "--hf-overrides '{\"rope_theta\": 1}'\n" * 300 + "--hf-overrides '{\"num_layers\": 1}'\n"
    assert found(text).status == "review"


def test_texts_that_could_not_be_read_are_missing_evidence() -> None:
    case = script_case({SCRIPT: "x"})
    unread = case.evidence.model_copy(update={"contents": ()})
    with pytest.raises(MissingEvidence, match="not collected"):
        judged("architecture", replace(case, evidence=unread))
    unread = case.evidence.model_copy(update={"files": Unread(unread="no files")})
    with pytest.raises(MissingEvidence, match="no files"):
        judged("architecture", replace(case, evidence=unread))


def test_needs_are_the_changed_files_at_the_head() -> None:
    from signoff_bot.checks.architecture import KIND

    needs = KIND.needs(parameters("architecture", files=["a/**", "b/**"]))
    assert needs.files
    assert needs.contents == {ContentNeed("a/**", "head"), ContentNeed("b/**", "head")}
    assert not KIND.needs_signoff


def test_every_description_of_a_model_is_looked_for() -> None:
    names = ["params.json", "config.json"]
    for name in names:
        finding = found(f"jq '.num_layers = 4' {name}\n", model_files=names)
        assert finding.status == "fail", finding
        assert "jq rewrites params.json, config.json and sets num_layers" in finding.summary


def test_a_program_that_rewrites_a_description_is_found() -> None:
    text = "import json\nc = json.load(open('config.json'))\nc['num_layers'] = 4\n"
    finding = found(f"{text}json.dump(c, open('config.json', 'w'))\n", "benchmarks/run.py")
    assert finding.status == "fail"
    assert finding.summary.startswith("benchmarks/run.py:4: python rewrites config.json")


def test_a_long_value_is_cut_off() -> None:
    value = f'"{"x" * 60}"'
    finding = found(LAUNCH.format(f"--hf-overrides '{{\"num_layers\": {value}}}'"))
    assert f"sets num_layers = {value[:39]}…, which" in finding.summary


def test_everything_harmless_is_told() -> None:
    launch = LAUNCH.format("--hf-overrides '{\"rope_theta\": 4}'")
    edit = "jq '.max_position_embeddings = 9' config.json\n"
    case = script_case({"benchmarks/a.sh": launch + edit, "benchmarks/b.sh": launch + edit})
    assert judged("architecture", case).summary == (
        "no override in 2 changed files alters a model (harmless: rope_theta = 4, "
        "max_position_embeddings, rope_theta = 4 and 1 more)"
    )
