"""The audit's page for the browser tests: its HTML, and what can be seen of it."""

from collections.abc import Iterable

from playwright.sync_api import Page
from support.audits import sample

from signoff_bot.audit.report import PullRow, Report
from signoff_bot.render.audit_face import render_audit
from signoff_bot.render.audit_words import worst_first

ALL = worst_first(sample().pulls)


def html(found: Report | None = None) -> str:
    return render_audit(found or sample(), "html")


def shown(page: Page) -> list[int]:
    """The numbers of the pull requests that can be seen, from the top."""
    bodies = page.locator("#table tbody:not([hidden])")
    return bodies.evaluate_all("found => found.map(b => +b.querySelector('a').text.split('#')[1])")


def numbers(rows: Iterable[PullRow]) -> list[int]:
    return [row.pr for row in rows]
