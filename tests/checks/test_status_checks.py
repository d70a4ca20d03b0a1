"""What must be executed and green on the head, and what cannot prove it."""

import pytest
from support.build import REPO, account, changed, evidence, job, run

from signoff_bot.checks.base import Case
from signoff_bot.checks.status_checks import KIND, StatusChecksParameters
from signoff_bot.evidence.actions import CheckRun, RequiredCheck
from signoff_bot.evidence.base import MissingEvidence, Unread
from signoff_bot.evidence.repository import RepositoryFile, Team
from signoff_bot.reading.settings import SignoffRules

RULES = SignoffRules(phrase="I approve this change and have")
OTHER_APP, ACTIONS = 4711, 15368
CI, LINT = ".github/workflows/ci.yml", ".github/workflows/lint.yml"
UNREAD = Unread(unread="GitHub refused to tell (403)")


def required(*names, app=ACTIONS):
    return tuple(RequiredCheck(context=name, app_id=app) for name in names)


def report(name, conclusion="success", app=OTHER_APP, **fields):
    given = {
        "id": 1,
        "name": name,
        "app_id": app,
        "status": "completed" if conclusion else "in_progress",
        "conclusion": conclusion,
        "url": f"https://github.com/{REPO}/runs/1",
    } | fields
    return CheckRun(**given)


def ci(*jobs, id=900, **fields):
    return run(id, *jobs, **({"workflow_path": CI} | fields))


def judge(*runs, demands=(), reports=(), parameters=None, signers=("octavia-chen",), **facts):
    given = {"head_runs": runs, "required_checks": demands, "check_runs": reports} | facts
    case = Case(evidence(**given), RULES, None, tuple(map(account, signers)))
    return KIND.judge(case, StatusChecksParameters(**(parameters or {})))


def test_required_checks_executed_and_green_pass_whatever_else_ran():
    finding = judge(
        ci(job("test"), job("lint"), job("slow", "failure")), demands=required("test", "lint")
    )
    assert finding.status == "pass"
    assert finding.summary == "2 demanded checks executed and green on the head aaaaaaa"
    assert [link.url for link in finding.links] == [f"https://github.com/{REPO}/actions/runs/900"]


BAD_JOBS = {
    "failed": (job("test", "failure"), "test ended as failure"),
    "cancelled": (job("test", "cancelled"), "test ended as cancelled"),
    "timed out": (job("test", "timed_out"), "test ended as timed_out"),
    "neutral": (job("test", "neutral"), "test ended as neutral"),
    "running": (job("test", None, status="in_progress"), "test is in_progress"),
    "queued": (job("test", None), "test is queued"),
    "without a runner": (job("test", runner=None), "no runner executed it"),
    "skipped": (job("test", "skipped"), "was skipped, so it did not run"),
    "another name": (job("test (3.12)"), "test has no job"),
    "another letter case": (job("Test"), "test has no job"),
}


@pytest.mark.parametrize(("found", "says"), BAD_JOBS.values(), ids=BAD_JOBS)
def test_a_required_check_that_is_not_executed_and_green_fails(found, says):
    finding = judge(ci(found, job("lint")), demands=required("lint", "test"))
    assert finding.status == "fail"
    assert says in finding.summary
    assert finding.fix == (
        "wait until these checks are over, then verify again"
        if found.status != "completed"
        else "let these checks run to a green end on the head, then verify again"
    )
    assert [link.url for link in finding.links] == ([found.url] if found.name == "test" else [])


def test_the_gravest_outcome_leads_and_the_others_are_listed():
    finding = judge(
        ci(job("a", None), job("b", "failure"), job("c", "skipped"), job("d")),
        demands=required("a", "b", "c", "d"),
    )
    assert finding.summary == "b ended as failure on the head aaaaaaa, and 2 more not green"
    assert [detail.split()[0] for detail in finding.details] == ["b", "c", "a"]
    assert [link.label for link in finding.links] == ["b", "c", "a"]


