"""The page of models, read by its structure."""

from datetime import date

import pytest
from support.standard import FACTS, SHARED

from signoff_bot.evidence.base import MissingEvidence
from signoff_bot.reading.config_points import Point
from signoff_bot.reading.deprecations import Deprecation, Scenario, read_cell
from signoff_bot.reading.models_page import Models, read_models

PAGE = (FACTS / "MODELS.md").read_text()
AGENTIC, K8, K1 = (
    Scenario("Agentic coding", None),
    Scenario("Single-turn 8k1k", (8192, 1024)),
    Scenario("Single-turn 1k1k", (1024, 1024)),
)
SCENARIOS = (AGENTIC, K8, K1)
GLM = frozenset({"glm5", "glm5.1"})


def said(found: Deprecation) -> tuple[object, ...]:
    name = found.scenario.name if found.scenario else None
    return name, found.precision, found.arm, found.since, found.certain


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("", []),
        ("None", []),
        ("\N{EM DASH}", []),
        ("[^1]", []),
        ("Single-turn 8k1k", [("Single-turn 8k1k", None, None, None, True)]),
        (
            "Single-turn 1k1k, Single-turn 8k1k (removed 2026-08-04, #2493)",
            [
                ("Single-turn 1k1k", None, None, None, True),
                ("Single-turn 8k1k", None, None, date(2026, 8, 4), True),
            ],
        ),
        ("Agentic coding, non-MTP", [("Agentic coding", None, "mtp", None, True)]),
        (
            "Agentic coding non-DSpark arm (deprecated from day 0)",
            [("Agentic coding", None, "dspark", None, True)],
        ),
        (
            "All bf16 recipes, in every scenario, on NVIDIA and AMD",
            [(None, "bf16", None, None, True)],
        ),
        ("Agentic coding bf16", [("Agentic coding", "bf16", None, None, True)]),
        ("Everything on Tuesdays", [(None, None, None, None, False)]),
        (
            "Single-turn 8k1k, the rest",
            [("Single-turn 8k1k", None, None, None, True), (None, None, None, None, False)],
        ),
        (
            "Single-turn 1k1k [^1]",
            [("Single-turn 1k1k", None, None, None, True)],
        ),
    ],
)
def test_a_cell_is_read_item_by_item(cell: str, expected: list[tuple[object, ...]]) -> None:
    assert [said(found) for found in read_cell(cell, 1, GLM, SCENARIOS)] == expected


@pytest.mark.parametrize(
    ("note", "prefixes", "certain"),
    [
        ("GLM-5 only", {"glm5"}, True),
        ("GLM-5.1 only", {"glm5.1"}, True),
        ("GLM-6 only", {"glm5", "glm5.1"}, False),
        ("removed later", {"glm5", "glm5.1"}, True),
    ],
)
def test_a_note_may_limit_an_item_to_one_model(note, prefixes, certain) -> None:
    (found,) = read_cell(f"Single-turn 1k1k ({note})", 1, GLM, SCENARIOS)
    assert (found.prefixes, found.certain) == (frozenset(prefixes), certain)


def point(**fields: object) -> Point:
    given = {"scenario": "fixed-seq-len", "isl": 8192, "osl": 1024, "conc": 4}
    given |= {"speculation": "none", "recipe": "{}"} | fields
    return Point(**given)  # type: ignore[arg-type]


AGENT = {"scenario": "agentic-coding", "isl": None, "osl": None}


@pytest.mark.parametrize(
    ("fields", "of", "precision", "expected"),
    [
        ({}, {}, "fp4", True),
        ({"scenario": K8}, {}, "fp4", True),
        ({"scenario": K1}, {}, "fp4", False),
        ({"scenario": AGENTIC}, {}, "fp4", False),
        ({"scenario": AGENTIC}, AGENT, "fp4", True),
        ({"precision": "bf16"}, {}, "BF16", True),
        ({"precision": "bf16"}, {}, "fp8", False),
        ({"arm": "dspark"}, AGENT, "fp4", True),
        ({"arm": "dspark"}, AGENT | {"speculation": "mtp"}, "fp4", False),
        ({"arm": "dspark"}, AGENT | {"speculation": "dspark"}, "fp4", False),
        ({"arm": "dspark"}, AGENT | {"speculation": "eagle3"}, "fp4", None),
        ({"certain": False}, {}, "fp4", None),
        ({"certain": False, "scenario": K1}, {}, "fp4", False),
    ],
)
def test_what_a_deprecation_concerns(fields, of, precision, expected) -> None:
    found = Deprecation(1, "x", None, **fields)
    assert found.concerns(point(**of), precision, ("mtp",)) is expected


