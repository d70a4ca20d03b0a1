"""Strict YAML: what it takes files to mean, and that nothing ambiguous or hostile gets through."""

import contextlib
import json
import math

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from signoff_bot.errors import InvalidInput
from signoff_bot.reading import strict_yaml
from signoff_bot.reading.strict_yaml import MAX_BYTES, MAX_DEPTH, path_text, read_yaml


def mistakes(content: str | bytes) -> list[str]:
    with pytest.raises(InvalidInput) as caught:
        read_yaml(content, "f")
    head, *lines = str(caught.value).split("\n")
    assert head.startswith("f cannot be used; ")
    return lines


@pytest.fixture(params=["C", "Python"])
def any_parser(request, monkeypatch):
    loader = yaml.CSafeLoader if request.param == "C" else yaml.SafeLoader
    monkeypatch.setattr(strict_yaml, "_LOADER", loader)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("false", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("on", "on"),
        ("yes", "yes"),
        ("No", "No"),
        ("True", "True"),
        ("0", 0),
        ("-12", -12),
        ("0.90", 0.9),
        ("1e3", 1000.0),
        ("999999999999999", 999999999999999),
        ("007", "007"),
        ("0x10", "0x10"),
        ("1_000", "1_000"),
        ("+1", "+1"),
        (".5", ".5"),
        (".inf", ".inf"),
        (".nan", ".nan"),
        ("12:30", "12:30"),
        ("2026-06-24", "2026-06-24"),
        ("2026-06-24T10:00:00Z", "2026-06-24T10:00:00Z"),
        ("'true'", "true"),
        ('"1"', "1"),
        ("|\n  a\n  b\n", "a\nb\n"),
        (">-\n  a\n  b\n", "a b"),
    ],
)
@pytest.mark.usefixtures("any_parser")
def test_a_plain_scalar_is_what_json_would_write_or_text(text: str, value: object) -> None:
    found = read_yaml(f"key: {text}", "f").data["key"]
    assert (found, type(found)) == (value, type(value))


@pytest.mark.usefixtures("any_parser")
def test_keys_are_text_whatever_they_look_like() -> None:
    data = read_yaml("on: 1\n404: 2\ntrue: 3\nqwen3.5: 4\n? a\n: 5\n", "f").data
    assert data == {"on": 1, "404": 2, "true": 3, "qwen3.5": 4, "a": 5}


@pytest.mark.usefixtures("any_parser")
def test_every_value_is_on_the_line_of_its_key() -> None:
    document = read_yaml("# first\na:\n  b:\n    - x\n    - c: 1\n      d: >\n        long\n", "f")
    assert document.data == {"a": {"b": ["x", {"c": 1, "d": "long\n"}]}}
    assert dict(document.lines) == {
        (): 2,
        ("a",): 2,
        ("a", "b"): 3,
        ("a", "b", 0): 4,
        ("a", "b", 1): 5,
        ("a", "b", 1, "c"): 5,
        ("a", "b", 1, "d"): 6,
    }
    assert document.line_of(("a", "b", 1, "missing", "deeper")) == 5


def test_a_byte_order_mark_at_the_start_and_windows_line_ends_are_harmless() -> None:
    assert read_yaml(b"\xef\xbb\xbfa: 1\r\nb: |\r\n  x\r\n  y\r\n", "f").data == {
        "a": 1,
        "b": "x\ny\n",
    }


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n"])
def test_an_empty_document_holds_nothing(text: str) -> None:
    assert read_yaml(text, "f").data is None


