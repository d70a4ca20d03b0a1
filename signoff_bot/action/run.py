"""The run of the Action: what the event asks for is judged, published, and reported."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import PurePath

from signoff_bot.action.annotations import annotated
from signoff_bot.action.group import settle_group
from signoff_bot.action.inputs import read_inputs
from signoff_bot.action.outputs import write_outputs
from signoff_bot.action.outside import Outside
from signoff_bot.action.report import report, tell
from signoff_bot.action.session import Limits, Outcomes, Session, newest_review
from signoff_bot.errors import InvalidInput, SignoffBotError
from signoff_bot.event import Branch, Event
from signoff_bot.evidence.conversation import SignoffRef
from signoff_bot.github.failures import RateLimited
from signoff_bot.github.pulls_by_head import read_pulls_by_head
from signoff_bot.github.tasks import Tasks
from signoff_bot.packs.load import load_named, pack_file
from signoff_bot.packs.model import Rules
from signoff_bot.packs.shipped import shipped_names
from signoff_bot.posting import desk_of
from signoff_bot.service import Source


def run(outside: Outside, event: Event) -> int:
    """Does what an event asks for; returns the exit status. Failures are told, never raised."""
    try:
        # Until there is a verdict: a run that breaks off must not look like one with nothing to do.
        write_outputs(outside.environ, {"verdict": "error"})
        return _run(outside, event)
    except SignoffBotError as error:
        tell(outside, error)
        for command in annotated([str(error)], (), "error"):
            outside.command(command)
        return error.exit_status


def _run(outside: Outside, event: Event) -> int:
    inputs = read_inputs(outside.environ, outside.server)
    rules = _rules(inputs.rules)
    if event.about == "all":
        # Imported here, so that no other event waits for what only an audit needs.
        from signoff_bot.action.night import audit_all

        return audit_all(outside, inputs, rules)
    limits = Limits()
    with ExitStack() as stack:
        client = stack.enter_context(outside.connect(inputs.token, limits))
        members = None
        if inputs.members_token is not None:
            members = stack.enter_context(outside.connect(inputs.members_token, limits))
        source = Source(client, inputs.repo, rules, inputs.secrets, members)
        desk = desk_of(source, inputs.also_ours)
        desk = replace(desk, judge=partial(limits.judge, source))
        if event.trusted:
            # Who we are is asked while the evidence is collected.
            us = stack.enter_context(Tasks()).start(desk.us)
            desk = replace(desk, us=us)
        session = Session(source, desk, inputs, limits, event.trusted, outside.say)
        outcomes = _settle(session, event, _page_of_run(outside))
    writes = event.trusted or event.group is not None
    fail_on = inputs.fail_on or ("error" if writes else "never")
    return report(outside, inputs.save_evidence, outcomes, fail_on, writes=writes)


def _rules(given: str | None) -> Rules | str | None:
    """A shipped pack, or the path of a file at the base; never a file of the workspace.

    Raises:
        InvalidInput: it is neither.
    """
    if given is None:
        return None
    if given in shipped_names():
        return load_named(given)
    path = PurePath(pack_file(given).as_posix())
    if path.is_absolute() or ".." in path.parts or "://" in given:
        raise InvalidInput(
            f"the input rules is {given!r}; name a file by its path from the top of the repository"
        )
    return str(path)


def _settle(session: Session, event: Event, page: str | None) -> Outcomes:
    target = session.inputs.target
    if event.group is not None:
        return settle_group(session, event.group, page)
    if event.branch is not None:
        return _settle_several(session, event, _numbers(session, event.branch))
    if event.about == "input":
        if target is None:
            raise InvalidInput("which pull request? Give its number with the input pr")
        found = session.settle(
            target.number,
            target.signoff,
            lambda judged: target.signoff or judged.signoff,
            insist=True,
            ready=False,
        )
        return Outcomes([found] if found else [])
    if event.number is not None:
        asked = None if event.comment is None else SignoffRef(kind="comment", id=event.comment)
        found = session.settle(
            event.number, asked, lambda _: asked, insist=False, ready=event.ready
        )
        return Outcomes([found] if found else [])
    raise AssertionError("the event is about nothing")


def _numbers(session: Session, branch: Branch) -> Sequence[int]:
    client, repo = session.source.client, session.source.repo
    found = read_pulls_by_head(client, repo, branch.owner, branch.repo, branch.name, branch.sha)
    if not found:
        session.say("nothing to do: no open pull request has the commit that the workflow ran on")
    return found


def _settle_several(session: Session, event: Event, numbers: Iterable[int]) -> Outcomes:
    """Each by itself: one that cannot be judged keeps no other from it, save at a rate limit."""
    outcomes = Outcomes()
    for number in numbers:
        try:
            found = session.settle(
                number,
                None,
                newest_review if event.reviewed else lambda _: None,
                insist=False,
                ready=False,
            )
        except RateLimited as limit:
            outcomes.failures.append(limit)
            break
        except SignoffBotError as error:
            session.say(f"#{number}: it could not be judged, or not published")
            outcomes.failures.append(error)
        else:
            outcomes.results += [found] if found else []
    return outcomes


def _page_of_run(outside: Outside) -> str | None:
    """The page of this run, where GitHub tells its id."""
    run_id, repo = (outside.environ.get(f"GITHUB_{name}") for name in ("RUN_ID", "REPOSITORY"))
    return f"{outside.server}/{repo}/actions/runs/{run_id}" if run_id and repo else None