def test_of_many_failures_the_first_are_told_and_the_rest_counted():
    finding = judge(ci(*(job(f"test-{n:02}", "failure") for n in range(30))))
    assert len(finding.details) == 11
    assert finding.details[-1] == "and 20 more"
    assert finding.summary.startswith("test-00 ended as failure")
    ten = judge(ci(*(job(f"test-{n}", "failure") for n in range(10))))
    assert [detail.split()[0] for detail in ten.details] == [f"test-{n}" for n in range(10)]
    two = judge(ci(job("test", "failure"), job("lint", "failure")))
    assert two.summary.endswith(", and 1 more not green")


def test_checks_that_are_only_unfinished_ask_for_patience():
    finding = judge(ci(job("test", None), status="in_progress"), demands=required("test"))
    assert finding.status == "fail"
    assert finding.fix == "wait until these checks are over, then verify again"


def test_a_skipped_twin_beside_an_executed_job_does_not_matter():
    twins = (ci(job("test")), ci(job("test", "skipped"), id=901, event="push"))
    assert judge(*twins, demands=required("test")).status == "pass"
    red = (ci(job("test")), ci(job("test", "failure"), id=901, event="push"))
    assert judge(*red, demands=required("test")).status == "fail"


def test_the_newest_run_of_a_workflow_and_event_counts():
    old, new = "2026-06-25T08:00:00Z", "2026-06-25T09:00:00Z"
    red = ci(job("test", "failure"), id=900, created_at=old)
    green = ci(job("test"), id=901, created_at=new)
    for order in ((red, green), (green, red)):
        assert judge(*order, demands=required("test")).status == "pass"
    red_again = ci(job("test", "failure"), id=902, created_at=new)
    assert judge(green, red_again, demands=required("test")).status == "fail"


@pytest.mark.parametrize("fields", [{"head_sha": "c" * 40}, {"repository_id": 2}])
def test_runs_of_another_commit_or_repository_prove_nothing(fields):
    assert judge(ci(job("test"), **fields), demands=required("test")).status == "fail"
    assert judge(ci(job("test"), **fields)).summary.startswith("nothing executed")


REPORTS = {
    "success": ((report("scan"),), "pass", "executed and green"),
    "failure": ((report("scan", "failure"),), "fail", "ended as failure, says app 4711"),
    "neutral": ((report("scan", "neutral"),), "fail", "ended as neutral"),
    "running": ((report("scan", None),), "fail", "is in_progress, says app 4711"),
    "newest red": ((report("scan"), report("scan", "failure", id=2)), "fail", "ended as failure"),
    "newest green": ((report("scan", "failure"), report("scan", id=2)), "pass", "green"),
    "other app": ((report("scan", app=99),), "fail", "has no report by app 4711"),
    "by Actions": ((report("scan", app=ACTIONS),), "fail", "has no report by app 4711"),
    "other name": ((report("scans"),), "fail", "has no report by app 4711"),
    "none": ((), "fail", "has no report by app 4711"),
}


@pytest.mark.parametrize(("reports", "status", "says"), REPORTS.values(), ids=REPORTS)
def test_a_check_required_from_another_app_rests_on_that_apps_last_report(reports, status, says):
    finding = judge(ci(job("scan")), demands=required("scan", app=OTHER_APP), reports=reports)
    assert finding.status == status
    assert says in finding.summary


def test_a_report_under_the_name_of_a_job_never_stands_for_it():
    forged = report("test", app=ACTIONS)
    assert judge(ci(job("lint")), demands=required("test"), reports=(forged,)).status == "fail"


def test_a_required_check_of_any_app_may_be_a_job():
    assert judge(ci(job("test")), demands=required("test", app=None)).status == "pass"


@pytest.mark.parametrize(
    ("reports", "says"),
    [
        ((), "a commit status of that name would prove nothing"),
        ((report("test"),), "reported by app 4711, which the branch rules do not name"),
        ((report("test", app=ACTIONS),), "a commit status of that name would prove nothing"),
    ],
)
def test_what_only_a_status_or_an_unnamed_app_vouches_for_is_for_a_person(reports, says):
    finding = judge(ci(job("lint")), demands=required("test", app=None), reports=reports)
    assert finding.status == "review"
    assert says in finding.summary
    assert finding.details == (finding.summary,)
    assert finding.fix == (
        "name the app that this check must come from in the rules of the base branch"
    )


