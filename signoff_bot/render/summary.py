"""The summary of a workflow's job: the verdicts of a run, as Markdown, within GitHub's limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from signoff_bot.render.budget import fit
from signoff_bot.render.inert import link, prose
from signoff_bot.render.words import EMOJI, summary
from signoff_bot.verdict import Verdict

MAX_BYTES = 1024 * 1024
"""A longer summary is not shown at all."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One judged pull request: its verdict as a comment would say it, and remarks about the run."""

    verdict: Verdict
    comment: str
    remarks: Sequence[str] = ()


def render_summary(entries: Sequence[Entry], remarks: Sequence[str] = ()) -> str:
    """All verdicts: a list of them, then each in full as far as there is room."""
    notes, budget = fit(
        (f"> {prose(remark, 1000)}\n" for remark in remarks),
        MAX_BYTES - 10_000,
        lambda more: f"> and {more} more\n",
    )
    lines, budget = fit(
        (_line(entry) for entry in entries), budget, lambda more: f"- and {more} more"
    )
    full, _ = fit(
        (_full(entry) for entry in entries),
        budget,
        lambda more: f"{more} more do not fit here; `report-json` has them all.",
        "\n\n",
    )
    shown = [notes, *([lines] if len(entries) > 1 else []), full]
    return "\n".join(part for part in shown if part) + "\n"


def _line(entry: Entry) -> str:
    verdict = entry.verdict
    return f"- {EMOJI[verdict.verdict]} {_page(verdict)}: {prose(summary(verdict))}"


def _full(entry: Entry) -> str:
    # Its first line is the hidden marker, which has no use here.
    said = entry.comment.partition("\n")[2].rstrip()
    remarks = "".join(f"\n\n> {prose(remark, 1000)}" for remark in entry.remarks)
    return f"## {_page(entry.verdict)}\n\n{said}{remarks}"


def _page(verdict: Verdict) -> str:
    return link(f"pull request {verdict.pr}", verdict.url)
