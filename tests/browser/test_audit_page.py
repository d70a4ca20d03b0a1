"""The audit's page in a browser: filters, sorts and opens, in every light and on every screen."""

import os
from pathlib import Path

import pytest
from support.audits import report, repository, row, sample
from support.hostile import HOSTILE

from signoff_bot.audit.report import CLASSES
from signoff_bot.render.audit_face import render_audit
from signoff_bot.render.audit_words import WORST_FIRST, worst_first

PHONE = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
SHOTS = "SIGNOFF_BOT_SCREENSHOTS"


def html(found=None, **how):
    return render_audit(found or sample(), "html", **how)


def shown(page):
    """The numbers of the pull requests that can be seen, from the top."""
    bodies = page.locator("#table tbody:not([hidden])")
    return bodies.evaluate_all("found => found.map(b => +b.querySelector('a').text.split('#')[1])")


def numbers(rows):
    return [row.pr for row in rows]


ALL = worst_first(sample().pulls)


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
    page.get_by_label("Text", exact=True).fill("link the merged recipe")
    assert shown(page) == numbers(row for row in ALL if "recipe" in row.failing)


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


def test_it_can_be_walked_through_by_keyboard(show):
    page = show(html(report(row("rejected", 7, failing=("a",), reasons=("b",)))))
    walked = []
    for _ in range(30):
        page.keyboard.press("Tab")
        found = page.evaluate("(document.activeElement.id || document.activeElement.innerText)")
        if walked and found == walked[0]:
            break
        walked.append(found.split("\n")[0].strip())
    assert walked[0] == "Skip to the pull requests"
    assert walked[1].endswith("merged-unsigned")
    table = walked[walked.index("class") :]
    fields = ["class", "repo", "owner", "text", "reset"]
    headings = ["Class", "Pull request", "Age", "Signed by", "Who can fix it"]
    assert table[:12] == [*fields, *headings, "SemiAnalysisAI/InferenceX#7", "a: b"]


def test_the_first_link_leads_to_the_pull_requests(show):
    page = show(html())
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "pulls"


def test_it_is_heard_as_it_is_seen(show):
    page = show(html())
    for landmark in ("banner", "main", "contentinfo", "search"):
        assert page.get_by_role(landmark).count() == 1, landmark
    table = page.get_by_role("table", name="Pull requests; each row")
    assert table.get_by_role("columnheader").count() == 5
    assert table.get_by_role("rowheader").count() == 34
    assert page.get_by_role("table", name="Failing checks").is_visible()
    assert page.get_by_role("img", name="stale: ").count() == 1
    unnamed = page.locator(
        "select, input, button, a, summary, svg:not([aria-hidden])"
    ).evaluate_all(
        "all => all.filter(e => !(e.labels?.length || e.getAttribute('aria-label')"
        " || e.textContent.trim())).length"
    )
    assert unnamed == 0


