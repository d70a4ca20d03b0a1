"""Two pull requests that pass only with every request that stricter rules make."""

from __future__ import annotations

from support.standard import entry
from support.wire_default import PASSING, REPO, passing_default
from support.wire_inferencex import (
    AUTHOR,
    CORE,
    OWNERS,
    RECIPE,
    SIGNER,
    SWEEP,
    commit_chain,
    gate_run,
    inferencex,
    open_pull,
    run_url,
    signed_form,
    sweep_run,
)
from support.world import (
    ChangedFile,
    Comment,
    LineComment,
    Push,
    World,
    sha,
    user,
)

GROWN_RULES = """\
schema: signoff-bot/rules/v1
name: grown
extends: default
checks:
  ticket: { severity: blocking, with: { patterns: ["ANVIL-{number}"] } }
  threads: { with: { enabled: true } }
"""


def grown_default() -> World:
    """PR 31, signed before main was merged in; a commit of nobody known is cleared by a member."""
    world = passing_default()
    repo = world.repository(REPO)
    fork = world.repository("wren-dalgaard/anvil")
    assert repo is not None
    assert fork is not None
    pull = repo.pulls[PASSING]
    signed, pushed = sha("31 signed"), fork.activity[0]
    pull.body = "Closes ANVIL-7."
    pull.commits[0].author = None
    pull.files[0].content = "a hammer"
    pull.earlier = {signed: list(pull.files)}
    fork.activity = [
        Push(pushed.ref, signed, pull.head_sha, "2026-06-24T12:00:00Z", pull.author),
        Push(pushed.ref, pushed.before, signed, "2026-06-23T09:00:00Z", pull.author),
    ]
    pull.line_comments = [
        LineComment(2_900_000_001, user("code-critic[bot]"), "Is it heavy?", resolved=True)
    ]
    pull.line_comments[0].commit_sha = signed
    pull.comments.append(
        Comment(4_780_000_003, CORE, "/signoff-ack four-eyes", created_at="2026-06-24T13:00:00Z")
    )
    repo.roles[CORE.login] = "maintain"
    return world


STANDARD = 2003
CONFIG = "configs/nvidia-master.yaml"
LEFT_ALONE = "configs/amd-master.yaml"
SCRIPT = "benchmarks/multi_node/dsv4_fp4_b200.sh"
STANDARD_RULES = f"""\
schema: signoff-bot/rules/v1
name: standard
extends: inferencex-2026-06-24
signoff: {{ combine: false }}
checks:
  sweep:
    with:
      lanes:
        canary: ["canary /"]
        single-node: ["single-node "]
        multi-node: ["multi-node "]
        agentic: ["agentic /", "multi-node agentic /"]
        multi-node-eval: ["multi-node eval /"]
        eval: ["eval /", "agentic eval /", "multi-node agentic eval /"]
      required: [[multi-node]]
      min_seconds: 60
      key_steps: [Launch job script]
      due:
        configs: ["configs/*-master.yaml"]
        base_configs: [{LEFT_ALONE}]
        changelog: perf-changelog.yaml
        benchmarks: ["benchmarks/**"]
        scenarios:
          - scenario: fixed-seq-len
            multinode: true
            lanes: [multi-node]
            evals: [multi-node-eval]
  eval:
    with: {{ configs: ["configs/*-master.yaml"] }}
  reuse:
    kind: reuse
    number: 4
    with:
      workflow: {SWEEP}
      events: [pull_request]
      results: [results_bmk]
"""
_LOG = """\
@@ -9,1 +9,4 @@
   pr-link: A
+
+- config-keys:
+    - dsv4-fp4-b200-sglang
+    - dsr1-mi355x
+  pr-link: B
"""


def grown_inferencex() -> World:
    """PR 2003: what is submitted was measured on an older commit, and is to be reused."""
    world, repo = inferencex()
    repo.put(".github/CODEOWNERS", f"* @{' @'.join(OWNERS)}\n")
    repo.put(LEFT_ALONE, entry("dsr1-mi355x", prefix="dsv4", multinode="true"))
    repo.put(CONFIG, "# nothing yet\n")
    head = sha("2003 head")
    commits = commit_chain(["2003 one"], head, AUTHOR)
    pull = open_pull(repo, STANDARD, "Serve DSv4 on two nodes", "dsv4", commits, [CONFIG, SCRIPT])
    pull.files.append(ChangedFile("perf-changelog.yaml", patch=_LOG))
    submitted = entry(multinode="true", image="lmsysorg/sglang:v0.5.17")
    run = sweep_run(
        28_400_000_001, commits[0].sha, pull.head_ref, "2026-06-23T08:00:00Z", model="dsv4"
    )
    for job in run.jobs:
        job.steps = [("Set up job", "success"), ("Launch job script", "success")]
    repo.trees[head] = {**repo.trees[repo.branches["main"]], CONFIG: submitted.encode()}
    repo.trees[run.head_sha] = {CONFIG: f"# as it was then\n{submitted}".encode()}
    repo.runs = [gate_run(28_400_000_002, head, pull.head_ref, "2026-06-23T10:00:00Z"), run]
    pull.comments = _comments(run.id)
    return world


def _comments(run_id: int) -> list[Comment]:
    form = signed_form(SIGNER.login, run_url(run_id), run_url(run_id), f"the recipe: {RECIPE}")
    return [
        Comment(4_791_000_001, SIGNER, form, created_at="2026-06-24T10:00:00Z"),
        Comment(
            4_791_000_002,
            CORE,
            f"/reuse-sweep-run {run_id}",
            created_at="2026-06-24T11:00:00Z",
        ),
    ]
