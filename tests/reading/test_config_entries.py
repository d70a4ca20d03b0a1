"""Configurations are compared by meaning, and expanded into the points they measure."""

import json
import random

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from support.standard import FACTS, SHARED, entry

from signoff_bot.evidence.base import MissingEvidence
from signoff_bot.reading.config_entries import changed_entries, entries, merged

A, B = entry("a"), entry("b", prefix="dsr1")


def changes(before: str | None, after: str | None) -> dict[str, str]:
    return {
        change.key: "added" if not change.before else "removed" if not change.after else "changed"
        for change in changed_entries(before, after, "configs/x-master.yaml")
    }


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (A, A, {}),
        (A + B, B + A, {}),
        (A, f"# note\n\n{A}", {}),
        (A, A.replace("b200", "'b200'   # the pool"), {}),
        (
            A,
            A.replace(
                "{ tp: 8, conc-start: 4, conc-end: 16 }", "{conc-end: 16, conc-start: 4, tp: 8}"
            ),
            {},
        ),
        (A, A + B, {"b": "added"}),
        (A + B, A, {"b": "removed"}),
        (None, A, {"a": "added"}),
        (A, None, {"a": "removed"}),
        (A + B, A + B.replace("fp4", "fp8"), {"b": "changed"}),
        (A, A.replace("tp: 8", "tp: '8'"), {"a": "changed"}),
        (A, A.replace("tp: 8", "tp: 8.0"), {"a": "changed"}),
        (A, A.replace("a:\n", "c:\n", 1), {"a": "removed", "c": "added"}),
    ],
)
def test_entries_differ_when_their_data_does(before, after, expected) -> None:
    assert changes(before, after) == expected


@pytest.mark.parametrize("text", [A, A + B, "", "# only a comment\n"])
def test_a_file_does_not_differ_from_itself(text: str) -> None:
    assert changes(text, text) == {}


untimed = settings(deadline=None, max_examples=80)
SEED = st.integers(0, 999)
STYLE = st.integers(0, 3)
SPACE = st.lists(st.fixed_dictionaries({"tp": st.integers(1, 9)}), max_size=2)
DATA = st.dictionaries(
    st.sampled_from(["dsr1-fp4", "dsv4-fp8", "qwen3.5-fp4", "x"]),
    st.fixed_dictionaries(
        {
            "image": st.sampled_from(["vllm/vllm-openai:v1", "a: b", "it's", 'x "y']),
            "scenarios": st.dictionaries(
                st.sampled_from(["fixed-seq-len", "agentic-coding"]),
                st.lists(st.fixed_dictionaries({"search-space": SPACE}), max_size=2),
                max_size=2,
            ),
        }
    ),
    max_size=4,
)


def written(data: dict, style: int, shuffle: random.Random) -> str:
    """The data as YAML in one of several layouts, its keys in any order."""

    def shuffled(value):
        if isinstance(value, dict):
            keys = shuffle.sample(list(value), len(value))
            return {key: shuffled(value[key]) for key in keys}
        return [shuffled(item) for item in value] if isinstance(value, list) else value

    if not data:
        return ""
    flow = [None, False, True, None][style]
    text = yaml.safe_dump(shuffled(data), default_flow_style=flow, sort_keys=False, width=40)
    return "# note\n" + text.replace("\n", "  # why\n", 1) if style == 1 else text


@untimed
@given(DATA, STYLE, STYLE, SEED)
def test_order_and_layout_change_nothing(data, one, other, seed) -> None:
    shuffle = random.Random(seed)
    assert changes(written(data, one, shuffle), written(data, other, shuffle)) == {}


@untimed
@given(DATA, DATA, STYLE, STYLE, SEED)
def test_exactly_what_differs_is_told(before, after, one, other, seed) -> None:
    expected = {
        key
        for key in before.keys() | after.keys()
        if json.dumps(before.get(key), sort_keys=True) != json.dumps(after.get(key), sort_keys=True)
    }
    shuffle = random.Random(seed)
    texts = written(before, one, shuffle), written(after, other, shuffle)
    assert changes(*texts).keys() == expected


@pytest.mark.parametrize(
    ("space", "expected"),
    [
        ("{ conc-list: [8, 4] }", [8, 4]),
        ("{ conc-start: 4, conc-end: 64 }", [4, 8, 16, 32, 64]),
        ("{ conc-start: 4, conc-end: 100 }", [4, 8, 16, 32, 64, 100]),
        ("{ conc-start: 3, conc-end: 7 }", [3, 6, 7]),
        ("{ conc-start: 8, conc-end: 8 }", [8]),
        ("{ conc-start: 1, conc-end: 2 }", [1, 2]),
    ],
)
def test_concurrencies_double_up_to_the_end_which_is_included(space, expected) -> None:
    (found,) = entries(entry(space=(space,)), "x")
    assert [point.conc for point in found.points] == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("{ tp: 8, conc-list: [4] }", "{ tp: 8, ep: 1, dp-attn: false, conc-list: [4] }"),
        ("{ tp: 8, conc-list: [4] }", "{ spec-decoding: none, tp: 8, conc-list: [4] }"),
        ("{ tp: 8, conc-list: [4, 8] }", "{ tp: 8, conc-start: 4, conc-end: 8 }"),
    ],
)
def test_the_same_measurement_is_the_same_point_however_it_is_written(one, other) -> None:
    (first,), (second,) = entries(entry(space=(one,)), "x"), entries(entry(space=(other,)), "x")
    assert first.points.keys() == second.points.keys()


