"""The verdict on a terminal and in a pipe."""

import re

import pytest
from support.hostile import HOSTILE
from support.verdicts import PAGE, RUN, check, rejected, signoff, verdict

from signoff_bot.render.text import render_text
from signoff_bot.verdict import LinkReport

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def test_a_rejected_pull_request_reads_at_a_glance():
    assert render_text(rejected()) == (
        "FAIL  SemiAnalysisAI/InferenceX#1865 at a2e7439, rules inferencex-2026-06-24\n"
        "Not ready to merge: checks 1 (sweep) and 3 (recipe) fail; check 2 (eval) is blocked.\n"
        f"{PAGE}\n"
        "\n"
        "Sign-off by octavia-chen, 2026-06-24T18:03:11Z\n"
        f"  {PAGE}#issuecomment-4821\n"
        "\n"
        "✓ Check 0 (codeowner): PASS\n"
        "  octavia-chen owns .github/configs/amd-master.yaml (line 4); the other 7 paths fall "
        "under the catch-all `*`\n"
        "\n"
        "✗ Check 1 (sweep): FAIL\n"
        "  no commit in the pull request carries an executed, all-green sweep\n"
        "    run 27996171132 is green, but ran on fa89765aa9c838c6143e1b2d16dd71bccac40cbc, which "
        "is no longer in the pull request\n"
        "    run 28130510662 on the head executed nothing\n"
        "  Fix: run a full sweep on a commit that is in the pull request now\n"
        f"  run 27996171132: {RUN}\n"
        "\n"
        "· Check 2 (eval): BLOCKED\n"
        "  depends on check 1 (sweep)\n"
        "\n"
        "✗ Check 3 (recipe): FAIL\n"
        "  the sign-off links no public recipe; #1762 is a pull request of this repository\n"
        "  Fix: link the recipe in vllm-project/recipes or sgl-project/sglang\n"
    )


def test_what_is_wrong_with_a_signoff_stands_under_it():
    judged = verdict("fail", signoff=signoff(completed=False, problems=("line 3: no box ticked",)))
    assert "Sign-off (not completed) by octavia-chen" in render_text(judged)
    assert "\n  line 3: no box ticked\n" in render_text(judged)


def test_without_a_signoff_there_is_no_line_about_one():
    text = render_text(verdict("pending", signoff=None))
    assert "Nobody has signed off yet." in text
    assert "Sign-off by" not in text


def test_colour_changes_nothing_but_the_colour():
    for judged in (rejected(), verdict("pass"), verdict("error"), verdict("pending", signoff=None)):
        coloured = render_text(judged, color=True, width=72)
        assert ESCAPES.search(coloured)
        assert ESCAPES.sub("", coloured) == render_text(judged, width=72)


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_lines_keep_within_the_terminal_but_addresses_stay_whole(width):
    for line in render_text(rejected(), width=width).splitlines():
        assert len(line) <= max(width, 30) or "https://" in line
    assert f"{PAGE}#issuecomment-4821" in render_text(rejected(), width=width)


def test_continuation_lines_are_indented():
    lines = render_text(rejected(), width=60).splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("  octavia-chen owns"))
    assert lines[start + 1].startswith("    ")


def test_wide_characters_count_for_their_width():
    judged = verdict(checks=(check(0, summary="日本" * 40),))
    wide = [line for line in render_text(judged, width=60).splitlines() if "日" in line]
    assert len(wide) == 3
    assert max(map(len, wide)) <= 32


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_control_character_of_the_pull_request_reaches_the_terminal(text):
    judged = verdict(
        "fail",
        repo=text,
        url=text,
        signoff=signoff(author=text, url=text, problems=(text,)),
        checks=(
            check(
                1,
                "fail",
                title=text,
                summary=text,
                details=(text,),
                fix=text,
                links=(LinkReport(label=text, url=text),),
            ),
        ),
    )
    plain = render_text(judged, color=True, width=80)
    for line in ESCAPES.sub("", plain).split("\n"):
        assert line.isprintable(), line
    # rich's own markup is nothing here
    assert "\x1b]8" not in plain


def test_thousands_of_details_are_counted_instead_of_listed():
    judged = verdict("fail", checks=(check(1, "fail", details=("path",) * 3000),))
    assert "... and 2980 more" in render_text(judged)
