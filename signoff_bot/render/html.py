"""The verdict as one HTML page that stands alone: no script, no request, no other file.

Everything is escaped by the template engine, hidden characters are spelt out, only plain http(s)
addresses become links, and a content security policy forbids all but the page's own style sheet.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from signoff_bot.evidence.model import Evidence
from signoff_bot.packs.model import Rules
from signoff_bot.render.inert import is_plain_address, visible
from signoff_bot.render.tables import evidence_tables
from signoff_bot.render.words import MARKS, STATUS_LABELS, summary
from signoff_bot.verdict import Verdict


def render_html(verdict: Verdict, evidence: Evidence, rules: Rules) -> str:
    """The page; `evidence` and `rules` are what the verdict rests on."""
    style = _style()
    return (
        _environment()
        .get_template("verdict.html.j2")
        .render(
            verdict=verdict,
            summary=summary(verdict),
            pull=evidence.pull,
            collected_at=evidence.collected_at,
            rules_description=rules.description,
            tables=evidence_tables(evidence, rules.signoff),
            commit_page=f"{verdict.url}/commits/{verdict.head_sha}",
            style=Markup(style),  # noqa: S704 - our own file
            style_hash=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        )
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        autoescape=True,
        loader=PackageLoader("signoff_bot.render"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["visible"] = visible
    environment.tests["plain_address"] = is_plain_address
    environment.globals.update(marks=MARKS, labels=STATUS_LABELS)
    return environment


@cache
def _style() -> str:
    loader = _environment().loader
    assert loader is not None  # noqa: S101 - for the type checker
    return loader.get_source(_environment(), "style.css")[0].strip()
