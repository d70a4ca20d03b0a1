"""Commands are a person's own visible lines, and nothing that only looks like one."""

import pytest
from support.build import account, comment

from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.conversation import History
from signoff_bot.reading.commands import find_commands, may_command

ACK = "/signoff-ack"
NAMES = (ACK, "/reuse-sweep-run")
EDITED_AT = "2026-06-25T11:00:00Z"


def edited(*by):
    editors = tuple(account(login) if login else None for login in by)
    return History(edited_at=EDITED_AT, editors=editors, minimized=False)


def found(body, **fields):
    return [
        (command.name, command.argument, command.line)
        for command in find_commands([comment(body, **fields)], NAMES)
    ]


@pytest.mark.parametrize(
    ("body", "commands"),
    [
        ("/signoff-ack 8", [(ACK, "8", 1)]),
        ("/signoff-ack engine-patch  ", [(ACK, "engine-patch", 1)]),
        ("/signoff-ack\t8", [(ACK, "8", 1)]),
        ("   /signoff-ack 8", [(ACK, "8", 1)]),
        ("/signoff-ack", [(ACK, "", 1)]),
        ("/signoff-ack 8 since it is fine", [(ACK, "8 since it is fine", 1)]),
        ("Looked at it.\n\n/signoff-ack 8\r\n", [(ACK, "8", 3)]),
        ("Looked at it:\n/signoff-ack 8\nThanks", [(ACK, "8", 2)]),
        ("/signoff-ack 8\n/signoff-ack 10", [(ACK, "8", 1), (ACK, "10", 2)]),
        ("/reuse-sweep-run 123", [("/reuse-sweep-run", "123", 1)]),
        ("/signoff-ack 8\n\n> quoted words", [(ACK, "8", 1)]),
    ],
)
def test_a_visible_line_of_its_own_is_a_command(body, commands):
    assert found(body) == commands


@pytest.mark.parametrize(
    "body",
    [
        "please post /signoff-ack 8",
        "/signoff-acknowledge 8",
        "x/signoff-ack 8",
        "/Signoff-Ack 8",
        "//signoff-ack 8",
        "> /signoff-ack 8",
        "`/signoff-ack 8`",
        "/signoff-ack `8`",
        "```\n/signoff-ack 8\n```",
        "    /signoff-ack 8",
        "- /signoff-ack 8",
        "# /signoff-ack 8",
        "/signoff-ack 8\n---",
        "| a |\n|---|\n| /signoff-ack 8 |",
        "<!-- /signoff-ack 8 -->",
        "<details>\n\n/signoff-ack 8\n\n</details>",
        "<div hidden>\n\n/signoff-ack 8\n\n</div>",
        "~~/signoff-ack 8~~",
        "[^1]: x\n/signoff-ack 8",
        "**/signoff-ack 8**",
        "\\/signoff-ack 8",
        "&#47;signoff-ack 8",
        "/\u200bsignoff-ack 8",
        "/signoff\u2010ack 8",
        "/ signoff-ack 8",
        "/signoff-ack 8" + " " * 70_000,
        "",
    ],
    ids=repr,
)
def test_what_is_no_visible_line_of_its_own_commands_nothing(body):
    assert found(body) == []
    assert not may_command(comment(body), NAMES)


@pytest.mark.parametrize(
    "fields",
    [
        {"by": None},
        {"by": account("helper[bot]", type="Bot")},
        {"by": account("acme", type="Organization")},
        {"history": History(edited_at=None, editors=(), minimized=True)},
        {"history": edited("bram-ito")},
        {"history": edited("octavia-chen", "bram-ito")},
        {"history": edited(None, "bram-ito")},
        {"kind": "review", "review_state": "DISMISSED", "commit_sha": "a" * 40},
    ],
    ids=[
        *("ghost", "bot", "organization", "minimized", "edited by another"),
        *("edited by both", "edited by another and a ghost", "dismissed"),
    ],
)
def test_what_is_not_a_persons_own_standing_word_commands_nothing(fields):
    assert found("/signoff-ack 8", **fields) == []


@pytest.mark.parametrize("kind", ["comment", "review", "review_comment"])
def test_any_kind_of_comment_may_command(kind):
    assert found("/signoff-ack 8", kind=kind) == [(ACK, "8", 1)]


def test_an_own_edit_dates_the_command():
    (command,) = find_commands([comment("/signoff-ack 8", history=edited("octavia-chen"))], NAMES)
    assert (command.at, command.edited, command.unread) == (EDITED_AT, True, None)


@pytest.mark.parametrize("history", [Unread(unread="HTTP 502"), edited(None), edited()])
def test_a_command_whose_editors_are_unknown_says_so(history):
    (command,) = find_commands([comment("/signoff-ack 8", history=history)], NAMES)
    assert command.unread


@pytest.mark.parametrize(
    ("association", "authorized"),
    [
        ("OWNER", True),
        ("MEMBER", True),
        ("COLLABORATOR", True),
        ("CONTRIBUTOR", False),
        ("FIRST_TIME_CONTRIBUTOR", False),
        ("MANNEQUIN", False),
        ("NONE", False),
    ],
)
def test_authorized_are_those_who_belong_to_the_repository(association, authorized):
    (command,) = find_commands([comment("/signoff-ack 8", association=association)], NAMES)
    assert command.authorized is authorized


def test_commands_come_oldest_first_whatever_order_they_were_read_in():
    late = comment("/signoff-ack 1", id=1, created_at="2026-06-25T12:00:00Z")
    early = comment("/signoff-ack 2\n/signoff-ack 3", id=3)
    twin = comment("/signoff-ack 4", id=2)
    for order in ([late, early, twin], [twin, early, late]):
        commands = find_commands(order, NAMES)
        assert [command.argument for command in commands] == ["4", "2", "3", "1"]


def test_the_name_alone_is_how_a_bare_command_is_shown():
    bare, pinned = find_commands([comment("/reuse-sweep-run\n/reuse-sweep-run  7")], NAMES)
    assert (str(bare), str(pinned)) == ("/reuse-sweep-run", "/reuse-sweep-run 7")


def test_of_outsiders_the_newest_are_read_and_of_members_all():
    crowd = [
        comment("/signoff-ack 1", id=n, association="NONE", created_at=f"2026-06-25T10:{n:02}:00Z")
        for n in range(60)
    ]
    members = [comment("/signoff-ack 2", id=100 + n) for n in range(60)]
    found = find_commands([*crowd, *members], NAMES)
    assert [c.comment.id for c in found if not c.authorized] == list(range(40, 60))
    assert sum(c.authorized for c in found) == 60


def test_a_cheap_test_tells_which_comments_histories_matter():
    assert may_command(comment("/signoff-ack 8", history=Unread(unread="not asked")), NAMES)
    assert not may_command(comment("/signoff-ack 8", by=None), NAMES)
    assert not may_command(comment("/signoff-ack 8", association="NONE"), NAMES)


@pytest.mark.parametrize(
    ("argument", "run_id"),
    [
        ("900", 900),
        ("9" * 18, int("9" * 18)),
        ("9" * 19, None),
        ("0", None),
        ("09", None),
        ("-9", None),
        ("9x", None),
        ("\uff19", None),
        ("9 8", None),
        ("", None),
    ],
)
def test_a_command_may_name_a_run(argument, run_id):
    (command,) = find_commands([comment(f"/reuse-sweep-run {argument}")], NAMES)
    assert command.run_id == run_id
