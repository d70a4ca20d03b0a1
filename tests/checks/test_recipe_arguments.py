"""The check `recipe` beyond the link: the arguments of changed launches against the recipe."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from support.recipes import (
    CONFIG,
    FOLDER,
    LAUNCH,
    PAGE,
    PULL,
    RECIPE,
    SCRIPT,
    SERVER,
    recipe_case,
    upstream,
)
from support.scripts import judged, parameters
from support.standard import entry

from signoff_bot.checks.base import Finding
from signoff_bot.checks.needs import ContentNeed
from signoff_bot.evidence.base import MissingEvidence, Unread

PASSED = f"the sign-off links a public recipe: {PULL}"
COMPARED = f"{PASSED}, with the arguments of {SCRIPT}"
NA = "the pull request changes no single-node launch of sglang or vllm"


def found(
    launch: str = LAUNCH, recipe: Any = RECIPE, config: str | None = None, **more: Any
) -> Finding:
    configs = {CONFIG: (None, config)} if config is not None else {}
    return judged("recipe", recipe_case({SCRIPT: launch, **configs}, recipe, **more))


@pytest.mark.parametrize(
    ("launch", "recipe"),
    [
        (LAUNCH, RECIPE),
        (f"{SERVER} --tensor_parallel_size=8\n", "DeepSeek-V4-Pro --tp-size 8"),
        (f"{SERVER} --tp 1 --dtype auto\n", "run DeepSeek-V4-Pro"),
        (f"{SERVER} --tp 8\n", "DeepSeek-V4-Pro:\n  strategy: single_node_tp"),
        (f"{SERVER} --kv-cache-dtype fp8\n", '"DeepSeek-V4-Pro", "--kv-cache-dtype", "fp8_e4m3"'),
        (f"{SERVER} --enable-dp-attention\n", "DeepSeek-V4-Pro --enable-dp-attention --x 1"),
        (f"{SERVER} --tp 8\n", "DeepSeek-V4-Pro --tp $TP"),
        ("vllm serve m/DeepSeek-V4-Pro --tp 8\n", "deepseek-v4-pro\ntp: 8"),
    ],
)
def test_a_launch_that_the_recipe_holds_passes(launch: str, recipe: str) -> None:
    finding = found(launch, recipe)
    assert (finding.status, finding.summary) == ("pass", COMPARED), finding
    assert [(link.label, link.url) for link in finding.links] == [("recipe", PULL)]
    assert finding.fix is None


@pytest.mark.parametrize(
    ("recipe", "says"),
    [
        (RECIPE.replace("8", "4"), "--tensor-parallel-size 8: the recipe has it as 4"),
        (RECIPE.replace("--tp 8", ""), "--tp 8: the recipe does not have it"),
        (
            RECIPE.replace("trtllm_mla", "fa3"),
            "--attention-backend trtllm_mla: the recipe has it as fa3",
        ),
        (RECIPE.replace("V4", "V3"), "the recipe does not speak of m/DeepSeek-V4-Pro"),
    ],
)
def test_what_the_recipe_has_otherwise_fails_with_its_line(recipe: str, says: str) -> None:
    finding = found(recipe=recipe)
    assert finding.status == "fail"
    assert finding.summary.startswith(f"{SCRIPT}:2: ")
    assert finding.summary.endswith(says.replace("tensor-parallel-size", "tp"))
    assert finding.details == (finding.summary,)
    assert finding.fix == (
        "bring the recipe and the launch together; or say in the sign-off's additional details, "
        "in a line that names the argument, why they differ"
    )
    assert [link.url for link in finding.links] == [PULL]


def test_several_differences_are_told_together() -> None:
    finding = found(recipe="DeepSeek-V4-Pro")
    assert finding.summary == (
        f"{SCRIPT}:2: --tp 8: the recipe does not have it (and 1 more issue)"
    )
    assert len(finding.details) == 2


@pytest.mark.parametrize(
    ("detail", "status"),
    [
        ("--tp is 8 here, since the node has eight", "review"),
        ("tp differs", "review"),
        ("tp-size differs", "fail"),
        ("something differs", "fail"),
    ],
)
def test_a_difference_that_the_signer_explains_is_for_a_person(detail: str, status: str) -> None:
    finding = found(recipe=RECIPE.replace("--tp 8", ""), details=(detail,))
    assert finding.status == status
    line = f"{SCRIPT}:2: --tp 8: the recipe does not have it"
    assert finding.summary == (line if status == "fail" else f"{line}; sign-off line 20: {detail}")


@pytest.mark.parametrize(
    ("launch", "recipe", "says"),
    [
        (LAUNCH, (RECIPE.replace("--tp 8", "") + "\n" * 9, RECIPE + "\n" * 9), None),
        (
            LAUNCH,
            ("x\n", "x\nDeepSeek-V4-Pro --tp 8\n"),
            "--attention-backend trtllm_mla: the recipe does not have it in what its pull request "
            "shows",
        ),
        (f"{SERVER} --tp $(nproc)\n", RECIPE, "--tp $(nproc) cannot be told from the script"),
        (f"{SERVER} $MORE\n", RECIPE, "$MORE may stand for any arguments"),
        ("sglang serve --tp 8\n", RECIPE, "which model is launched cannot be told from the script"),
        (
            f"if x; then {SERVER} --tp 4; fi\n",
            RECIPE,
            "--tp 4: the recipe has it as 8",
        ),
    ],
)
def test_what_cannot_be_told_is_for_a_person(launch: str, recipe: Any, says: str | None) -> None:
    finding = found(launch, recipe)
    assert finding.status == ("review" if says else "pass"), finding
    if says:
        assert finding.summary.endswith(f": {says}")
        assert finding.fix == "a person must compare these arguments with the recipe"


def test_a_page_is_not_fetched_and_its_arguments_are_for_a_person() -> None:
    finding = judged("recipe", recipe_case({SCRIPT: LAUNCH}, urls=[PAGE]))
    assert finding.status == "review"
    assert finding.summary == (
        f"{SCRIPT}:2: only a published page is linked, which is not fetched; compare "
        "--model-path m/DeepSeek-V4-Pro, --tp 8, --attention-backend trtllm_mla"
    )
    assert [link.url for link in finding.links] == [PAGE]


def test_a_page_beside_a_pull_request_may_hold_what_that_lacks() -> None:
    recipe = RECIPE.replace("--tp 8", "")
    finding = judged("recipe", recipe_case({SCRIPT: LAUNCH}, recipe, urls=[PULL, PAGE]))
    assert finding.status == "review"
    assert "does not have it in what its pull request shows" in finding.summary


def test_two_pull_requests_together_may_hold_the_launch() -> None:
    parts = "DeepSeek-V4-Pro --tp 8", "--attention-backend trtllm_mla"
    pulls = upstream(parts[0]), upstream(parts[1], number=578)
    urls = [PULL, PULL.replace("577", "578")]
    assert judged("recipe", recipe_case({SCRIPT: LAUNCH}, *pulls, urls=urls)).status == "pass"
    assert judged("recipe", recipe_case({SCRIPT: LAUNCH}, *pulls, urls=urls[:1])).status == "fail"


def test_only_files_that_hold_recipes_are_read() -> None:
    pull = upstream(RECIPE, path="python/sglang/tests.py")
    finding = judged("recipe", recipe_case({SCRIPT: LAUNCH}, pull))
    assert finding.status == "review"
    assert "the recipe does not speak of m/DeepSeek-V4-Pro in what" in finding.summary


def test_files_of_the_linked_pull_request_that_are_unread_are_missing_evidence() -> None:
    unread = upstream(RECIPE)
    state = unread.found.model_copy(update={"files": Unread(unread="too many files")})
    with pytest.raises(MissingEvidence, match="too many files"):
        judged("recipe", recipe_case({SCRIPT: LAUNCH}, unread.model_copy(update={"found": state})))


def test_without_a_link_a_launch_fails() -> None:
    finding = judged("recipe", recipe_case({SCRIPT: LAUNCH}, urls=["https://example.com"]))
    assert finding.status == "fail"
    assert finding.summary == (
        "the sign-off links no public recipe: https://example.com is on "
        "example.com, where these rules look for no recipe"
    )
    assert "a merged pull request or file of vllm-project/recipes or " in (finding.fix or "")


def test_arguments_of_no_weight_are_listed_and_those_of_the_benchmark_are_not() -> None:
    launch = LAUNCH + f"{SERVER} --zed 1 --alpha 2 --host h\n"
    finding = found(launch)
    assert finding.status == "pass"
    assert finding.details == (f"{SCRIPT}:3: not compared: alpha, zed",)
    many = "".join(f" --x{i} 1" for i in range(10))
    finding = found(f"{SERVER}{many}\n")
    assert finding.details[0].endswith("not compared: x0, x1, x2, x3, x4, x5, x6, x7 and 2 more")


@pytest.mark.parametrize(
    ("texts", "status"),
    [
        ({SCRIPT: "echo no server\n"}, "na"),
        ({f"{FOLDER}notes.txt": LAUNCH}, "na"),
        ({"benchmarks/multi_node/x.sh": LAUNCH}, "na"),
        ({SCRIPT: (LAUNCH, None)}, "na"),
        ({CONFIG: (None, entry(framework="trt"))}, "na"),
        ({CONFIG: (None, entry(multinode="true"))}, "na"),
        ({CONFIG: (None, entry().replace("  multinode", "  disagg: true\n  multinode"))}, "na"),
        ({CONFIG: (entry(), "")}, "na"),
        ({CONFIG: (entry(), entry() + "# more\n")}, "na"),
        ({CONFIG: (None, entry(framework="trt") + entry("other"))}, "pass"),
        ({CONFIG: (None, entry(framework="vllm"))}, "pass"),
        ({CONFIG: (None, entry()), SCRIPT: LAUNCH}, "pass"),
    ],
)
def test_only_single_node_launches_of_these_engines_need_a_recipe(
    texts: Mapping[str, Any], status: str
) -> None:
    finding = judged("recipe", recipe_case(texts, RECIPE))
    assert finding.status == status, finding
    if status == "na":
        assert finding.summary == NA


def test_an_entry_without_a_changed_script_needs_the_link_alone() -> None:
    texts = {CONFIG: (None, entry())}
    finding = judged("recipe", recipe_case(texts, "nothing"))
    assert (finding.status, finding.summary) == ("pass", PASSED)
    assert finding.details == ("no launch script is changed, so there is nothing to compare",)
    assert judged("recipe", recipe_case(texts, urls=[])).status == "fail"


def test_a_script_that_an_entry_runs_without_a_known_launch_is_for_a_person() -> None:
    texts = {CONFIG: (None, entry()), SCRIPT: "exec start-it\n"}
    finding = judged("recipe", recipe_case(texts, RECIPE))
    assert finding.status == "review"
    assert finding.summary == (
        f"{SCRIPT}: it runs for dsv4-fp4-b200-sglang, and no start of sglang or vllm is found in it"
    )
    texts = {CONFIG: (None, entry()), f"{FOLDER}dsr1_fp4_b200.sh": "exec start-it\n"}
    assert judged("recipe", recipe_case(texts, RECIPE)).status == "pass"


def test_a_script_that_is_not_read_to_its_end_is_for_a_person() -> None:
    launch = LAUNCH + "X=aaaaaaaa\n" + 'X="$X$X"; run $X\n' * 3000
    finding = found(launch)
    assert finding.status == "review"
    assert finding.summary.startswith(f"{SCRIPT}:1: it is not read to its end: ")


def test_scripts_are_judged_in_order() -> None:
    texts = {f"{FOLDER}{name}.sh": LAUNCH for name in ("b", "a")}
    finding = judged("recipe", recipe_case(texts, RECIPE))
    assert finding.summary == f"{PASSED}, with the arguments of {FOLDER}a.sh, {FOLDER}b.sh"


def test_evidence_that_is_missing_is_named() -> None:
    whole = recipe_case({SCRIPT: LAUNCH, CONFIG: (None, entry())}, RECIPE)
    for update in ({"contents": ()}, {"files": Unread(unread="not collected")}):
        lacking = replace(whole, evidence=whole.evidence.model_copy(update=update))
        with pytest.raises(MissingEvidence, match="not collected"):
            judged("recipe", lacking)


def test_needs_are_the_launches_the_configurations_and_the_recipes() -> None:
    from signoff_bot.checks.recipe import KIND

    needs = KIND.needs(parameters("recipe"))
    assert (needs.files, needs.template, needs.upstream_files) == (True, True, True)
    assert needs.upstream_repos == {"vllm-project/recipes", "sgl-project/sglang"}
    assert needs.contents == {
        ContentNeed("benchmarks/single_node/**/*.sh", "head"),
        *(
            ContentNeed(f"{folder}configs/*-master.yaml", place)
            for folder in ("", ".github/")
            for place in ("head", "merge base")
        ),
        ContentNeed("configs/nvidia-master.yaml", "base"),
        ContentNeed("configs/amd-master.yaml", "base"),
    }


def test_a_line_of_the_signer_explains_nothing_that_has_no_name() -> None:
    finding = found(f"{SERVER} $MORE\n", details=("something else",))
    assert finding.summary == f"{SCRIPT}:1: $MORE may stand for any arguments"
