"""How the configuration checks put together what they found."""

import time

import pytest
from support.build import changed
from support.standard import case_of, entry

from signoff_bot.checks import KINDS
from signoff_bot.checks.base import Reference
from signoff_bot.checks.configs import (
    MOST_ISSUES,
    changed_files,
    conclude,
    known_entries,
    log_additions,
    review_date,
    stated,
)
from signoff_bot.evidence.base import MissingEvidence

LINKS = [Reference("waiver", "https://github.com/x")]
LOG = "perf-changelog.yaml"


@pytest.mark.parametrize(
    ("failures", "doubts", "status", "summary", "details"),
    [
        ((), (), "pass", "all right", ("said",)),
        (("f",), (), "fail", "f", ("f", "said")),
        (("f", "g"), (), "fail", "f (and 1 more issue)", ("f", "g", "said")),
        (("f", "g", "h"), (), "fail", "f (and 2 more issues)", ("f", "g", "h", "said")),
        ((), ("d",), "review", "d", ("d", "said")),
        (("f",), ("d",), "fail", "f", ("f", "to be looked at: d", "said")),
    ],
)
def test_failures_outrank_doubts_and_both_are_shown(
    failures, doubts, status, summary, details
) -> None:
    finding = conclude(
        failures=failures,
        doubts=doubts,
        passed="all right",
        remarks=("said",),
        fix="F",
        look="L",
        links=LINKS,
    )
    assert finding.links == tuple(LINKS)
    assert (finding.status, finding.summary, finding.details) == (status, summary, details)
    assert finding.fix == {"pass": None, "fail": "F", "review": "L"}[status]


@pytest.mark.parametrize(
    ("number", "last"),
    [(20, "issue 19"), (21, "and 1 more"), (23, "and 3 more")],
)
def test_a_long_list_ends_with_what_is_left_out(number: int, last: str) -> None:
    issues = [f"issue {i}" for i in range(number)]
    finding = conclude(failures=issues, doubts=(), passed="", fix="", look="")
    assert len(finding.details) == min(number, MOST_ISSUES + 1)
    assert finding.details[-1] == last


@pytest.mark.parametrize("kind", ["image", "deprecated", "golden-al", "append-only"])
def test_a_check_is_judged_while_nobody_has_signed(kind: str) -> None:
    assert not KINDS[kind].needs_signoff


@pytest.mark.parametrize(
    ("status", "before", "after"),
    [
        ("modified", "a.yaml", "a.yaml"),
        ("added", None, "a.yaml"),
        ("removed", "a.yaml", None),
        ("copied", None, "a.yaml"),
        ("renamed", "b.yaml", "a.yaml"),
    ],
)
def test_a_changed_file_has_a_name_where_it_is_there(
    status: str, before: str | None, after: str | None
) -> None:
    previous = "b.yaml" if status in ("copied", "renamed") else None
    file = changed("a.yaml", status=status, previous_path=previous)
    (found,) = changed_files(case_of({}, files=(file,)), ("*.yaml",))
    assert (found.path, found.before_path, found.after_path) == ("a.yaml", before, after)


def test_a_configuration_that_is_broken_at_the_base_is_named() -> None:
    case = case_of({}, base={"configs/amd-master.yaml": "x: [\n"})
    with pytest.raises(MissingEvidence, match=r"configs/amd-master\.yaml"):
        list(known_entries(case, ["configs/*"], ["configs/amd-master.yaml"]))


def test_entries_are_those_of_the_files_and_names_that_are_asked_for() -> None:
    texts = {"configs/a.yaml": (None, entry("new"))}
    base = {"configs/b.yaml": entry("old") + entry("other")}
    entries = known_entries(
        case_of(texts, base=base),
        ["configs/*"],
        ["configs/b.yaml", "configs/a.yaml"],
        keys=lambda key: key != "other",
    )
    assert [(e.key, e.place()) for e in entries] == [
        ("new", "configs/a.yaml:1 (new)"),
        ("old", "configs/b.yaml:1 (old)"),
    ]


def test_a_log_that_is_taken_away_gains_nothing_and_one_without_a_diff_says_what_to_do() -> None:
    gone = changed(LOG, status="removed", patch="@@ -1,1 +0,0 @@\n-x\n")
    found = log_additions(case_of({}, files=(gone,)), LOG)
    assert (found.entries, found.unclear) == ((), ())
    with pytest.raises(MissingEvidence) as missing:
        log_additions(case_of({}, files=(changed(LOG),)), LOG)
    assert str(missing.value) == (
        f"GitHub shows no diff of {LOG}, so what it gains cannot be told; append to it at its end "
        "only"
    )


def test_the_day_does_not_depend_on_where_it_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    days = set()
    for zone in ("UTC", "Asia/Tokyo", "America/Los_Angeles"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        days.add(review_date(case_of({}, signed_at="2026-08-21T05:00:00Z")).isoformat())
    monkeypatch.undo()
    time.tzset()
    assert days == {"2026-08-20"}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("- **DSV4-a** is new", True),
        ("dsv4-a.", True),
        ("dsv4-ab", False),
        ("dsv4-a.b", False),
        ("xdsv4-a", False),
        ("1.dsv4-a", False),
        ("other", True),
    ],
)
def test_a_line_states_what_it_names_whole(line: str, found: bool) -> None:
    said = stated(case_of({}, details=("nothing", line)), "dsv4-a", "other")
    assert said == (f"sign-off line 21: {line}" if found else None)
    assert stated(case_of({}, signed_at=None), "dsv4-a") is None
