"""Which lines of a changed file are new, and where that cannot be told."""

from dataclasses import replace

import pytest
from support.build import changed
from support.standard import case_of

from signoff_bot.checks.changed_text import changed_texts
from signoff_bot.evidence.base import MissingEvidence, Unread

PATH, OLD, NEW = "bench/run.sh", "one\ntwo\n", "one\nthree\n"
PATCH = "@@ -1,2 +1,2 @@\n one\n-two\n+three"


def texts(before=OLD, after=NEW, patch=PATCH, **fields):
    at = case_of({PATH: (before, after)})
    status = "added" if before is None else "removed" if after is None else "modified"
    files = (changed(PATH, **({"status": status, "patch": patch} | fields)),)
    found = at.evidence.model_copy(update={"files": files})
    return list(changed_texts(replace(at, evidence=found), ("bench/**",)))


def test_the_lines_that_a_diff_adds_are_new():
    (text,) = texts()
    assert (text.path, text.lines, text.new) == (PATH, ("one", "three", ""), False)
    assert (text.added_text, text.unclear) == ("three", False)
    assert [text.added([line]) for line in (1, 2, 3)] == [False, True, False]
    assert text.added([1, 2])
    (text,) = texts(after="one\nthree\nfour\n", patch="@@ -2 +2,2 @@\n-two\n+three\n+four")
    assert text.added_text == "three\nfour"


UNCLEAR = {
    "no diff": None,
    "of another text": PATCH.replace("three", "four"),
    "longer than the text": "@@ -1,2 +1,9 @@\n one\n-two\n+three" + "\n+more" * 7,
    "cut off": PATCH.removesuffix("\n+three"),
}


@pytest.mark.parametrize("patch", UNCLEAR.values(), ids=UNCLEAR)
def test_without_a_diff_that_fits_any_line_may_be_new(patch):
    (text,) = texts(patch=patch)
    assert (text.diff, text.unclear, text.new) == (None, True, False)
    assert (text.added([1]), text.added_text) == (True, NEW)


@pytest.mark.parametrize("patch", [None, PATCH, "@@ -0,0 +1,2 @@\n+one\n+three"])
def test_every_line_of_a_new_file_is_new(patch):
    (text,) = texts(before=None, patch=patch)
    assert (text.diff, text.unclear, text.new) == (None, False, True)
    assert (text.added([1]), text.added_text) == (True, NEW)


def test_a_file_that_is_gone_or_not_looked_at_has_no_text():
    assert texts(after=None) == []
    at = case_of({PATH: (OLD, NEW)})
    assert list(changed_texts(at, ("docs/**",))) == []


def test_a_list_of_files_that_could_not_be_read_is_missing_evidence():
    at = case_of({})
    found = at.evidence.model_copy(update={"files": Unread(unread="HTTP 502")})
    with pytest.raises(MissingEvidence, match="502"):
        list(changed_texts(replace(at, evidence=found), ("**",)))
