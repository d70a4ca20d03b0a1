"""Reuse rests on the word of somebody entitled to it, and on a run that holds results."""

from dataclasses import replace

import pytest
from support.build import HEAD, account, comment, job, pull, run
from support.judging import case, judged

from signoff_bot.checks.base import Case, Finding
from signoff_bot.checks.reuse import KIND, ReuseParameters
from signoff_bot.evidence.actions import Artifact
from signoff_bot.evidence.base import MissingEvidence, Unread
from signoff_bot.evidence.conversation import History
from signoff_bot.evidence.pull import Commit
from signoff_bot.reading.lanes import DueLane, LaneRules

OLD = "d" * 40
RULES = {
    "workflow": ".github/workflows/run-sweep.yml",
    "events": ("pull_request",),
    "results": ("results_bmk", "bmk_agentic_*"),
    "labels": ("full-sweep-enabled",),
    "barring_labels": ("evals-only",),
}
LANES = LaneRules(
    (("single-node ", "single-node"), ("eval /", "eval")),
    (),
    due=(DueLane(("single-node",), "m3", False), DueLane(("eval",), "m3", True)),
)
LANE, EVAL = "single-node 1k1k / / m3 fp8", "eval / / m3 fp8"
UNREAD = Unread(unread="HTTP 502")


def command(text="/reuse-sweep-run", by="ines-varga", **fields):
    return comment(text, by, **({"id": 50} | fields))


def artifact(name="results_bmk", **fields):
    return Artifact(**({"id": 1, "name": name, "size": 1, "expired": False, "files": ()} | fields))


def pinned_run(*jobs, **fields):
    given = {"head_sha": OLD, "artifacts": (artifact(),)} | fields
    return run(900, *(jobs or (job(LANE), job(EVAL))), **given)


def judge(*comments, sweep="pass", lanes=LANES, run_id=900, runs=None, rules=None, **facts):
    earlier = {"sweep": Finding(sweep, "", run_id=run_id, lanes=lanes)} if sweep else {}
    commits = tuple(Commit(sha=s, parents=(), author=None, committer=None) for s in (OLD, HEAD))
    given = {
        "commits": commits,
        "runs": (pinned_run(),) if runs is None else runs,
        "pull": pull(labels=("full-sweep-enabled",)),
    } | facts
    return judged(KIND, case(*comments, earlier=earlier, **given), **(RULES | (rules or {})))


def test_the_word_of_a_member_is_enough():
    finding = judge(command())
    assert (finding.status, finding.details, finding.fix) == ("pass", (), None)
    assert finding.summary == (
        "ines-varga at 2026-06-25T10:00:00Z asked for the newest good run to be reused"
    )
    assert [link.label for link in finding.links] == ["command by ines-varga"]
    assert finding.links[0].url.endswith("#issuecomment-50")


@pytest.mark.parametrize(
    ("comments", "words"),
    [
        ([], ""),
        ([command("Please /reuse-sweep-run")], ""),
        ([command("> /reuse-sweep-run")], ""),
        ([command("`/reuse-sweep-run 900`")], ""),
        ([command("/reuse-sweep-runs")], ""),
        (
            [command("/reuse-sweep-run 900", association="NONE")],
            "/reuse-sweep-run by ines-varga at 2026-06-25T10:00:00Z does not count: GitHub calls "
            "them NONE",
        ),
        ([command(association="CONTRIBUTOR")], "GitHub calls them CONTRIBUTOR"),
        (
            [command("/reuse-sweep-run the last one")],
            "/reuse-sweep-run the last one by ines-varga at 2026-06-25T10:00:00Z does not count: "
            "it names no run",
        ),
        ([command(f"/reuse-sweep-run {'x' * 90}")], f"/reuse-sweep-run {'x' * 42}… by ines"),
        ([command("/reuse-sweep-run 12x")], "it names no run"),
        ([command("/reuse-sweep-run -1")], "it names no run"),
        ([command(by=account("helper[bot]", type="Bot"))], ""),
    ],
)
def test_without_it_the_check_fails_and_says_who_may(comments, words):
    finding = judge(*comments)
    assert finding.status == "fail"
    assert finding.summary == "no authorized /reuse-sweep-run is on record"
    assert len(finding.details) == bool(words)
    assert words in "".join(finding.details)
    assert finding.fix == "an owner or member or collaborator must comment /reuse-sweep-run"


