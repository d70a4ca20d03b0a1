"""The gate: what an event asks for, decided from the event alone."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.wire_inferencex import signed_form

from signoff_bot import event
from signoff_bot.checks.acks import ACK
from signoff_bot.event import BadEvent, Branch, Event, Group, decide, is_ours, may_matter
from signoff_bot.packs.load import load_named
from signoff_bot.packs.shipped import shipped_names
from signoff_bot.reading.marker import verdict_marker, welcome_marker
from signoff_bot.reading.phrase import _longer_words, clean_phrase
from signoff_bot.reading.signoff import read_form
from signoff_bot.reading.template import read_template

SCRIPT = Path(event.__file__)
EXAMPLES = json.loads(
    (Path(__file__).parent / "facts/github/webhooks/examples.json").read_text("utf-8")
)
SIGNED = signed_form("octavia-chen", "https://x", "https://y", "z")
MARKER = verdict_marker("signoff-bot", "a" * 40, "issuecomment-1")
BOT = {"login": "github-actions[bot]", "id": 41898282, "type": "Bot"}


def example(name: str, action: str, /, **changes: Any) -> dict[str, Any]:
    """One of GitHub's examples, with values set at paths such as `comment__body`."""
    found = copy.deepcopy(EXAMPLES[name][action])
    if name == "issue_comment":
        found["issue"]["pull_request"] = {"url": "https://api.github.com/x"}
    for path, value in changes.items():
        *parents, last = path.split("__")
        place = found
        for parent in parents:
            place = place.setdefault(parent, {})
        place[last] = value
    return found


def asked(name: str, payload: Any) -> Event:
    return decide(name, payload, asked=False)


@pytest.mark.parametrize("action", ["created", "edited", "deleted"])
def test_a_comment_that_may_be_a_signoff_is_judged(action: str) -> None:
    found = asked("issue_comment", example("issue_comment", action, comment__body=SIGNED))
    assert (found.about, found.trusted, found.number) == ("pull", True, 1)
    assert found.comment == EXAMPLES["issue_comment"][action]["comment"]["id"]
    assert not found.ready


def test_a_signoff_that_was_edited_away_is_judged() -> None:
    payload = example("issue_comment", "edited", changes__body__from=SIGNED)
    assert asked("issue_comment", payload).needed


@pytest.mark.parametrize("action", ["created", "edited", "deleted"])
@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, "holds no sign-off and no command"),
        ({"comment__body": None}, "holds no sign-off"),
        ({"comment__body": SIGNED, "issue__pull_request": None}, "on an issue"),
        ({"comment__body": SIGNED, "issue__state": "closed"}, "is closed"),
        ({"comment__body": SIGNED, "issue__draft": True}, "is a draft"),
        ({"comment__body": SIGNED, "comment__user": BOT}, "an app wrote it"),
        ({"comment__body": SIGNED, "comment__user": BOT, "sender": BOT}, "an app wrote it"),
        ({"comment__body": MARKER, "comment__user": BOT, "sender": BOT}, "an app wrote it"),
    ],
)
def test_other_comments_ask_for_nothing(action: str, changes: dict[str, Any], reason: str) -> None:
    found = asked("issue_comment", example("issue_comment", action, **changes))
    assert not found.needed
    assert reason in found.reason


@pytest.mark.parametrize("ours", [MARKER, welcome_marker("a b/c.d"), f"{MARKER}\n**PASS**"])
def test_our_own_comment_asks_for_nothing_until_somebody_touches_it(ours: str) -> None:
    for author in (BOT, {"type": "User"}):
        created = example("issue_comment", "created", comment__body=ours, comment__user=author)
        assert not asked("issue_comment", created).needed
        for action in ("edited", "deleted"):
            touched = example("issue_comment", action, comment__body=ours, comment__user=author)
            assert asked("issue_comment", touched).needed
    overwritten = example(
        "issue_comment",
        "edited",
        comment__body="All well.",
        changes__body__from=ours,
        comment__user=BOT,
    )
    assert asked("issue_comment", overwritten).needed