def test_a_failure_outweighs_what_a_person_must_look_at():
    demands = required("status", app=None) + required("test")
    finding = judge(ci(job("test", "failure")), demands=demands)
    assert finding.status == "fail"
    assert len(finding.details) == 2


@pytest.mark.parametrize("demands", [(), None])
def test_without_required_checks_every_job_on_the_head_counts(demands):
    green = judge(
        ci(job("test"), job("deploy", "skipped")),
        run(901, job("lint"), workflow_path=LINT),
        demands=demands,
    )
    assert green.status == "pass"
    assert green.summary == "2 jobs executed and green on the head aaaaaaa"
    assert len(green.links) == 2
    red = judge(
        ci(job("test")), run(901, job("lint", "failure"), workflow_path=LINT), demands=demands
    )
    assert (red.status, red.summary) == ("fail", "lint ended as failure on the head aaaaaaa")


def test_branch_rules_that_the_token_may_not_read_are_mentioned():
    remark = "every job counts, since the token may not read the base branch's rules"
    assert judge(ci(job("test")), demands=None).details == (remark,)
    assert judge(demands=None).details == (remark,)


def test_branch_rules_that_failed_to_be_read_are_missing_evidence():
    with pytest.raises(MissingEvidence, match="GitHub refused to tell"):
        judge(ci(job("test")), demands=UNREAD)


NOTHING = {
    "no run": (),
    "only skipped jobs": (ci(job("test", "skipped"), conclusion="skipped"),),
    "a skipped run": (ci(conclusion="skipped"),),
}


@pytest.mark.parametrize("runs", NOTHING.values(), ids=NOTHING)
def test_a_head_on_which_nothing_executed_fails(runs):
    finding = judge(*runs)
    assert (finding.status, finding.summary) == ("fail", "nothing executed on the head aaaaaaa")
    assert (finding.details, finding.links) == ((), ())
    assert finding.fix == "let the checks run on the head, then verify again"


ODD_RUNS = {
    "approval awaited": (ci(conclusion="action_required"), "ended as action_required without any"),
    "could not start": (ci(conclusion="startup_failure"), "ended as startup_failure without any"),
    "no jobs yet": (ci(status="queued", conclusion=None), "is queued"),
    "more jobs to come": (ci(job("a"), status="in_progress", conclusion=None), "is in_progress"),
}


@pytest.mark.parametrize(("odd", "says"), ODD_RUNS.values(), ids=ODD_RUNS)
def test_a_run_that_is_not_over_or_has_no_jobs_fails(odd, says):
    finding = judge(odd, run(901, job("lint"), workflow_path=LINT))
    assert finding.status == "fail"
    assert f"{CI} {says}" in finding.summary
    assert [(link.label, link.url) for link in finding.links] == [(CI, odd.url)]


def test_our_own_workflow_and_status_are_not_waited_for():
    own = run(901, job("verify", None), workflow_path=".github/workflows/signoff.yml")
    parameters = {"ignore": ("signoff-bot", ".github/workflows/signoff.yml", "bot")}
    runs = (ci(job("test"), job("bot", "failure")), own)
    assert judge(*runs, parameters=parameters).status == "pass"
    assert judge(*runs).status == "fail"
    demands = required("test") + required("signoff-bot", app=None)
    assert judge(*runs, demands=demands, parameters=parameters).status == "pass"


def test_when_all_required_checks_are_ignored_every_job_counts():
    parameters = {"ignore": ("signoff-bot",)}
    demands = required("signoff-bot", app=None)
    red = ci(job("test", "failure"))
    assert judge(red, demands=demands, parameters=parameters).status == "fail"
    assert judge(ci(job("test")), demands=demands, parameters=parameters).status == "pass"


