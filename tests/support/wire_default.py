"""A repository that only the default pack knows, and a pull request from a fork that passes it."""

from __future__ import annotations

import re

from support.wire_inferencex import BOT, CORE, SIGNER, TOKEN
from support.world import (
    ChangedFile,
    CheckRun,
    Comment,
    Commit,
    Job,
    PullRequest,
    Push,
    Repository,
    Run,
    Team,
    Token,
    World,
    sha,
    user,
)

from signoff_bot.packs.load import load_named
from signoff_bot.reading.template import read_template

REPO = "octo-works/anvil"
FORK = "wren-dalgaard/anvil"
PASSING = 31
CI = ".github/workflows/ci.yml"


def passing_default() -> World:
    """PR 31: an owner signed every item after the last push, and the required checks ran."""
    author, head, base = user("wren-dalgaard"), sha("31 head"), sha("anvil main")
    repo = Repository(
        REPO,
        11_000_001,
        branches={"main": base},
        roles={BOT.login: "write", SIGNER.login: "write"},
        required_checks={"main": [("build", 15368), ("license", 777)]},
    )
    repo.put(".github/CODEOWNERS", "* @octo-works/smiths\n/src/ @octavia-chen\n")
    repo.put(CI, "name: CI\n")
    pull = PullRequest(
        PASSING,
        "Add a hammer",
        author,
        head,
        "hammer",
        FORK,
        "main",
        base,
        files=[ChangedFile("src/hammer.py", "added"), ChangedFile("README.md")],
        commits=[Commit(head, (base,), author)],
        body="Closes #30.",
    )
    repo.pulls[PASSING] = pull
    jobs = [Job(61, "build"), Job(62, "lint")]
    repo.runs = [
        Run(
            26_000_000_001,
            CI,
            head,
            "hammer",
            name="CI",
            created_at="2026-06-23T09:05:00Z",
            jobs=jobs,
            actor=author,
            repository=FORK,
        )
    ]
    repo.check_runs = [CheckRun(job.id, job.name, head) for job in jobs]
    repo.check_runs.append(CheckRun(63, "license", head, app_id=777))
    pull.comments = [
        Comment(4_780_000_001, author, "Please have a look.", association="NONE"),
        Comment(4_780_000_002, SIGNER, signed_form(), created_at="2026-06-24T10:00:00Z"),
    ]
    fork = Repository(
        FORK,
        11_000_002,
        branches={"hammer": head},
        activity=[Push("refs/heads/hammer", base, head, "2026-06-23T09:00:00Z", author)],
    )
    world = World(
        users={person.login: person for person in (author, SIGNER, CORE)},
        teams={"octo-works/smiths": Team("Smiths", [SIGNER, CORE])},
        tokens={TOKEN: Token(BOT, installation=True)},
    )
    world.add(repo)
    world.add(fork)
    return world


def signed_form() -> str:
    """The default pack's own form, with every box ticked and the name filled in."""
    rules = load_named("default")
    template = read_template(rules.signoff.template or "", rules.signoff.phrase)
    assert template is not None
    ticked = template.form.replace("[ ]", "[x]")
    return re.sub(r"^Signed:.*$", f"Signed: {SIGNER.login}", ticked, flags=re.MULTILINE)
