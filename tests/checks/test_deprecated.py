"""The check `deprecated`: nothing that the page of models has retired is submitted."""

from datetime import date

import pytest
from support.standard import FACTS, case_of, entry, judged

from signoff_bot.checks.configs import review_date
from signoff_bot.evidence.base import MissingEvidence

CONFIG = "configs/nvidia-master.yaml"
PAGE = (FACTS / "MODELS.md").read_text()
AGENTIC = "agentic-coding"
MTP = ("{ tp: 8, conc-list: [4], spec-decoding: mtp }",)
SHORT = "isl: 1024, osl: 1024"


def log(*keys: str, extra: str = "") -> str:
    added = "".join(f"+    - {key}\n" for key in keys)
    start = "@@ -9,2 +9,9 @@\n     - x\n   pr-link: A\n+\n"
    return f"{start}+- config-keys:\n{added}{extra}+  pr-link: B\n"


@pytest.mark.parametrize(
    ("fields", "day", "status"),
    [
        pytest.param({"prefix": "dsv4"}, "2026-08-21", "pass", id="active scenario"),
        pytest.param({"prefix": "dsv4", "setting": SHORT}, "2026-08-21", "fail", id="1k1k for all"),
        pytest.param({"prefix": "new", "setting": SHORT}, "2026-08-21", "fail", id="unknown model"),
        pytest.param({"prefix": "dsv4", "setting": SHORT}, "2026-06-24", "pass", id="1k1k in June"),
        pytest.param({"prefix": "dsv4", "setting": SHORT}, "2026-07-16", "pass", id="day before"),
        pytest.param({"prefix": "dsv4", "setting": SHORT}, "2026-07-17", "fail", id="since"),
        pytest.param({"prefix": "gptoss"}, "2026-08-21", "fail", id="retired model"),
        pytest.param({"prefix": "gptoss"}, "2026-07-05", "pass", id="not yet retired"),
        pytest.param({"prefix": "glm5.1"}, "2026-08-21", "fail", id="second prefix of a cell"),
        pytest.param({"prefix": "minimaxm3"}, "2026-08-21", "fail", id="8k1k of one model"),
        pytest.param({"prefix": "minimaxm3"}, "2026-08-03", "pass", id="last day is open"),
        pytest.param({"prefix": "minimaxm3"}, "2026-08-04", "fail", id="after the last day"),
        pytest.param(
            {"prefix": "minimaxm3", "scenario": AGENTIC, "space": MTP}, "2026-08-21", "pass", id="a"
        ),
        pytest.param(
            {"prefix": "qwen3.5", "precision": "bf16"}, "2026-08-21", "fail", id="precision"
        ),
        pytest.param(
            {"prefix": "qwen3.5", "precision": "fp8"}, "2026-08-21", "pass", id="other precision"
        ),
        pytest.param(
            {"prefix": "dsv4", "scenario": AGENTIC}, "2026-08-21", "pass", id="table put off"
        ),
        pytest.param(
            {"prefix": "kimik3", "scenario": AGENTIC}, "2026-08-21", "fail", id="arm in the matrix"
        ),
        pytest.param(
            {"prefix": "kimik3", "scenario": AGENTIC, "space": MTP}, "2026-08-21", "pass", id="arm"
        ),
        pytest.param(
            {
                "prefix": "kimik3",
                "scenario": AGENTIC,
                "space": ("{ tp: 8, conc-list: [4], spec-decoding: eagle3 }",),
            },
            "2026-08-21",
            "review",
            id="another method",
        ),
        pytest.param({"prefix": "kimik2.6"}, "2026-08-21", "review", id="only a row's title"),
        pytest.param({"prefix": "kimik2.6"}, "2026-06-24", "pass", id="title, before the day"),
        pytest.param({"prefix": "qwen3.8", "scenario": AGENTIC}, "2026-08-21", "pass", id="new"),
    ],
)
def test_a_submission_is_judged_by_the_page_and_the_day(fields, day, status) -> None:
    added = entry(framework="vllm", image="vllm/vllm-openai:v1", **fields)
    case = case_of({CONFIG: (None, added)}, signed_at=f"{day}T20:00:00Z")
    finding = judged("deprecated", case)
    assert finding.status == status, finding
    if status in ("fail", "review"):
        assert f"{fields['prefix']} " in finding.summary
        assert "MODELS.md:" in finding.summary


