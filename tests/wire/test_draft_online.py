"""The command `draft`: the form with the evidence that GitHub shows, boxes left unticked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.wire_default import REPO as DEFAULT_REPO
from support.wire_default import passing_default
from support.wire_inferencex import REPO, TEMPLATE, passing_inferencex, run_url
from support.world import World
from wire.command import InProcess, environment, installed
from wire.loopback.faults import Fault
from wire.loopback.server import Loopback

from signoff_bot.packs.load import load_named
from signoff_bot.reading.template import read_template

Serve = Callable[[World], Loopback]
PACK = "inferencex-2026-06-24"


def test_the_form_at_the_base_holds_the_run_that_was_found(serve: Serve) -> None:
    github = serve(passing_inferencex())
    ran = installed("draft", f"{REPO}#2001", "--rules", PACK, env=environment(github))
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == f"{load_named(PACK).signoff.phrase}:"
    assert lines[-1] == "Signed: `YOUR_GITHUB_USERNAME`"
    assert f"- {run_url(28_200_000_001)}" in lines
    assert "[ ]" in ran.out
    assert "[x]" not in ran.out
    assert {seen.method for seen in github.seen if seen.path != "/graphql"} == {"GET"}


def test_it_is_what_a_welcome_shows(serve: Serve, command: InProcess, tmp_path: Path) -> None:
    github = serve(passing_default())
    file = tmp_path / "form.md"
    ran = command(
        *("draft", f"{DEFAULT_REPO}#31", "--rules", "default", "--output", file),
        env=environment(github),
    )
    assert (ran.status, ran.out) == (0, "")
    template = read_template(load_named("default").signoff.template or "", "As a PR reviewer "
                             "and CODEOWNER, I have reviewed this and have")  # fmt: skip
    assert template is not None
    form = file.read_text("utf-8")
    assert [line for line in form.splitlines() if line not in template.form] == [
        line
        for line in form.splitlines()
        if line.startswith(f"- https://github.com/{DEFAULT_REPO}")
    ]
    assert f"https://github.com/{DEFAULT_REPO}/actions/runs/26000000001" in form


@pytest.mark.parametrize(
    ("argv", "status", "says"),
    [
        (["x"], 2, "no pull request"),
        ([f"{REPO}#99"], 3, "GitHub knows no such thing"),
        ([f"{REPO}#2001", "--rules", "nope"], 2, "there is no rule pack 'nope'"),
    ],
)
def test_what_is_wrong_is_said(
    serve: Serve, command: InProcess, argv: list[str], status: int, says: str
) -> None:
    ran = command("draft", *argv, env=environment(serve(passing_inferencex())))
    assert (ran.status, ran.out) == (status, "")
    assert says in ran.err


def test_a_form_that_is_not_there_or_not_readable_is_said(serve: Serve, command: InProcess) -> None:
    github = serve(passing_inferencex())
    github.faults.append(Fault("500", lambda seen: TEMPLATE in seen.key))
    argv = ("draft", f"{REPO}#2001", "--rules", PACK)
    ran = command(*argv, env=environment(github))
    assert (ran.status, "HTTP 500" in ran.err) == (3, True)
    github.faults.clear()
    repo = github.world.repository(REPO)
    assert repo is not None
    repo.put(TEMPLATE, "# Nothing to sign\n")
    ran = command(*argv, env=environment(github))
    assert (ran.status, "name no form" in ran.err) == (2, True)
