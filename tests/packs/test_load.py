"""How packs are found, how one extends another, and what their digest stands for."""

import json
import zoneinfo
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from support import probe

from signoff_bot import checks
from signoff_bot.checks import Kinds
from signoff_bot.errors import InvalidInput
from signoff_bot.evidence.strict_json import canonical_json, digest, parse_json
from signoff_bot.packs.build import build, rules_of
from signoff_bot.packs.layers import merge
from signoff_bot.packs.load import from_data, load, load_file, load_named, load_text
from signoff_bot.packs.model import Rules

pytestmark = pytest.mark.usefixtures("shipped")


def extended(*lines: str) -> Rules:
    return load_text("\n".join(["name: mine", "extends: basic", *lines, ""]), "p")


def test_a_shipped_pack_is_found_by_name_and_any_pack_by_path(shipped: Path) -> None:
    by_name = load_named("basic")
    assert by_name.name == "basic"
    assert load("basic") == by_name == load(str(shipped / "basic.yaml"))


def test_a_checkout_keeps_the_packs_beside_the_package_and_a_wheel_inside(
    shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site-packages" / "signoff_bot"
    package.mkdir(parents=True)
    monkeypatch.setattr("signoff_bot.packs.shipped._PACKAGE", package)
    shipped.rename(package.parent / "rules")
    assert load_named("basic").name == "basic"
    (package.parent / "rules").rename(package / "rules")
    assert load_named("basic").name == "basic"


def test_checks_come_by_number_but_after_what_they_depend_on() -> None:
    rules = extended(
        "checks:",
        "  late: {kind: title, number: 9, with: {word: x}}",
        "  early: {kind: title, number: 2, depends_on: late, with: {word: x}}",
        "  hello: {depends_on: early}",
    )
    assert [check.id for check in rules.checks] == ["world", "late", "early", "hello"]


def test_an_extending_pack_changes_what_it_names_and_inherits_the_rest() -> None:
    rules = extended(
        "publish: {status: false}", "checks:", "  world:", "    with: {limits: {low: 5}}"
    )
    assert (rules.publish.context, rules.publish.status) == ("signoff", False)
    assert rules.checks[0] == load_named("basic").checks[0]
    assert rules.checks[1].parameters.limits == {"low": 5, "high": 2}


def test_null_removes_a_check() -> None:
    rules = extended("checks:", "  hello: null")
    assert [check.id for check in rules.checks] == ["world"]


def test_elsewhere_null_is_a_value() -> None:
    rules = extended("signoff: {template_file: null}", "checks: {hello: {title: null}}")
    assert rules.signoff.template_file is None
    with pytest.raises(InvalidInput, match=r"limits\.low: must be a number, not null"):
        extended("checks: {world: {with: {limits: {low: null}}}}")


def test_lists_and_scalars_replace_what_was_there(tmp_path: Path) -> None:
    base = "name: base\nextends: basic\nchecks: {hello: {with: {globs: [a, b]}}}\n"
    (tmp_path / "base.yaml").write_text(base, encoding="utf-8")
    child = "name: child\nextends: ./base.yaml\nchecks: {hello: {with: {globs: [c], word: hi}}}\n"
    (tmp_path / "child.yaml").write_text(child, encoding="utf-8")
    parameters = load_file(tmp_path / "child.yaml").checks[0].parameters
    assert (parameters.globs, parameters.word) == (("c",), "hi")


def test_a_check_of_another_kind_starts_afresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "KINDS", Kinds({"title": probe.__name__, "name": probe.__name__}))
    rules = extended("checks:", "  world: {kind: name, number: 1, with: {word: x}}")
    assert rules.checks[1].parameters.limits == {}
    with pytest.raises(InvalidInput, match=r"checks\.world\.number: required"):
        extended("checks:", "  world: {kind: name, with: {word: x}}")


def test_two_packs_that_demand_the_same_have_the_same_digest() -> None:
    spelled_out = extended("time_zone: UTC", "description: The title says hello.").data
    assert load_text(json.dumps({**spelled_out, "name": "mine"}), "q").digest == extended().digest


def test_whatever_changes_the_demands_changes_the_digest() -> None:
    changed = {
        extended(*lines).digest
        for lines in (
            (),
            ("time_zone: Asia/Tokyo",),
            ("applies_when: {labels: [x]}",),
            ("checks: {hello: {with: {case: ignored}}}",),
            ("checks: {hello: {severity: advisory}}",),
            ("signoff: {combine: true}",),
        )
    }
    assert len(changed) == 6


def test_a_pack_from_a_bundle_keeps_the_digest_of_what_was_saved() -> None:
    saved = {**load_named("basic").data}
    del saved["time_zone"]  # saved by a version that did not know of it yet
    rules = from_data(saved, "bundle.json")
    assert rules.digest == digest(saved)
    assert rules.time_zone == "UTC"


