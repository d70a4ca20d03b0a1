"""Tells what came of a run: in the log, on its page, in its outputs, and by its exit status."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath

from signoff_bot.action.annotations import annotated
from signoff_bot.action.inputs import FailOn
from signoff_bot.action.outputs import write_outputs, write_report, write_summary
from signoff_bot.action.outside import Outside
from signoff_bot.action.session import WORST_LAST, Outcomes, Result
from signoff_bot.errors import SignoffBotError
from signoff_bot.github.status import NotPublished
from signoff_bot.render.summary import Entry, render_summary
from signoff_bot.render.words import summary
from signoff_bot.service import EXIT_STATUS, comment_of
from signoff_bot.verdict import Outcome

_FAILING: dict[FailOn, tuple[Outcome, ...]] = {
    "never": (),
    "error": ("error",),
    "fail": ("error", "fail"),
    "pending": ("error", "fail", "pending"),
}
_UNWRITTEN = "Nothing was written: this event may run a pull request's own copy of the workflow"


def report(
    outside: Outside,
    save_evidence: str | None,
    outcomes: Outcomes,
    fail_on: FailOn,
    *,
    writes: bool,
) -> int:
    """Reports the outcomes; returns the exit status that they and `fail_on` ask for.

    Raises:
        InvalidInput: a file cannot be written.
    """
    failures = [*outcomes.failures, *_refusals(outcomes.results)]
    status = exit_status([verdict.verdict for verdict in outcomes.verdicts], fail_on)
    entries = [
        Entry(result.judgement.verdict, comment_of(result.judgement), list(_remarks(result)))
        for result in outcomes.results
    ]
    _log(outside, entries, failures)
    remarks = [*map(str, failures), *([] if writes else [_UNWRITTEN])]
    if entries or failures:
        write_summary(outside.environ, render_summary(entries, remarks))
    write_outputs(outside.environ, _outputs(outside, save_evidence, outcomes))
    # Last, as a file that cannot be written is shown beside none of them: there is room for ten.
    judged = [entry.verdict for entry in entries]
    for command in annotated(map(str, failures), judged, "error" if status else "warning"):
        outside.command(command)
    return max([status, *(failure.exit_status for failure in failures)])


def exit_status(verdicts: Iterable[Outcome], fail_on: FailOn) -> int:
    """The exit status that verdicts ask for."""
    failing = [verdict for verdict in verdicts if verdict in _FAILING[fail_on]]
    return max((EXIT_STATUS[verdict] for verdict in failing), default=0)


def worst_of(verdicts: Iterable[Outcome]) -> Outcome | None:
    """The worst of several verdicts; None of none."""
    return max(verdicts, key=WORST_LAST.index, default=None)


def numbered(path: PurePath, number: int) -> str:
    """The path of one of several files, each with the number of its pull request in the name."""
    return str(path.with_name(f"{path.stem}-{number}{path.suffix}"))


def tell(outside: Outside, failure: SignoffBotError) -> None:
    """Says in the log what went wrong."""
    for line in str(failure).split("\n"):
        outside.say(line)


def _refusals(results: Sequence[Result]) -> Iterator[SignoffBotError]:
    """Comments that the token may not write: the workflow needs another permission."""
    for result in results:
        published = result.published
        if published is not None and published.refused and published.warning is not None:
            yield NotPublished(published.warning)


def _remarks(result: Result) -> Iterator[str]:
    published = result.published
    if published is not None and published.warning is not None:
        yield f"warning: {published.warning}"
    if published is not None and published.held_back is not None:
        yield f"the status is no success: {published.held_back}"


def _log(outside: Outside, entries: Sequence[Entry], failures: Sequence[SignoffBotError]) -> None:
    for entry in entries:
        verdict = entry.verdict
        outside.say(f"#{verdict.pr}: {verdict.verdict.upper()}: {summary(verdict)}")
        for remark in entry.remarks:
            outside.say(f"#{verdict.pr}: {remark}")
    for failure in failures:
        tell(outside, failure)


def _outputs(outside: Outside, save_evidence: str | None, outcomes: Outcomes) -> dict[str, str]:
    worst = outcomes.worst
    found = {"verdict": "error" if outcomes.failures else ""}
    if worst is None:
        return found
    found["verdict"] = found["verdict"] or worst.judgement.verdict.verdict
    found["report-json"] = write_report(outside.environ, _json_lines(outcomes))
    if worst.published is not None and worst.published.comment_url is not None:
        found["comment-url"] = worst.published.comment_url
    if save_evidence is not None:
        found["evidence-path"] = "\n".join(_save(outside, save_evidence, outcomes.results))
    return found


def _json_lines(outcomes: Outcomes) -> str:
    lines = [verdict.model_dump_json(by_alias=True) for verdict in outcomes.verdicts]
    return "".join(f"{line}\n" for line in lines)


def _save(outside: Outside, path: str, results: Sequence[Result]) -> Iterator[str]:
    """Saves every bundle: one under the path itself, several with the numbers in their names."""
    for result in results:
        several = len(results) > 1
        number = result.judgement.evidence.pull.number
        file = numbered(PurePath(path), number) if several else path
        outside.write_file(file, result.judgement.bundle)
        yield file
