import pytest
from pydantic import ValidationError
from support.build import HEAD, account, changed, comment, job, pull, run
from support.judging import case, judged, said, signed

from signoff_bot.checks.sweep import KIND
from signoff_bot.evidence.actions import Step
from signoff_bot.evidence.base import MissingEvidence, Unread
from signoff_bot.evidence.pull import Commit, EarlierChange
from signoff_bot.evidence.repository import RepositoryFile, Team

WORKFLOW = ".github/workflows/run-sweep.yml"
RULES = {
    "workflow": WORKFLOW,
    "events": ("pull_request",),
    "lanes": {
        "single-node": ("single-node ",),
        "multi-node": ("multi-node ",),
        "eval": ("eval /", "multi-node eval /"),
    },
    "required": (("single-node", "multi-node"), ("eval",)),
}
OLD, LEFT = "d" * 40, "fa89765" + "0" * 33
BENCH = job("single-node 1k1k / / p1 | m3 fp8 b200 c1")
EVAL = job("eval / / p1 | m3 fp8 b200 c64 | eval-only")
GREEN = (BENCH, EVAL)
UNREAD = Unread(unread="GitHub refused")
LATER = "e" * 40
FILE = changed("bench.sh", sha="1" * 40, patch="@@ -1 +1 @@\n-a\n+b")
UNCHANGED = RULES | {"commit": "no-later-change"}
RUN_AGAIN = (
    "run the full sweep on a commit that is in this pull request now, and link that run in the "
    "sign-off"
)
RESULTS = "https://inferencex.semianalysis.com/inference?unofficialRun={}"


def commit(sha):
    return Commit(sha=sha, parents=(), author=None, committer=None)


def found(*runs, link=None, extra=(), rules=RULES, **facts):
    facts.setdefault("commits", (commit(OLD), commit(HEAD)))
    signoff = [signed(link)] if link else []
    return judged(KIND, case(*signoff, *extra, runs=runs, **facts), **rules)


def test_a_green_run_on_the_head_passes():
    finding = found(run(900, *GREEN))
    assert finding.status == "pass"
    assert finding.run_id == 900
    assert finding.summary == ("run 900: 1 eval and 1 single-node lanes green on aaaaaaa, the head")
    assert finding.links[0].url.endswith("/actions/runs/900")


def test_a_green_run_on_an_older_commit_of_the_pull_request_passes():
    skipped = run(901, job("eval /", "skipped"), created_at="2026-06-25T09:00:00Z")
    finding = found(skipped, run(900, *GREEN, head_sha=OLD))
    assert (finding.status, finding.run_id) == ("pass", 900)
    assert finding.summary.endswith(
        " lanes green on ddddddd, an earlier commit of this pull request"
    )


def test_where_only_the_head_counts_an_older_run_fails():
    finding = found(run(900, *GREEN, head_sha=OLD), rules=RULES | {"commit": "head"})
    assert finding.status == "fail"
    assert finding.summary == f"no run of run-sweep.yml on the head {HEAD[:7]}"


@pytest.mark.parametrize(
    ("then", "why"),
    [
        ((FILE,), None),
        (
            (changed("bench.sh", sha="2" * 40),),
            "the change is not the same now: bench.sh is changed differently",
        ),
        ((), "the change is not the same now: bench.sh was not among the changed files"),
        (
            (FILE, changed("b.sh")),
            "the change is not the same now: b.sh is no longer among the changed files",
        ),
        (UNREAD, "whether the change is the same now is not known: GitHub refused"),
        (
            None,
            "whether the change is the same now is not known: ",
        ),
    ],
)
def test_where_nothing_may_have_changed_since_an_older_run_must_have_measured_the_same(then, why):
    changes = () if then is None else (EarlierChange(sha=OLD, files=then),)
    old = run(900, *GREEN, head_sha=OLD)
    finding = found(old, rules=UNCHANGED, files=(FILE,), earlier_changes=changes)
    assert finding.status == ("fail" if why else "pass")
    assert finding.run_id == (None if why else 900)
    if why:
        assert finding.summary == (
            f"no run of run-sweep.yml on the head {HEAD[:7]}, or a commit with its change"
        )
        assert f"run 900 on {OLD} does not count: {why}" in said(finding)


