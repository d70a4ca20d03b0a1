"""A report for the public: of private repositories only numbers and classes are left."""

from __future__ import annotations

from signoff_bot.audit.report import PullRow, Report, RepositoryRow

HIDDEN = "(private)"


def redacted(report: Report) -> Report:
    """The report without names and texts of private repositories."""
    names = {
        row.repo: f"private-repository-{index}"
        for index, row in enumerate((r for r in report.repos if r.private), start=1)
    }
    return report.model_copy(
        update={
            "repos": tuple(
                sorted((_repository(r, names) for r in report.repos), key=lambda r: r.repo.lower())
            ),
            "pulls": tuple(
                sorted(
                    (_pull(r, names) for r in report.pulls), key=lambda r: (r.repo.lower(), r.pr)
                )
            ),
        }
    )


def _repository(row: RepositoryRow, names: dict[str, str]) -> RepositoryRow:
    if row.repo not in names:
        return row
    message = None if row.message is None else HIDDEN
    return row.model_copy(update={"repo": names[row.repo], "id": None, "message": message})


def _pull(row: PullRow, names: dict[str, str]) -> PullRow:
    if row.repo not in names:
        return row
    return row.model_copy(
        update={
            "repo": names[row.repo],
            "title": HIDDEN,
            "author": None,
            "head_sha": None,
            "signer": None,
            "signoff_url": None,
            "reasons": (HIDDEN,) * len(row.reasons),
            "fixable_by": (),
            "url": "",
            "checks": (),
            "evidence_digest": None,
        }
    )
