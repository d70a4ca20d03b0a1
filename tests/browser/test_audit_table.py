"""The audit's page in a browser: its table filters, sorts and opens."""

import pytest
from support.audit_page import ALL, html, numbers, shown
from support.audits import report, row, sample

from signoff_bot.audit.report import CLASSES
from signoff_bot.render.audit_words import WORST_FIRST, worst_first


def test_it_opens_with_everything_worst_first(show):
    page = show(html())
    assert shown(page) == numbers(ALL)
    assert page.get_by_role("columnheader", name="Class").get_attribute("aria-sort") == "ascending"


def test_it_filters_by_class(show):
    page = show(html())
    for name in CLASSES:
        page.get_by_label("Class", exact=True).select_option(name)
        expected = [row for row in ALL if row.class_ == name]
        assert shown(page) == numbers(expected)
        assert page.get_by_role("status").inner_text() == f"{len(expected)} of 34 pull requests"


def test_a_card_filters_by_its_class_and_says_so(show):
    page = show(html())
    card = page.get_by_role("link", name="stale")
    card.click()
    assert shown(page) == numbers(row for row in ALL if row.class_ == "stale")
    assert page.get_by_label("Class", exact=True).input_value() == "stale"
    assert card.get_attribute("aria-current") == "true"
    assert page.locator(".cards [aria-current]").count() == 1


def test_it_filters_by_repository_owner_and_text_together(show):
    page = show(html())
    page.get_by_label("Repository", exact=True).select_option("octo-works/engine")
    here = [row for row in ALL if row.repo == "octo-works/engine"]
    assert shown(page) == numbers(here)
    page.get_by_label("Who can fix it", exact=True).select_option("@bram-ito")
    theirs = [row for row in here if "@bram-ito" in row.fixable_by]
    assert shown(page) == numbers(theirs)
    page.get_by_label("Text", exact=True).fill("  KIMI eval ")
    both = [row for row in theirs if "Kimi" in row.title and "eval" in row.failing]
    assert shown(page) == numbers(both)
    assert 0 < len(both) < len(theirs) < len(here) < len(ALL)


def test_an_owner_is_not_found_by_a_part_of_the_name(show):
    rows = [
        row("rejected", 1, fixable_by=("@a/b",)),
        row("rejected", 2, fixable_by=("@a/bc", "@d")),
    ]
    page = show(html(report(*rows)))
    page.get_by_label("Who can fix it", exact=True).select_option("@a/b")
    assert shown(page) == [1]


def test_text_is_found_inside_closed_rows_too(show):
    page = show(html())
    page.get_by_label("Text", exact=True).fill("lowers the accuracy")
    assert shown(page) == numbers(row for row in ALL if "eval" in row.failing)


def test_what_matches_nothing_says_so_and_everything_can_be_had_again(show):
    page = show(html())
    page.get_by_label("Text", exact=True).fill("no such thing")
    assert shown(page) == []
    assert page.get_by_role("status").inner_text().startswith("None of 34 pull requests matches")
    page.get_by_role("button", name="Show all").click()
    assert shown(page) == numbers(ALL)
    assert page.get_by_label("Text", exact=True).input_value() == ""


KEYS = {
    "Class": lambda row: WORST_FIRST.index(row.class_),
    "Pull request": lambda row: (row.repo.casefold(), row.pr),
    "Age": lambda row: row.age_days,
    "Signed by": lambda row: row.signed_at or "",
    "Who can fix it": lambda row: ", ".join(row.fixable_by).replace("@", ""),
}


@pytest.mark.parametrize("keyboard", [False, True], ids=["mouse", "keyboard"])
@pytest.mark.parametrize("heading", KEYS)
def test_it_sorts_by_a_heading_up_and_down(show, heading, keyboard):
    page = show(html())
    by_number = {row.pr: KEYS[heading](row) for row in ALL}
    header = page.get_by_role("columnheader", name=heading, exact=True)
    orders = {}
    for _ in range(2):
        button = header.get_by_role("button")
        if keyboard:
            button.press("Enter")
        else:
            button.click()
        orders[header.get_attribute("aria-sort")] = [by_number[n] for n in shown(page)]
        assert page.locator("#table [aria-sort]").count() == 1
    assert orders == {
        "ascending": sorted(by_number.values()),
        "descending": sorted(by_number.values(), reverse=True),
    }


def test_sorting_keeps_the_filter_and_the_rows_below_their_pull_requests(show):
    page = show(html())
    page.get_by_label("Class", exact=True).select_option("rejected")
    page.get_by_role("button", name="Age").click()
    rejected = [row for row in ALL if row.class_ == "rejected"]
    assert shown(page) == numbers(sorted(rejected, key=lambda row: row.age_days))
    for body in page.locator("#table tbody:not([hidden])").all():
        number = int(body.locator("a").first.inner_text().split("#")[1])
        (found,) = (row for row in rejected if row.pr == number)
        assert found.reasons[0] in body.locator("summary").inner_text()


@pytest.mark.parametrize("how", ["mouse", "Enter", "Space"])
def test_a_row_opens_to_its_checks(show, how):
    page = show(html())
    body = page.locator("#table tbody", has_text="sweep:").first
    fix = body.get_by_text("run a full sweep on a commit")
    assert not fix.is_visible()
    summary = body.locator("summary")
    if how == "mouse":
        summary.click()
    else:
        summary.press(how)
    assert fix.is_visible()
    assert body.get_by_role("link", name="run 27996171132").first.is_visible()


def test_two_thousand_pull_requests_can_be_filtered_and_sorted(show):
    found = sample(2000)
    page = show(html(found))
    ordered = worst_first(found.pulls)
    assert shown(page) == numbers(ordered)
    page.locator("#text").fill("kimi")
    kimi = [row for row in ordered if "Kimi" in row.title]
    assert shown(page) == numbers(kimi)
    page.locator("#table th button").nth(1).click()
    assert shown(page) == numbers(sorted(kimi, key=lambda row: (row.repo.casefold(), row.pr)))
