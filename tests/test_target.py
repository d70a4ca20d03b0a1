"""What the user may name: pull requests, sign-offs, repositories."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signoff_bot.errors import InvalidInput
from signoff_bot.evidence.conversation import SignoffRef
from signoff_bot.target import Target, parse_repo, parse_target, repo_of_remotes

REPO = "SemiAnalysisAI/InferenceX"
PAGE = f"https://github.com/{REPO}/pull/1865"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1865", Target(None, 1865)),
        ("#1865", Target(None, 1865)),
        (f"{REPO}#1865", Target(REPO, 1865)),
        ("some_corp/.github#1", Target("some_corp/.github", 1)),
        (PAGE, Target(REPO, 1865)),
        (PAGE + "/", Target(REPO, 1865)),
        (PAGE + "/files", Target(REPO, 1865)),
        (PAGE + "/changes", Target(REPO, 1865)),
        (PAGE + "/commits/" + "a" * 40, Target(REPO, 1865)),
        (PAGE + "/checks?check_run_id=1", Target(REPO, 1865)),
        (PAGE + "?diff=split&w=1", Target(REPO, 1865)),
        ("https://GitHub.com/o/r/pull/1", Target("o/r", 1)),
        ("https://github.com/o/r/issues/1", Target("o/r", 1)),
    ],
)
def test_a_pull_request_is_understood_in_every_form_people_paste(text, expected):
    assert parse_target(text) == expected


@pytest.mark.parametrize(
    ("address", "kind", "id"),
    [
        (PAGE + "#issuecomment-12", "comment", 12),
        (f"https://github.com/{REPO}/issues/1865#issuecomment-12", "comment", 12),
        (PAGE + "#pullrequestreview-13", "review", 13),
        (PAGE + "/files#pullrequestreview-13", "review", 13),
        (PAGE + "#discussion_r14", "review_comment", 14),
        (PAGE + "/files#r14", "review_comment", 14),
        (PAGE + "/changes?w=1#r14", "review_comment", 14),
    ],
)
def test_the_address_of_a_signoff_asks_about_that_one(address, kind, id):
    assert parse_target(address) == Target(REPO, 1865, SignoffRef(kind=kind, id=id))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "expected a number"),
        ("0", "expected a number"),
        ("-1", "expected a number"),
        ("١٢", "expected a number"),
        ("12345678901", "expected a number"),
        ("1865\n", "expected a number"),
        ("o/r", "expected a number"),
        ("o/..#1", "expected a number"),
        ("github.com/o/r/pull/1", "expected a number"),
        ("https://github.com/o/r", "no page of a pull request"),
        ("https://github.com/o/r/pull/x", "no page of a pull request"),
        ("https://github.com/o/../pull/1", "no page of a pull request"),
        ("https://github.com/o/r/tree/main/pull/1", "no page of a pull request"),
        (PAGE + "#issuecomment-", "names no comment"),
        (PAGE + "#diff-0a1b", "names no comment"),
        ("https://github.com.evil.example/o/r/pull/1", "not on https://github.com"),
        ("https://github.com@evil.example/o/r/pull/1", "not on https://github.com"),
        ("https://github.com:8443/o/r/pull/1", "not on https://github.com"),
        ("http://github.com/o/r/pull/1", "not on https://github.com"),
        ("https://[github.com/o/r/pull/1", "not on https://github.com"),
    ],
)
def test_anything_else_is_refused_with_what_was_expected(text, says):
    with pytest.raises(InvalidInput, match=says):
        parse_target(text)


def test_addresses_are_read_on_the_server_that_is_asked():
    server = "http://127.0.0.1:8080"
    assert parse_target(server + "/o/r/pull/1", server) == Target("o/r", 1)
    with pytest.raises(InvalidInput, match="GITHUB_SERVER_URL"):
        parse_target(PAGE, "https://github.example.org")


@given(st.text(max_size=60))
def test_no_text_breaks_the_reader(text):
    for prefix in ("", "https://github.com/", PAGE):
        with contextlib.suppress(InvalidInput):
            assert parse_target(prefix + text).number > 0


@pytest.mark.parametrize("text", ["", "o", "o/", "/r", "o/r/s", "o/..", "-o/r", "o/r\n", "o/é"])
def test_a_repository_is_owner_and_name(text):
    with pytest.raises(InvalidInput, match="OWNER/REPO"):
        parse_repo(text)
    assert parse_repo("o/r.github.io") == "o/r.github.io"


def remotes(**addresses):
    return "".join(
        f"{name}\t{address} ({way})\n"
        for name, address in addresses.items()
        for way in ("fetch", "push")
    )


@pytest.mark.parametrize(
    "address",
    [
        "https://github.com/o/r",
        "https://github.com/o/r.git",
        "https://octavia-chen:secret@github.com/o/r.git/",
        "git@github.com:o/r.git",
        "github.com:o/r",
        "ssh://git@github.com/o/r.git",
        "ssh://git@ssh.github.com:443/o/r.git",
        "git://github.com/o/r.git",
    ],
)
def test_the_clone_tells_the_repository(address):
    assert repo_of_remotes(remotes(origin=address)) == "o/r"


def test_pull_requests_of_a_forks_clone_live_upstream():
    listing = remotes(
        origin="git@github.com:kiri-lund/r.git",
        upstream="https://github.com/o/r",
        other="https://github.com/x/y",
    )
    assert repo_of_remotes(listing) == "o/r"


def test_a_single_remote_of_any_name_will_do_but_several_will_not():
    assert repo_of_remotes(remotes(company="https://github.com/o/r")) == "o/r"
    listing = remotes(a="https://github.com/o/r", b="https://github.com/x/y")
    assert repo_of_remotes(listing) is None


@pytest.mark.parametrize(
    "address",
    [
        "https://gitlab.com/o/r",
        "/srv/git/r.git",
        "git@evil.example:o/r",
        "https://github.com/o",
        "",
    ],
)
def test_remotes_elsewhere_do_not_count(address):
    assert repo_of_remotes(remotes(origin=address)) is None
    assert repo_of_remotes("") is None