def test_a_finding_names_the_line_of_the_entry_and_of_the_page() -> None:
    text = entry("a") + entry("b", prefix="gptoss")
    finding = judged("deprecated", case_of({CONFIG: (entry("a"), text)}))
    line = next(i for i, row in enumerate(PAGE.split("\n"), 1) if row.startswith("| gpt-oss"))
    assert finding.summary.startswith(f"{CONFIG}:28 (b): gptoss 8192/1024 is deprecated by")
    assert f"MODELS.md:{line}: gpt-oss-120b: None (retired 2026-07-06" in finding.summary


@pytest.mark.parametrize(
    ("signed_at", "merged_at", "day"),
    [
        ("2026-08-04T06:59:59Z", None, date(2026, 8, 3)),
        ("2026-08-04T07:00:00Z", None, date(2026, 8, 4)),
        ("2026-12-04T07:59:59Z", None, date(2026, 12, 3)),
        ("2026-08-20T12:00:00Z", "2026-08-03T12:00:00Z", date(2026, 8, 3)),
        ("2026-08-03T12:00:00Z", "2026-08-20T12:00:00Z", date(2026, 8, 3)),
        (None, None, date(2026, 8, 22)),
        (None, "2026-08-03T12:00:00Z", date(2026, 8, 3)),
    ],
)
def test_the_day_is_that_of_the_signoff_in_the_zone_of_the_rules(signed_at, merged_at, day) -> None:
    assert review_date(case_of({}, signed_at=signed_at, merged_at=merged_at)) == day


def test_only_what_changes_is_submitted() -> None:
    old = entry("a", prefix="gptoss")
    assert judged("deprecated", case_of({CONFIG: (old, old + entry("b"))})).status == "pass"


def test_retiring_points_submits_nothing() -> None:
    before = entry("a", prefix="gptoss", space=("{ tp: 8, conc-list: [4, 8] }",))
    after = before.replace("[4, 8]", "[8]")
    assert judged("deprecated", case_of({CONFIG: (before, after)})).status == "na"


def test_only_the_scenario_that_changes_is_submitted() -> None:
    short = (
        "    - isl: 1024\n      osl: 1024\n      search-space:\n      - { tp: 8, conc-list: [4] }\n"
    )
    before = entry("a") + short
    after = before.replace("conc-end: 16", "conc-end: 32")
    assert judged("deprecated", case_of({CONFIG: (before, after)})).status == "pass"
    after = before.replace("[4]", "[8]")
    assert judged("deprecated", case_of({CONFIG: (before, after)})).status == "fail"


def test_archived_configurations_are_no_submission() -> None:
    case = case_of({"configs/deprecated/nvidia-master.yaml": (None, entry(prefix="gptoss"))})
    assert judged("deprecated", case).status == "na"


@pytest.mark.parametrize("key", ["gptoss-fp4-b200-vllm", '"gptoss*"', '"*-b200-vllm"'])
def test_the_change_log_submits_what_it_names_though_no_file_changes(key: str) -> None:
    base = {CONFIG: entry("gptoss-fp4-b200-vllm", prefix="gptoss")}
    finding = judged("deprecated", case_of({}, log=log(key), base=base))
    assert finding.status == "fail"
    assert "gptoss 8192/1024" in finding.summary


def test_a_log_entry_limited_to_a_scenario_submits_that_one_only() -> None:
    base = {CONFIG: entry("m3", prefix="minimaxm3")}
    limited = log("m3", extra="+  scenario-type:\n+    - agentic-coding\n")
    assert judged("deprecated", case_of({}, log=limited, base=base)).status == "pass"
    assert judged("deprecated", case_of({}, log=log("m3"), base=base)).status == "fail"


def test_a_log_entry_that_names_no_config_is_for_a_person_to_see() -> None:
    finding = judged("deprecated", case_of({CONFIG: (None, entry())}, log=log("nothing-*")))
    assert finding.status == "review"
    assert "nothing-* is no configuration" in finding.summary


def test_an_altered_entry_of_the_log_is_for_a_person_to_see() -> None:
    patch = "@@ -9,2 +9,2 @@\n     - x\n-    - dsr1-a\n+    - gptoss-b\n"
    finding = judged("deprecated", case_of({}, log=patch))
    assert finding.status == "review"
    assert "gptoss-b" in finding.summary


def test_a_log_without_its_diff_is_missing_evidence() -> None:
    from support.build import changed

    case = case_of({}, files=(changed("perf-changelog.yaml"),))
    with pytest.raises(MissingEvidence, match=r"perf-changelog\.yaml"):
        judged("deprecated", case)


