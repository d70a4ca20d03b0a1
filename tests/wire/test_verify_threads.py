"""The installed command on whole pull requests: the verdicts a careful maintainer would reach."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.wire_big import NUMBER, big_inferencex
from support.wire_default import PASSING as DEFAULT_PR
from support.wire_default import REPO as DEFAULT_REPO
from support.wire_default import passing_default
from support.wire_inferencex import REPO, passing_inferencex
from support.wire_threads import LEFT_RUN, REQUEST, SIGNOFF, thread_1865, thread_1914
from support.world import World
from wire.command import Result, environment, installed
from wire.loopback.server import Loopback

Serve = Callable[[World], Loopback]
PACK = "inferencex-2026-06-24"


def verify(github: Loopback, *argv: str, rules: str = PACK) -> Result:
    return installed("verify", *argv, "--rules", rules, "--format", "json", env=environment(github))


def page(number: int, comment: int) -> str:
    return f"https://github.com/{REPO}/pull/{number}#issuecomment-{comment}"


def test_a_request_that_names_the_phrase_is_no_signoff(serve: Serve) -> None:
    """Thread 1865, first verdict."""
    result = verify(serve(thread_1865(1)), page(1865, REQUEST))
    assert result.status == 1, result.err
    assert result.verdict["verdict"] == "fail"
    assert result.statuses["codeowner"] == "fail"
    assert result.statuses["sweep"] == "fail"
    assert result.statuses["eval"] in ("fail", "blocked")
    assert result.statuses["recipe"] == "fail"
    signoff = result.verdict["signoff"]
    assert (signoff["author"], signoff["completed"]) == ("marlow-quist", False)
    assert signoff["problems"]
    assert "amd-master.yaml" in str(result.check("codeowner"))
    assert "@octavia-chen" in str(result.check("codeowner"))


def test_a_signoff_whose_run_left_the_pull_request_fails(serve: Serve) -> None:
    """Thread 1865, second verdict."""
    result = verify(serve(thread_1865(2)), page(1865, SIGNOFF))
    assert result.status == 1, result.err
    assert result.verdict["verdict"] == "fail"
    assert result.verdict["signoff"]["completed"]
    assert result.statuses == {
        "codeowner": "pass",
        "sweep": "fail",
        "eval": "blocked",
        "recipe": "fail",
    }
    sweep = result.check("sweep")
    assert "34 commits" in sweep["summary"]
    assert str(LEFT_RUN) in sweep["summary"]
    assert "fa89765" in str(sweep)
    assert "1762" in str(result.check("recipe"))


def test_without_an_address_the_completed_signoff_is_judged(serve: Serve) -> None:
    result = verify(serve(thread_1865(2)), "1865")
    assert result.verdict["signoff"]["id"] == SIGNOFF


def test_a_pull_request_that_nobody_signed_is_pending(serve: Serve) -> None:
    """Thread 1914."""
    result = verify(serve(thread_1914()), "1914")
    assert result.status == 1, result.err
    assert result.verdict["verdict"] == "pending"
    assert result.verdict["signoff"] is None
    assert result.statuses["codeowner"] == "blocked"
    assert result.statuses["sweep"] == "pass"


@pytest.mark.parametrize(
    ("world", "asked", "rules"),
    [
        (passing_inferencex, f"{REPO}#2001", PACK),
        (big_inferencex, f"{REPO}#{NUMBER}", PACK),
        (passing_default, f"{DEFAULT_REPO}#{DEFAULT_PR}", "default"),
    ],
    ids=["inferencex", "big", "default"],
)
def test_a_sound_pull_request_passes(
    serve: Serve, world: Callable[[], World], asked: str, rules: str
) -> None:
    result = verify(serve(world()), asked, rules=rules)
    assert result.status == 0, result.everything
    assert result.verdict["verdict"] == "pass"
    assert set(result.statuses.values()) <= {"pass", "na"}


@pytest.mark.parametrize("format", ["text", "markdown", "html"])
def test_every_face_shows_the_verdict(serve: Serve, format: str) -> None:
    github = serve(thread_1865(2))
    result = installed(
        "verify", "1865", "--rules", PACK, "--format", format, env=environment(github)
    )
    assert result.status == 1, result.err
    assert str(LEFT_RUN) in result.out
    assert result.out.isprintable() or "\x1b" not in result.out


def test_the_big_pull_request_takes_few_requests_and_none_twice(serve: Serve) -> None:
    github = serve(big_inferencex())
    assert verify(github, str(NUMBER)).status == 0
    asked = [seen.key for seen in github.seen]
    assert sorted(set(asked)) == sorted(asked)
    assert len(asked) <= 18
