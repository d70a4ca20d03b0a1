"""The hidden first lines of our comments: made, read again, and never mistaken for another's."""

import pytest

from signoff_bot.reading.marker import (
    Marker,
    claims_to_be_ours,
    read_marker,
    verdict_marker,
    welcome_marker,
)

SHA = "a2e74391" + "0" * 32


@pytest.mark.parametrize("context", ["signoff-bot", "a b/c.d"])
@pytest.mark.parametrize("end", ["", "\nmore", "\r\nmore", "  \nmore"])
def test_what_is_written_is_read_again(context, end):
    anchor = "issuecomment-12"
    assert read_marker(verdict_marker(context, SHA, anchor) + end, context) == Marker(SHA, anchor)
    assert read_marker(welcome_marker(context) + end, context) == Marker(None, None)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "Hello",
        f"<!-- signoff-bot sha={SHA} -->",
        f"<!-- signoff-bot sha={SHA[:39]} signoff=issuecomment-1 -->",
        f"<!-- signoff-bot sha={SHA} signoff= -->",
        f"<!-- other sha={SHA} signoff=issuecomment-1 -->",
        f" <!-- signoff-bot sha={SHA} signoff=issuecomment-1 -->",
        f"> <!-- signoff-bot sha={SHA} signoff=issuecomment-1 -->",
        f"Hello\n<!-- signoff-bot sha={SHA} signoff=issuecomment-1 -->",
        f"<!-- signoff-bot sha={SHA} signoff=issuecomment-1 --> more",
        "<!-- signoff-bot welcome --> more",
        "<!-- other welcome -->",
    ],
)
def test_anything_else_is_no_marker(body):
    assert read_marker(body, "signoff-bot") is None


def test_what_only_begins_like_a_marker_still_proves_nothing():
    for body in (f"<!-- signoff-bot sha={SHA} -->\nPASS", "<!-- signoff-bot welcome --> x"):
        assert claims_to_be_ours(body, "signoff-bot")
    for body in ("Hello", f"<!-- other sha={SHA} -->", f"> <!-- signoff-bot sha={SHA} -->"):
        assert not claims_to_be_ours(body, "signoff-bot")