@pytest.mark.parametrize("path", [FACTS / "MODELS.md", SHARED / "base-2026-08-21" / "MODELS.md"])
def test_the_page_says_the_same_as_a_reader_finds(path) -> None:
    if not path.exists():
        pytest.skip("the real file is not at hand")
    models = read_models(path.read_text(), "MODELS.md")
    retired = {
        prefix: found.since
        for found in models.deprecations
        if (found.scenario, found.precision, found.arm, found.certain) == (None, None, None, True)
        for prefix in found.prefixes or ()
    }
    assert retired == {
        "gptoss": date(2026, 7, 6),
        "glm5": date(2026, 7, 18),
        "glm5.1": date(2026, 7, 18),
        "kimik2.5": date(2026, 8, 7),
        "minimaxm2.5": date(2026, 6, 20),
        "llama70b": date(2025, 10, 29),
    }
    for_all = {f.scenario.name: f.since for f in models.deprecations if f.prefixes is None}
    assert for_all == {
        "Single-turn 1k1k": date(2026, 7, 17),
        "Single-turn 1k8k": date(2026, 3, 27),
    }
    assert {f.arm for f in models.deprecations} == {None, "dspark"}
    assert sum(not f.certain for f in models.deprecations) == 1
    assert models.prefixes >= {"qwen3.8", "kimik3", "glm5", "glm5.1", "dsr1"}


def certain(models: Models, prefix: str) -> bool:
    return any(found.certain for found in models.of(prefix))


@pytest.mark.parametrize("prefix", ["kimik2.6", "kimik2.7", "minimaxm2.7"])
def test_what_only_a_title_names_is_uncertain(prefix: str) -> None:
    models = read_models(PAGE, "MODELS.md")
    own = [found for found in models.of(prefix) if found.prefixes is not None]
    assert own
    assert not any(found.certain for found in own)


def test_lifting_the_suspension_brings_its_table_into_force() -> None:
    enacted = PAGE.replace("**Status: not yet enacted.**", "**Status: enacted.**")
    found = [f for f in read_models(enacted, "x").of("dsv4") if f.arm == "mtp"]
    assert [(f.since, f.certain) for f in found] == [(date(2026, 8, 4), True)]
    assert not [f for f in read_models(PAGE, "x").of("dsv4") if f.arm]


def test_a_suspension_holds_for_the_table_above_it_only() -> None:
    status = "**Status: not yet enacted.** Every arm above still runs.\n"
    moved = PAGE.replace(status, "").replace("The arms of each pair:", f"{status}\nThe arms:")
    models = read_models(moved, "x")
    assert [f.arm for f in models.of("glm5.2") if f.arm] == ["mtp"]
    assert not [f for f in models.of("qwen3.5") if f.precision and f.since == date(2026, 8, 4)][1:]


@pytest.mark.parametrize(
    "heading", ["Monday, August 3, 2026", "2026-08-03", "Until August 3, 2026"]
)
def test_a_heading_names_the_last_day(heading: str) -> None:
    page = PAGE.replace("### Monday, August 3, 2026", f"### {heading}")
    found = [f for f in read_models(page, "x").of("minimaxm3") if "removed" not in f.says]
    assert date(2026, 8, 4) in {f.since for f in found if f.scenario and f.scenario.lengths}


@pytest.mark.parametrize("heading", ["Monday, August 33, 2026", "Some day", "2026-08-99"])
def test_a_heading_without_a_day_deprecates_nothing(heading: str) -> None:
    page = PAGE.replace("### Monday, August 3, 2026", f"### {heading}")
    assert not [f for f in read_models(page, "x").deprecations if f.line < 20 and f.since]


def test_a_model_cell_without_a_prefix_is_uncertain() -> None:
    page = PAGE.replace("MiniMax-M3 (`minimaxm3`) | Single", "MiniMax-M3 | Single")
    (found,) = [f for f in read_models(page, "x").deprecations if f.prefixes == {"minimaxm3"}][:1]
    assert (found.since, found.certain) == (date(2026, 8, 4), False)


@pytest.mark.parametrize("column", ["Status", "Prefix", "Deprecated scenarios", "ISL/OSL"])
def test_a_page_without_its_tables_is_missing_evidence(column: str) -> None:
    with pytest.raises(MissingEvidence, match=r"^MODELS\.md has no table"):
        read_models(PAGE.replace(f"| {column}", "| Other"), "MODELS.md")
