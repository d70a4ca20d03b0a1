"""A pull request as large as they come: what the benchmark of `verify` asks about."""

from __future__ import annotations

from support.wire_inferencex import (
    AMD,
    AUTHOR,
    BOT,
    RECIPE,
    SIGNER,
    STRANGER,
    commit_chain,
    inferencex,
    open_pull,
    run_url,
    signed_form,
    sweep_run,
)
from support.world import CheckRun, Comment, World, sha

NUMBER = 2002
RUNS = (28_300_000_003, 28_300_000_002, 28_300_000_001)


def big_inferencex() -> World:
    """PR 2002: 34 commits, 8 files, 60 comments, 3 sweep runs of 120 jobs, the oldest one green."""
    world, repo = inferencex()
    commits = commit_chain([f"2002 {index}" for index in range(33)], sha("2002 head"), AUTHOR)
    files = [AMD, *(f"benchmarks/multi_node/part{index}.sh" for index in range(7))]
    pull = open_pull(repo, NUMBER, "Serve everything", "everything", commits, files)
    for age, run_id in enumerate(RUNS):
        at = f"2026-06-23T0{8 - age}:00:00Z"
        run = sweep_run(run_id, commits[-1 - age].sha, pull.head_ref, at, lanes=55)
        run.jobs = run.jobs[:120]
        if age < 2:
            run.conclusion = run.jobs[20].conclusion = "failure"
        repo.runs.append(run)
        repo.check_runs += [CheckRun(job.id, job.name, run.head_sha) for job in run.jobs]
    pull.comments = [
        Comment(4_795_000_000 + index, BOT if index % 3 else STRANGER, f"Remark {index}")
        for index in range(59)
    ]
    signed = signed_form(SIGNER.login, run_url(RUNS[2]), run_url(RUNS[2]), f"the recipe: {RECIPE}")
    pull.comments.append(Comment(4_795_000_100, SIGNER, signed, created_at="2026-06-24T10:00:00Z"))
    return world