REFUSED = [
    (
        "a: &x 1\nb: *x",
        ["f:1: a: anchor &x; write the value out", "f:2: b: alias *x; write the value out"],
    ),
    ("a: &x {b: 1}", ["f:1: a: anchor &x; write the value out"]),
    ("*x : 1", ["f:1: alias *x; write the value out"]),
    ("<<: {a: 1}", ["f:1: merge key `<<`; write the keys out"]),
    ("x:\n  a: 1\n  <<: {a: 2}", ["f:3: x: merge key `<<`; write the keys out"]),
    ("a: 1\nb: 2\na: 3", ["f:3: a: written twice; the first is on line 1"]),
    ("a: {b: 1, 'b': 2}", ["f:1: a.b: written twice; the first is on line 1"]),
    ("1: a\n'1': b", ["f:2: 1: written twice; the first is on line 1"]),
    ("a: !!str 1", ["f:1: a: tag 'tag:yaml.org,2002:str'; remove it"]),
    ("a: !mine 1", ["f:1: a: tag '!mine'; remove it"]),
    ("a: ! 1", ["f:1: a: tag '!'; remove it"]),
    (
        "!!python/object/apply:os.system ['true']",
        ["f:1: tag 'tag:yaml.org,2002:python/object/apply:os.system'; remove it"],
    ),
    ("!!set {a, b}", ["f:1: tag 'tag:yaml.org,2002:set'; remove it"]),
    ("%YAML 1.1\n---\na: 1", ["f:1: a `%` directive; remove it"]),
    ("%TAG ! tag:x,2026:\n---\na: 1", ["f:1: a `%` directive; remove it"]),
    ("a: 1\n---\nb: 2", ["f:2: a second document (`---`); keep one document in a file"]),
    ("? [a, b]\n: 1", ["f:1: a key that is a list or a mapping; keys are text"]),
    ("x: {? {a: {b: c}} : d, e: f}", ["f:1: x: a key that is a list or a mapping; keys are text"]),
    ("a: 1234567890123456", ["f:1: a: a number of more than 15 digits"]),
    ("a: " + "9" * 5000, ["f:1: a: a number of more than 15 digits"]),
    ("a: 1e999", ["f:1: a: a number too large to be kept"]),
    ('a: "\\0"', ["f:1: a: invisible character U+0000"]),
    ('a: "x\\u202ey"', ["f:1: a: invisible character U+202E"]),
    ('"a\\a": 1', ["f:1: invisible character U+0007"]),
    ("a: 1\nb: x\x00y", ["f:2: invisible character U+0000; remove it"]),
    ("a: x\u2028y", ["f:1: invisible character U+2028; remove it"]),
    ("a: x\u0085y", ["f:1: invisible character U+0085; remove it"]),
    ("a: 1\rb: 2", ["f:1: invisible character U+000D; remove it"]),
    ("a: \ufeffx", ["f:1: invisible character U+FEFF; remove it"]),
    ("a: \ud800", ["f:1: invisible character U+D800; remove it"]),
    (b"a: 1\nb: \xff", ["f:2: not UTF-8 (byte 8); save the file as UTF-8"]),
    ("a: 1".encode("utf-16"), ["f:1: not UTF-8 (byte 0); save the file as UTF-8"]),
    ("a: 1".encode("utf-16-le"), ["f:1: invisible character U+0000; remove it"]),
    ("#" * (MAX_BYTES + 1), [f"f:1: larger than {MAX_BYTES} bytes, the most that is read"]),
    (
        "[" * (MAX_DEPTH + 1),
        [f"f:1: {'[0]' * MAX_DEPTH}: nested more than {MAX_DEPTH} levels deep"],
    ),
]


@pytest.mark.parametrize(("content", "expected"), REFUSED, ids=[repr(c)[:30] for c, _ in REFUSED])
@pytest.mark.usefixtures("any_parser")
def test_what_could_mean_two_things_is_refused(content: str | bytes, expected: list[str]) -> None:
    assert mistakes(content) == expected


@pytest.mark.parametrize(
    ("content", "line"),
    [("a: 1\n\tb: 2", 2), ("a: [1,", 1), ("a:\n  b: 1\n c: 2", 3), ("a: b: c", 1), ("@x", 1)],
)
@pytest.mark.usefixtures("any_parser")
def test_broken_yaml_is_named_with_its_line(content: str, line: int) -> None:
    (mistake,) = mistakes(content)
    # The parsers differ by a line in where they notice that a list never ends.
    assert mistake.startswith((f"f:{line}: not valid YAML: ", f"f:{line + 1}: not valid YAML: "))


def test_all_mistakes_are_listed_in_the_order_of_lines() -> None:
    found = mistakes("a: &x 1\nb: 2\nb: 3\nc: !t 4\nd: *x\n")
    assert [line.split(": ")[0] for line in found] == ["f:1", "f:3", "f:4", "f:5"]


def test_a_flood_of_mistakes_is_cut() -> None:
    found = mistakes("a: 1\n" * 5000)
    assert len(found) == 101
    assert found[-1] == "... and 4899 more"


def test_an_alias_bomb_is_refused_before_it_grows() -> None:
    bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n"
    for name, inner in zip("bcdefghi", "abcdefgh", strict=True):
        bomb += f"{name}: &{name} [{','.join([f'*{inner}'] * 9)}]\n"
    assert len(mistakes(bomb)) == 9 + 8 * 9


@pytest.mark.parametrize(
    "nest",
    [
        "[" * 100_000,
        "{a: " * 100_000,
        "- " * 100_000,
        "? " * 100_000,
        "\n".join(" " * n + "a:" for n in range(1000)),
    ],
    ids=["flow lists", "flow mappings", "block lists", "keys in keys", "block mappings"],
)
@pytest.mark.usefixtures("any_parser")
def test_deep_nesting_is_refused_and_overflows_nothing(nest: str) -> None:
    assert mistakes(nest)


def test_a_path_reads_as_people_write_it() -> None:
    path = ("checks", "sweep", "with", "groups", 0, "qwen3.5", 1, "a b")
    assert path_text(path) == "checks.sweep.with.groups[0].'qwen3.5'[1].'a b'"


plain_data = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**14), 10**14)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text("abcxyz ", min_size=1, max_size=5), inner, max_size=4)
    ),
    max_leaves=15,
)


def same(one: object, other: object) -> bool:
    if isinstance(one, float) and isinstance(other, float | int):
        return math.isclose(one, other)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


@given(plain_data)
def test_data_written_as_json_reads_back_as_it_was(data: object) -> None:
    assert same(data, read_yaml(json.dumps({"key": data}), "f").data["key"])


yaml_soup = st.text(st.sampled_from("ab:- \n[]{}&*!%#|>'\"?,<~0.\t\\"), max_size=60)


@given(yaml_soup | st.text(max_size=60) | st.binary(max_size=60))
def test_no_input_raises_anything_but_invalid_input(content: str | bytes) -> None:
    with contextlib.suppress(InvalidInput):
        data = read_yaml(content, "f").data
        assert data is None or isinstance(data, dict | list | str | int | float | bool)
