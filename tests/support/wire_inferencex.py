"""InferenceX as the loopback server shows it: its CODEOWNERS, form, sweep runs, and a passing PR.

Paths, SHAs and run ids that the founding threads name are real; people and wording are invented.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from support.world import (
    Artifact,
    ChangedFile,
    Comment,
    Commit,
    Job,
    PullRequest,
    Push,
    Repository,
    Run,
    Team,
    Token,
    User,
    World,
    sha,
    user,
)

REPO = "SemiAnalysisAI/InferenceX"
SWEEP = ".github/workflows/run-sweep.yml"
TEMPLATE = "docs/PR_REVIEW_CHECKLIST.md"
PHRASE = "As a PR reviewer and CODEOWNER, I have reviewed this and have:"
AMD = ".github/configs/amd-master.yaml"
BASE = sha("InferenceX main")
BOT = user("github-actions[bot]")
AUTHOR = user("kiri-lund")
SIGNER = user("octavia-chen")
STRANGER = user("marlow-quist")
CORE = user("ines-varga")
OWNERS = ("octavia-chen", "bram-ito", "kiri-lund", "yuki-tanabe", "nora-vale")
RECIPE = "https://github.com/vllm-project/recipes/pull/512"
TOKEN = "ghs_loopbackTokenOfTheBot000000000000"

CODEOWNERS = f"""\
* @InferenceX/core

# AMD master config
{AMD} {" ".join(f"@{login}" for login in OWNERS)}

# NVIDIA master config
.github/configs/nvidia-master.yaml @pia-holm @noor-nv @gus-adeyemi
"""

FORM = f"""\
# Reviewing a pull request

Owners copy this form into their approval.

