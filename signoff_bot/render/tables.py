"""The evidence as tables, for people who want to see what a verdict rests on.

Shows what was collected, read the way the checks read it; a fact that could not be read is a table
with nothing but the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from signoff_bot.evidence.actions import Job, Run
from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.model import Evidence
from signoff_bot.evidence.pull import Account, ChangedFile
from signoff_bot.reading.candidates import Signoff, find_signoffs
from signoff_bot.reading.codeowners import Codeowners, parse_codeowners
from signoff_bot.reading.links import server_of
from signoff_bot.reading.settings import SignoffRules

MAX_ROWS = 1000


@dataclass(frozen=True, slots=True)
class Cell:
    """One value; `code` for names of machines and files, `url` where it can be looked up."""

    text: str
    url: str | None = None
    code: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table of facts. `note` says what is not in it."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str | None = None


def evidence_tables(evidence: Evidence, rules: SignoffRules) -> tuple[Table, ...]:
    """All tables of one pull request's evidence, the shortest way to the verdict first."""
    return (
        _signoffs(evidence, rules),
        _files(evidence),
        _commits(evidence),
        *_runs("Workflow runs", "runs", evidence),
        *_runs("Runs on the head", "head_runs", evidence),
        *_upstream(evidence),
    )


def _table(title: str, columns: Sequence[str], rows: Iterable[tuple[Cell, ...]] | Unread) -> Table:
    if isinstance(rows, Unread):
        return Table(title, tuple(columns), (), rows.unread)
    found = tuple(rows)
    note = None if found else "none"
    if len(found) > MAX_ROWS:
        note = f"{len(found) - MAX_ROWS} more are in the evidence bundle"
    return Table(f"{title} ({len(found)})", tuple(columns), found[:MAX_ROWS], note)


def _signoffs(evidence: Evidence, rules: SignoffRules) -> Table:
    columns = ("By", "At", "Where", "State")
    if isinstance(evidence.comments, Unread):
        return _table("Sign-offs considered", columns, evidence.comments)
    found = reversed(find_signoffs(evidence.comments, rules))
    return _table("Sign-offs considered", columns, map(_signoff, found))


def _signoff(signoff: Signoff) -> tuple[Cell, ...]:
    problems = [str(problem) for problem in signoff.problems]
    state = "; ".join(["completed" if signoff.completed else "not completed", *problems])
    return (
        _login(signoff.author),
        Cell(signoff.at),
        Cell(signoff.comment.anchor, signoff.comment.url, code=True),
        Cell(signoff.unread or state),
    )


def _files(evidence: Evidence) -> Table:
    columns = ("Path", "Change", "Owners", "CODEOWNERS line")
    if isinstance(evidence.files, Unread):
        return _table("Changed files", columns, evidence.files)
    file = evidence.codeowners
    text = None if isinstance(file, Unread) else file.text
    owners = parse_codeowners(text) if isinstance(text, str) else None
    rows = (
        row
        for changed in evidence.files
        for path in (changed.path, changed.previous_path)
        if path is not None
        for row in [_file(path, changed, owners)]
    )
    return _table("Changed files", columns, rows)


def _file(path: str, changed: ChangedFile, owners: Codeowners | None) -> tuple[Cell, ...]:
    change = changed.status if path == changed.path else "previous name"
    line = None if owners is None else owners.match(path)
    if line is None:
        return (
            Cell(path, code=True),
            Cell(change),
            Cell("not known" if owners is None else "nobody"),
            Cell(""),
        )
    named = ", ".join(line.owners) or "nobody"
    where = Cell(f"{line.number}: {line.pattern}", code=True)
    return Cell(path, code=True), Cell(change), Cell(named), where


def _commits(evidence: Evidence) -> Table:
    columns = ("Commit", "Author", "Committer")
    if isinstance(evidence.commits, Unread):
        return _table("Commits in the pull request", columns, evidence.commits)
    rows = (
        (
            Cell(commit.sha, f"{evidence.pull.url}/commits/{commit.sha}", code=True),
            _login(commit.author),
            _login(commit.committer),
        )
        for commit in evidence.commits
    )
    return _table("Commits in the pull request", columns, rows)


def _runs(title: str, fact: Literal["runs", "head_runs"], evidence: Evidence) -> Iterator[Table]:
    """One table of runs, and one of jobs for each that has some; nothing if no rule asked."""
    runs: tuple[Run, ...] | Unread = getattr(evidence, fact)
    if runs == Evidence.model_fields[fact].default:
        return
    if isinstance(runs, Unread):
        yield _table(title, ("Run",), runs)
        return
    columns = ("Run", "Workflow", "Event", "Commit", "Result", "Jobs", "Created")
    yield _table(title, columns, map(_run, reversed(runs)))
    for run in reversed(runs):
        if run.jobs and not isinstance(run.jobs, Unread):
            yield _jobs(run, run.jobs)


def _run(run: Run) -> tuple[Cell, ...]:
    if isinstance(run.jobs, Unread):
        counted = run.jobs.unread
    else:
        results = Counter(_result(job) for job in run.jobs)
        counted = ", ".join(f"{count} {result}" for result, count in sorted(results.items()))
    return (
        Cell(f"{run.id} attempt {run.attempt}", run.url),
        Cell(run.workflow_path, code=True),
        Cell(run.event),
        Cell(run.head_sha[:12], code=True),
        Cell(run.conclusion or run.status),
        Cell(counted or "none"),
        Cell(run.created_at),
    )


def _jobs(run: Run, jobs: Sequence[Job]) -> Table:
    columns = ("Job", "Result", "Runner", "Started", "Completed")
    rows = (
        (
            Cell(job.name, job.url),
            Cell(_result(job)),
            Cell(job.runner or ""),
            Cell(job.started_at or ""),
            Cell(job.completed_at or ""),
        )
        for job in jobs
    )
    return _table(f"Jobs of run {run.id}", columns, rows)


def _result(job: Job) -> str:
    return job.conclusion or job.status


def _upstream(evidence: Evidence) -> Iterator[Table]:
    if not evidence.upstream:
        return
    server = server_of(evidence.pull.url)
    rows = []
    for pull in evidence.upstream:
        found = pull.found
        if found is None:
            state = "not found"
        elif isinstance(found, Unread):
            state = found.unread
        else:
            state = f"merged {found.merged_at}" if found.merged_at else found.state
        name = f"{pull.repo}#{pull.number}"
        rows.append((Cell(name, f"{server}/{pull.repo}/pull/{pull.number}"), Cell(state)))
    yield _table("Linked pull requests", ("Pull request", "State"), rows)


def _login(account: Account | None) -> Cell:
    return Cell("unknown" if account is None else account.login)
