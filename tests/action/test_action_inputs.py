"""The Action's inputs: what an empty one means, and what is said to a wrong one."""

from __future__ import annotations

import pytest

from signoff_bot.action.inputs import Inputs, read_inputs
from signoff_bot.errors import InvalidInput, Unavailable
from signoff_bot.evidence.conversation import SignoffRef
from signoff_bot.target import Target

SERVER = "https://github.com"
REPO = "octo-works/anvil"
PAGE = f"{SERVER}/{REPO}/pull/31"


def inputs(**given: str) -> Inputs:
    environ = {"GITHUB_REPOSITORY": REPO, "SIGNOFF_GITHUB_TOKEN": "ghs_x"}
    return read_inputs(environ | given, SERVER)


@pytest.mark.parametrize("empty", ["", "  "])
def test_empty_inputs_are_the_defaults(empty: str) -> None:
    names = ("MEMBERS_TOKEN", "RULES", "PR", "SIGNOFF_URL", "POST_COMMENT", "SET_STATUS")
    names += ("FAIL_ON", "SAVE_EVIDENCE", "ALSO_OURS")
    expected = Inputs(
        repo=REPO,
        token="ghs_x",
        members_token=None,
        rules=None,
        target=None,
        post_comment=True,
        set_status=True,
        fail_on=None,
        save_evidence=None,
        also_ours=(),
    )
    assert inputs(**{f"SIGNOFF_{name}": empty for name in names}) == inputs() == expected


def test_inputs_are_taken_as_given() -> None:
    found = inputs(
        SIGNOFF_MEMBERS_TOKEN="ghp_y",
        SIGNOFF_RULES=" default ",
        SIGNOFF_PR="31",
        SIGNOFF_POST_COMMENT=" false ",
        SIGNOFF_SET_STATUS="true",
        SIGNOFF_FAIL_ON="pending",
        SIGNOFF_SAVE_EVIDENCE="a/b.json",
        SIGNOFF_ALSO_OURS="41898282, 7\n8",
    )
    assert found.secrets == ("ghs_x", "ghp_y")
    assert (found.rules, found.target, found.fail_on) == ("default", Target(None, 31), "pending")
    assert (found.post_comment, found.set_status) == (False, True)
    assert (found.save_evidence, found.also_ours) == ("a/b.json", (41898282, 7, 8))


def test_a_signoff_is_named_by_its_address() -> None:
    url = f"{PAGE}#issuecomment-9"
    expected = Target(REPO, 31, SignoffRef(kind="comment", id=9))
    assert inputs(SIGNOFF_SIGNOFF_URL=url).target == expected
    assert inputs(SIGNOFF_SIGNOFF_URL=url, SIGNOFF_PR="31").target == expected
    assert inputs(SIGNOFF_PR=PAGE.replace("octo", "OCTO")).target == Target("OCTO-works/anvil", 31)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"SIGNOFF_POST_COMMENT": "True"}, "post-comment is 'True'; it may be true or false"),
        ({"SIGNOFF_POST_COMMENT": "TRUE"}, "post-comment is 'TRUE'"),
        ({"SIGNOFF_POST_COMMENT": "1"}, "post-comment is '1'"),
        ({"SIGNOFF_SET_STATUS": "yes"}, "set-status is 'yes'; it may be true or false"),
        ({"SIGNOFF_FAIL_ON": "warn"}, "fail-on is 'warn'; it may be never, error, fail, pending"),
        ({"SIGNOFF_PR": "x"}, "'x' is no pull request"),
        ({"SIGNOFF_FAIL_ON": "Never"}, "fail-on is 'Never'"),
        ({"SIGNOFF_PR": "1;rm"}, "'1;rm' is no pull request"),
        ({"SIGNOFF_PR": "31\n32"}, "is no pull request"),
        ({"SIGNOFF_PR": "0"}, "'0' is no pull request"),
        ({"SIGNOFF_PR": "o/r#1"}, "pr names a pull request of o/r, not of octo-works/anvil"),
        ({"SIGNOFF_SIGNOFF_URL": PAGE}, "names no comment; copy the link"),
        (
            {"SIGNOFF_SIGNOFF_URL": "https://github.com/o/r/pull/1#issuecomment-1"},
            "signoff-url names a pull request of o/r",
        ),
        ({"SIGNOFF_SIGNOFF_URL": "https://evil.example/o/r/pull/1"}, "is not on https://github"),
        (
            {"SIGNOFF_PR": "7", "SIGNOFF_SIGNOFF_URL": f"{PAGE}#issuecomment-9"},
            "the inputs contradict each other",
        ),
        ({"SIGNOFF_ALSO_OURS": "github-actions[bot]"}, "a list of account ids"),
        ({"SIGNOFF_ALSO_OURS": "1,-2"}, "also-ours holds '-2'"),
        ({"GITHUB_REPOSITORY": ""}, "GITHUB_REPOSITORY is not set"),
        ({"GITHUB_REPOSITORY": "anvil"}, "is no repository"),
    ],
)
def test_a_wrong_input_says_what_it_may_be(given: dict[str, str], says: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        inputs(**given)
    assert says in str(refused.value)


def test_the_token_may_come_from_the_environment() -> None:
    for name in ("GITHUB_TOKEN", "GH_TOKEN"):
        assert inputs(SIGNOFF_GITHUB_TOKEN="", **{name: "ghs_z"}).token == "ghs_z"
    with pytest.raises(Unavailable, match="github-token"):
        inputs(SIGNOFF_GITHUB_TOKEN="")
