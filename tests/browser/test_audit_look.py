"""The audit's page in a browser: in every light, on every screen, by keyboard, and unharmed."""

import os
from pathlib import Path

import pytest
from support.audit_page import html
from support.audits import report, repository, row, sample
from support.hostile import HOSTILE

from signoff_bot.audit.report import CLASSES

PHONE = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
SCREENSHOTS = "SIGNOFF_BOT_SCREENSHOTS"


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
    folder = Path(os.environ.get(SCREENSHOTS) or tmp_path)
    page.screenshot(path=folder / f"audit-{name}.png", animations="disabled")
    assert (folder / f"audit-{name}.png").read_bytes().startswith(b"\x89PNG")
