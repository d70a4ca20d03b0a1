"""The audit as a page: it stands alone, shows everything, keeps its limit, and nothing acts."""

import re

import pytest
from support.audits import AS_OF, REPO, report, repository, row, sample, trend
from support.hostile import HOSTILE
from support.html_page import Page
from support.verdicts import RUN, check

from signoff_bot.audit.report import CLASSES, ShardStamp
from signoff_bot.render.audit_charts import courses
from signoff_bot.render.audit_face import PAGE_LIMIT, render_audit
from signoff_bot.render.page import source_hash
from signoff_bot.verdict import LinkReport

WHOLE = "https://github.com/octo-works/audits/actions/runs/12"
LONG = "why " * 100


def html(found, **how):
    return render_audit(found, "html", **how)


def text(found, **how):
    return " ".join(" ".join(Page(html(found, **how)).texts).split())


def listed(source):
    return re.findall(r'data-class="([a-z-]+)" data-repo', source)


def test_it_shows_totals_with_their_meaning_and_change():
    found = report(
        row("stale", 1),
        row("stale", 2),
        trend=trend(("2026-06-23", {"stale": 9}), ("2026-06-24", {"stale": 5, "ready": 1})),
    )
    shown = text(found)
    assert "Sign-off audit 2026-06-25 2 pull requests in 1 repository: 2 stale." in shown
    assert "compared with the audit of 2026-06-24" in shown
    assert "! stale 2 \u22123 changed since the sign-off" in shown
    assert "✓ ready 0 \u22121 signed, and every check passes" in shown
    assert "✗ rejected 0 signed, but" in shown
    assert "INCOMPLETE" not in shown


def test_the_totals_are_those_of_the_report_and_not_counted_again():
    assert "✗ rejected 7" in text(report(row("stale"), counts={"rejected": 7}))


def test_what_is_incomplete_unread_or_a_part_is_said():
    found = report(
        complete=False,
        shard=ShardStamp(index=2, of=8),
        notes=("Shard 3 is missing.",),
        repos=(
            repository("a/fine"),
            repository("a/gone", status="unreadable", message="HTTP 404; drop it", private=True),
        ),
    )
    shown = text(found)
    assert "INCOMPLETE" in shown
    assert "Shard 3 is missing. a/gone unreadable: HTTP 404; drop it" in shown
    assert "a/gone (private) 0 unreadable: HTTP 404; drop it" in shown
    assert "(shard 2 of 8)" in shown
    assert "There are no pull requests in this audit." in shown


def test_a_row_opens_to_its_sign_off_its_checks_and_their_links():
    found = row(
        "rejected",
        1865,
        title="Add configs",
        failing=("sweep", "recipe"),
        reasons=("no run is green", "no recipe"),
        fixable_by=("@kiri-lund", "@bram-ito"),
        changed="head-moved",
        checks=(
            check(0, title="codeowner", details=("owns everything",)),
            check(
                1,
                "fail",
                title="sweep",
                summary="no run is green",
                details=tuple(f"job {n}" for n in range(13)),
                fix="run it",
                links=(LinkReport(label="run 2", url=RUN),),
            ),
        ),
    )
    shown = text(report(found))
    for part in (
        f"rejected {REPO}#1865 Add configs 1 d octavia-chen 2026-06-24 @kiri-lund, @bram-ito",
        "new commits sweep: no run is green and 1 more",
        "Author bram-ito Head 000000000000 Sign-off octavia-chen , 2026-06-24T18:03:11Z",
        "✓ 0 codeowner PASS everything is in order",
        "✗ 1 sweep FAIL no run is green run 2",
        "job 9 and 3 more",
        "Fix run it",
    ):
        assert part in shown, part
    assert "owns everything" not in shown
    links = Page(html(report(found))).links
    assert {RUN, found.url, found.signoff_url, f"{found.url}/commits/{found.head_sha}"} <= {*links}


def test_what_was_not_judged_says_why():
    shown = text(report(row("not-judged", reasons=("HTTP 500", "HTTP 502"), signer=None)))
    assert "HTTP 500 and 1 more" in shown
    assert shown.count("HTTP 502") == 1


def test_a_private_pull_request_of_which_only_the_class_is_left():
    found = row("stale", url="", signoff_url=None, head_sha=None, signer=None, author=None)
    source = html(report(found))
    assert f"{REPO}#1" in " ".join(Page(source).texts)
    assert {*Page(source).links} == {"#pulls"}
    assert "<code></code>" not in source


def test_bars_count_the_pull_requests_of_each_check_and_of_each_owner():
    rows = [
        row("rejected", 1, failing=("sweep", "eval"), fixable_by=("@a", "@b")),
        row("rejected", 2, failing=("sweep",), fixable_by=("@a",)),
        *(row("rejected", n, failing=(f"x{n}",)) for n in range(3, 15)),
    ]
    shown = text(report(*rows))
    assert "Failing checks Check Pull requests sweep 2 eval 1" in shown
    assert "and 4 more with fewer pull requests" in shown
    assert "Person or team Pull requests @a 2 @b 1" in shown
    assert re.findall(r'<rect width="([0-9.]+)"', html(report(*rows)))[:2] == ["100.0", "50.0"]


