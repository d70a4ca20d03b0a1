"""The verdict as one HTML page that stands alone: no script, no request, no other file.

Everything is escaped by the template engine, hidden characters are spelt out, only plain http(s)
addresses become links, and a content security policy forbids all but the page's own style sheet.
"""

from __future__ import annotations

from signoff_bot.evidence.model import Evidence
from signoff_bot.packs.model import Rules
from signoff_bot.render.page import source, source_hash, template
from signoff_bot.render.tables import evidence_tables
from signoff_bot.render.words import summary
from signoff_bot.verdict import Verdict


def render_html(verdict: Verdict, evidence: Evidence, rules: Rules) -> str:
    """The page; `evidence` and `rules` are what the verdict rests on."""
    style = source("style.css")
    return template("verdict.html.j2").render(
        verdict=verdict,
        summary=summary(verdict),
        pull=evidence.pull,
        collected_at=evidence.collected_at,
        rules_description=rules.description,
        tables=evidence_tables(evidence, rules.signoff),
        commit_page=f"{verdict.url}/commits/{verdict.head_sha}",
        style=style,
        style_hash=source_hash(style),
    )
