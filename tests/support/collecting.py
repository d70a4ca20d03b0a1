"""Collects evidence from a loopback GitHub, for rules that need what a test is about."""

from __future__ import annotations

from typing import Any

from support.wire_inferencex import PHRASE, REPO, SWEEP, TOKEN
from wire.loopback.server import Loopback

from signoff_bot.checks.base import CheckKind, Finding, Parameters
from signoff_bot.checks.needs import ArtifactNeed, Needs, WorkflowNeed
from signoff_bot.evidence.conversation import SignoffRef
from signoff_bot.evidence.model import Evidence
from signoff_bot.github.client import GitHubClient, connect
from signoff_bot.github.collect import collect
from signoff_bot.github.retry import Patience
from signoff_bot.packs.model import Check, Publication, Rules
from signoff_bot.reading.lanes import LaneRules
from signoff_bot.reading.settings import RunPage, SignoffRules

LANES = LaneRules(
    prefixes=(("multi-node ", "multi-node"), ("multi-node eval /", "eval")),
    required=(("multi-node",), ("eval",)),
)
SWEEP_NEED = WorkflowNeed(SWEEP, ("pull_request",), LANES)
EVALS = ArtifactNeed(SWEEP, "eval_results_all", "agg_eval_all.json")


def rules_needing(template_file: str | None = None, **needs: Any) -> Rules:
    """Rules whose one check needs this."""
    kind: CheckKind[Parameters] = CheckKind(
        "test", "", Parameters, lambda _: Needs(**needs), lambda *_: Finding("pass", ""), True
    )
    check = Check("test", 0, "test", kind, Parameters(), True, True, None)
    return Rules(
        name="test",
        description="",
        signoff=SignoffRules(
            phrase=PHRASE.rstrip(":"),
            template_file=template_file,
            run_pages=(RunPage(host="results.test", parameter="run"),),
        ),
        publish=Publication(context="test"),
        time_zone="UTC",
        checks=(check,),
        data={},
        digest="sha256:0",
    )


def client_of(github: Loopback, token: str = TOKEN) -> GitHubClient:
    """A client that does not wait between its tries."""
    return connect(github.url, token, patience=Patience(tries=3, first_delay=0.0))


def collected(
    github: Loopback,
    number: int = 2001,
    *,
    repo: str = REPO,
    signoff: SignoffRef | None = None,
    rules: Rules | None = None,
    **needs: Any,
) -> Evidence:
    """The evidence that `rules` need, or rules with these needs."""
    with client_of(github) as client:
        evidence, _ = collect(client, repo, number, signoff, rules or rules_needing(**needs))
    return evidence