def test_the_old_verifiers_marker_is_no_marker_of_ours() -> None:
    assert not is_ours(f"<!-- codeowner-signoff-verify sha={'a' * 40} -->\n**Verdict: PASS**")


@pytest.mark.parametrize(
    ("action", "changes", "about", "ready"),
    [
        ("opened", {}, "pull", True),
        ("reopened", {}, "pull", True),
        ("ready_for_review", {}, "pull", True),
        ("synchronize", {}, "pull", False),
        ("labeled", {}, "pull", False),
        ("unlabeled", {}, "pull", False),
        ("opened", {"action": "edited", "changes": {"base": {"ref": {}}}}, "pull", False),
        ("opened", {"action": "edited", "changes": {"title": {"from": "x"}}}, "nothing", False),
        ("opened", {"pull_request__draft": True}, "nothing", False),
        ("closed", {}, "nothing", False),
        ("assigned", {}, "nothing", False),
        ("converted_to_draft", {}, "nothing", False),
    ],
)
@pytest.mark.parametrize("name", ["pull_request_target", "pull_request"])
def test_pull_requests_are_judged_when_they_become_ready_or_change(
    name: str, action: str, changes: dict[str, Any], about: str, ready: bool
) -> None:
    found = asked(name, example("pull_request", action, **changes))
    assert (found.about, found.ready) == (about, ready)
    if found.needed:
        assert (found.number, found.trusted) == (2, name == "pull_request_target")


@pytest.mark.parametrize(
    ("name", "action", "part"),
    [
        ("pull_request_review", "submitted", "review"),
        ("pull_request_review", "dismissed", "review"),
        ("pull_request_review_comment", "created", "comment"),
        ("pull_request_review_comment", "edited", "comment"),
        ("pull_request_review_comment", "deleted", "comment"),
    ],
)
def test_reviews_are_judged_and_never_trusted(name: str, action: str, part: str) -> None:
    found = asked(name, example(name, action, **{f"{part}__body": SIGNED}))
    assert (found.about, found.number, found.trusted) == ("pull", 2, False)
    assert found.reviewed
    assert not asked(name, example(name, action)).needed


def test_a_run_tells_of_a_branch_and_its_conclusion_does_not_matter() -> None:
    for conclusion in ("success", "failure", "cancelled", None):
        run = example("workflow_run", "completed", workflow_run__conclusion=conclusion)
        found = asked("workflow_run", run)
        assert found.branch == Branch(
            "octo-org",
            "octo-org/octo-repo",
            "main",
            EXAMPLES["workflow_run"]["completed"]["workflow_run"]["head_sha"],
        )
        assert (found.about, found.trusted, found.reviewed) == ("branch", True, False)


@pytest.mark.parametrize("name", ["pull_request_review", "pull_request_review_comment"])
def test_a_run_by_a_review_event_wakes_for_the_review(name: str) -> None:
    assert asked(
        "workflow_run", example("workflow_run", "completed", workflow_run__event=name)
    ).reviewed


@pytest.mark.parametrize(
    ("action", "changes"),
    [
        ("requested", {}),
        ("completed", {"workflow_run__head_branch": None}),
        ("completed", {"workflow_run__head_repository": None}),
        ("completed", {"workflow_run__event": "merge_group"}),
    ],
)
def test_other_runs_ask_for_nothing(action: str, changes: dict[str, Any]) -> None:
    assert not asked("workflow_run", example("workflow_run", action, **changes)).needed


def test_a_merge_group_is_judged_and_not_trusted() -> None:
    payload = example("merge_group", "checks_requested")
    found = asked("merge_group", payload)
    group = payload["merge_group"]
    assert found.group == Group(
        group["head_sha"], group["head_ref"], group["base_sha"], group["base_ref"]
    )
    assert not found.trusted
    assert not asked("merge_group", payload | {"action": "destroyed"}).needed


