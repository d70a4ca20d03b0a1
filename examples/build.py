"""Builds the example bundles from the facts of two pull requests of InferenceX.

Paths, commits named in the threads and run ids are real; people, wording, other commits and the
outcome of the runs of pull request 1914 are invented. `python examples/build.py` writes the files
anew; a test keeps them equal to what this script builds.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from signoff_bot.evidence.bundle import Bundle, write_bundle
from signoff_bot.evidence.model import Evidence
from signoff_bot.packs.load import load_named
from signoff_bot.packs.shorthand import complete, unfold

PACK = "inferencex-2026-06-24"
HERE = Path(__file__).parent
REPOSITORY = {"id": 1001, "full_name": "SemiAnalysisAI/InferenceX", "private": False}
HOME = "https://github.com/SemiAnalysisAI/InferenceX"
SWEEP = ".github/workflows/run-sweep.yml"
BOT = "github-actions[bot]"
PHRASE = "As a PR reviewer and CODEOWNER, I have reviewed this and have"

CODEOWNERS = """\
* @InferenceX/core

# AMD master config
.github/configs/amd-master.yaml @octavia-chen @bram-ito @kiri-lund @yuki-tanabe @nora-vale

# NVIDIA master config
.github/configs/nvidia-master.yaml @pia-holm @noor-nv @gus-adeyemi
"""

FORM = f"""\
# Reviewing a pull request

