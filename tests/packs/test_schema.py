"""The JSON Schema agrees with loading: what loads is valid, and what it can see, it refuses."""

from pathlib import Path

import jsonschema_rs
import pytest
import yaml
from support import probe

from signoff_bot.errors import InvalidInput
from signoff_bot.packs.load import load_named, load_text
from signoff_bot.packs.schema import pack_schema
from signoff_bot.packs.shipped import shipped_folder, shipped_names

EXTENSION = "name: mine\nextends: basic\n"


@pytest.fixture
def validator(shipped: Path) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(pack_schema())


def test_the_schema_is_one(shipped: Path) -> None:
    jsonschema_rs.meta.validate(pack_schema())


@pytest.mark.parametrize("name", shipped_names())
def test_every_shipped_pack_is_valid(name: str) -> None:
    validator = jsonschema_rs.Draft202012Validator(pack_schema())
    validator.validate(yaml.safe_load((shipped_folder() / f"{name}.yaml").read_text("utf-8")))
    validator.validate(load_named(name).data)


@pytest.mark.parametrize(
    "text",
    [
        probe.BASIC,
        probe.BASIC.replace("word: hello", "{word: hello, either: [a, b], globs: [x]}").replace(
            "with:\n      {", "with: {"
        ),
        EXTENSION,
        f"{EXTENSION}checks: {{hello: null}}",
        f"{EXTENSION}checks: {{hello: {{severity: advisory}}}}",
        f"{EXTENSION}checks: {{world: {{with: {{limits: {{low: 3}}}}}}}}",
        f"{EXTENSION}checks: {{new: {{kind: title, number: 7, with: {{word: x}}}}}}",
        f"{EXTENSION}checks: {{world: {{kind: title, with: {{case: ignored}}}}}}",
        f"{EXTENSION}signoff: {{combine: true, template_file: null}}",
    ],
)
def test_what_loads_is_valid(validator: jsonschema_rs.Draft202012Validator, text: str) -> None:
    load_text(text, "p")
    validator.validate(yaml.safe_load(text))


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{}",
        "extends: basic",
        "name: mine\nextends: 3",
        f"{EXTENSION}timezone: UTC",
        f"{EXTENSION}checks: {{hello: {{severty: advisory}}}}",
        f"{EXTENSION}checks: {{hello: {{severity: advisery}}}}",
        f"{EXTENSION}checks: {{hello: {{kind: titel}}}}",
        f"{EXTENSION}checks: {{hello: 3}}",
        f"{EXTENSION}checks: {{HELLO: {{severity: advisory}}}}",
        f"{EXTENSION}checks: {{world: {{kind: title, with: {{wort: x}}}}}}",
        f"{EXTENSION}signoff: {{phrase: 3}}",
        f"{EXTENSION}signoff: {{phrase: null}}",
        f"{EXTENSION}checks: {{world: {{kind: title, with: {{limits: {{low: null}}}}}}}}",
        probe.BASIC.replace("number: 0", "number: x"),
        probe.BASIC.replace("number: 0", "number: 100"),
        probe.BASIC.replace("    number: 0\n", ""),
        f"{probe.BASIC}  none: null",
        probe.BASIC.replace("kind: title", "kind: titel"),
        probe.BASIC.replace("word: hello", "wort: hello"),
        probe.BASIC.replace("word: hello", "word: [hello]"),
        probe.BASIC.replace("    with:\n      word: hello\n", ""),
        probe.BASIC.replace("name: basic", "name: Basic"),
        probe.BASIC.replace("rules/v1", "rules/v2"),
        probe.BASIC.replace("context: signoff", "context: signoff\n  comment: 'yes'"),
        probe.BASIC.replace("  hello:\n", "  Hello:\n"),
        f"{probe.BASIC}applies_when: {{path: [a]}}",
    ],
)
def test_what_is_invalid_is_refused_by_both(
    validator: jsonschema_rs.Draft202012Validator, text: str
) -> None:
    assert not validator.is_valid(yaml.safe_load(text))
    with pytest.raises(InvalidInput):
        load_text(text, "p")


def test_every_key_is_described_for_editors(shipped: Path) -> None:
    for name, definition in pack_schema()["$defs"].items():
        for key, schema in definition.get("properties", {}).items():
            described = [schema, *schema.get("anyOf", [])]
            assert any("description" in part for part in described), f"{name}.{key}"