def test_a_run_on_the_head_needs_no_comparison():
    assert found(run(900, *GREEN), rules=UNCHANGED, files=UNREAD).status == "pass"


def test_an_older_run_of_the_same_change_counts_beside_one_of_another():
    other = run(901, *GREEN, head_sha=LATER, created_at="2026-06-26T00:00:00Z")
    changes = (
        EarlierChange(sha=OLD, files=(FILE,)),
        EarlierChange(sha=LATER, files=(changed("b.sh"),)),
    )
    finding = found(
        other,
        run(900, *GREEN, head_sha=OLD),
        rules=UNCHANGED,
        files=(FILE,),
        earlier_changes=changes,
        commits=(commit(OLD), commit(LATER), commit(HEAD)),
    )
    assert finding.run_id == 900


def test_the_newest_good_run_is_taken():
    runs = [run(n, *GREEN, created_at=f"2026-06-25T0{n}:00:00Z") for n in (1, 3, 2)]
    assert found(*runs).run_id == 3


def test_an_older_good_run_is_taken_where_the_newest_is_red():
    red = run(2, BENCH, job(EVAL.name, "failure"), created_at="2026-06-25T09:00:00Z")
    assert found(red, run(1, *GREEN)).run_id == 1


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (run(900, BENCH, job(EVAL.name, "failure")), f"1 lane not green: {EVAL.name} (failure)"),
        (run(900, BENCH, job(EVAL.name, "cancelled")), "(cancelled)"),
        (run(900, BENCH, job(EVAL.name, "skipped")), "(skipped)"),
        (run(900, BENCH, job(EVAL.name, None)), "is not over yet, 1 lane to go"),
        (run(900, *GREEN, status="in_progress", conclusion=None), "is not over yet (in_progress)"),
        (run(900, BENCH, job("collect-evals / collect-evals")), "has no green eval lane"),
        (run(900, EVAL), "has no green single-node or multi-node lane"),
    ],
)
def test_a_run_that_is_not_good_says_why(bad, words):
    finding = found(bad)
    assert finding.status == "fail"
    assert finding.run_id is None
    assert finding.summary.startswith(
        "no green run on any of the pull request's 2 commits: run 900 on aaaaaaa "
    )
    assert words in finding.summary


def test_placeholders_alone_executed_nothing():
    finding = found(run(900, job("eval /", "skipped"), job("reuse-sweep-gate")))
    assert finding.summary == (
        "nothing executed on any of the pull request's 2 commits "
        "(run 900 holds skipped placeholders only)"
    )


@pytest.mark.parametrize(
    "fields",
    [
        {"repository_id": 2},
        {"workflow_path": ".github/workflows/e2e-tests.yml"},
        {"event": "workflow_dispatch"},
        {"head_sha": LEFT},
    ],
)
def test_a_green_run_of_another_identity_does_not_count(fields):
    finding = found(run(900, *GREEN, **fields))
    assert finding.status == "fail"
    assert finding.summary == ("no run of run-sweep.yml on any of the pull request's 2 commits")


def test_a_linked_run_whose_commit_left_is_said_after_the_root_issue():
    finding = found(run(900, *GREEN, head_sha=LEFT), link=RESULTS.format(900))
    assert finding.summary == (
        "no run of run-sweep.yml on any of the pull request's 2 commits; linked run 900 on fa89765 "
        "does not count: its commit is no longer in this pull request"
    )
    assert f"run 900 on {LEFT}, linked in the sign-off, does not count" in said(finding)
    assert finding.links[0].label == "run 900"


