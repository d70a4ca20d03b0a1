"""The entries that a diff of the change log adds."""

import json

import pytest
from support.standard import FACTS

from signoff_bot.reading.changelog import matches, read_additions

HEAD = "@@ -9,3 +9,9 @@\n     - x\n   pr-link: A\n"
ADDED = """\
+
+- config-keys:
+    - a
+    - "b*"
+  description:
+    - "it's: new"
+  pr-link: B
"""
NO_LINE_BREAK = """\
@@ -9,3 +9,9 @@
     - x
-  pr-link: A
\\ No newline at end of file
+  pr-link: A
"""
SLID = """\
@@ -1,3 +1,9 @@
 - config-keys:
+    - a
+    - "b*"
+  description:
+    - "it's: new"
+  pr-link: B
+
+- config-keys:
     - y
   description:
"""


@pytest.mark.parametrize(
    ("patch", "line"),
    [
        pytest.param(HEAD + ADDED, 12, id="at the end"),
        pytest.param(HEAD + ADDED + " \n - config-keys:\n     - y\n", 12, id="in the middle"),
        pytest.param(HEAD + ADDED + "+  \n - config-keys:\n", 12, id="blank line with spaces"),
        pytest.param(NO_LINE_BREAK + ADDED, 12, id="after a line without its line break"),
        pytest.param(SLID, 1, id="as a diff may slide it"),
        pytest.param("@@ -0,0 +1,6 @@\n" + ADDED[2:], 1, id="of a new log"),
    ],
)
def test_an_added_entry_is_read_with_its_line(patch: str, line: int) -> None:
    added = read_additions(patch, "log")
    (entry,) = added.entries
    assert (entry.line, entry.keys, entry.scenarios) == (line, ("a", "b*"), ())
    assert entry.fields["pr-link"] == "B"
    assert not entry.append_only
    assert added.unclear == ()


def test_several_entries_in_one_hunk_and_in_several() -> None:
    patch = HEAD + ADDED + ADDED.replace("- a", "- c") + "@@ -90,1 +99,9 @@\n   z: 1\n" + ADDED
    assert [entry.line for entry in read_additions(patch, "log").entries] == [12, 19, 101]


@pytest.mark.parametrize(
    ("patch", "unclear"),
    [
        ("@@ -1,2 +1,2 @@\n - config-keys:\n-    - a\n+    - b\n", {"- b", "- a"}),
        ("@@ -1,2 +1,1 @@\n   pr-link: A\n-- config-keys:\n", {"- config-keys:"}),
        ("@@ -1,1 +1,2 @@\n   pr-link: A\n+  evals-only: true\n", {"evals-only: true"}),
        (
            "@@ -1,1 +1,3 @@\n x\n+- config-keys:\n+    - a\n   description: cut\n",
            {"- config-keys:", "- a"},
        ),
        ("@@ -1,1 +1,2 @@\n x\n+- just text\n", {"- just text"}),
        ("@@ -1,1 +1,2 @@\n x\n+- config-keys: a\n", {"- config-keys: a"}),
        ("@@ -1,1 +1,2 @@\n x\n+- config-keys: []\n", {"- config-keys: []"}),
        ("@@ -1,1 +1,2 @@\n x\n+- config-keys: [1]\n", {"- config-keys: [1]"}),
        ("@@ -1,1 +1,2 @@\n x\n+- config-keys: [a\n", {"- config-keys: [a"}),
        (
            "@@ -1,1 +1,2 @@\n x\n+- {config-keys: [a], scenario-type: b}\n",
            {"- {config-keys: [a], scenario-type: b}"},
        ),
    ],
)
def test_whatever_is_no_added_entry_is_unclear(patch: str, unclear: set[str]) -> None:
    added = read_additions(patch, "log")
    assert added.entries == ()
    assert {text.strip() for _, text in added.unclear} == unclear


def test_blank_lines_may_come_and_go() -> None:
    added = read_additions("@@ -1,3 +1,3 @@\n   a: 1\n-\n+  \n - b: 1\n", "log")
    assert (added.entries, added.unclear) == ((), ())


@pytest.mark.parametrize(
    ("pattern", "key", "expected"),
    [
        ("a", "a", True),
        ("a", "ab", False),
        ("a*", "ab", True),
        ("*-b200-*", "dsr1-b200-trt", True),
        ("*-b200-*", "dsr1-b300-trt", False),
        ("a?", "ab", False),
        ("a?", "a?", True),
        ("[ab]", "a", False),
        ("[ab]", "[ab]", True),
        ("qwen3.5*", "qwen345", False),
        ("A*", "ab", False),
    ],
)
def test_only_a_star_stands_for_other_text(pattern: str, key: str, expected: bool) -> None:
    assert matches(pattern, key) is expected


@pytest.mark.parametrize(
    ("pr", "key"),
    [("1865", "minimaxm3-fp8-mi355x-atom-disagg"), ("1914", "minimaxm3-fp4-mi355x-vllm-disagg")],
)
def test_the_diffs_of_real_pull_requests_are_read(pr: str, key: str) -> None:
    files = json.loads((FACTS / f"pr-{pr}.json").read_text())
    patch = next(f["patch"] for f in files if f["path"] == "perf-changelog.yaml")
    added = read_additions(patch, "perf-changelog.yaml")
    assert [entry.keys for entry in added.entries] == [(key,)]
    assert added.unclear == ()


def test_a_removed_line_is_told_where_it_stood() -> None:
    patch = "@@ -9,4 +20,3 @@\n - config-keys:\n-    - old\n+    - new\n   pr-link: A\n"
    patch += "@@ -40,2 +50,1 @@\n   x: 1\n-  y: 2\n"
    assert read_additions(patch, "log.yaml").unclear == (
        (21, "    - new"),
        (21, "    - old"),
        (51, "  y: 2"),
    )
