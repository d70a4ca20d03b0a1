"""How the configuration checks put together what they found."""

import pytest

from signoff_bot.checks import KINDS
from signoff_bot.checks.configs import MOST_ISSUES, conclude


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
        failures=failures, doubts=doubts, passed="all right", remarks=("said",), fix="F", look="L"
    )
    assert (finding.status, finding.summary, finding.details) == (status, summary, details)
    assert finding.fix == {"pass": None, "fail": "F", "review": "L"}[status]


@pytest.mark.parametrize(
    ("number", "shown"), [(MOST_ISSUES, MOST_ISSUES), (MOST_ISSUES + 3, MOST_ISSUES + 1)]
)
def test_a_long_list_ends_with_what_is_left_out(number: int, shown: int) -> None:
    issues = [f"issue {i}" for i in range(number)]
    finding = conclude(failures=issues, doubts=(), passed="", fix="", look="")
    assert len(finding.details) == shown
    assert (finding.details[-1] == "and 3 more") is (number > MOST_ISSUES)


@pytest.mark.parametrize("kind", ["image", "deprecated", "golden-al", "append-only"])
def test_a_check_is_judged_while_nobody_has_signed(kind: str) -> None:
    assert not KINDS[kind].needs_signoff