@pytest.mark.parametrize(
    ("link", "runs", "words"),
    [
        (RESULTS.format(77), (), "linked run 77 is unknown to GitHub in this repository"),
        (
            "https://github.com/kiri-lund/InferenceX/actions/runs/900",
            (),
            "linked run 900 belongs to kiri-lund/inferencex",
        ),
        (
            RESULTS.format(900),
            (run(900, *GREEN, workflow_path=".github/workflows/e2e-tests.yml"),),
            "is one of .github/workflows/e2e-tests.yml, not of .github/workflows/run-sweep.yml",
        ),
        (
            RESULTS.format(900),
            (run(900, *GREEN, event="workflow_dispatch", head_branch="main", head_sha=LEFT),),
            "was started by workflow_dispatch; only pull_request counts",
        ),
    ],
)
def test_a_linked_run_that_is_no_evidence_says_why(link, runs, words):
    finding = found(*runs, link=link)
    assert finding.status == "fail"
    assert words in finding.summary


def test_a_wrong_link_does_not_matter_where_a_good_run_exists():
    finding = found(run(900, *GREEN), run(5, *GREEN, head_sha=LEFT), link=RESULTS.format(5))
    assert finding.status == "pass"
    assert "linked in the sign-off, does not count" in said(finding)


def test_a_run_that_no_link_names_is_found_all_the_same():
    assert found(run(900, *GREEN), link="no link here").status == "pass"


def test_runs_that_bots_mention_are_listed_when_nothing_is_good():
    bot = account("github-actions[bot]", type="Bot")
    hints = [comment(f"see {RESULTS.format(n)}", bot, id=5000 + n) for n in (11, 12, 13, 14, 15)]
    finding = found(run(15, *GREEN, head_sha=LEFT), extra=hints)
    assert finding.status == "fail"
    assert (
        "mentioned by a bot: 15; each does not count: its commit is no longer in this pull request"
        in finding.details
    )
    assert (
        "mentioned by a bot: 14, 13, 12 and 1 more; each is no run of this workflow and branch"
        in finding.details
    )


def test_runs_that_people_mention_are_no_hints():
    finding = found(extra=[comment(f"see {RESULTS.format(11)}", "bram-ito")])
    assert "11" not in said(finding)


def test_many_runs_are_counted_rather_than_listed():
    red = [run(n, BENCH, job(EVAL.name, "failure")) for n in range(1, 10)]
    finding = found(*red)
    assert len(finding.details) == 6
    assert finding.details[-1] == "and 4 more runs"
    assert len(finding.links) == 5


@pytest.mark.parametrize(
    "facts",
    [{"runs": UNREAD}, {"runs": (), "commits": UNREAD}],
)
def test_unread_runs_or_commits_are_an_error(facts):
    with pytest.raises(MissingEvidence, match="GitHub refused"):
        judged(KIND, case(**facts), **RULES)


def test_a_run_with_unread_jobs_that_might_be_good_is_an_error():
    with pytest.raises(MissingEvidence, match="GitHub refused"):
        found(run(900, jobs=UNREAD), run(5, BENCH, job(EVAL.name, "failure")))


def test_unread_jobs_do_not_matter_where_another_run_is_good():
    newer = run(901, jobs=UNREAD, created_at="2026-06-25T09:00:00Z")
    finding = found(newer, run(900, *GREEN), link=RESULTS.format(901))
    assert (finding.status, finding.run_id) == ("pass", 900)


def test_unread_jobs_do_not_matter_where_the_run_cannot_count():
    assert found(run(900, jobs=UNREAD, head_sha=LEFT)).status == "fail"


@pytest.mark.parametrize(
    ("demands", "ran", "words"),
    [
        ({"min_seconds": 60}, {"completed_at": "2026-06-25T08:00:59Z"}, "over after 59 s"),
        (
            {"key_steps": ("Run evals",)},
            {"steps": (Step(number=1, name="Run evals", conclusion="failure"),)},
            "its step Run evals did not succeed",
        ),
    ],
    ids=["too short", "a step failed"],
)
def test_a_lane_that_did_not_do_its_work_is_not_green(demands, ran, words):
    steps = (Step(number=1, name="Run evals", conclusion="success"),)
    bench = job(BENCH.name, steps=steps)
    done = run(900, bench, job(EVAL.name, steps=steps))
    undone = run(900, bench, job(EVAL.name, **{"steps": steps} | ran))
    assert found(done, rules=RULES | demands).status == "pass"
    finding = found(undone, rules=RULES | demands)
    assert finding.status == "fail"
    assert f"1 lane not green: {EVAL.name} ({words})" in finding.summary
    assert found(undone).status == "pass"


