"""The check `append-only`: existing points stay as they are."""

import pytest
from support.build import changed
from support.standard import case_of, entry, judged

CONFIG = "configs/nvidia-master.yaml"
KEY = "dsv4-fp4-b200-sglang"
BEFORE = entry(KEY, space=("{ tp: 8, conc-list: [4, 8] }",))
MORE = BEFORE.replace("[4, 8]", "[4, 8, 16]")
OTHER = entry("other")
AGENTIC = "    agentic-coding:\n    - search-space:\n      - { tp: 8, conc-list: [4] }\n"
APPEND = "+  append-only: true\n"


def log(*keys: str, extra: str = APPEND) -> str:
    added = "".join(f"+    - {key}\n" for key in keys)
    return f"@@ -9,1 +9,9 @@\n   pr-link: A\n+\n+- config-keys:\n{added}{extra}+  pr-link: B\n"


@pytest.mark.parametrize(
    "after",
    [
        pytest.param(MORE, id="a concurrency"),
        pytest.param(BEFORE.replace("[4, 8]", "[16, 8, 4]"), id="in another order"),
        pytest.param(BEFORE + "      - { tp: 4, conc-list: [4] }\n", id="a variant"),
        pytest.param(
            BEFORE.replace("conc-list: [4, 8]", "conc-start: 4, conc-end: 32"), id="as a range"
        ),
        pytest.param(
            BEFORE.replace("{ tp: 8,", "{ ep: 1, dp-attn: false, spec-decoding: none, tp: 8,")
            + "      - { tp: 4, conc-list: [4] }\n",
            id="defaults written out",
        ),
    ],
)
def test_adding_points_to_an_existing_config_passes(after: str) -> None:
    finding = judged("append-only", case_of({CONFIG: (BEFORE, after)}, log=log(KEY)))
    assert finding.status == "pass", finding
    added = {MORE: 1, BEFORE.replace("[4, 8]", "[16, 8, 4]"): 1}.get(after)
    if added:
        assert finding.summary == f"1 point added to {KEY}, and no existing point changed"
        assert (finding.details, finding.fix) == ((), None)


@pytest.mark.parametrize(
    ("after", "why"),
    [
        pytest.param(BEFORE.replace("[4, 8]", "[4, 16]"), "1 existing point", id="a point is gone"),
        pytest.param(MORE.replace("tp: 8", "tp: 4"), "2 existing points", id="recipe"),
        pytest.param(MORE.replace("v0.5.16", "v0.5.17"), "2 existing points", id="image"),
        pytest.param(MORE.replace("runner: b200", "runner: b300"), "2 existing", id="runner"),
        pytest.param(MORE.replace("isl: 8192", "isl: 4096"), "2 existing points", id="lengths"),
        pytest.param(
            BEFORE + AGENTIC,
            "in a scenario that the config did not have",
            id="a new scenario",
        ),
        pytest.param("", "removed, with 2 points", id="removed"),
    ],
)
def test_anything_but_added_points_fails(after: str, why: str) -> None:
    base = {CONFIG: (BEFORE + OTHER, after + OTHER)}
    finding = judged("append-only", case_of(base, log=log(KEY)))
    assert finding.status == "fail", finding
    assert any(why in line for line in finding.details), finding
    assert finding.fix == (
        "take out what changes existing points, or drop `append-only` and run the full sweep"
    )


@pytest.mark.parametrize(
    ("case", "why"),
    [
        pytest.param(
            case_of({CONFIG: (BEFORE, BEFORE + OTHER)}, log=log("other")),
            "a new config",
            id="new config",
        ),
        pytest.param(
            case_of({CONFIG: (BEFORE, MORE + OTHER)}, log=log(KEY)),
            "no new entry of the change log names it",
            id="another config changes",
        ),
        pytest.param(
            case_of({}, log=log(KEY), base={CONFIG: BEFORE}),
            f"nothing is added to {KEY}",
            id="the config is left alone",
        ),
        pytest.param(
            case_of({CONFIG: (BEFORE, MORE)}, log=log(KEY, "missing-*")),
            "missing-* is no configuration",
            id="an unknown pattern",
        ),
        pytest.param(
            case_of(
                {CONFIG: (BEFORE + OTHER, MORE + OTHER.replace("16", "32"))},
                log=log(KEY) + "+\n+- config-keys:\n+    - other\n+  pr-link: B\n",
            ),
            "an entry without `append-only`",
            id="mixed",
        ),
        pytest.param(
            case_of({CONFIG: (BEFORE, MORE)}, log=log(KEY, extra=f"{APPEND}+  evals-only: true\n")),
            "`evals-only` beside `append-only`",
            id="evaluations",
        ),
        pytest.param(
            case_of(
                {CONFIG: (BEFORE, MORE)},
                log=log(KEY, extra=f"{APPEND}+  scenario-type:\n+    - agentic-coding\n"),
            ),
            "is outside of the log entry's agentic-coding",
            id="another scenario than the log's",
        ),
    ],
)
def test_the_claim_must_fit_what_changes(case, why: str) -> None:
    finding = judged("append-only", case)
    assert finding.status == "fail", finding
    assert why in finding.summary


