"""The audit in an issue or a job summary: within its limit, honest about the rest, inert."""

import re

import pytest
from support import alive
from support.audits import REPO, report, repository, row, sample
from support.hostile import HOSTILE

from signoff_bot.render.audit_face import ISSUE_LIMIT, SUMMARY_LIMIT, render_audit

WHOLE = "https://github.com/octo-works/audits/actions/runs/12"


def markdown(found, **how):
    return render_audit(found, "markdown", **how)


def listed(shown):
    return re.findall(r"(?m)^\| \S+ [a-z-]+ \| \[`[^`]*#(\d+)`\]", shown)


def test_all_classes_are_counted_also_those_without_a_pull_request():
    shown = markdown(report(row("stale", 1), row("stale", 2)))
    assert "| ⚠️ | stale | 2 | changed since the sign-off |" in shown
    assert "| ✅ | ready | 0 |" in shown


def test_the_totals_are_those_of_the_report_and_not_counted_again():
    assert "| rejected | 7 |" in markdown(report(row("stale"), counts={"rejected": 7}))


def test_a_row_says_what_is_wrong_since_when_and_who_can_help():
    shown = markdown(
        report(
            row(
                "rejected",
                1865,
                failing=("sweep", "recipe"),
                reasons=("no run is green", "no recipe"),
                fixable_by=("@kiri-lund",),
                changed="signoff-edited",
                age_days=4,
            )
        )
    )
    assert (
        f"| ❌ rejected | [`{REPO}#1865`](https://github.com/{REPO}/pull/1865) Change 1865 "
        "(sign-off edited) | `octavia-chen` | 4 d | sweep: no run is green<br>recipe: no recipe "
        "| `@kiri-lund` |" in shown
    )


def test_what_is_incomplete_unread_or_remarkable_is_said():
    shown = markdown(
        report(
            complete=False,
            notes=("Shard 3 is missing.",),
            repos=(repository("a/gone", status="unreadable", message="HTTP 404; drop it"),),
        )
    )
    for part in ("**Incomplete.**", "- Shard 3 is missing.", "- `a/gone` unreadable: HTTP"):
        assert part in shown
    assert "Incomplete" not in markdown(report())


def test_a_report_that_fits_lists_everything_worst_first():
    found = sample()
    assert len(listed(markdown(found))) == len(found.pulls)
    assert "no room" not in markdown(found)
    assert listed(markdown(report(row("ready", 1), row("rejected", 2)))) == ["2", "1"]


@pytest.mark.parametrize("limit", [8_192, 20_000, ISSUE_LIMIT, SUMMARY_LIMIT])
@pytest.mark.parametrize("title", ["界" * 300, "x", "@a" * 200], ids=["bytes", "short", "code"])
def test_it_keeps_its_limit_and_counts_what_is_left_out(limit, title):
    rows = [row("rejected", n, title=title, reasons=(title,) * 9) for n in range(1, 3000)]
    notes = tuple(f"{n} {title}" for n in range(300))
    repos = tuple(repository(f"a/{n}", status="unreadable", message=title) for n in range(300))
    shown = markdown(report(*rows, notes=notes, repos=repos), limit=limit, link=WHOLE)
    assert len(shown.encode()) <= limit
    for what, number in (
        ("pull requests?", len(rows) - len(listed(shown))),
        ("notes?", 300 - len(re.findall(r"(?m)^- `?\d", shown))),
        ("remarks?", 300 - len(re.findall(r"(?m)^- `a/", shown))),
    ):
        more = re.search(rf"no room here for (\d+) more {what}; see \[report\]\({WHOLE}\)", shown)
        assert (int(more[1]) if more else 0) == number


def test_the_limit_is_used_well():
    rows = [row("rejected", n) for n in range(5000)]
    assert len(markdown(report(*rows), limit=ISSUE_LIMIT).encode()) > 0.9 * ISSUE_LIMIT


def test_without_a_link_it_says_where_the_rest_is():
    rows = [row("rejected", n) for n in range(1, 3000)]
    assert "more pull requests; the JSON report has them all" in markdown(report(*rows))


def test_the_line_after_a_cut_table_is_no_row_of_it():
    rows = [row("rejected", n) for n in range(1, 3000)]
    last = list(alive.tokens(markdown(report(*rows), link=WHOLE)))
    kinds = [token.type for token in last]
    assert kinds.index("table_close") < len(kinds) - 1 - kinds[::-1].index("paragraph_open")


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_only_shown(text):
    shown = markdown(
        report(
            row(
                title=text,
                signer=text,
                author=text,
                failing=(text,),
                reasons=(text,),
                fixable_by=(text,),
                repo=text,
                url=text,
            ),
            notes=(text,),
            repos=(repository(text, status="unreadable", message=text),),
        )
    )
    assert not alive.alive(shown)
    assert set(alive.html(shown)) <= {"<br>"}
    assert not [url for url in alive.links(shown) if "evil" in url]
    assert "heading_open" in alive.kinds(shown)
    assert sum(token.type == "heading_open" for token in alive.tokens(shown)) == 1
    assert sum(token.type == "tr_open" for token in alive.tokens(shown)) == 11


def test_nobody_is_mentioned():
    assert not alive.alive(markdown(report(row(fixable_by=("@octavia-chen", "@a/b")))))