def test_tolerated_lanes_are_told():
    cancelled = job("single-node 8k1k / / p2 | m3", "cancelled")
    finding = found(run(900, *GREEN, cancelled), rules=RULES | {"tolerate_cancelled": 1})
    assert finding.status == "pass"
    assert f"tolerated: {cancelled.name} (cancelled)" in finding.details


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (
            run(900, BENCH, job(EVAL.name, "failure")),
            "re-run the failed jobs of run 900, or run the full sweep again",
        ),
        (
            run(900, BENCH, job(EVAL.name, None), status="queued"),
            "wait until run 900 is over, then verify again",
        ),
        (run(900, BENCH), RUN_AGAIN),
        (run(900, job("eval /", "skipped")), RUN_AGAIN),
    ],
)
def test_the_fix_fits_the_issue(bad, words):
    assert found(bad).fix == words


class TestAPullRequestThatChangesItsOwnEvidence:
    rules = RULES | {"workflow_sources": (f"/{WORKFLOW}", "/utils/evals/")}
    codeowners = RepositoryFile(
        path=".github/CODEOWNERS",
        at="base",
        ref="refs/heads/main",
        text="* @octo-org/core\n/docs/ @octavia-chen\n/utils/evals/ @octavia-chen\n",
    )

    def found(self, *paths, by="octavia-chen", members=()):
        at = case(
            signed(by=by),
            runs=(run(900, *GREEN),),
            files=tuple(map(changed, paths)),
            codeowners=self.codeowners,
            teams=(Team(name="octo-org/core", members=members),),
        )
        return judged(KIND, at, **self.rules)

    def test_needs_a_look(self):
        finding = self.found(WORKFLOW, "docs/a.md")
        assert finding.status == "review"
        assert finding.summary == (
            f"the pull request changes what its own evidence runs: {WORKFLOW}"
        )
        assert finding.details == (
            "run 900: 1 eval and 1 single-node lanes green on aaaaaaa, the head",
            f"decides what the workflow runs: {WORKFLOW}",
        )
        assert finding.fix == "an owner of these files must look at the change, and sign off"

    def test_is_taken_from_an_owner_of_those_files(self):
        assert self.found("utils/evals/score.py").status == "pass"
        assert self.found(WORKFLOW, members=(account("octavia-chen"),)).status == "pass"

    def test_is_not_taken_from_just_any_owner_because_of_a_catch_all(self):
        assert self.found(WORKFLOW).status == "review"

    def test_is_an_error_where_an_unread_team_decides(self):
        with pytest.raises(MissingEvidence):
            self.found(WORKFLOW, members=UNREAD)

    def test_is_known_by_former_names_too(self):
        files = (changed("old.yml", previous_path=WORKFLOW, status="renamed"),)
        at = case(signed(), runs=(run(900, *GREEN),), files=files)
        assert judged(KIND, at, **self.rules).status == "pass"
        at = case(signed(by="kiri-lund"), runs=(run(900, *GREEN),), files=files)
        assert judged(KIND, at, **self.rules).status == "review"

    def test_does_not_matter_while_the_run_is_red(self):
        at = case(signed(), runs=(run(900, BENCH),), files=(changed(WORKFLOW),))
        assert judged(KIND, at, **self.rules).status == "fail"

    def test_other_changes_need_no_look(self):
        assert self.found("docs/a.md").status == "pass"

    def test_needs_a_look_where_nobody_owns_anything(self):
        none = RepositoryFile(path="CODEOWNERS", at="base", ref="refs/heads/main", text=None)
        at = case(signed(), runs=(run(900, *GREEN),), files=(changed(WORKFLOW),), codeowners=none)
        assert judged(KIND, at, **self.rules).status == "review"