@pytest.mark.parametrize(
    "change",
    [
        {"image": "lmsysorg/sglang:v9"},
        {"runner": "b300"},
        {"precision": "fp8"},
        {"setting": "isl: 8192, osl: 2048"},
        {"space": ("{ tp: 8, ep: 8, conc-start: 4, conc-end: 16 }",)},
        {"space": ("{ tp: 8, spec-decoding: mtp, conc-start: 4, conc-end: 16 }",)},
        {"scenario": "agentic-coding"},
    ],
)
def test_whatever_makes_a_measurement_different_makes_other_points(change) -> None:
    (before,), (after,) = entries(entry("a"), "x"), entries(entry("a", **change), "x")
    assert not before.points.keys() & after.points.keys()


def test_what_a_change_submits_is_what_is_measured_anew() -> None:
    after = A.replace("conc-end: 16", "conc-end: 32")
    (change,) = changed_entries(A, after, "x")
    assert [point.conc for point in change.submitted] == [32]


@pytest.mark.parametrize(
    ("space", "why"),
    [
        ("{ tp: 8 }", r"search-space\[0\]\.conc-start is no whole number"),
        ("{ conc-list: 4 }", "`conc-list` is no list"),
        ("{ conc-list: [0] }", "no whole number above 0"),
        ("{ conc-list: [true] }", "no whole number above 0"),
        ("{ conc-start: 8, conc-end: 4 }", "`conc-start` is above `conc-end`"),
        ("text", r"search-space\[0\]: no mapping"),
    ],
)
def test_a_malformed_search_space_is_missing_evidence(space: str, why: str) -> None:
    (found,) = entries(entry(space=(space,)), "x.yaml")
    with pytest.raises(MissingEvidence, match=why) as missing:
        assert found.points
    assert str(missing.value).startswith("x.yaml:1 (dsv4-fp4-b200-sglang): ")


@pytest.mark.parametrize(
    "text",
    ["a: 1\n", "- a\n", "a: [\n", "a: &x {b: 1}\nc: *x\n", f"{A}{A}", "text\n"],
)
def test_a_file_that_is_no_mapping_of_entries_is_missing_evidence(text: str) -> None:
    with pytest.raises(MissingEvidence, match=r"x\.yaml"):
        changed_entries("", text, "x.yaml")


def test_an_entry_knows_the_lines_of_its_values() -> None:
    for text in (A + B, A + B + '"c":\n  image: x\n'):
        found = {e.key: e for e in entries(text, "x")}["b"]
        assert found.place() == "x:15 (b)"
        assert found.line_of(("scenarios", "fixed-seq-len", 0, "search-space", 0)) == 28
        assert found.line_of(("scenarios", "fixed-seq-len", 0, "nothing")) == 25


def test_only_wanted_entries_are_read() -> None:
    text = A + B
    assert [e.key for e in entries(text, "x", mentioning="dsr1")] == ["b"]
    assert [e.key for e in entries(text, "x", keys="a".__eq__)] == ["a"]


def test_an_entry_that_moves_to_another_file_has_not_changed() -> None:
    removed, added = changed_entries(A, "", "x"), changed_entries("", A, "y")
    assert merged((*removed, *added)) == ()
    (change,) = merged((*removed, *changed_entries("", A.replace("fp4", "fp8"), "y")))
    assert (change.before.path, change.after.path) == ("x", "y")


@pytest.mark.parametrize("pr", ["1865", "1914"])
def test_what_a_real_pull_request_adds_is_read(pr: str) -> None:
    files = json.loads((FACTS / f"pr-{pr}.json").read_text())
    patch = next(f["patch"] for f in files if f["path"].endswith("amd-master.yaml"))
    added = "\n".join(line[1:] for line in patch.split("\n") if line.startswith("+")) + "\n"
    (change,) = changed_entries("", added, "amd-master.yaml")
    assert change.after.multinode
    assert change.after.disagg
    assert {point.speculation for point in change.submitted} == {"none"}
    assert len(change.submitted) == {"1865": 20, "1914": 13}[pr]


@pytest.mark.skipif(not SHARED.exists(), reason="the real files are not at hand")
@pytest.mark.parametrize("path", sorted(SHARED.rglob("*-master.yaml")), ids=lambda p: str(p)[-60:])
def test_the_real_files_are_read_whole_and_apart_alike(path) -> None:
    text = path.read_text()
    apart = {e.key: (e.data, dict(e.lines)) for e in entries(text, "x")}
    whole = {e.key: (e.data, dict(e.lines)) for e in entries(text + '"z": {}\n', "x")}
    whole.pop("z")
    assert apart == whole
    assert all(e.points for e in entries(text, "x"))
