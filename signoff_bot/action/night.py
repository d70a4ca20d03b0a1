"""The schedule: an audit of all open pull requests, which posts where a status is untrue.

`signoff-bot audit --state open --post` is the same, with a choice of reports, and a store.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from signoff_bot.action.annotations import annotated
from signoff_bot.action.inputs import Inputs
from signoff_bot.action.outputs import write_outputs, write_report, write_summary
from signoff_bot.action.outside import Outside
from signoff_bot.action.report import exit_status, numbered, worst_of
from signoff_bot.audit.budget import Limits
from signoff_bot.audit.post import Posting
from signoff_bot.audit.report import PullRow
from signoff_bot.audit.run import Audited, Order
from signoff_bot.audit.scope import Scope, now
from signoff_bot.audit.start import start
from signoff_bot.packs.model import Rules
from signoff_bot.posting import Wishes
from signoff_bot.render.audit_face import SUMMARY_LIMIT, render_audit
from signoff_bot.verdict import Outcome

MOST_POSTS = 100
"""On how many pull requests one night posts, so that GitHub takes it."""


def audit_all(outside: Outside, inputs: Inputs, rules: Rules | str | None) -> int:
    """Audits all open pull requests but drafts, and tells; returns the exit status.

    Raises:
        InvalidInput: a file cannot be written.
        GitHubFailure: a token cannot be one.
    """
    saved: list[str] = []

    def save(row: PullRow, bundle: bytes) -> None:
        path = numbered(PurePath(inputs.save_evidence or ""), row.pr)
        outside.write_file(path, bundle)
        saved.append(path)

    order = Order(
        Scope(
            repos=(inputs.repo,),
            state="open",
            since=None,
            rules=rules.digest if isinstance(rules, Rules) else None,
            drafts=False,
            redact=False,
        ),
        rules,
        None,
        inputs.token,
        inputs.members_token,
        _posting(inputs),
        save if inputs.save_evidence is not None else None,
    )
    audited = start(outside.connect, outside.say, order, Limits(), now())
    return _report(outside, inputs, audited, saved)


def _posting(inputs: Inputs) -> Posting | None:
    wishes = Wishes(comment=inputs.post_comment, status=inputs.set_status)
    if not (wishes.comment or wishes.status):
        return None
    return Posting(MOST_POSTS, wishes, inputs.also_ours)


def _report(outside: Outside, inputs: Inputs, audited: Audited, saved: list[str]) -> int:
    report, troubles = audited.report, audited.troubles
    verdicts: list[Outcome] = [row.verdict or "error" for row in report.pulls]
    status = exit_status(verdicts, inputs.fail_on or "error")
    for line in _lines(audited):
        outside.say(line)
    for command in annotated(troubles, report.pulls, "error" if status else "warning"):
        outside.command(command)
    write_summary(outside.environ, render_audit(report, "markdown", limit=SUMMARY_LIMIT))
    outputs = {
        "verdict": "error" if troubles else worst_of(verdicts) or "",
        "report-json": write_report(outside.environ, report.to_json()),
    }
    if saved:
        outputs["evidence-path"] = "\n".join(saved)
    write_outputs(outside.environ, outputs)
    return 3 if troubles else status


def _lines(audited: Audited) -> Iterator[str]:
    for row in audited.report.pulls:
        said = row.reasons[0] if row.reasons else "every check passes"
        yield f"#{row.pr}: {row.class_}: {said}"
    yield from audited.report.notes
