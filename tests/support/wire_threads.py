"""The two founding threads, rebuilt: real paths, SHAs and run ids; invented people and words."""

from __future__ import annotations

from support.wire_inferencex import (
    AMD,
    AUTHOR,
    PHRASE,
    REPO,
    SIGNER,
    STRANGER,
    bot_hint,
    commit_chain,
    gate_run,
    inferencex,
    open_pull,
    results_page,
    signed_form,
    sweep_run,
)
from support.world import Comment, World, sha, user

LEFT_SHA = "fa89765aa9c838c6143e1b2d16dd71bccac40cbc"
LEFT_RUN = 27996171132
GATE_RUN = 28130510662
REQUEST, SIGNOFF = 4_791_500_001, 4_791_900_001
FIRST_HEAD = "c0a813b" + sha("1865 first head")[7:]
SECOND_HEAD = "a2e7439" + sha("1865 second head")[7:]

_FILES_1865 = (
    AMD,
    "benchmarks/multi_node/amd_utils/bench.sh",
    "benchmarks/multi_node/amd_utils/env_atom.sh",
    "benchmarks/multi_node/amd_utils/job.slurm",
    "benchmarks/multi_node/amd_utils/models_atom.yaml",
    "benchmarks/multi_node/amd_utils/server_atom.sh",
    "benchmarks/multi_node/minimaxm3_fp8_mi355x_atom-disagg.sh",
    "perf-changelog.yaml",
)
_HINTED_1865 = (27859909769, 27861799455, 27862212112, 27874092441, 27874309402, 27894796811)
_FILES_1914 = (
    AMD,
    "benchmarks/multi_node/amd_utils/env.sh",
    "benchmarks/multi_node/amd_utils/models_vllm.yaml",
    "benchmarks/multi_node/amd_utils/server_vllm.sh",
    "benchmarks/multi_node/minimaxm3_fp4_mi355x_vllm-disagg.sh",
    "perf-changelog.yaml",
)
_HINTED_1914 = (28082170121, 28082773877, 28083152210, 28088896308, 28097926713, 28104118667,
                28104424231, 28149795726)  # fmt: skip


def thread_1865(signoff: int = 2) -> World:
    """The pull request at the first sign-off (33 commits, a request) or the second (34, a form)."""
    world, repo = inferencex()
    branch = "minimaxm3-fp8-mi355x-atom-disagg"
    heads = [FIRST_HEAD] if signoff == 1 else [FIRST_HEAD, SECOND_HEAD]
    commits = commit_chain([f"1865 {index}" for index in range(32)], FIRST_HEAD, AUTHOR)
    if signoff == 2:
        commits += commit_chain([], SECOND_HEAD, AUTHOR)
        commits[-1].parents = (FIRST_HEAD,)
    pull = open_pull(
        repo, 1865, "[AMD] Add MiniMax-M3-FP8 MI355X ATOMESH", branch, commits, _FILES_1865
    )
    pull.files[6].status = "added"
    repo.runs = [
        gate_run(GATE_RUN + index, head, branch, f"2026-06-24T2{index}:00:00Z")
        for index, head in enumerate(heads)
    ]
    repo.runs.append(sweep_run(LEFT_RUN, LEFT_SHA, branch, "2026-06-22T20:00:00Z"))
    repo.runs += [
        sweep_run(
            run_id, sha(f"1865 rebased away {run_id}"), branch, f"2026-06-2{day // 2}T06:00:00Z"
        )
        for day, run_id in enumerate(_HINTED_1865)
    ]
    for run in repo.runs[-len(_HINTED_1865) :]:
        run.conclusion = run.jobs[5].conclusion = "failure"
    pull.comments = [
        bot_hint(4_790_100_000 + index, run_id, f"2026-06-2{index // 2}T08:00:00Z")
        for index, run_id in enumerate(_HINTED_1865)
    ]
    pull.comments.append(Comment(REQUEST, STRANGER, _request(), created_at="2026-06-24T18:03:11Z"))
    if signoff == 2:
        pull.comments.append(
            Comment(SIGNOFF, SIGNER, _signoff(), created_at="2026-06-24T22:41:05Z")
        )
        pull.comments.append(
            Comment(SIGNOFF + 1, AUTHOR, "Could somebody approve?", "2026-06-24T23:00:00Z")
        )
    return world


def _request() -> str:
    """Asks others to sign, and in doing so names the phrase."""
    return (
        f"hello @{SIGNER.login} @bram-ito, the other recipe is in. Please fill in the form of "
        f"https://github.com/{REPO}/blob/main/docs/PR_REVIEW_CHECKLIST.md for this one.\n\n"
        f"Mind that without the phrase {PHRASE.rstrip(':')} in your approval nothing is verified."
    )


def _signoff() -> str:
    """A full form whose run has left the pull request, and whose recipe is an internal one."""
    return signed_form(
        SIGNER.login,
        results_page(LEFT_RUN),
        f"[]({results_page(LEFT_RUN, 'evaluation')})",
        "Multi-node, so no recipe for one node is due. The vLLM twin is "
        f"[minimaxm3-fp8-mi355x-vllm-disagg](https://github.com/{REPO}/pull/1762).",
    )


def thread_1914() -> World:
    """Nobody has signed yet; apps and people wrote, and there are runs to be found."""
    world, repo = inferencex()
    branch = "minimaxm3-fp4-mi355x-vllm-disagg"
    commits = commit_chain(["1914 one", "1914 two"], sha("1914 head"), user("wren-dalgaard"))
    pull = open_pull(
        repo,
        1914,
        "[AMD] Add MiniMax-M3-MXFP4 MI355X vLLM disagg recipe",
        branch,
        commits,
        _FILES_1914,
    )
    pull.author = user("wren-dalgaard")
    pull.files[4].status = "added"
    hours = range(len(_HINTED_1914))
    repo.runs = [
        sweep_run(run_id, sha(f"1914 {hour}"), branch, f"2026-06-24T0{hour}:00:00Z")
        for hour, run_id in zip(hours, _HINTED_1914, strict=True)
    ]
    repo.runs[-1].head_sha = pull.head_sha
    pull.comments = [
        bot_hint(4_790_200_000 + hour, run_id, f"2026-06-24T0{hour}:50:00Z")
        for hour, run_id in zip(hours, _HINTED_1914, strict=True)
    ]
    pull.comments.insert(
        0, Comment(4_790_199_999, user("code-critic[bot]"), "The traffic class is never set.")
    )
    return world