def test_a_page_that_lost_its_tables_is_missing_evidence() -> None:
    case = case_of({CONFIG: (None, entry())}, base={"MODELS.md": "# Models\n\nNone any more.\n"})
    with pytest.raises(MissingEvidence, match=r"MODELS\.md"):
        judged("deprecated", case)


def test_a_page_that_moved_is_found() -> None:
    added = {CONFIG: (None, entry(prefix="gptoss"))}
    moved = {"MODELS.md": None, "docs/MODELS.md": PAGE}
    finding = judged("deprecated", case_of(added, base=moved))
    assert finding.status == "fail"
    assert "docs/MODELS.md:" in finding.summary


def test_without_a_page_a_person_must_decide() -> None:
    finding = judged("deprecated", case_of({CONFIG: (None, entry())}, base={"MODELS.md": None}))
    assert finding.status == "review"
    assert "the base has no MODELS.md" in finding.summary


def test_a_finding_says_its_day_and_what_to_do() -> None:
    day = "judged by the day 2026-08-21 (America/Los_Angeles)"
    passed = judged("deprecated", case_of({CONFIG: (None, entry())}))
    assert passed.summary == "nothing deprecated on 2026-08-21: dsv4-fp4-b200-sglang"
    assert (passed.details, passed.fix) == ((day,), None)
    failed = judged("deprecated", case_of({CONFIG: (None, entry(prefix="gptoss"))}))
    assert failed.details[-1] == day
    assert failed.fix == "take the deprecated configurations out of this pull request"
    lost = judged("deprecated", case_of({CONFIG: (None, entry())}, base={"MODELS.md": None}))
    assert lost.summary == (
        "the base has no MODELS.md or docs/MODELS.md or inferencex-e2e/docs/MODELS.md"
    )
    assert lost.fix == "a person must decide whether this is still to be submitted"
    none = judged("deprecated", case_of({}))
    assert none.summary == "the pull request submits no benchmark configuration"


def test_every_deprecated_entry_is_told() -> None:
    texts = {CONFIG: (None, entry("a", prefix="gptoss") + entry("b", prefix="gptoss"))}
    finding = judged("deprecated", case_of(texts))
    assert [line.split(":")[1].split(" ")[1] for line in finding.details[:-1]] == ["(a)", "(b)"]


def test_a_point_is_told_by_lengths_scenario_and_speculation() -> None:
    for fields, said in (
        ({"space": MTP}, "gptoss 8192/1024 (mtp) is deprecated by MODELS.md:"),
        ({"scenario": AGENTIC}, f"gptoss {AGENTIC} is deprecated by MODELS.md:"),
    ):
        finding = judged("deprecated", case_of({CONFIG: (None, entry(prefix="gptoss", **fields))}))
        assert said in finding.summary


def test_a_rerun_and_a_change_of_one_entry_are_both_submitted() -> None:
    before = entry("m3", prefix="minimaxm3")
    more = "    agentic-coding:\n    - search-space:\n      - { tp: 8, conc-list: [4] }\n"
    limited = log("m3", extra="+  scenario-type:\n+    - agentic-coding\n")
    texts = {CONFIG: (before + more, before.replace("conc-end: 16", "conc-end: 32") + more)}
    assert judged("deprecated", case_of(texts, log=limited)).status == "fail"
    assert judged("deprecated", case_of({CONFIG: (more and before + more,) * 2})).status == "na"


def test_without_a_change_log_in_the_rules_only_changed_entries_are_submitted() -> None:
    base = {CONFIG: entry("gptoss", prefix="gptoss")}
    case = case_of({}, log=log("gptoss"), base=base)
    assert judged("deprecated", case).status == "fail"
    assert judged("deprecated", case, changelog=None).status == "na"


def test_an_unknown_name_in_the_log_is_told_with_its_line() -> None:
    finding = judged("deprecated", case_of({CONFIG: (None, entry())}, log=log("nothing-*")))
    assert finding.summary == (
        "perf-changelog.yaml:12: nothing-* is no configuration that could be found"
    )


def test_a_rerun_submits_only_what_the_log_names() -> None:
    base = {CONFIG: entry("a") + entry("b")}
    finding = judged("deprecated", case_of({}, log=log("b"), base=base))
    assert finding.summary == "nothing deprecated on 2026-08-21: b"
