"""What fits into a limit is shown, and what does not is counted."""

import pytest

from signoff_bot.render.budget import fit, size


def more(number):
    return f"+{number}"


@pytest.mark.parametrize(
    ("blocks", "budget", "text", "left"),
    [
        (["aa", "bb"], 6, "aa\nbb", 0),
        (["aa", "bb"], 5, "aa\n+1", 2),
        (["aa", "bbbbbb", "c"], 8, "aa\n+2", 5),  # in order: nothing overtakes what did not fit
        (["éé"], 4, "+1", 4),
        (["éé"], 5, "éé", 0),
        ([], 0, "", 0),
    ],
)
def test_first_come_first_served_in_bytes(blocks, budget, text, left):
    assert fit(blocks, budget, more) == (text, left)


def test_bytes_are_those_of_utf_8_also_of_half_a_character():
    assert size("a", "é", "\U0001f600", "\ud800") == 1 + 2 + 4 + 3