{PHRASE}:
- [ ] Compared this form with [the newest one]({HOME}/blob/main/docs/PR_REVIEW_CHECKLIST.md).
- [ ] Found the code as good as the rest of the project.
- [ ] Linked the workflow run in which this change passed its sweep.
- [ ] Linked the workflow run in which this change passed its evals.
- [ ] Seen the vLLM or SGLang submission come before other engines.
- [ ] Found the recipe close to the [vLLM recipes](https://recipes.vllm.ai/) or the
      [SGLang cookbook](https://docs.sglang.io/cookbook/intro), or linked a change to them below.
- [ ] Given reasons below for whatever could not be met.

### Additional detail section:
- what else a reader should know

Signed: `YOUR_GITHUB_USERNAME`
"""

REQUEST = f"""\
hello @octavia-chen @bram-ito, the vLLM recipe is in, so this one can follow once it is reviewed.

Please fill in [the form]({HOME}/blob/main/docs/PR_REVIEW_CHECKLIST.md); {HOME}/pull/1891 has an
example. Mind that without the phrase {PHRASE} in your approval nothing gets verified.
"""

SIGNOFF = f"""\
{PHRASE}:
- [x] Compared this form with the newest one.
- [x] Found the code as good as the rest of the project.
- [x] Sweep: https://inferencex.semianalysis.com/inference?unofficialRun=27996171132
- [x] Evals: [](https://inferencex.semianalysis.com/evaluation?unofficialRun=27996171132)
- [x] vLLM came before ATOM: [minimaxm3-fp8-mi355x-vllm-disagg]({HOME}/pull/1762), in since June 24.
- [x] Found the recipe close to the official ones.
- [x] Given reasons below for whatever could not be met.

### Additional detail section:
- A multi-node configuration, so no recipe for one node is due. Its vLLM twin is #1762.

Signed: octavia-chen
"""

PLACEHOLDERS = (
    "canary /",
    "single-node 1k1k /",
    "single-node 8k1k /",
    "multi-node 1k1k /",
    "multi-node 8k1k /",
    "eval /",
    "multi-node eval /",
)


def main() -> None:
    """Writes every example bundle beside this script."""
    for name, content in bundles().items():
        (HERE / name).write_bytes(content)


def bundles() -> dict[str, bytes]:
    """The content of every example bundle, by file name."""
    rules = load_named(PACK).data
    examples = {
        "thread-1865-request.json": thread_1865(signed=False),
        "thread-1865-signoff.json": thread_1865(signed=True),
        "thread-1914.json": thread_1914(),
    }
    return {name: write_bundle(Bundle(each, rules)) for name, each in examples.items()}


def thread_1865(*, signed: bool) -> Evidence:
    """33 commits and a request to sign; with `signed`, a 34th commit and the sign-off."""
    number, branch = 1865, "minimaxm3-fp8-mi355x-atom-disagg"
    first, second = sha("1865/33", "c0a813b"), sha("1865/34", "a2e7439")
    commits = [sha(f"1865/{n}") for n in range(1, 33)] + [first] + [second] * signed
    hinted = (27859909769, 27861799455, 27862212112, 27874092441, 27874309402, 27894796811)
    runs = [
        reuse_run(28130510662, first, branch, "2026-06-24T16:40:00Z"),
        left_run(27996171132, "fa89765aa9c838c6143e1b2d16dd71bccac40cbc", branch, 23),
        *(left_run(run_id, sha(f"1865/left/{run_id}"), branch, 20) for run_id in hinted),
    ]
    comments = [
        *(bot_hint(4790100000 + n, run_id, 20) for n, run_id in enumerate(hinted)),
        comment(4791500001, "marlow-quist", REQUEST, "2026-06-24T18:03:11Z"),
    ]
    if signed:
        runs.append(reuse_run(28133077041, second, branch, "2026-06-24T22:10:00Z"))
        comments.append(comment(4791900001, "octavia-chen", SIGNOFF, "2026-06-24T22:41:05Z"))
    return evidence(
        number,
        "[AMD] Add MiniMax-M3-FP8 MI355X ATOMESH",
        branch,
        commits=commits,
        files=[
            ".github/configs/amd-master.yaml",
            "benchmarks/multi_node/amd_utils/bench.sh",
            "benchmarks/multi_node/amd_utils/env_atom.sh",
            "benchmarks/multi_node/amd_utils/job.slurm",
            "benchmarks/multi_node/amd_utils/models_atom.yaml",
            "benchmarks/multi_node/amd_utils/server_atom.sh",
            added("benchmarks/multi_node/minimaxm3_fp8_mi355x_atom-disagg.sh"),
            "perf-changelog.yaml",
        ],
        runs=runs,
        comments=comments,
        signoff={"kind": "comment", "id": 4791900001 if signed else 4791500001},
        collected_at="2026-06-24T23:00:00Z" if signed else "2026-06-24T18:10:00Z",
    )


def thread_1914() -> Evidence:
    """Nobody has signed yet; the project's workflow has pointed at several runs."""
    branch = "minimaxm3-fp4-mi355x-vllm-disagg"
    head = sha("1914/head")
    left = (28082170121, 28082773877, 28083152210, 28088896308, 28097926713, 28104118667,
            28104424231)  # fmt: skip
    lane = "minimaxm3 fp4 mi355x-disagg vllm-disagg TP4"
    jobs = [
        *(f"multi-node 8k1k / / p1 | {lane} c{conc}" for conc in (1, 8, 64)),
        {"name": f"multi-node 8k1k / / p1 | {lane} c512", "conclusion": "cancelled"},
        f"multi-node eval / / p1 | {lane} c64 | eval-only",
        *(skipped(name) for name in PLACEHOLDERS if not name.startswith("multi-node")),
        "collect-evals / collect-evals",
    ]
    newest = run(28149795726, head, branch, "2026-06-25T05:00:00Z", jobs, attempt=3)
    return evidence(
        1914,
        "[AMD] Add MiniMax-M3-MXFP4 MI355X vLLM disagg recipe",
        branch,
        commits=[sha("1914/first"), head],
        files=[
            ".github/configs/amd-master.yaml",
            "benchmarks/multi_node/amd_utils/env.sh",
            "benchmarks/multi_node/amd_utils/models_vllm.yaml",
            "benchmarks/multi_node/amd_utils/server_vllm.sh",
            added("benchmarks/multi_node/minimaxm3_fp4_mi355x_vllm-disagg.sh"),
            "perf-changelog.yaml",
        ],
        runs=[newest, *(left_run(i, sha(f"1914/left/{i}"), branch, 24) for i in left)],
        comments=[bot_hint(4790200000 + n, i, 25) for n, i in enumerate((*left, 28149795726))],
        signoff=None,
        collected_at="2026-06-25T09:00:00Z",
    )


def evidence(
    number: int, title: str, branch: str, *, commits: Sequence[str], **facts: Any
) -> Evidence:
    """Evidence of one pull request, completed with what all of them share."""
    short = {
        "repository": REPOSITORY,
        "pull": {
            "number": number,
            "title": title,
            "head_sha": commits[-1],
            "head_ref": branch,
            "base_sha": sha("main"),
        },
        "commits": [
            {"sha": commit, "parents": [parent]}
            for parent, commit in zip([sha("main"), *commits], commits, strict=False)
        ],
        "codeowners": CODEOWNERS,
        "contents": [{"path": "docs/PR_REVIEW_CHECKLIST.md", "text": FORM}],
        "teams": [
            {
                "name": "inferencex/core",
                "members": {"unread": "GitHub refused to list the members of @InferenceX/core"},
            }
        ],
        **facts,
    }
    return Evidence.model_validate_json(json.dumps(complete(unfold(short))))


def run(
    run_id: int, head: str, branch: str, at: str, jobs: Any, *, attempt: int = 1
) -> dict[str, Any]:
    """A run of the sweep."""
    return {
        "id": run_id,
        "attempt": attempt,
        "workflow_path": SWEEP,
        "head_sha": head,
        "head_branch": branch,
        "created_at": at,
        "jobs": jobs,
    }


def reuse_run(run_id: int, head: str, branch: str, at: str) -> dict[str, Any]:
    """A run that reused another: its gate is green, and all its lanes are placeholders."""
    return run(run_id, head, branch, at, ["reuse-sweep-gate", *map(skipped, PLACEHOLDERS)])


def left_run(run_id: int, head: str, branch: str, day: int) -> dict[str, Any]:
    """A run on a commit that has left the pull request, so that its jobs were not read."""
    jobs = {"unread": f"the jobs of run {run_id} were not needed, and so not read"}
    return run(run_id, head, branch, f"2026-06-{day}T06:00:00Z", jobs) | {"artifacts": jobs}


def skipped(name: str) -> dict[str, str]:
    """A job that did not run."""
    return {"name": name, "conclusion": "skipped"}


def added(path: str) -> dict[str, str]:
    """A file that is new in the pull request."""
    return {"path": path, "status": "added"}


def comment(comment_id: int, author: str, body: str, at: str) -> dict[str, Any]:
    """A conversation comment that nobody edited."""
    return {"id": comment_id, "author": author, "body": body, "created_at": at}


def bot_hint(comment_id: int, run_id: int, day: int) -> dict[str, Any]:
    """The workflow's comment that points at a run's results."""
    pages = (
        f"results: https://inferencex.semianalysis.com/{page}?unofficialRun={run_id}"
        for page in ("inference", "evaluation")
    )
    hint = comment(comment_id, BOT, "\n".join(pages), f"2026-06-{day}T08:00:00Z")
    return hint | {"association": "NONE"}


def sha(name: str, start: str = "") -> str:
    """An invented commit id that begins as the thread says."""
    return (start + hashlib.sha1(name.encode(), usedforsecurity=False).hexdigest())[:40]


if __name__ == "__main__":
    main()
