"""The smallest world that shows every kind of thing, for the loopback server's own tests."""

from __future__ import annotations

from support.world import (
    Artifact,
    ChangedFile,
    CheckRun,
    Comment,
    Commit,
    Edit,
    Job,
    LineComment,
    PullRequest,
    Push,
    Repository,
    Review,
    Run,
    Team,
    Token,
    World,
    sha,
    user,
)

REPO = "octo-works/anvil"
HEAD, BASE = sha("head"), sha("base")


def small_world() -> World:
    ana, ben = user("octavia-chen"), user("bram-ito")
    edit = Edit("2026-06-24T11:00:00Z", ben)
    pull = PullRequest(
        7,
        "Add a hammer",
        ben,
        HEAD,
        "hammer",
        REPO,
        "main",
        BASE,
        files=[
            ChangedFile("src/hammer.py", "renamed", previous_path="src/mallet.py"),
            ChangedFile("logo.png", "added", patch=None),
        ],
        commits=[Commit(sha("one"), (BASE,), ben), Commit(HEAD, (sha("one"),), None)],
        comments=[Comment(4_700_000_001, ana, "Looks good", edits=[edit])],
        reviews=[Review(3_900_000_001, ana, "Fine", commit_sha=HEAD)],
        line_comments=[LineComment(2_900_000_001, None, "Why?", commit_sha=HEAD)],
        labels=["tools"],
    )
    run = Run(
        27_000_000_001,
        ".github/workflows/ci.yml",
        HEAD,
        "hammer",
        jobs=[Job(index, f"test ({index})") for index in range(1, 121)],
        artifacts=[Artifact(31, "results", {"rows.json": b"[1]"})],
    )
    repo = Repository(
        REPO,
        11,
        branches={"main": BASE},
        pulls={7: pull},
        runs=[run],
        check_runs=[CheckRun(5, "build", HEAD)],
        activity=[Push("refs/heads/hammer", sha("one"), HEAD, "2026-06-24T07:00:00Z", ben)],
        required_checks={"main": [("build", 15368)]},
        roles={"octavia-chen": "maintain"},
        former_names=("octo-works/forge",),
    )
    repo.put(".github/CODEOWNERS", "* @octavia-chen\n")
    world = World(
        teams={
            "octo-works/smiths": Team("Smiths", [ana], children=["apprentices"]),
            "octo-works/apprentices": Team("Apprentices", [ben]),
        },
        users={u.login: u for u in (ana, ben)},
        tokens={
            "good": Token(ana),
            "app": Token(
                user("github-actions[bot]"), {"pull_requests": "write"}, installation=True
            ),
            "old": Token(ana, expired=True),
        },
    )
    world.add(repo)
    return world
