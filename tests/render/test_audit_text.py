"""The audit on a terminal: worst first, within its width, with nothing hidden and nothing run."""

import pytest
from rich.cells import cell_len
from support.audits import REPO, report, repository, row, sample
from support.hostile import HOSTILE

from signoff_bot.audit.report import CLASSES
from signoff_bot.render.audit_face import render_audit
from signoff_bot.render.audit_words import CHANGES, MEANINGS, OUTCOMES, WORST_FIRST, worst_first


def text(found, **how):
    return render_audit(found, "text", **how)


def test_every_class_has_its_words_and_its_place():
    assert sorted(WORST_FIRST) == sorted(CLASSES)
    assert MEANINGS.keys() == OUTCOMES.keys() == set(CLASSES)


def test_the_worst_come_first_and_of_these_the_oldest():
    rows = [
        row("ready", 1),
        row("stale", 2),
        row("merged-unsigned", 3),
        row("stale", 4, age_days=9),
    ]
    assert [found.pr for found in worst_first(rows)] == [3, 4, 2, 1]


def test_it_begins_with_what_was_found_and_whether_that_is_all():
    lines = text(report(row("stale", 1), row("ready", 2), row("ready", 3))).split("\n")
    assert lines[0] == "Sign-off audit as of 2026-06-25T05:00:00Z, complete"
    assert lines[1] == "3 pull requests in 1 repository: 1 stale, 2 ready."
    assert "INCOMPLETE" in text(report(complete=False)).split("\n")[0]


def test_the_totals_are_those_of_the_report_and_not_counted_again():
    assert "7 pull requests" in text(report(row("stale"), counts={"rejected": 7}))
    assert text(report()).split("\n")[1] == "0 pull requests in 1 repository."


def test_repositories_stand_in_the_order_of_their_worst_pull_request():
    shown = text(
        report(
            row("ready", 1, repo="a/fine"),
            row("ready", 2, repo="b/bad"),
            row("merged-rejected", 3, repo="b/bad"),
        )
    )
    assert shown.index("b/bad (2 pull requests)") < shown.index("a/fine (1 pull request)")
    assert shown.index("#3") < shown.index("#2")


def test_a_row_says_what_is_wrong_since_when_and_who_can_help():
    shown = text(
        report(
            row(
                "rejected",
                1865,
                title="Add configs",
                age_days=3,
                failing=("sweep", "recipe"),
                reasons=("no run is green", "no recipe"),
                fixable_by=("@kiri-lund", "the author"),
                changed="head-moved",
            )
        )
    )
    assert "#1865  ✗ rejected  3 d  octavia-chen  Add configs\n" in shown
    for line in (
        "sweep: no run is green",
        "recipe: no recipe",
        "new commits; can be fixed by @kiri-lund, the author",
    ):
        assert f"  {line}\n" in shown


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_since_the_last_audit_is_said(change):
    assert CHANGES[change] in text(report(row("ready", changed=change)))


def test_what_was_not_judged_says_why():
    shown = text(report(row("not-judged", verdict=None, reasons=("HTTP 500 at /runs",))))
    assert "HTTP 500 at /runs" in shown


def test_notes_and_repositories_that_could_not_be_read_stand_above_the_tables():
    shown = text(
        report(
            row(),
            notes=("Shards 2 and 3 are missing.",),
            repos=(
                repository(REPO),
                repository("a/gone", status="unreadable", message="HTTP 404; drop it"),
                repository("a/void", status="empty"),
            ),
        )
    )
    top = shown.partition("\n\n")[0]
    assert "Note: Shards 2 and 3 are missing." in top
    assert "a/gone unreadable: HTTP 404; drop it" in top
    assert "a/void empty" in top
    assert f"{REPO} ok" not in shown


@pytest.mark.parametrize("width", [40, 59, 80, 100, 200])
@pytest.mark.parametrize("title", ["界面" * 60, "a" * 200, "short"], ids=["wide", "long", "short"])
def test_no_line_is_wider_than_the_terminal(width, title):
    rows = [row("merged-rejected", 12345, title=title, failing=("sweep",), reasons=("x " * 90,))]
    shown = text(report(*rows, *sample().pulls, notes=("n " * 200,)), width=width)
    assert max(map(cell_len, shown.split("\n"))) <= width


def test_on_a_narrow_terminal_age_and_signer_are_still_there():
    shown = text(report(row("rejected", age_days=12, failing=("a",), reasons=("b",))), width=50)
    assert "12 days, signed by" in shown
    assert "octavia-chen" in shown


def test_without_a_width_every_line_is_whole():
    why = "because " * 50
    assert why.strip() in text(report(row(failing=("a",), reasons=(why,))))


def test_colour_is_for_those_who_want_it():
    assert "\x1b[" not in text(sample())
    assert "\x1b[31m" in text(sample(), color=True)


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_reaches_no_terminal_alive(hostile):
    found = report(
        row(
            title=hostile,
            signer=hostile,
            failing=(hostile,),
            reasons=(hostile,),
            fixable_by=(hostile,),
            repo=hostile,
        ),
        notes=(hostile,),
        repos=(repository(hostile, status="unreadable", message=hostile),),
    )
    for width in (None, 80):
        for line in text(found, width=width).split("\n"):
            assert line.isprintable(), repr(line)
