"""The examples in docs/signoffs.md are what they are said to be."""

import re
from pathlib import Path

import pytest
from support.build import comment

from signoff_bot.checks.acks import ACK
from signoff_bot.reading.commands import find_commands
from signoff_bot.reading.item_reasons import find_reason, read_reasons
from signoff_bot.reading.signoff import read_form

PHRASE = "As a PR reviewer and CODEOWNER, I have reviewed this and have"
PAGE = (Path(__file__).parents[2] / "docs" / "signoffs.md").read_text(encoding="utf-8")
EXAMPLE, REASONS, CLEARING = re.findall(r"```markdown\n(.*?)```", PAGE, re.DOTALL)
BOXES = dict(re.findall(r"^\| (`.*`) \| (ticked|open|not ticked)", PAGE, re.MULTILINE))


def test_the_example_is_a_completed_sign_off():
    form = read_form(EXAMPLE, PHRASE)
    assert (form.shape, form.signed, form.problems) == ("complete", "octavia-chen", ())
    assert [item.ticked for item in form.items] == [True, True, False, True, True, True]


@pytest.mark.parametrize("reason", REASONS.splitlines())
def test_the_examples_of_reasons_are_reasons(reason):
    item = read_form(EXAMPLE, PHRASE).items[2]
    assert find_reason(3, item.text, read_reasons([(1, reason.removeprefix("- "))], ()))


@pytest.mark.parametrize(
    ("box", "state"),
    [(box, state) for cell, state in BOXES.items() for box in re.findall(r"`([^`]+)`", cell)],
)
def test_the_table_of_boxes_is_right(box, state):
    form = read_form(f"{PHRASE}:\n\n{box}\n", PHRASE)
    assert [item.ticked for item in form.items] == [state == "ticked"]
    broken = any("no tick box" in problem.message for problem in form.problems)
    assert broken == (state == "not ticked")


def test_the_example_of_clearing_is_a_command():
    (command,) = find_commands([comment(CLEARING)], (ACK,))
    assert command.argument == "engine-patch"