def test_many_commands_that_do_not_count_are_told_in_part():
    many = [command(association="NONE", id=n) for n in range(1, 20)]
    assert len(judge(*many).details) == 5


def test_the_newest_command_that_counts_is_taken():
    old = command("/reuse-sweep-run 7", id=1, created_at="2026-06-25T08:00:00Z")
    new = command("/reuse-sweep-run 900", id=2, by="noor-nv")
    outsider = command(id=3, association="NONE", created_at="2026-06-25T11:00:00Z")
    nonsense = command("/reuse-sweep-run x", id=4, created_at="2026-06-25T12:00:00Z")
    finding = judge(old, new, outsider, nonsense)
    assert finding.status == "pass"
    assert finding.summary.startswith("run 900, pinned by noor-nv")
    assert "run 7" in judge(old, new.model_copy(update={"body": "no"})).summary


def test_a_command_edited_by_its_author_counts_from_then_on():
    history = History(
        edited_at="2026-06-25T12:00:00Z", editors=(account("ines-varga"),), minimized=False
    )
    edited = command("/reuse-sweep-run", id=1, history=history)
    assert "2026-06-25T12:00:00Z" in judge(edited, command("/reuse-sweep-run 7", id=2)).summary


@pytest.mark.parametrize(
    "history", [UNREAD, History(edited_at=None, editors=(None,), minimized=False)]
)
def test_a_newest_command_of_unknown_history_decides_nothing(history):
    words = "^the newest /reuse-sweep-run, https://github.com/.*#issuecomment-50: "
    with pytest.raises(MissingEvidence, match=words):
        judge(command(history=history))
    older = command("/reuse-sweep-run", id=1, created_at="2026-06-25T08:00:00Z", history=history)
    assert judge(older, command()).status == "pass"


def test_a_pinned_run_that_holds_what_is_due_passes():
    finding = judge(command("/reuse-sweep-run 900"))
    assert finding.status == "pass"
    assert finding.summary == (
        "run 900, pinned by ines-varga at 2026-06-25T10:00:00Z, holds what is due on ddddddd"
    )
    assert [link.label for link in finding.links] == ["command by ines-varga", "run 900"]
    assert finding.links[1].url == pinned_run().url


def test_a_pinned_run_may_be_red_otherwise_and_the_lanes_are_told():
    red = pinned_run(job(LANE), job(EVAL), job(f"{LANE} c8", "failure"), conclusion="cancelled")
    finding = judge(command("/reuse-sweep-run 900"), runs=(red,))
    assert finding.status == "pass"
    assert f"run 900 has 1 lane not green: {LANE} c8 (failure)" in finding.details
    short = pinned_run(job(LANE), job(EVAL), job(f"{LANE} c8", completed_at="2026-06-25T08:00:09Z"))
    lanes = replace(LANES, min_seconds=60)
    finding = judge(command("/reuse-sweep-run 900"), runs=(short,), lanes=lanes)
    assert finding.details == (f"run 900 has 1 lane not green: {LANE} c8 (over after 9 s)",)


PINNED = {
    "unknown": ((), "is unknown to GitHub in this repository"),
    "left": ((pinned_run(head_sha="f" * 40),), "does not count: its commit is"),
    "of main": ((pinned_run(event="workflow_dispatch"),), "was started by workflow_dispatch"),
    "another workflow": ((pinned_run(workflow_path="x.yml"),), "is one of x.yml"),
    "of a fork": ((pinned_run(repository_id=2),), "belongs to another repository"),
    "going on": ((pinned_run(status="in_progress"),), "is not over yet (in_progress)"),
    "a lane lacks": ((pinned_run(job(LANE)),), "has no green eval lane of m3"),
    "a lane is red": (
        (pinned_run(job(LANE, "failure"), job(EVAL)),),
        "has no green single-node lane of m3",
    ),
    "placeholders": (
        (pinned_run(job("eval /", "skipped")),),
        "has no green single-node lane of m3 and no green eval lane of m3",
    ),
    "no artifact": ((pinned_run(artifacts=()),), "has no results: no artifact results_bmk or"),
    "another artifact": ((pinned_run(artifacts=(artifact("logs"),)),), "has no results: "),
    "expired": (
        (pinned_run(artifacts=(artifact(expired=True),)),),
        "has no results any more: results_bmk expired",
    ),
}


