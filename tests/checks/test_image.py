"""The check `image`: whose image an engine runs from, and which engine comes first."""

from dataclasses import replace

import pytest
from support.standard import case_of, entry, judged

from signoff_bot.evidence.base import MissingEvidence, Unread

CONFIG = "configs/nvidia-master.yaml"
OPEN = entry("dsv4-fp4-b200-sglang")
VENDOR = entry(
    "dsv4-fp4-b200-trt", framework="trt", image="nvcr.io#nvidia/tensorrt-llm/release:1.3"
)


@pytest.mark.parametrize(
    ("image", "framework"),
    [
        ("vllm/vllm-openai:v0.27.1", "vllm"),
        ("vllm/vllm-openai-rocm:nightly-3ee2df30337a", "vllm"),
        ("docker.io/vllm/vllm-openai:v0.27.1", "vllm"),
        ("docker.io#vllm/vllm-openai:v0.27.1", "vllm"),
        (f"lmsysorg/sglang:v0.5.16@sha256:{'ab' * 32}", "sglang"),
        (f"lmsysorg/sglang@sha256:{'ab' * 32}", "sglang"),
        ("rocm/sgl-dev:v1", "sglang-disagg"),
        ("nvcr.io/nvidia/ai-dynamo/runtime:1", "dynamo-vllm"),
    ],
)
def test_an_entry_with_its_engines_own_image_passes(image: str, framework: str) -> None:
    added = entry(image=f'"{image}"', framework=framework)
    finding = judged("image", case_of({CONFIG: (None, added)}))
    assert (finding.status, finding.fix) == ("pass", None), finding


@pytest.mark.parametrize(
    ("image", "framework"),
    [
        ("rocm/sgl-dev:v0.5", "sglang"),
        ("rocm/vllm-dev:v1", "vllm"),
        ("vllm/vllm-openai:v1", "sglang"),
        ("ghcr.io/vllm/vllm-openai:v1", "vllm"),
        ("ghcr.io#vllm/vllm-openai:v1", "vllm"),
        ("vllm-openai:v1", "vllm"),
        ("vllmx/vllm-openai:v1", "vllm"),
        ("vllm.example.com/vllm/vllm-openai:v1", "vllm"),
        ("localhost/vllm/vllm-openai:v1", "vllm"),
        ("vllm/../evil/vllm-openai:v1", "vllm"),
        ("vllm/", "vllm"),
    ],
)
def test_an_image_of_somebody_else_fails_and_is_named(image: str, framework: str) -> None:
    added = entry(image=f'"{image}"', framework=framework)
    finding = judged("image", case_of({CONFIG: (None, added)}))
    assert finding.status == "fail"
    assert finding.summary.startswith(f"{CONFIG}:1 (dsv4-fp4-b200-sglang): ")
    assert image in finding.summary


def test_a_changed_image_of_an_existing_entry_is_judged() -> None:
    after = OPEN.replace("lmsysorg/sglang", "rocm/sgl-dev")
    assert judged("image", case_of({CONFIG: (OPEN, after)})).status == "fail"


def test_taking_points_out_of_an_entry_submits_nothing() -> None:
    before = entry(image="rocm/sgl-dev:v1", space=("{ tp: 8, conc-list: [4, 8] }",))
    after = before.replace("[4, 8]", "[4]")
    assert judged("image", case_of({CONFIG: (before, after)})).status == "na"


@pytest.mark.parametrize("runner", ["mi455x", "cluster:vr200-nv", "tpu-v7-gke"])
def test_on_hardware_that_is_not_established_no_rule_applies(runner: str) -> None:
    added = entry(image="rocm/vllm-dev:v1", framework="vllm", runner=runner)
    finding = judged("image", case_of({CONFIG: (None, added)}))
    assert finding.status == "pass"
    assert runner in finding.details[0]


@pytest.mark.parametrize("runner", ["b200", "b200-nscale", "cluster:b200-dgxc", "B200-new"])
def test_pools_and_clusters_are_of_their_hardware(runner: str) -> None:
    added = entry(image="rocm/vllm-dev:v1", framework="vllm", runner=runner)
    assert judged("image", case_of({CONFIG: (None, added)})).status == "fail"


def test_a_vendor_engine_passes_beside_an_open_one_of_the_same_pull_request() -> None:
    assert judged("image", case_of({CONFIG: (None, OPEN + VENDOR)})).status == "pass"


def test_an_open_engine_in_a_file_left_alone_counts() -> None:
    case = case_of({"configs/more-master.yaml": (None, VENDOR)}, base={CONFIG: OPEN})
    assert judged("image", case).status == "pass"


@pytest.mark.parametrize(
    "other",
    [
        entry(runner="b300"),
        entry(prefix="dsr1"),
        entry(framework="dynamo-trt"),
        entry(framework="tilert", runner="b300"),
    ],
    ids=["other hardware", "other model", "vendor's engine", "unknown engine on other hardware"],
)
def test_a_vendor_engine_without_an_open_one_fails(other: str) -> None:
    finding = judged("image", case_of({CONFIG: (other, other + VENDOR)}))
    assert finding.status == "fail"
    assert "no open engine has an entry for dsv4 on b200" in finding.summary