def test_the_schedule_asks_for_all_and_dispatches_for_what_the_inputs_name() -> None:
    assert asked("schedule", {}).about == "all"
    assert asked("workflow_dispatch", EXAMPLES["workflow_dispatch"]).about == "input"
    for name in ("push", "issue_comment", "schedule"):
        assert decide(name, {}, asked=True).about == "input"
    assert not decide("push", {}, asked=True).trusted
    assert decide("workflow_dispatch", {}, asked=True).trusted


@pytest.mark.parametrize("name", ["push", "issues", "release", "repository_dispatch", ""])
def test_events_about_something_else_ask_for_nothing(name: str) -> None:
    assert not asked(name, {}).needed


@pytest.mark.parametrize(
    ("name", "payload"),
    [
        ("issue_comment", example("issue_comment", "created", issue__number="1")),
        ("issue_comment", example("issue_comment", "created", comment__id=None)),
        ("pull_request_target", example("pull_request", "opened", pull_request__number=True)),
        ("pull_request_target", example("pull_request", "opened", pull_request__number=0)),
        ("workflow_run", example("workflow_run", "completed", workflow_run__head_sha=7)),
        ("merge_group", example("merge_group", "checks_requested", merge_group__base_ref="")),
    ],
)
def test_an_event_that_github_does_not_send_is_refused(name: str, payload: Any) -> None:
    if "comment" in payload:
        payload["comment"]["body"] = SIGNED
    with pytest.raises(BadEvent, match="GitHub sends one"):
        asked(name, payload)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(st.sampled_from(sorted(EXAMPLES)), st.data())
def test_no_payload_breaks_the_gate(name: str, data: st.DataObject) -> None:
    payload = copy.deepcopy(next(iter(EXAMPLES[name].values())))
    place = payload
    while True:
        key = data.draw(st.sampled_from(sorted(place)))
        if not (isinstance(place[key], dict) and place[key] and data.draw(st.booleans())):
            break
        place = place[key]
    place[key] = data.draw(_JSON)
    try:
        found = asked(name, payload)
    except BadEvent:
        return
    assert found.reason.isascii()


@pytest.mark.parametrize("name", shipped_names())
def test_the_words_are_those_of_the_shipped_packs(name: str) -> None:
    assert _longer_words(clean_phrase(load_named(name).signoff.phrase)) == event.PHRASE_WORDS


_PHRASE = load_named("default").signoff.phrase
_PIECES = st.sampled_from(
    [_PHRASE, f"{_PHRASE}:", _PHRASE.upper(), "I have reviewed this and have", "# ", "> ", "- ",
     "- [x] Verified it", "* [X] b", "1. [x] c", "- [ ] d", "- []", "Signed: me", "\n", "\n\n", " ",
     "```\n", "<!-- ", "Looks good", "**", "reviewer", "codeowner", "\uff32eviewer", "\u0430"]
)  # fmt: skip


@given(st.lists(_PIECES, max_size=12).map("".join))
def test_nothing_that_is_read_as_a_signoff_is_turned_away(body: str) -> None:
    if read_form(body, _PHRASE).shape != "none":
        assert may_matter(body)


@given(st.lists(_PIECES, max_size=12).map("".join))
def test_no_completed_signoff_of_any_pack_is_turned_away(body: str) -> None:
    phrase = "Gesehen und für gut befunden"
    body = f"{phrase}\n{body}"
    if read_form(body, phrase).shape == "complete":
        assert may_matter(body)


def test_the_forms_and_commands_are_let_through_and_small_talk_is_not() -> None:
    template = load_named("default").signoff.template
    form = read_template(template or "", _PHRASE)
    assert form is not None
    for text in (form.form, f"{ACK} 8", f"Sure.\n\n  {ACK} sweep"):
        assert may_matter(text)
    for text in ("", "LGTM", "See https://example.com/a/b", "a [ ] b [ ] c", "and/or", "/"):
        assert not may_matter(text)
