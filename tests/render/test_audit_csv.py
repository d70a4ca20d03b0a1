"""The audit as CSV: every row, every column, and no cell that a spreadsheet would run."""

import csv
from io import StringIO
from pathlib import Path

import pytest
from support.audits import report, row, sample
from support.hostile import HOSTILE

from signoff_bot.render.audit_csv import COLUMNS
from signoff_bot.render.audit_face import render_audit

FORMULAS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", " =", "\u3000=")
TEXTS = ("title", "author", "signer", "repo")


def cells(*rows):
    return list(csv.DictReader(StringIO(render_audit(report(*rows), "csv"))))


def test_each_pull_request_is_a_row_in_the_order_of_the_report():
    found = sample()
    read = list(csv.DictReader(StringIO(render_audit(found, "csv"))))
    assert [(r["repo"], r["pr"]) for r in read] == [(r.repo, str(r.pr)) for r in found.pulls]
    assert [r["class"] for r in read] == [r.class_ for r in found.pulls]


def test_values_are_those_of_the_report():
    (found,) = cells(
        row(
            title='A "quoted", title',
            failing=("sweep", "eval"),
            reasons=("no run", "too low"),
            fixable_by=("octavia-chen",),
            merged_at=None,
        )
    )
    assert found["title"] == 'A "quoted", title'
    assert found["failing"] == "sweep; eval"
    assert found["reasons"] == "no run; too low"
    assert found["merged_at"] == found["changed"] == ""
    assert found["age_days"] == "1"
    assert found["evidence_digest"] == "sha256:" + "2" * 64


@pytest.mark.parametrize("start", FORMULAS)
@pytest.mark.parametrize("column", TEXTS)
def test_what_a_spreadsheet_would_run_is_text(start, column):
    (found,) = cells(row(**{column: f'{start}HYPERLINK("https://evil.example")'}))
    assert found[column].startswith("'")


@pytest.mark.parametrize("text", ["\t=1+1", "\r=1+1", "\n=1+1", "a\r\n=1+1", "\x00=1+1"])
def test_no_control_character_stands_before_a_formula(text):
    (found,) = cells(row(title=text, fixable_by=(text,)))
    for value in (found["title"], found["fixable_by"]):
        assert value.isprintable()
        assert not value.startswith("=")


def test_owners_of_a_list_are_defused_as_one_cell():
    (found,) = cells(row(fixable_by=("@octavia-chen", "@kiri-lund")))
    assert found["fixable_by"] == "'@octavia-chen; @kiri-lund"


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_stays_in_its_cell(text):
    shown = render_audit(report(row(title=text, repo=text, reasons=(text,))), "csv")
    assert shown.count("\n") == 2
    assert all(line.isprintable() for line in shown.split("\n"))
    assert len(next(csv.reader([shown.split("\n")[1]]))) == len(COLUMNS)


def test_the_columns_are_documented_in_their_order():
    docs = (Path(__file__).parents[2] / "docs" / "audit-page.md").read_text(encoding="utf-8")
    said = [line.split("`")[1] for line in docs.split("\n") if line.startswith("| `")]
    assert said == list(COLUMNS)
