"""Whether a run measured the images that the pull request submits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from signoff_bot.checks.base import Case
from signoff_bot.checks.configs import changed_files, config_changes
from signoff_bot.evidence.actions import Run
from signoff_bot.evidence.base import MissingEvidence, known
from signoff_bot.evidence.repository import RepositoryFile
from signoff_bot.reading.config_entries import Entry, entries
from signoff_bot.reading.wording import short


def image_issues(case: Case, run: Run, configs: Sequence[str]) -> Iterator[str]:
    """A line on each changed entry whose image at the run's commit was another one, or not there.

    Raises:
        MissingEvidence: the configurations at the run's commit could not be read.
    """
    if not configs or run.head_sha == case.evidence.pull.head_sha:
        return
    submitted = [c.after for c in config_changes(case, configs) if c.after and c.submitted]
    measured = _entries_at_run(case, run, configs, {entry.key for entry in submitted})
    for entry in submitted:
        then = measured.get(entry.key)
        if then is None:
            commit = short(run.head_sha)
            yield f"{entry.place()} was not there yet on {commit}, which run {run.id} measured"
        elif then.image != entry.image:
            yield (
                f"{entry.place()} has the image {entry.image}, and run {run.id} measured "
                f"{then.image}"
            )


def _entries_at_run(
    case: Case, run: Run, configs: Sequence[str], keys: set[str]
) -> dict[str, Entry]:
    """The entries of these keys in the changed configurations, as the run's commit has them."""
    found: dict[str, Entry] = {}
    names = {
        name
        for file in changed_files(case, configs)
        for name in (file.before_path, file.after_path)
        if name is not None
    }
    for name in sorted(names):
        file = known(case.evidence.content(name, "run"))
        _check_place(file, run)
        text = known(file.text)
        found |= {entry.key: entry for entry in entries(text, name, keys=keys.__contains__)}
    return found


def _check_place(file: RepositoryFile, run: Run) -> None:
    if file.ref != run.head_sha:
        raise MissingEvidence(
            f"{file.path} was collected at {file.ref}, and run {run.id} was on {run.head_sha}; "
            "collect the evidence again with these rules"
        )