{PHRASE}
- [ ] Compared this form with [the newest one](https://github.com/{REPO}/blob/main/{TEMPLATE}).
- [ ] Found the code as good as the rest of the project.
- [ ] Linked the workflow run in which this change passed its sweep.
- [ ] Linked the workflow run in which this change passed its evals.
- [ ] Found recipes like the [vLLM recipes](https://recipes.vllm.ai/) or the
      [SGLang cookbook](https://docs.sglang.io/cookbook/intro), or linked a change to them.
- [ ] Given reasons below for whatever could not be met.

### Additional detail section:
- what else a reader should know

Signed: `YOUR_GITHUB_USERNAME`
"""


def signed_form(signer: str, sweep: str, evals: str, details: str) -> str:
    """The form as a signer fills it in."""
    return f"""\
{PHRASE}
- [x] Compared this form with the newest one.
- [x] Found the code as good as the rest of the project.
- [x] Linked the workflow run in which this change passed its sweep: {sweep}
- [x] Linked the workflow run in which this change passed its evals: {evals}
- [x] Found recipes like the official ones, or linked a change to them.
- [ ] Given reasons below for whatever could not be met.

### Additional detail section:
- {details}

Signed: {signer}
"""


def run_url(run_id: int) -> str:
    return f"https://github.com/{REPO}/actions/runs/{run_id}"


def results_page(run_id: int, kind: str = "inference") -> str:
    """The project's own page that shows a run's results."""
    return f"https://inferencex.semianalysis.com/{kind}?unofficialRun={run_id}"


def bot_hint(comment_id: int, run_id: int, at: str) -> Comment:
    """The comment that the project's workflow leaves when a sweep is over."""
    pages = "\n".join(f"results: {results_page(run_id, k)}" for k in ("inference", "evaluation"))
    return Comment(comment_id, BOT, pages, created_at=at, association="NONE")


PLACEHOLDERS = (
    "canary /",
    "single-node 1k1k /",
    "single-node 8k1k /",
    "multi-node 1k1k /",
    "multi-node 8k1k /",
    "agentic /",
    "eval /",
    "multi-node eval /",
)


def skipped(job_id: int, name: str) -> Job:
    return Job(job_id, name, "skipped", runner=None)


def gate_run(run_id: int, head: str, branch: str, at: str) -> Run:
    """A run that reused another: its gate is green, and every lane is a bare placeholder."""
    jobs = [Job(run_id * 10, "reuse-sweep-gate"), skipped(run_id * 10 + 1, "setup")]
    jobs += [skipped(run_id * 10 + 2 + i, name) for i, name in enumerate(PLACEHOLDERS)]
    return Run(run_id, SWEEP, head, branch, created_at=at, jobs=jobs)


def sweep_run(
    run_id: int, head: str, branch: str, at: str, *, lanes: int = 4, model: str = "minimaxm3"
) -> Run:
    """A full multi-node sweep with evals, green to the last lane."""
    lane = f"{model} fp8 mi355x-disagg atom-disagg TP4"
    names = ["check-changelog", "setup", "canary / / p1 | canary"]
    for length in ("1k1k", "8k1k"):
        names += [f"multi-node {length} / / p1 | {lane} c{1 + index}" for index in range(lanes)]
    names += [f"multi-node eval / / p1 | {lane} c{conc} | eval-only" for conc in (64, 512)]
    names += ["collect-results / collect-results", "collect-evals / collect-evals"]
    jobs = [Job(run_id * 1000 + index, name) for index, name in enumerate(names)]
    jobs += [
        skipped(run_id * 1000 + len(names) + index, name)
        for index, name in enumerate(("single-node 1k1k /", "single-node 8k1k /", "eval /"))
    ]
    artifacts = [
        Artifact(run_id * 10, "results_bmk", {"results.json": b"[]"}),
        Artifact(run_id * 10 + 1, "eval_results_all", {"agg_eval_all.json": eval_rows(model)}),
    ]
    return Run(run_id, SWEEP, head, branch, created_at=at, jobs=jobs, artifacts=artifacts)


def eval_rows(model: str, score: float = 0.952, task: str = "gsm8k") -> bytes:
    rows = [
        {
            "is_multinode": True,
            "model_prefix": model,
            "model": f"amd/{model}",
            "hw": "MI355X",
            "framework": "atom-disagg",
            "precision": "fp8",
            "task": task,
            "conc": conc,
            "em_strict": score,
            "score": score,
            "score_name": "em_strict",
        }
        for conc in (64, 512)
    ]
    return json.dumps(rows).encode()


def commit_chain(names: Iterable[str], last: str, author: User) -> list[Commit]:
    """A branch's commits from base to head."""
    commits, parent = [], BASE
    for name in [*(sha(name) for name in names), last]:
        commits.append(Commit(name, (parent,), author))
        parent = name
    return commits


def inferencex() -> tuple[World, Repository]:
    """The repository and its surroundings, without any pull request."""
    repo = Repository(REPO, 932_845_137, branches={"main": BASE})
    repo.put(".github/CODEOWNERS", CODEOWNERS)
    repo.put(TEMPLATE, FORM)
    repo.put(SWEEP, "name: Run Sweep\n")
    repo.roles = {BOT.login: "write", SIGNER.login: "write", CORE.login: "maintain"}
    people = [AUTHOR, SIGNER, STRANGER, CORE, *(user(login) for login in OWNERS)]
    world = World(
        users={person.login: person for person in people},
        teams={"inferencex/core": Team("core", [CORE])},
        tokens={TOKEN: Token(BOT, installation=True)},
    )
    world.add(repo)
    recipes = world.add(Repository("vllm-project/recipes", 777_001, branches={"main": sha("r")}))
    recipes.pulls[512] = PullRequest(
        512,
        "MiniMax-M3 on MI355X",
        AUTHOR,
        sha("recipe"),
        "m3-mi355x",
        "kiri-lund/recipes",
        "main",
        sha("r"),
        state="closed",
        merged_at="2026-06-22T16:00:00Z",
    )
    return world, repo


def open_pull(repo: Repository, number: int, title: str, branch: str, commits: list[Commit],
              files: Iterable[str]) -> PullRequest:  # fmt: skip
    """A pull request from a branch of the repository itself, pushed before anybody signed."""
    head = commits[-1].sha
    pull = PullRequest(
        number,
        title,
        AUTHOR,
        head,
        branch,
        repo.full_name,
        "main",
        BASE,
        commits=commits,
        files=[ChangedFile(path) for path in files],
        labels=["full-sweep-enabled"],
    )
    repo.pulls[number] = pull
    repo.branches[branch] = head
    repo.trees[head] = dict(repo.trees[BASE])
    push = Push(
        f"refs/heads/{branch}", commits[-1].parents[0], head, "2026-06-23T09:00:00Z", AUTHOR
    )
    repo.activity.insert(0, push)
    return pull


def passing_inferencex() -> World:
    """PR 2001: signed by an owner, swept and evaluated on an in-PR commit, with a merged recipe."""
    world, repo = inferencex()
    head = sha("2001 head")
    commits = commit_chain(["2001 one", "2001 two"], head, AUTHOR)
    files = [
        AMD,
        "benchmarks/multi_node/minimaxm3_fp8_mi355x_atom-disagg.sh",
        "perf-changelog.yaml",
    ]
    pull = open_pull(repo, 2001, "Serve MiniMax-M3 on two nodes", "m3-two-nodes", commits, files)
    repo.runs = [
        gate_run(28_200_000_002, head, pull.head_ref, "2026-06-23T10:00:00Z"),
        sweep_run(28_200_000_001, commits[1].sha, pull.head_ref, "2026-06-23T08:00:00Z"),
    ]
    pull.comments = [
        bot_hint(4_790_000_001, 28_200_000_001, "2026-06-23T09:30:00Z"),
        Comment(
            4_790_000_002,
            SIGNER,
            signed_form(
                "octavia-chen",
                run_url(28_200_000_001),
                f"[evals]({results_page(28_200_000_001, 'evaluation')})",
                f"the recipe: {RECIPE}",
            ),
            created_at="2026-06-24T10:00:00Z",
        ),
    ]
    return world
