"""What an audit is asked about: dates, shares, and which audits are alike."""

from __future__ import annotations

from dataclasses import replace

import pytest

from signoff_bot.audit.scope import Scope, Shard, read_as_of, read_shard, read_since
from signoff_bot.errors import InvalidInput

NOW = "2026-06-25T12:00:00Z"
SCOPE = Scope(("o/a", "o/b"), "all", None, None, drafts=False, redact=False)


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("2026-06-01", "2026-06-01T00:00:00Z"),
        ("90d", "2026-03-27T12:00:00Z"),
        ("0d", NOW),
        ("2024-02-29", "2024-02-29T00:00:00Z"),
    ],
)
def test_since_is_a_day_or_days_ago(text: str, since: str) -> None:
    assert read_since(text, NOW) == since


@pytest.mark.parametrize(
    "text", ["", "d", "-1d", "90", "1.5d", "2026-02-30", "2026-6-1", "20260601", "99999d", "٩d"]
)
def test_other_dates_are_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="--since"):
        read_since(text, "0050-01-01T00:00:00Z" if text == "99999d" else NOW)


@pytest.mark.parametrize(("text", "time"), [(NOW, NOW), ("2026-06-25", "2026-06-25T00:00:00Z")])
def test_as_of_is_a_time_or_a_day(text: str, time: str) -> None:
    assert read_as_of(text) == time


@pytest.mark.parametrize("text", ["now", "2026-06-25T12:00:00+02:00", "2026-06-25 12:00", ""])
def test_other_times_are_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="--as-of"):
        read_as_of(text)


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "1/0", "a/b", "1/257", "-1/3", "1/3/5", ""])
def test_other_shares_are_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="--shard"):
        read_shard(text)


def test_every_pull_request_is_in_exactly_one_share_and_they_are_about_alike() -> None:
    shares = [read_shard(f"{index}/8") for index in range(1, 9)]
    held = [[number for number in range(4000) if share.holds(7, number)] for share in shares]
    assert sorted(number for numbers in held for number in numbers) == list(range(4000))
    assert all(400 < len(numbers) < 600 for numbers in held)


def test_shares_stay_what_they_are() -> None:
    # Reports of older versions are merged too, and stores are split by this.
    held = [number for number in range(1, 30) if Shard(1, 4).holds(11_000_001, number)]
    assert held == [1, 4, 5, 6, 7, 11, 12, 16, 19, 22, 24, 25]


def test_only_what_changes_the_report_tells_audits_apart() -> None:
    assert replace(SCOPE, repos=("O/B", "o/a")).digest == SCOPE.digest
    others = [
        replace(SCOPE, repos=("o/a",)),
        replace(SCOPE, state="open"),
        replace(SCOPE, since="30d"),
        replace(SCOPE, rules="sha256:1"),
        replace(SCOPE, drafts=True),
        replace(SCOPE, redact=True),
        replace(SCOPE, source=("org o",)),
    ]
    assert len({SCOPE.digest, *(other.digest for other in others)}) == len(others) + 1
    grown = replace(SCOPE, source=("org o",), repos=("o/a", "o/b", "o/c"))
    assert grown.digest == others[-1].digest
