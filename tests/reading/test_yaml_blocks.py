"""Taking YAML apart at its margin changes nothing, and is not tried where it might."""

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from signoff_bot.errors import InvalidInput
from signoff_bot.reading.strict_yaml import read_yaml
from signoff_bot.reading.yaml_blocks import Block, split_mapping

ENTRIES = """\
# comment with "an open quote
a:
  image: "x:1"   # why
  list: [ 1, 2, "3" ]
  space:
  - { tp: 4, ep: 1, settings: ["A=1", 'B=2'] }
  - note: it's plain "text" [here

b:
  text: |
    more
"""


def test_a_mapping_is_taken_apart_at_its_keys() -> None:
    blocks = split_mapping(ENTRIES)
    assert blocks is not None
    assert [(block.name, block.line) for block in blocks.values()] == [("a", 2), ("b", 9)]
    assert read_yaml(blocks["b"].text, "b").data == {"b": {"text": "more\n"}}


@pytest.mark.parametrize(
    "text",
    [
        'a: "x\nb: y"\n',
        "a: 'x\nb: y'\n",
        "a: {x: 1,\nb: 2}\n",
        "a: [1,\nb: ]\n",
        'a: [p "q, "]\nb: "]\n',
        'a: {k:"q, "}\nb: "}\n',
        'a: k "b: "\nb: " # "\n',
        "a: 1\na: 2\n",
        "a: &x 1\nb: *x\n",
        "a: !t 1\n",
        "? a\n: b\n",
        "- a\n",
        "--- \na: 1\n",
        "a: 1\n...\n",
        "a: 1\r\nb: 2\r\n",
        "a: 1 # x\u2028b: 2\n",
        "  a: 1\nb: 2\n",
        "'a': 1\n",
        "just text\n",
        'a:\n  "multi\n  line": 1\n',
    ],
)
def test_what_might_mean_something_else_taken_apart_is_left_whole(text: str) -> None:
    assert split_mapping(text) is None


PIECES = st.sampled_from(
    [*"ab:-,[]{}'\"#&*|> \n\\", "a: ", "\n- ", "\nb: ", "\n  ", ": ", ' "', " '", "# ", "x y"]
)


@settings(deadline=None)
@given(st.lists(PIECES, max_size=24).map("".join))
def test_what_is_taken_apart_means_the_same_as_the_whole(text: str) -> None:
    text = f"k: v\n{text}\n"
    blocks = split_mapping(text)
    try:
        whole = read_yaml(text, "whole").data
    except InvalidInput:
        return
    assert blocks is None or joined(blocks) == whole


@settings(deadline=None)
@given(
    st.dictionaries(
        st.from_regex(r"[a-z][a-z0-9.-]{0,8}", fullmatch=True),
        st.recursive(
            st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Z"]), max_size=12)
            | st.integers(0, 9999)
            | st.booleans(),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(st.sampled_from(["tp", "image", "conc-list"]), inner, max_size=3)
            ),
            max_leaves=12,
        ),
        min_size=1,
        max_size=4,
    ),
    st.sampled_from([None, True, False]),
)
def test_whatever_a_writer_writes_is_read_the_same(data: dict[str, object], flow: object) -> None:
    text = yaml.safe_dump(data, default_flow_style=flow, allow_unicode=True)
    blocks = split_mapping(text)
    assert blocks is None or joined(blocks) == read_yaml(text, "whole").data


def joined(blocks: dict[str, Block]) -> dict[str, Any]:
    parts = [read_yaml(block.text, "part").data for block in blocks.values()]
    return {key: value for part in parts for key, value in part.items()}
