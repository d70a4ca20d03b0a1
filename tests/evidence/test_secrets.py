"""A bundle never holds a token, whoever let it slip."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.build import changed, comment, evidence, pull, run

from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.bundle import Bundle, write_bundle
from signoff_bot.evidence.secrets import STRUCK_OUT, without_secrets, without_tokens

OURS = "tok-en:\"of/a+kind='"
TOKENS = [
    *(f"gh{kind}_" + "a1B2" * 9 for kind in "pousr"),
    "github_pat_11AAAAAAA0" + "b" * 60,
    "ghs_123456_" + "eyJhbGciOi" * 3 + "." + "eyJpc3Mi" * 5 + "." + "c2ln-_" * 9,
]


@pytest.mark.parametrize("token", TOKENS)
def test_what_looks_like_a_token_is_struck_out_of_what_people_and_servers_say(token):
    found = without_secrets(
        evidence(
            comments=(comment(f"use {token}, or ({token})"),),
            files=Unread(unread=f"GET /x: refused for {token}"),
            pull=pull(title=f"Add {token}"),
        ),
        [],
    )
    saved = write_bundle(Bundle(found, {})).decode()
    assert token not in saved
    assert not re.search(r"gh[pousr]_[A-Za-z0-9]{5}|github_pat_", saved)
    assert found.comments[0].body == f"use {STRUCK_OUT}, or ({STRUCK_OUT})"


@pytest.mark.parametrize(
    "header",
    [
        "Authorization: Bearer s3cret",
        "authorization:token s3cret",
        "{'Authorization': 'Basic s3cret'}",
        '{"Authorization": "s3cret"}',
    ],
)
def test_credential_headers_are_struck_out(header):
    assert "s3cret" not in without_tokens(f"sent {header} to the server")


def test_our_own_token_is_struck_out_everywhere():
    found = without_secrets(
        evidence(
            comments=(comment(OURS, url=f"https://x/{OURS}"),),
            files=(changed(f"a/{OURS}"),),
            runs=(run(1, head_branch=OURS),),
        ),
        ["", OURS],
    )
    assert OURS not in found.model_dump_json()
    assert found.files[0].path == f"a/{STRUCK_OUT}"


def test_a_made_up_token_cannot_change_a_path():
    given_ = evidence(files=(changed(f"docs/{TOKENS[0]}.md"),))
    assert without_secrets(given_, []) is given_


@given(st.text(max_size=80))
def test_ordinary_text_is_left_alone(text):
    text = text.replace("_", "-").replace(":", "-")
    assert without_tokens(text) == text
    assert without_tokens("the ghp_ prefix, ghs_expired and Authorization") == (
        "the ghp_ prefix, ghs_expired and Authorization"
    )