CONTRASTS = """() => {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const over = (below, color) => {
    context.fillStyle = `rgb(${below})`;
    context.fillRect(0, 0, 1, 1);
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const ground = (e) => over(e ? ground(e.parentElement) : [255, 255, 255],
    e ? getComputedStyle(e).backgroundColor : "white");
  const light = (rgb) => rgb.map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const found = {};
  for (const e of document.querySelectorAll("body *")) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!own || !e.checkVisibility() || e.matches("script, option")) continue;
    const below = ground(e);
    const [a, b] = [light(below), light(over(below, getComputedStyle(e).color))].sort();
    const ratio = (b + 0.05) / (a + 0.05);
    const name = `${e.closest("[class]")?.className} ${e.localName}`;
    found[name] = Math.min(found[name] ?? 99, ratio);
  }
  return found;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_its_ground(show, scheme):
    page = show(html(), color_scheme=scheme)
    page.locator("details").evaluate_all("all => all.forEach(one => one.open = true)")
    found = page.evaluate(CONTRASTS)
    assert len(found) > 20
    assert {name: ratio for name, ratio in found.items() if ratio < 4.5} == {}


def test_it_is_dark_in_the_dark(show):
    ground = "getComputedStyle(document.body).backgroundColor"
    day, night = (show(html(), color_scheme=s).evaluate(ground) for s in ("light", "dark"))
    assert day == "rgb(246, 247, 249)"
    assert night == "rgb(15, 19, 24)"


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_the_page_never_scrolls_sideways(show, width):
    wide = "W" * 300
    rows = [
        row(name, n, title=wide, repo=f"{wide[:39]}/{wide[:100]}", fixable_by=(wide,), signer=wide)
        for n, name in enumerate(CLASSES)
    ]
    found = report(
        *rows,
        *sample().pulls,
        trend=sample().trend,
        notes=(wide,),
        repos=(repository(wide, status="unreadable", message=wide),),
    )
    page = show(html(found), viewport={"width": width, "height": 800})
    page.locator("details").evaluate_all("all => all.forEach(one => one.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    titles = page.locator(".pull .title").evaluate_all(
        "all => Math.min(...all.map(e => e.getBoundingClientRect().width))"
    )
    assert titles > 20


def test_what_a_phone_has_no_column_for_is_in_the_opened_row(show):
    page = show(html(), **PHONE)
    assert not page.get_by_role("columnheader", name="Signed by").is_visible()
    body = page.locator("#table tbody", has_text="sweep:").first
    body.locator("summary").tap()
    assert body.get_by_text("Sign-off", exact=True).is_visible()
    assert body.get_by_text("Can fix it").is_visible()


def test_without_scripts_it_is_a_plain_table_whose_rows_open(show):
    page = show(html(), java_script_enabled=False)
    assert page.locator("#table tbody").count() == 34
    assert page.locator("#filters").is_hidden()
    assert page.locator("#table button").count() == 0
    body = page.locator("#table tbody", has_text="sweep:").first
    body.locator("summary").click()
    assert body.get_by_text("run a full sweep on a commit").is_visible()


def test_on_paper_there_is_nothing_to_click(show):
    page = show(html())
    page.emulate_media(media="print")
    assert not page.get_by_role("button", name="Show all").is_visible()
    assert page.locator("#table").is_visible()


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


def test_hostile_text_does_nothing(show):
    rows = [
        row("rejected", n, title=text, repo=text, fixable_by=(text,), reasons=(text,))
        for n, text in enumerate(HOSTILE.values())
    ]
    repos = [repository(text, pulls=1) for text in HOSTILE.values()]
    page = show(html(report(*rows, notes=tuple(HOSTILE.values()), repos=tuple(repos))))
    for field in ("Repository", "Who can fix it"):
        for index in range(1, len(HOSTILE) + 1):
            page.get_by_label(field, exact=True).select_option(index=index)
            found = page.get_by_role("status").inner_text()
            assert found == f"1 of {len(HOSTILE)} pull requests", index
        page.get_by_role("button", name="Show all").click()
    assert page.title().startswith("Sign-off audit of 2026-06-25")


def test_the_policy_stops_even_what_would_slip_through(show):
    intruder = (
        "<script>window.ran = 1</script><img src='https://evil.example/x' onerror='window.ran = 2'>"
        "<p id='styled' style='color: red'>x</p><iframe src='https://evil.example/'></iframe></main>"
    )
    page = show(html().replace("</main>", intruder))
    assert page.evaluate("window.ran") is None
    assert page.evaluate("getComputedStyle(styled).color") != "rgb(255, 0, 0)"
    assert page.locator("#filters").is_visible()
    blocked = [text for text in show.complaints if "Content Security Policy" in text]
    assert len(blocked) >= 4
    show.complaints.clear()


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("light", {"viewport": {"width": 1280, "height": 1640}}),
        ("dark", {"viewport": {"width": 1280, "height": 1640}, "color_scheme": "dark"}),
        ("phone", PHONE),
    ],
)
def test_its_pictures_are_taken(show, tmp_path, name, how):
    page = show(html(), **how)
    page.locator("#table summary", has_text="eval:").first.click()
    page.mouse.move(0, 0)
    folder = Path(os.environ.get(SHOTS) or tmp_path)
    page.screenshot(path=folder / f"audit-{name}.png", animations="disabled")
    assert (folder / f"audit-{name}.png").read_bytes().startswith(b"\x89PNG")