@pytest.mark.parametrize(("runs", "words"), PINNED.values(), ids=PINNED)
def test_a_pinned_run_without_what_is_due_fails(runs, words):
    finding = judge(command("/reuse-sweep-run 900"), runs=runs)
    assert finding.status == "fail"
    title = "run 900, pinned by ines-varga at 2026-06-25T10:00:00Z, "
    assert finding.summary.startswith(title + words)
    assert finding.fix == (
        "comment /reuse-sweep-run with the number of a run on a commit of this pull request that "
        "holds what is due"
    )
    pages = [("run 900", run.url) for run in runs]
    assert finding.links[0].label == "command by ines-varga"
    assert [(link.label, link.url) for link in finding.links[1:]] == pages


def test_one_result_that_has_not_expired_is_enough():
    artifacts = (artifact(expired=True), artifact("bmk_agentic_x", id=2))
    runs = (pinned_run(artifacts=artifacts),)
    assert judge(command("/reuse-sweep-run 900"), runs=runs).status == "pass"


@pytest.mark.parametrize("name", ["jobs", "artifacts"])
def test_a_pinned_run_that_could_not_be_read_decides_nothing(name):
    runs = (pinned_run().model_copy(update={name: UNREAD}),)
    with pytest.raises(MissingEvidence, match="502"):
        judge(command("/reuse-sweep-run 900"), runs=runs)


def test_labels_are_told_and_do_not_fail():
    finding = judge(command(), pull=pull(labels=("Evals-Only",)))
    assert finding.status == "pass"
    assert finding.details == (
        "none of the labels is there that ask for a sweep: full-sweep-enabled",
        "the label evals-only keeps the project's tooling from reusing a sweep",
    )
    assert judge(command(), pull=pull(labels=()), rules={"labels": ()}).details == ()
    either = judge(command(), pull=pull(labels=()), rules={"labels": ("sweep", "full-sweep")})
    assert either.details[0].endswith(" that ask for a sweep: sweep, full-sweep")
    pinned = judge(command("/reuse-sweep-run 900"), pull=pull(labels=("evals-only",)), runs=())
    assert (pinned.status, len(pinned.details)) == ("fail", 2)


def test_where_nothing_is_measured_nothing_is_reused():
    finding = judge(sweep="na")
    assert finding == Finding("na", "nothing is measured, so nothing is reused")


def test_a_pinned_run_cannot_be_judged_where_nobody_says_what_is_due():
    finding = judge(command("/reuse-sweep-run 900"), sweep="error", lanes=None)
    assert finding == Finding("blocked", "the check sweep does not say which lanes are due")
    assert judge(command(), sweep="error", lanes=None).status == "pass"
    assert judge(command("/reuse-sweep-run 900"), sweep=None).status == "blocked"


def test_a_pack_may_demand_the_command_for_older_runs_only():
    on_head = (pinned_run(head_sha=HEAD),)
    rules = {"demanded": "reused"}
    assert judge(runs=on_head, rules=rules) == Finding(
        "na", "nothing is reused: the sweep was executed on the head itself"
    )
    assert judge(rules=rules).status == "fail"
    assert judge(runs=on_head, run_id=None, rules=rules).status == "fail"
    assert judge(runs=on_head, sweep=None, rules=rules).status == "fail"
    assert judge(runs=on_head).status == "fail"


def test_a_pack_may_know_the_command_by_several_names():
    rules = {"commands": ("/reuse-sweep-run", "/use")}
    assert judge(command("/use 900"), rules=rules).status == "pass"
    assert "/reuse-sweep-run or /use" in judge(rules=rules).summary


def test_comments_that_could_not_be_read_decide_nothing():
    at = case(runs=())
    evidence = at.evidence.model_copy(update={"comments": UNREAD})
    with pytest.raises(MissingEvidence, match="502"):
        judged(KIND, Case(evidence, at.rules, None, ()), **RULES)


def test_it_asks_for_the_histories_and_the_pinned_runs():
    needs = KIND.needs(ReuseParameters.model_validate(RULES))
    assert needs.commands == needs.run_commands == {"/reuse-sweep-run"}
    assert needs.commits
    assert not KIND.needs_signoff
