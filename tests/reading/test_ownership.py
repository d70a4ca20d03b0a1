import pytest
from support.build import account, changed

from signoff_bot.evidence.base import Unread
from signoff_bot.reading.codeowners import parse_codeowners
from signoff_bot.reading.ownership import (
    changed_paths,
    holdings,
    names,
    owns,
    teams_to_ask,
)

CODEOWNERS = parse_codeowners(
    """\
* @octo-org/core
/configs/amd.yaml @octavia-chen @bram-ito
/configs/nvidia.yaml @octo-org/green @ines-varga
/docs/ docs@example.com
/free/
"""
)
NOBODY = account("nobody")


def members(**teams):
    def look_up(name):
        return teams.get(name.partition("/")[2], Unread(unread=f"{name} unread"))

    return look_up


def test_a_renamed_file_is_changed_under_both_names():
    files = [changed("b.txt", previous_path="a.txt", status="renamed"), changed("b.txt")]
    assert changed_paths(files) == ("a.txt", "b.txt")


def test_paths_are_grouped_by_the_line_that_decides_them():
    no_catch_all = parse_codeowners("/docs/ @x\n/src/ @y\n")
    found = holdings(no_catch_all, ["src/b", "docs/c", "README", "src/a"])
    assert [(h.line and h.line.number, h.paths) for h in found] == [
        (None, ("README",)),
        (1, ("docs/c",)),
        (2, ("src/b", "src/a")),
    ]
    assert found[0].owners == ()


@pytest.mark.parametrize(
    ("path", "catch_all"), [("README", True), ("configs/amd.yaml", False), ("free/x", False)]
)
def test_a_line_that_matches_everything_is_a_catch_all(path, catch_all):
    (holding,) = holdings(CODEOWNERS, [path])
    assert holding.is_catch_all is catch_all


def test_logins_are_compared_without_case():
    assert names(("@Ankur-Dev",), "ankur-dev")
    assert not names(("@ankur-dev2", "ankur-dev", "@ankur"), "ankur-dev")


def test_a_person_owns_by_login_whatever_is_unread():
    assert owns(("@octo-org/core", "@Nobody"), [NOBODY], members()) is True


def test_a_member_of_an_owning_team_owns_by_account_not_by_login():
    renamed = account("nobody-else", id=NOBODY.id)
    impostor = account("nobody", id=999)
    look_up = members(core=(renamed,))
    assert owns(("@octo-org/core",), [NOBODY], look_up) is True
    assert owns(("@octo-org/core",), [impostor], look_up) is False


def test_several_people_own_together():
    look_up = members(core=(account("kiri-lund"),))
    people = [NOBODY, account("kiri-lund")]
    assert owns(("@octo-org/core",), people, look_up) is True


def test_an_unread_team_matters_only_if_nothing_else_decides():
    look_up = members(green=(NOBODY,))
    unread = owns(("@octo-org/core",), [NOBODY], look_up)
    assert unread == Unread(unread="octo-org/core unread")
    assert owns(("@octo-org/core", "@octo-org/green"), [NOBODY], look_up) is True


def test_an_email_owner_proves_nobody():
    assert owns(("nobody@example.com",), [NOBODY], members()) is False


@pytest.mark.parametrize(
    ("paths", "logins", "teams"),
    [
        (["configs/amd.yaml"], ["octavia-chen"], ()),
        (["configs/amd.yaml"], ["stranger"], ()),
        (["configs/nvidia.yaml"], ["INES-varga"], ()),
        (["configs/nvidia.yaml"], ["octavia-chen"], ("octo-org/green",)),
        (["README"], ["octavia-chen"], ("octo-org/core",)),
        (["README"], ["stranger"], ("octo-org/core", "octo-org/green")),
        (["free/x"], ["octavia-chen"], ()),
        (["free/x"], ["stranger"], ("octo-org/core", "octo-org/green")),
        (["docs/x"], ["stranger"], ()),
        (["README"], [], ()),
        ([], ["stranger"], ()),
        (["configs/amd.yaml", "configs/nvidia.yaml"], ["bram-ito"], ("octo-org/green",)),
    ],
)
def test_only_teams_that_can_decide_are_asked(paths, logins, teams):
    assert teams_to_ask(CODEOWNERS, paths, logins) == teams
