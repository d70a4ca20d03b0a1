"""One change to a passing pull request, and what `verify` makes of it through the wire."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import pytest
from support.wire_inferencex import (
    AMD,
    BOT,
    CODEOWNERS,
    CORE,
    REPO,
    SIGNER,
    STRANGER,
    SWEEP,
    TOKEN,
    eval_rows,
    passing_inferencex,
    sweep_run,
)
from support.world import (
    Artifact,
    ChangedFile,
    Comment,
    Edit,
    Job,
    LineComment,
    PullRequest,
    Repository,
    Review,
    Team,
    World,
    sha,
)
from wire.command import InProcess, Result, environment
from wire.loopback.server import Loopback

Serve = Callable[[World], Loopback]
Change = Callable[[World, Repository, PullRequest], object]
PACK = "inferencex-2026-06-24"
EDITED_AT = "2026-06-24T11:00:00Z"


def judged(serve: Serve, command: InProcess, change: Change, *argv: str) -> Result:
    world = passing_inferencex()
    repo = world.repository(REPO)
    assert repo is not None
    change(world, repo, repo.pulls[2001])
    argv = argv or ("--rules", PACK)
    return command("verify", "2001", *argv, "--format", "json", env=environment(serve(world)))


def as_review(pull: PullRequest, state: str = "APPROVED") -> Review:
    signed = pull.comments.pop()
    review = Review(3_900_000_001, SIGNER, signed.body, signed.created_at, state=state)
    review.commit_sha = pull.head_sha
    pull.reviews.append(review)
    return review


def as_line_comment(pull: PullRequest) -> None:
    signed = pull.comments.pop()
    line = LineComment(2_900_000_001, SIGNER, signed.body, signed.created_at, path=AMD)
    line.commit_sha = pull.head_sha
    pull.line_comments.append(line)


def edited(pull: PullRequest, *by: object) -> None:
    pull.comments[-1].edits = [Edit(EDITED_AT, editor) for editor in by]  # type: ignore[arg-type]


def minimized(pull: PullRequest) -> None:
    pull.comments[-1].minimized = "outdated"


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        (lambda w, r, p: as_review(p), "pass"),
        (lambda w, r, p: as_review(p, "COMMENTED"), "pass"),
        (lambda w, r, p: as_review(p, "DISMISSED"), "pending"),
        (lambda w, r, p: as_line_comment(p), "pass"),
        (lambda w, r, p: edited(p, SIGNER), "pass"),
        (lambda w, r, p: edited(p, SIGNER, SIGNER), "pass"),
        (lambda w, r, p: edited(p, STRANGER), "pending"),
        (lambda w, r, p: edited(p, STRANGER, SIGNER), "pending"),
        (lambda w, r, p: edited(p, BOT), "pending"),
        (lambda w, r, p: edited(p, None), "error"),
        (lambda w, r, p: edited(p, *[SIGNER] * 98), "pass"),
        (lambda w, r, p: edited(p, STRANGER, *[SIGNER] * 120), "error"),
        (lambda w, r, p: minimized(p), "pending"),
    ],
    ids=[
        *("approving review", "commenting review", "dismissed review", "line comment"),
        *("own edit", "two own edits", "edit by another", "edit by another, then by the signer"),
        *(
            "edit by an app",
            "edit by nobody known",
            "98 own edits",
            "more edits than GraphQL lists",
        ),
        "minimized",
    ],
)
def test_what_stands_as_a_signoff(
    serve: Serve, command: InProcess, change: Change, verdict: str
) -> None:
    result = judged(serve, command, change)
    assert result.verdict["verdict"] == verdict, result.everything
    if verdict == "pass":
        assert result.verdict["signoff"]["author"] == SIGNER.login


def test_an_own_edit_dates_the_signoff(serve: Serve, command: InProcess) -> None:
    result = judged(serve, command, lambda w, r, p: edited(p, SIGNER))
    assert result.verdict["signoff"]["at"] == EDITED_AT


def owners(path: str) -> Change:
    def move(world: World, repo: Repository, pull: PullRequest) -> None:
        repo.remove(".github/CODEOWNERS")
        repo.put(path, CODEOWNERS)

    return move


def nested_team(world: World, repo: Repository, pull: PullRequest) -> None:
    repo.put(".github/CODEOWNERS", f"* @InferenceX/core\n{AMD} @InferenceX/amd\n")
    world.teams["inferencex/amd"] = Team("AMD", [], children=["mi355x"])
    world.teams["inferencex/mi355x"] = Team("MI355X", [SIGNER])


def no_members_permission(world: World, repo: Repository, pull: PullRequest) -> None:
    nested_team(world, repo, pull)
    held = ("pull_requests", "contents", "actions", "checks", "statuses", "metadata")
    world.tokens[TOKEN].permissions = dict.fromkeys(held, "write")


def renamed_out_of(world: World, repo: Repository, pull: PullRequest) -> None:
    nvidia = ".github/configs/nvidia-master.yaml"
    pull.files.append(ChangedFile("configs/old.yaml", "renamed", previous_path=nvidia))


@pytest.mark.parametrize(
    ("change", "status"),
    [
        (owners("CODEOWNERS"), "pass"),
        (owners("docs/CODEOWNERS"), "pass"),
        (owners("src/CODEOWNERS"), "fail"),
        (nested_team, "pass"),
        (no_members_permission, "error"),
        (renamed_out_of, "fail"),
    ],
    ids=["root", "docs", "elsewhere", "nested team", "team unreadable", "former name"],
)
def test_who_owns_what(serve: Serve, command: InProcess, change: Change, status: str) -> None:
    result = judged(serve, command, change)
    assert result.check("codeowner")["status"] == status, result.everything


def rerun(world: World, repo: Repository, pull: PullRequest) -> None:
    """The linked run failed at first and is green in its second attempt."""
    run = repo.runs[1]
    run.attempt = 2
    first = [Job(job.id + 500, job.name, "failure") for job in run.jobs]
    for job in run.jobs:
        job.attempt = 2
    run.jobs += first


def first_attempt_only(world: World, repo: Repository, pull: PullRequest) -> None:
    rerun(world, repo, pull)
    for job in repo.runs[1].jobs:
        job.conclusion = "failure" if job.attempt == 2 else "success"


def many_runs(world: World, repo: Repository, pull: PullRequest) -> None:
    """More runs on the branch than GitHub lists for a search, all older than the good one."""
    for index in range(1001):
        run = sweep_run(index + 1, sha(f"old {index}"), pull.head_ref, "2026-06-01T00:00:00Z")
        run.jobs = run.artifacts = []
        repo.runs.append(run)


def other_event(world: World, repo: Repository, pull: PullRequest) -> None:
    repo.runs[1].event = "workflow_dispatch"


def other_workflow(world: World, repo: Repository, pull: PullRequest) -> None:
    repo.runs[1].workflow_path = ".github/workflows/e2e-tests.yml"


def own_workflow(world: World, repo: Repository, pull: PullRequest) -> None:
    pull.files.append(ChangedFile(SWEEP))


@pytest.mark.parametrize(
    ("change", "status"),
    [
        (rerun, "pass"),
        (first_attempt_only, "fail"),
        (many_runs, "pass"),
        (other_event, "fail"),
        (other_workflow, "fail"),
        (own_workflow, "review"),
        (lambda w, r, p: r.runs.clear(), "fail"),
    ],
    ids=[
        *("green re-run", "red re-run", "1,001 runs", "other event", "other workflow"),
        *("workflow changed", "no run"),
    ],
)
def test_what_ran(serve: Serve, command: InProcess, change: Change, status: str) -> None:
    result = judged(serve, command, change)
    assert result.check("sweep")["status"] == status, result.everything


def artifact(**fields: object) -> Change:
    def replace(world: World, repo: Repository, pull: PullRequest) -> None:
        kept = Artifact(31, "eval_results_all", {"agg_eval_all.json": eval_rows("minimaxm3")})
        for name, value in fields.items():
            setattr(kept, name, value)
        repo.runs[1].artifacts = [kept]

    return replace


def packed(*entries: tuple[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return stream.getvalue()


ROWS = eval_rows("minimaxm3")


@pytest.mark.parametrize(
    ("change", "statuses"),
    [
        (artifact(), ("pass",)),
        (artifact(files={"agg_eval_all.json": eval_rows("minimaxm3", 0.9)}), ("pass",)),
        (artifact(files={"agg_eval_all.json": eval_rows("minimaxm3", 0.899)}), ("fail",)),
        (artifact(files={"agg_eval_all.json": eval_rows("minimaxm3", float("nan"))}), ("fail",)),
        (artifact(files={"agg_eval_all.json": eval_rows("dsr1")}), ("fail",)),
        (artifact(files={"agg_eval_all.json": b"[]"}), ("fail",)),
        (artifact(files={"agg_eval_all.json": b"\xff"}), ("fail", "error")),
        (artifact(files={"other.json": ROWS}), ("fail",)),
        (artifact(name="eval_results"), ("fail",)),
        (artifact(expired=True), ("fail", "error")),
        (artifact(archive=b"no archive"), ("fail", "error")),
        (artifact(archive=packed(("../agg_eval_all.json", ROWS))), ("fail", "error")),
        (
            artifact(archive=packed(("agg_eval_all.json", ROWS), ("x", b"0" * 50_000_000))),
            ("fail", "error"),
        ),
        (lambda w, r, p: r.runs[1].artifacts.clear(), ("fail",)),
    ],
    ids=[
        *("sound", "at the threshold", "below it", "NaN", "another model", "no rows", "binary"),
        *("other file", "other name", "expired", "no archive", "leads outside", "bomb", "none"),
    ],
)
def test_what_the_evals_prove(
    serve: Serve, command: InProcess, change: Change, statuses: tuple[str, ...]
) -> None:
    result = judged(serve, command, change)
    assert result.check("eval")["status"] in statuses, result.everything


def test_the_rules_at_the_base_are_taken(serve: Serve, command: InProcess) -> None:
    def own_rules(world: World, repo: Repository, pull: PullRequest) -> None:
        rules = "schema: signoff-bot/rules/v1\nname: ours\nextends: inferencex-2026-06-24\n"
        repo.put(".github/signoff.yml", rules)
        # What the pull request itself says about rules counts for nothing.
        repo.trees[pull.head_sha][".github/signoff.yml"] = b"nonsense"

    result = judged(serve, command, own_rules, "--repo", REPO)
    assert (result.status, result.verdict["rules"]["name"]) == (0, "ours"), result.everything


def test_a_token_pasted_into_a_comment_is_not_saved(
    serve: Serve, command: InProcess, tmp_path_factory: pytest.TempPathFactory
) -> None:
    bundle = tmp_path_factory.mktemp("bundle") / "bundle.json"

    def leak(world: World, repo: Repository, pull: PullRequest) -> None:
        pull.comments.insert(0, Comment(1, CORE, f"curl -H 'Authorization: Bearer {TOKEN}'"))

    result = judged(serve, command, leak, "--rules", PACK, "--save-evidence", str(bundle))
    assert result.status == 0, result.err
    assert TOKEN not in bundle.read_text()