def test_the_trend_is_drawn_in_time_and_told_in_words_and_figures():
    found = report(
        counts={"stale": 4},
        trend=trend(("2026-06-05", {"stale": 2}), ("2026-06-15", {"stale": 8})),
    )
    course = next(c for c in courses(found) if c.name == "stale")
    assert course.points == "3,19.5 60,3 117,14"
    assert course.words == "stale: 2 on 2026-06-05, 4 on 2026-06-25, between 2 and 8"
    assert "2026-06-15T05:00:00Z 0 0 0 8 0 0 0 0 2026-06-05T05:00:00Z 0 0 0 2" in text(found)


@pytest.mark.parametrize("days", [(), ("2026-06-25",), ("2026-06-25", "2026-06-25")])
def test_a_trend_without_time_between_is_drawn_too(days):
    found = report(trend=trend(*((day, {}) for day in days)))
    assert AS_OF.startswith("2026-06-25T05")
    assert len(courses(found)) == len(CLASSES)
    assert ("<polyline" in html(found)) == bool(days)


def test_the_worst_come_first():
    found = html(report(row("ready", 1), row("rejected", 2), row("stale", 3)))
    assert listed(found) == ["rejected", "stale", "ready"]


def test_where_room_is_short_the_worst_keep_their_checks_and_nobody_is_left_out():
    rows = [
        row(
            "ready" if n % 2 else "rejected",
            n,
            checks=(check(1, "fail", summary=f"for {n} {LONG}", details=(LONG,) * 9),),
        )
        for n in range(1, 401)
    ]
    source = html(report(*rows), limit=1_200_000, link=WHOLE)
    assert 1_190_000 < len(source.encode()) <= 1_200_000
    assert len(listed(source)) == 400
    with_checks = [name for name, checks in checks_of(source) if checks]
    assert {*with_checks} == {"rejected"}
    assert f'There is no room here for its 1 checks; see <a href="{WHOLE}"' in source


def checks_of(source):
    for body in source.split("<tbody class=")[1:]:
        if "data-class" in body:
            yield re.search(r'data-class="([a-z-]+)"', body)[1], "findings" in body


@pytest.mark.parametrize("title", ["界" * 200, "<&>" * 66], ids=["bytes", "escapes"])
def test_where_even_the_rows_are_too_many_the_rest_is_counted(title):
    rows = [row("ready", n, title=title, checks=(check(),)) for n in range(1, 1200)]
    source = html(report(*rows), limit=1_000_000)
    assert len(source.encode()) <= 1_000_000
    left_out = len(rows) - len(listed(source))
    assert 0 < left_out < len(rows)
    assert f"no room here for {left_out} more pull requests" in source
    assert "see the JSON report" in source


def test_choices_of_many_owners_count_towards_the_limit():
    rows = [row("stale", n, fixable_by=tuple(f"@{n}-{k}" for k in range(10))) for n in range(2000)]
    source = html(report(*rows), limit=1_000_000)
    assert len(source.encode()) <= 1_000_000
    assert listed(source)


def test_an_audit_of_two_thousand_fits_with_all_its_checks():
    source = html(sample(2000))
    assert len(source.encode()) < PAGE_LIMIT
    assert len(listed(source)) == 2000
    assert "no room" not in source


def test_the_page_needs_nothing_but_itself():
    parsed = Page(html(sample()))
    assert not {"img", "iframe", "link", "form", "object"} & set(parsed.tags)
    assert not {"src", "action", "srcset", "background", "style"} & {
        name for _, name, _ in parsed.attributes
    }
    assert "@import" not in html(sample())
    assert "url(" not in html(sample())


def test_the_policy_allows_the_pages_own_style_and_script_and_nothing_else():
    source = html(sample())
    style = re.search(r"<style>(.*?)</style>", source, re.DOTALL)[1]
    script = re.search(r"<script>(.*?)</script>", source, re.DOTALL)[1]
    policy = (
        f"default-src 'none'; style-src '{source_hash(style)}'; "
        f"script-src '{source_hash(script)}'; base-uri 'none'; form-action 'none'"
    )
    assert ("meta", "content", policy) in Page(source).attributes
    assert source.count("<script") == source.count("<style") == 1


def test_every_id_is_there_once():
    ids = [value for _, name, value in Page(html(sample())).attributes if name == "id"]
    assert len(ids) == len(set(ids))


def full_of(text):
    """An audit in which every text is this one."""
    finding = check(
        1,
        "fail",
        title=text,
        summary=text,
        details=(text,),
        fix=text,
        links=(LinkReport(label=text, url=text),),
    )
    pull = row(
        title=text,
        author=text,
        signer=text,
        signoff_url=text,
        failing=(text, text),
        reasons=(text, text),
        fixable_by=(text,),
        repo=text,
        url=text,
        evidence_digest=text,
        checks=(finding,),
    )
    repos = (repository(text, status="unreadable", message=text, pulls=1),)
    return report(pull, tool_version=text, notes=(text,), repos=repos)


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_only_shown(hostile):
    source = html(full_of(hostile), link=hostile)
    parsed = Page(source)
    assert parsed.tags == Page(html(full_of("x"), link="x")).tags
    assert not [name for _, name, _ in parsed.attributes if name.startswith("on")]
    assert {*parsed.links} == {"#pulls"}
    for line in source.split("\n"):
        assert line.isprintable(), repr(line)