@pytest.mark.parametrize(
    ("path", "status", "expected"),
    [
        ("benchmarks/single_node/agentic/dsv4_fp4_b200_sglang.sh", "modified", "review"),
        ("runners/launch_b200-dgxc.sh", "modified", "review"),
        ("utils/matrix_logic/generate_sweep_configs.py", "modified", "review"),
        ("benchmarks/multi_node/new.yaml", "added", "review"),
        ("docs/notes.txt", "modified", "pass"),
        ("benchmarks/README.md", "modified", "pass"),
    ],
)
def test_other_files_that_may_reach_existing_points_are_for_a_person(
    path: str, status: str, expected: str
) -> None:
    case = case_of({CONFIG: (BEFORE, MORE)}, log=log(KEY), files=(changed(path, status=status),))
    finding = judged("append-only", case)
    assert finding.status == expected
    if expected == "review":
        assert finding.summary == f"{path} ({status}) may change how existing points run"
        assert finding.details == (finding.summary, "points added: 1")
        assert finding.fix == "a person must see that none of this reaches an existing point"


def test_a_new_recipe_that_only_added_points_name_is_harmless() -> None:
    worker = '{ num-worker: 1, additional-settings: ["CONFIG_FILE=recipes/vllm/new.yaml"] }'
    after = BEFORE + f"      - {{ tp: 4, conc-list: [4], prefill: {worker} }}\n"
    recipe = "benchmarks/multi_node/srt-slurm-recipes/vllm/new.yaml"
    for status, expected in (("added", "pass"), ("modified", "review")):
        case = case_of(
            {CONFIG: (BEFORE, after)}, log=log(KEY), files=(changed(recipe, status=status),)
        )
        assert judged("append-only", case).status == expected


def test_a_file_moved_into_the_docs_still_left_where_it_was() -> None:
    moved = changed("docs/x.md", previous_path="runners/x.sh", status="renamed")
    case = case_of({CONFIG: (BEFORE, MORE)}, log=log(KEY), files=(moved,))
    assert judged("append-only", case).status == "review"


@pytest.mark.parametrize("extra", ["", "+  append-only: false\n"])
def test_without_the_claim_nothing_is_demanded(extra: str) -> None:
    case = case_of({CONFIG: (BEFORE, OTHER)}, log=log(KEY, extra=extra))
    finding = judged("append-only", case)
    assert (finding.status, finding.summary) == (
        "na",
        "nothing in the change log claims to be append-only",
    )


def test_a_pull_request_that_leaves_the_log_alone_claims_nothing() -> None:
    assert judged("append-only", case_of({CONFIG: (BEFORE, OTHER)})).status == "na"


def test_the_claim_holds_for_every_config_that_a_pattern_names() -> None:
    both = {CONFIG: (BEFORE + OTHER, MORE + OTHER)}
    finding = judged("append-only", case_of(both, log=log('"*"')))
    assert finding.status == "fail"
    assert "nothing is added to other" in finding.summary


TWO = log(KEY) + "+\n+- config-keys:\n+    - other\n+  pr-link: B\n"


@pytest.mark.parametrize(
    ("case", "line"),
    [
        pytest.param(
            case_of({CONFIG: (BEFORE, BEFORE.replace("[4, 8]", "[4, 16]"))}, log=log(KEY)),
            f"{CONFIG}:1 ({KEY}): 1 existing point removed or measured differently: "
            "fixed-seq-len 8192/1024 concurrency 8 (none)",
            id="a point is gone",
        ),
        pytest.param(
            case_of(
                {CONFIG: (BEFORE, BEFORE + AGENTIC)},
                log=log(KEY),
            ),
            f"{CONFIG}:16 ({KEY}): agentic-coding concurrency 4 (none) is in a scenario that the "
            "config did not have",
            id="a new scenario",
        ),
        pytest.param(
            case_of(
                {CONFIG: (BEFORE, MORE)},
                log=log(KEY, extra=f"{APPEND}+  scenario-type:\n+    - agentic-coding\n"),
            ),
            f"{CONFIG}:11 ({KEY}): fixed-seq-len 8192/1024 concurrency 16 (none) is outside of the "
            "log entry's agentic-coding",
            id="another scenario than the log's",
        ),
        pytest.param(
            case_of({CONFIG: (BEFORE + OTHER, MORE + OTHER.replace("16", "32"))}, log=TWO),
            "perf-changelog.yaml:16: an entry without `append-only` beside one that has it",
            id="mixed",
        ),
        pytest.param(
            case_of({CONFIG: (BEFORE, MORE)}, log=log(KEY, "missing-*")),
            "perf-changelog.yaml:11: missing-* is no configuration",
            id="an unknown pattern",
        ),
    ],
)
def test_an_issue_is_told_with_its_place(case, line: str) -> None:
    finding = judged("append-only", case)
    assert line in finding.details
    assert finding.details[-1].startswith("points added: ")


def test_an_altered_entry_of_the_log_is_for_a_person() -> None:
    patch = log(KEY) + "@@ -20,1 +30,1 @@\n-  pr-link: C\n+  pr-link: D\n"
    finding = judged("append-only", case_of({CONFIG: (BEFORE, MORE)}, log=patch))
    assert finding.status == "review"
    assert finding.summary.startswith(
        "perf-changelog.yaml:30: an older entry is altered: pr-link: D"
    )
