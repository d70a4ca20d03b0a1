"""The merge queue: each pull request of a group is judged anew, and its commit gets a status.

The event runs the group's own copy of the workflow, so nothing but that status is written. It is
safe as far as the queue lets in only what passed before: who changes the workflow needs its owners.
"""

from __future__ import annotations

from signoff_bot.action.session import Outcomes, Result, Session
from signoff_bot.errors import SignoffBotError
from signoff_bot.event import Group
from signoff_bot.github.collect import read_rules
from signoff_bot.github.failures import RateLimited
from signoff_bot.github.merge_group import read_merge_group
from signoff_bot.github.plan import State, StatusPlan
from signoff_bot.packs.model import Rules
from signoff_bot.render.words import short, status_description


def settle_group(session: Session, group: Group, url: str | None) -> Outcomes:
    """Judges the pull requests of a group, and sets the status of its commit, leading to `url`.

    Raises:
        NotPublished: the status was not set.
        RateLimited: a limit kept the group from being judged; its status is left as it is.
        SignoffBotError: the rules at the base could not be read.
    """
    source = session.source
    rules = source.rules
    if not isinstance(rules, Rules):
        rules = read_rules(source.client, source.repo, group.base_ref, rules)
    outcomes = Outcomes()
    try:
        numbers = read_merge_group(
            source.client,
            source.repo,
            base_ref=group.base_ref,
            base_sha=group.base_sha,
            head_ref=group.head_ref,
            head_sha=group.head_sha,
        )
        for number in numbers:
            outcomes.results.append(Result(session.judge(number)))
    except RateLimited:
        raise
    except SignoffBotError as error:
        outcomes.failures.append(error)
    failure = _failure(outcomes)
    passing = f"{len(outcomes.results)} of {len(outcomes.results)} pull requests pass"
    state: State = "success" if failure is None else "failure"
    plan = StatusPlan(rules.publish.context, state, short(failure or passing), url)
    if session.inputs.set_status and rules.publish.status:
        session.desk.set_status(source.repo, group.head_sha, plan)
    return outcomes


def _failure(outcomes: Outcomes) -> str | None:
    """Why the group is no success: the first pull request that does not pass, or being unsure."""
    for verdict in outcomes.verdicts:
        if verdict.verdict != "pass":
            return f"#{verdict.pr}: {status_description(verdict)}"
    return str(outcomes.failures[0]) if outcomes.failures else None