def test_a_pack_from_a_bundle_extends_nothing() -> None:
    with pytest.raises(InvalidInput) as caught:
        from_data({**load_named("basic").data, "extends": "basic"}, "bundle.json")
    assert "bundle.json:1: rules.extends: unknown key" in str(caught.value)


@pytest.mark.parametrize(
    "data", [{}, [], 3, {"checks": 3}, {"name": "\ud800"}, {"checks": {"a": []}}]
)
def test_a_bundle_with_broken_rules_is_refused(data: Any) -> None:
    with pytest.raises(InvalidInput):
        from_data(data, "bundle.json")


def test_time_zones_are_known_on_a_machine_without_a_database_of_them() -> None:
    zoneinfo.reset_tzpath(to=())
    ZoneInfo.clear_cache()
    try:
        assert extended("time_zone: America/Los_Angeles").time_zone == "America/Los_Angeles"
    finally:
        zoneinfo.reset_tzpath()


def test_a_check_that_is_not_used_is_not_imported() -> None:
    kinds = Kinds({"title": probe.__name__, "broken": "no.such.module"})
    assert "broken" in kinds
    assert list(kinds) == ["title", "broken"]
    assert kinds["title"] is probe.KIND
    with pytest.raises(ModuleNotFoundError):
        kinds["broken"]


words = st.text("abcdefg", min_size=1, max_size=6)
entries = st.fixed_dictionaries(
    {"kind": st.just("title"), "number": st.integers(0, 99)},
    optional={
        "title": words,
        "severity": st.sampled_from(["blocking", "advisory"]),
        "review": st.sampled_from(["blocks", "shown"]),
        "applies_when": st.fixed_dictionaries({}, optional={"labels": st.lists(words)}),
    },
).flatmap(
    lambda entry: st.fixed_dictionaries(
        {"word": words},
        optional={
            "globs": st.lists(words, max_size=3),
            "either": words | st.lists(words, max_size=3),
            "limits": st.dictionaries(words, st.floats(0, 1) | st.integers(0, 9), max_size=3),
        },
    ).map(lambda parameters: {**entry, "with": parameters})
)
packs = st.fixed_dictionaries(
    {
        "schema": st.just("signoff-bot/rules/v1"),
        "name": words,
        "description": words,
        "signoff": st.just({"phrase": "I have reviewed this change"}),
        "publish": st.fixed_dictionaries({"context": words}),
        "checks": st.dictionaries(words, entries, min_size=1, max_size=4),
    }
)


@given(packs)
@settings(max_examples=60)
def test_a_pack_written_out_and_read_again_is_the_same_pack(data: dict) -> None:
    for number, entry in enumerate(data["checks"].values()):
        entry["number"] = number
    kinds = Kinds({"title": probe.__name__})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checks, "KINDS", kinds)
        pack, wrongs = build(data)
        assert pack is not None, wrongs
        rules = rules_of(pack)
        assert load_text(yaml.safe_dump(rules.data), "p") == rules
        assert from_data(parse_json(canonical_json(rules.data)), "bundle.json") == rules


@given(st.text(st.sampled_from("ab:-\n []{}&*!%#|>'\",~0."), max_size=80))
@settings(max_examples=60)
def test_no_text_raises_anything_but_invalid_input(text: str) -> None:
    with pytest.raises(InvalidInput):
        load_text(text, "p")


values = st.recursive(
    st.none() | st.integers(0, 3) | words | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)


@given(st.data())
@settings(max_examples=120)
def test_no_value_anywhere_in_a_pack_raises_anything_but_invalid_input(data: st.DataObject) -> None:
    pack = yaml.safe_load(probe.BASIC)
    place = pack
    while True:
        key = data.draw(st.sampled_from(sorted(place)))
        if not isinstance(place[key], dict) or data.draw(st.booleans()):
            break
        place = place[key]
    place[key] = data.draw(values)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checks, "KINDS", Kinds({"title": probe.__name__}))
        try:
            rules = load_text(yaml.safe_dump(pack), "p")
        except InvalidInput:
            return
        assert rules.checks


def test_mappings_merge_and_anything_else_replaces() -> None:
    for base, over, result in [
        ({"a": 1}, {"a": 2}, {"a": 2}),
        ({"a": 1}, {"b": 2}, {"a": 1, "b": 2}),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 3}}, {"a": {"b": 3, "c": 2}}),
        ({"a": {"b": 1}}, {"a": [1]}, {"a": [1]}),
        ({"a": [1, 2]}, {"a": [3]}, {"a": [3]}),
        ({"a": 1}, {"a": {"b": 2}}, {"a": {"b": 2}}),
        ({"a": 1}, {"a": None}, {"a": None}),
    ]:
        assert merge(base, over) == result