def test_named_checks_take_the_place_of_the_required_ones():
    parameters = {"names": ("test",)}
    runs = ci(job("test"), job("lint", "failure"))
    assert judge(runs, demands=required("lint"), parameters=parameters).status == "pass"
    assert judge(runs, demands=UNREAD, parameters=parameters).details == ()
    missing = judge(ci(job("lint")), demands=required("lint"), parameters=parameters)
    assert missing.status == "fail"
    forged = judge(ci(job("lint")), reports=(report("test"),), parameters=parameters)
    assert forged.status == "fail"


OWNERS = RepositoryFile(
    path="CODEOWNERS",
    ref="refs/heads/main",
    text="* @kiri-lund\n/.github/ @bram-ito\naction.y*ml @bram-ito\n",
)


@pytest.mark.parametrize(
    "path", [CI, ".github/actions/setup/action.yml", "action.yml", "tools/lint/action.yaml"]
)
@pytest.mark.parametrize("demands", [(), required("test")])
def test_a_changed_workflow_needs_a_look_unless_its_owner_signs(path, demands):
    facts = {"files": (changed(path), changed("README.md")), "codeowners": OWNERS}
    finding = judge(ci(job("test")), demands=demands, **facts)
    assert finding.status == "review"
    assert finding.summary == f"the pull request changes what its own checks run: {path}"
    assert "executed and green" in finding.details[0]
    assert finding.fix == "an owner of these files must look at the change, and sign off"
    assert [link.label for link in finding.links] == ["run 900"]
    signed = judge(ci(job("test")), demands=demands, signers=("octavia-chen", "bram-ito"), **facts)
    assert signed.status == "pass"


def test_a_renamed_workflow_needs_a_look_and_without_owners_nobody_can_clear_it():
    files = (changed("ci-old.yml", previous_path=CI),)
    codeowners = RepositoryFile(path="CODEOWNERS", ref="refs/heads/main", text=None)
    assert judge(ci(job("test")), files=files, codeowners=codeowners).status == "review"


def test_a_member_of_the_team_that_owns_a_changed_workflow_has_looked():
    teams = (Team(name="octo-org/ci", members=(account("octavia-chen"),)),)
    codeowners = OWNERS.model_copy(update={"text": "/.github/ @octo-org/ci\n"})
    facts = {"files": (changed(CI),), "codeowners": codeowners, "teams": teams}
    assert judge(ci(job("test")), **facts).status == "pass"
    assert judge(ci(job("test")), signers=("bram-ito",), **facts).status == "review"


@pytest.mark.parametrize("demands", [(), required("all green")])
def test_a_changed_workflow_that_a_run_may_have_called_needs_a_look(demands):
    run = ci(job("all green"), job("unit / test"))
    files = (changed(LINT), changed("README.md"))
    finding = judge(run, demands=demands, files=files, codeowners=OWNERS)
    assert finding.status == "review"
    assert finding.summary.endswith(f": {LINT}")


def test_a_changed_workflow_that_neither_ran_nor_was_called_does_not_matter():
    facts = {"files": (changed(LINT),), "codeowners": OWNERS}
    assert judge(ci(job("test")), **facts).status == "pass"


GAPS = {
    "runs": {"head_runs": UNREAD},
    "jobs": {"head_runs": (ci(jobs=UNREAD),)},
    "files": {"head_runs": (ci(job("test")),), "files": UNREAD},
    "reports": {
        "head_runs": (ci(job("test")),),
        "required_checks": required("scan", app=OTHER_APP),
        "check_runs": UNREAD,
    },
    "owners": {
        "head_runs": (ci(job("test")),),
        "files": (changed(CI),),
        "codeowners": UNREAD,
    },
}


@pytest.mark.parametrize("facts", GAPS.values(), ids=GAPS)
def test_a_fact_that_could_not_be_read_decides_nothing(facts):
    with pytest.raises(MissingEvidence, match="refused"):
        judge(**facts)


def test_reports_of_other_apps_are_not_asked_for_where_jobs_decide():
    assert judge(ci(job("test")), demands=required("test"), check_runs=UNREAD).status == "pass"


def test_the_check_needs_the_head_and_no_sign_off():
    needs = KIND.needs(StatusChecksParameters())
    assert (needs.head_checks, needs.files, needs.codeowners) == (True, True, True)
    assert not KIND.needs_signoff
