"""The verdict for a terminal: coloured where the reader wants colour, wrapped where it has a width.

Text of the pull request passes through `visible`, so that no control character of its reaches the
terminal, and through rich's `Text`, which knows no markup.
"""

from __future__ import annotations

from io import StringIO

from rich.console import Console
from rich.text import Text

from signoff_bot.render.inert import visible
from signoff_bot.render.words import MARKS, STATUS_LABELS, check_name, summary
from signoff_bot.verdict import CheckReport, SignoffReport, Verdict

MAX_DETAILS = 20
"""Detail lines shown of one check; a terminal is no place for thousands of paths."""

STYLES = {
    "pass": "green",
    "fail": "red",
    "warn": "yellow",
    "na": "dim",
    "blocked": "dim",
    "review": "magenta",
    "error": "yellow",
    "pending": "yellow",
}


def console(*, color: bool, width: int) -> Console:
    """A console to capture from; it knows of the terminal only what the caller says."""
    return Console(
        file=StringIO(),
        force_terminal=color,
        color_system="standard" if color else None,
        legacy_windows=False,
        width=width,
        _environ={},
    )


class _Page:
    """Lines with a hanging indentation; without a width nothing is wrapped."""

    def __init__(self, *, color: bool, width: int | None) -> None:
        self._console = console(color=color, width=width or 80)
        self._width = width
        self._lines: list[str] = []

    def add(self, text: Text, indent: int = 0) -> None:
        """A paragraph; its continuation lines are indented two columns more."""
        if self._width is None:
            wrapped = [text]
        else:
            wrapped = list(text.wrap(self._console, max(self._width - indent - 2, 20)))
        for number, line in enumerate(wrapped):
            line.rstrip()
            self._lines.append(" " * (indent + 2 * (number > 0)) + self._drawn(line))

    def add_address(self, label: str, url: str, indent: int = 0) -> None:
        """An address, never wrapped, so that it can be clicked and copied."""
        line = Text(f"{visible(label, 80)}: " if label else "")
        line.append(visible(url, 2000), "cyan")
        self._lines.append(" " * indent + self._drawn(line))

    def blank(self) -> None:
        self._lines.append("")

    def text(self) -> str:
        return "\n".join(self._lines) + "\n"

    def _drawn(self, line: Text) -> str:
        with self._console.capture() as capture:
            self._console.print(line, end="", soft_wrap=True)
        return capture.get()


def render_text(verdict: Verdict, *, color: bool = False, width: int | None = None) -> str:
    """The verdict as text; `width` is the terminal's, None leaves every line whole."""
    page = _Page(color=color, width=width)
    page.add(
        Text.assemble(
            (verdict.verdict.upper(), f"bold {STYLES[verdict.verdict]}"),
            (f"  {visible(verdict.repo)}#{verdict.pr}", "bold"),
            f" at {verdict.head_sha[:7]}, rules {visible(verdict.rules.name)}",
        )
    )
    page.add(Text(f"{visible(summary(verdict), 1000)}."))
    page.add_address("", verdict.url)
    if verdict.signoff is not None:
        _add_signoff(page, verdict.signoff)
    for check in verdict.checks:
        page.blank()
        _add_check(page, check)
    return page.text()


def _add_signoff(page: _Page, signoff: SignoffReport) -> None:
    page.blank()
    completed = "" if signoff.completed else " (not completed)"
    page.add(Text(f"Sign-off{completed} by {visible(signoff.author)}, {signoff.at}"))
    for problem in signoff.problems:
        page.add(Text(visible(problem)), indent=2)
    page.add_address("", signoff.url, indent=2)


def _add_check(page: _Page, check: CheckReport) -> None:
    style = STYLES[check.status]
    page.add(
        Text.assemble(
            (f"{MARKS[check.status]} ", style),
            (f"{visible(check_name(check))}: ", "bold"),
            (STATUS_LABELS[check.status], f"bold {style}"),
        )
    )
    page.add(Text(visible(check.summary, 1000)), indent=2)
    for detail in check.details[:MAX_DETAILS]:
        page.add(Text(visible(detail, 1000), "dim"), indent=4)
    if len(check.details) > MAX_DETAILS:
        more = len(check.details) - MAX_DETAILS
        page.add(Text(f"... and {more} more; --format json has them all", "dim"), indent=4)
    if check.fix is not None:
        page.add(Text.assemble(("Fix: ", "bold"), visible(check.fix, 1000)), indent=2)
    for link in check.links:
        page.add_address(link.label, link.url, indent=2)
