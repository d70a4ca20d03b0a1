"""The evidence of a merged pull request as it stood at the merge: what came later does not count.

What cannot be known of that time any more (a comment edited since, a run that was run again) is
`Unread` with the reason, so that nothing is concluded from it.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from signoff_bot.evidence.actions import Artifact, CheckRun, Job, Run
from signoff_bot.evidence.base import Timestamp, Unread
from signoff_bot.evidence.conversation import Comment
from signoff_bot.evidence.model import Evidence
from signoff_bot.packs.model import Rules
from signoff_bot.reading.candidates import find_signoffs
from signoff_bot.reading.links import run_ids, server_of


def at_merge(evidence: Evidence, merged_at: Timestamp) -> Evidence:
    """The evidence without what was written or run after `merged_at`."""
    changes: dict[str, object] = {"collected_at": merged_at}
    if not isinstance(evidence.comments, Unread):
        changes["comments"] = tuple(
            _comment(comment, merged_at)
            for comment in evidence.comments
            if comment.created_at <= merged_at
        )
    for name in ("runs", "head_runs"):
        runs = getattr(evidence, name)
        if not isinstance(runs, Unread):
            changes[name] = tuple(
                _run(run, merged_at) for run in runs if run.created_at <= merged_at
            )
    if not isinstance(evidence.pushes, Unread):
        changes["pushes"] = tuple(push for push in evidence.pushes if push.at <= merged_at)
    if not isinstance(evidence.check_runs, Unread):
        changes["check_runs"] = tuple(_check(check, merged_at) for check in evidence.check_runs)
    return evidence.model_copy(update=changes)


def _comment(comment: Comment, merged_at: Timestamp) -> Comment:
    history = comment.history
    if isinstance(history, Unread) or (history.edited_at or "") <= merged_at:
        return comment
    reason = (
        f"{comment.url} was edited at {history.edited_at}, after the merge, so what it said at the "
        "merge is not known"
    )
    return comment.model_copy(update={"history": Unread(unread=reason)})


def _run(run: Run, merged_at: Timestamp) -> Run:
    if isinstance(run.jobs, Unread):
        return run
    if run.attempt > 1 and any((job.started_at or "") > merged_at for job in run.jobs):
        reason = Unread(unread=f"run {run.id} was run again after the merge")
        return run.model_copy(update={"jobs": reason})
    late = any((job.completed_at or "") > merged_at for job in run.jobs)
    changes: dict[str, object] = {"jobs": tuple(_job(job, merged_at) for job in run.jobs)}
    if late:
        changes |= {"status": "in_progress", "conclusion": None}
    return run.model_copy(update=changes)


def _job(job: Job, merged_at: Timestamp) -> Job:
    if (job.completed_at or "") <= merged_at:
        return job
    return job.model_copy(
        update={"status": "in_progress", "conclusion": None, "completed_at": None}
    )


def _check(check: CheckRun, merged_at: Timestamp) -> CheckRun:
    if (check.completed_at or "") <= merged_at:
        return check
    return check.model_copy(update={"status": "in_progress", "conclusion": None})


def restored(evidence: Evidence, stored: Evidence | None) -> Evidence:
    """The evidence, with what GitHub deleted meanwhile taken from an earlier bundle of the head."""
    if stored is None or stored.pull.head_sha != evidence.pull.head_sha:
        return evidence
    changes: dict[str, object] = {}
    for name in ("runs", "head_runs"):
        now, then = getattr(evidence, name), getattr(stored, name)
        if not isinstance(now, Unread) and not isinstance(then, Unread):
            changes[name] = _restored_runs(now, then)
    if evidence.check_runs == () and not isinstance(stored.check_runs, Unread):
        changes["check_runs"] = stored.check_runs
    return evidence.model_copy(update=changes)


def _restored_runs(now: tuple[Run, ...], then: tuple[Run, ...]) -> tuple[Run, ...]:
    earlier = {(run.id, run.attempt): run for run in then}
    found = {
        run.id: _restored_run(run, earlier[run.id, run.attempt])
        if (run.id, run.attempt) in earlier
        else run
        for run in now
    }
    gone = {run.id: run for run in then if run.id not in found}
    return tuple(run for _, run in sorted((found | gone).items()))


def _restored_run(now: Run, then: Run) -> Run:
    if isinstance(now.artifacts, Unread) or isinstance(then.artifacts, Unread):
        return now
    kept = {a.id: a for a in then.artifacts if not isinstance(a.files, Unread)}
    artifacts = {a.id: kept.get(a.id, a) if a.expired else a for a in now.artifacts}
    return now.model_copy(update={"artifacts": tuple((kept | artifacts).values())})


RUNS_KEPT = timedelta(days=400)
"""GitHub deletes what ran after this time."""


def gone(evidence: Evidence, rules: Rules, as_of: Timestamp) -> str | None:
    """What GitHub has deleted of the evidence by now, or None where nothing shows that it has."""
    runs = [
        run
        for found in (evidence.runs, evidence.head_runs)
        if not isinstance(found, Unread)
        for run in found
    ]
    for run in runs:
        artifacts: tuple[Artifact, ...] = () if isinstance(run.artifacts, Unread) else run.artifacts
        expired = [a.name for a in artifacts if a.expired and isinstance(a.files, Unread)]
        if expired:
            return f"the artifact {expired[0]} of run {run.id} has expired"
    missing = [run_id for run_id in _linked(evidence, rules) if run_id not in {r.id for r in runs}]
    if missing and rules.needs.workflows:
        return f"GitHub knows no run {missing[0]}, which the sign-off links; it may be deleted"
    merged_at = evidence.pull.merged_at or as_of
    if not runs and datetime.fromisoformat(as_of) - datetime.fromisoformat(merged_at) > RUNS_KEPT:
        return f"GitHub keeps what ran for {RUNS_KEPT.days} days, and this was merged earlier"
    return None


def _linked(evidence: Evidence, rules: Rules) -> tuple[int, ...]:
    """The runs of this repository that completed sign-offs link."""
    if isinstance(evidence.comments, Unread):
        return ()
    urls = [
        link.url
        for signoff in find_signoffs(evidence.comments, rules.signoff)
        if signoff.completed
        for link in signoff.form.links
    ]
    server = server_of(evidence.pull.url)
    return run_ids(urls, evidence.repository.full_name, server, rules.signoff.run_pages)