def test_whether_an_unknown_engine_counts_as_an_open_one_is_for_a_person_to_decide() -> None:
    other = entry("dsv4-fp4-b200-llmd", framework="llmd-vllm")
    finding = judged("image", case_of({CONFIG: (other, other + VENDOR)}))
    assert finding.status == "review"
    assert "the rules do not say what llmd-vllm, which has one, is" in finding.summary
    both = other + OPEN
    assert judged("image", case_of({CONFIG: (both, both + VENDOR)})).status == "pass"


def test_an_open_engine_that_the_pull_request_removes_does_not_count() -> None:
    assert judged("image", case_of({CONFIG: (OPEN, VENDOR)})).status == "fail"


def test_a_vendor_entry_that_only_changes_how_it_runs_is_not_new() -> None:
    after = VENDOR.replace("release:1.3", "release:1.4")
    assert judged("image", case_of({CONFIG: (VENDOR, after)})).status == "pass"


def test_an_unknown_engine_is_for_a_person_to_decide() -> None:
    added = entry("x", framework="tilert", image="ghcr.io/tile-ai/tilert:0.1")
    finding = judged("image", case_of({CONFIG: (None, added + OPEN)}))
    assert finding.status == "review"
    assert "tilert is an engine the rules do not know" in finding.summary


@pytest.mark.parametrize(
    ("detail", "status"),
    [
        ("- dsv4-fp4-b200-sglang: no upstream image supports this architecture yet", "review"),
        ("rocm/sgl-dev is needed, upstream lacks the kernels", "review"),
        ("- insert any additional info here", "fail"),
        ("dsv4-fp4-b200-sglang-mtp needs a private image", "fail"),
        ("rocm/sgl-dev-other is needed", "fail"),
    ],
)
def test_only_an_explanation_that_names_the_entry_makes_it_a_persons_decision(
    detail: str, status: str
) -> None:
    added = entry(image="rocm/sgl-dev:v1")
    finding = judged("image", case_of({CONFIG: (None, added)}, details=(detail,)))
    assert finding.status == status


def test_configurations_elsewhere_are_no_submission() -> None:
    case = case_of({"configs/deprecated/amd-master.yaml": (None, entry(image="rocm/x:1"))})
    assert judged("image", case).status == "na"


def test_an_entry_brought_back_from_the_archive_is_submitted() -> None:
    case = case_of(
        {CONFIG: (None, entry(image="rocm/sgl-dev:v1"))},
        renamed={CONFIG: "configs/deprecated/n-master.yaml"},
    )
    assert judged("image", case).status == "fail"


def test_an_entry_that_only_moved_to_another_file_is_not_submitted() -> None:
    moved = entry(image="rocm/sgl-dev:v1")
    case = case_of({CONFIG: (moved, ""), "configs/more-master.yaml": (None, moved)})
    assert judged("image", case).status == "na"


def test_a_config_that_cannot_be_read_is_missing_evidence() -> None:
    case = case_of({CONFIG: (OPEN, OPEN + "x: [\n")})
    with pytest.raises(MissingEvidence, match=r"configs/nvidia-master\.yaml"):
        judged("image", case)


@pytest.mark.parametrize("field", ["image", "framework", "runner", "model-prefix"])
def test_an_entry_that_lacks_what_the_rules_rest_on_is_missing_evidence(field: str) -> None:
    added = "".join(
        line for line in VENDOR.splitlines(keepends=True) if not line.startswith(f"  {field}:")
    )
    with pytest.raises(MissingEvidence, match=field):
        judged("image", case_of({CONFIG: (None, added)}))


def test_changed_files_that_could_not_be_read_are_missing_evidence() -> None:
    case = case_of({})
    unread = case.evidence.model_copy(update={"files": Unread(unread="no files")})
    with pytest.raises(MissingEvidence, match="no files"):
        judged("image", replace(case, evidence=unread))


def test_a_finding_says_what_is_right_and_what_to_do() -> None:
    passed = judged("image", case_of({CONFIG: (None, OPEN)}))
    assert passed.summary == "images and order are right: dsv4-fp4-b200-sglang"
    failed = judged("image", case_of({CONFIG: (None, entry(image="rocm/sgl-dev:v1"))}))
    assert failed.fix == (
        "use the engine's own image, land the open engine's entry first, or explain the exception "
        "in the sign-off's detail section in a line that names the config key"
    )
    none = judged("image", case_of({}))
    assert none.summary == "the pull request submits no configuration entry"


def test_an_explanation_is_shown_beside_what_it_explains() -> None:
    added, said = {CONFIG: (None, entry(image="rocm/sgl-dev:v1"))}, "dsv4-fp4-b200-sglang: why"
    failed = judged("image", case_of(added))
    explained = judged("image", case_of(added, details=(said,)))
    assert explained.summary == f"{failed.summary}; sign-off line 20: {said}"
    assert explained.fix == (
        "a person must decide whether the exception holds, and add an unknown engine to the rules"
    )


def test_an_entry_after_one_that_no_rule_covers_is_judged_too() -> None:
    new = entry("a", image="rocm/vllm-dev:v1", framework="vllm", runner="mi455x")
    case = case_of({CONFIG: (None, new + entry(image="rocm/sgl-dev:v1"))})
    assert judged("image", case).status == "fail"