def test_a_single_commit_is_named():
    finding = found(commits=(commit(HEAD),))
    assert finding.summary == f"no run of run-sweep.yml on the head {HEAD[:7]}"


def test_a_required_group_must_exist():
    expected = (
        "required: evals, single: no such group under lanes; "
        "there are eval, multi-node, single-node"
    )
    with pytest.raises(ValidationError, match=expected):
        KIND.parameters(**RULES | {"required": (("evals", "single"),)})


@pytest.mark.parametrize("key", ["events", "lanes", "required"])
def test_rules_that_demand_nothing_are_refused(key):
    with pytest.raises(ValidationError):
        KIND.parameters(**RULES | {key: {} if key == "lanes" else ()})


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"lanes": RULES["lanes"] | {"eval": ("",)}}, "lanes.eval.0"),
        ({"lanes": RULES["lanes"] | {"eval": ()}}, "lanes.eval"),
        ({"required": ((),)}, "required.0"),
        ({"lanes": {"a": ("x /",), "b": ("x /",)}, "required": (("a",),)}, "is of a and of b"),
        ({"workflow": "run-sweep.yml"}, "workflow"),
    ],
)
def test_lanes_that_take_in_every_job_or_none_are_refused(changes, said):
    with pytest.raises(ValidationError, match=said):
        KIND.parameters(**RULES | changes)


def test_by_default_any_commit_counts_and_nothing_is_tolerated():
    assert KIND.parameters(**RULES) == KIND.parameters(
        **RULES, commit="any", tolerate_cancelled=0, workflow_sources=()
    )
    assert not KIND.needs_signoff


def test_needs_say_what_to_collect():
    needs = KIND.needs(KIND.parameters(**RULES))
    (workflow,) = needs.workflows
    assert (workflow.path, workflow.events, workflow.commit) == (
        WORKFLOW,
        ("pull_request",),
        "any",
    )
    assert needs.commits
    assert not needs.files
    assert workflow.lanes == KIND.parameters(**RULES).lane_rules
    unchanged = KIND.needs(KIND.parameters(**UNCHANGED))
    assert [workflow.commit for workflow in unchanged.workflows] == ["no-later-change"]
    assert unchanged.files
    sources = KIND.needs(KIND.parameters(**RULES, workflow_sources=("/utils/",)))
    assert sources.files
    assert sources.codeowners


def test_the_pull_requests_own_branch_tells_a_left_commit_from_a_foreign_one():
    foreign = run(900, *GREEN, head_sha=LEFT, head_branch="main")
    finding = found(foreign, link=RESULTS.format(900), pull=pull())
    assert "its commit is not in this pull request" in finding.summary


def test_a_link_to_another_repositorys_run_of_the_same_number_is_not_confused():
    link = "https://github.com/kiri-lund/InferenceX/actions/runs/900"
    finding = found(run(900, BENCH), link=link)
    assert finding.summary.endswith("; linked run 900 belongs to kiri-lund/inferencex")
    assert finding.details == (
        "run 900, linked in the sign-off, belongs to kiri-lund/inferencex",
        f"run 900 on {HEAD} has no green eval lane",
    )


def test_several_empty_runs_are_told_together():
    empty = [run(n, job("eval /", "skipped")) for n in (900, 901, 902)]
    assert found(*empty).summary == (
        "nothing executed on any of the pull request's 2 commits "
        "(runs 902, 901 and 1 more hold skipped placeholders only)"
    )


def test_the_summary_names_one_lane_and_the_details_three():
    red = [job(f"eval / / m c{n}", "failure") for n in range(5)]
    finding = found(run(900, BENCH, *red))
    assert "eval / / m c0 (failure) and 4 more" in finding.summary
    assert "eval / / m c2 (failure) and 2 more" in finding.details[0]
