"""The form that reviewers copy: found in a Markdown file, plain or fenced."""

import pytest

from signoff_bot.reading.signoff import read_form
from signoff_bot.reading.template import read_template

PHRASE = "I approve this change and have"
FORM = f"""{PHRASE}:
- [ ] Verified the [guide](https://e.example/guide)
  - [ ] and its example, see https://e.example/example
  - a hint without a box
- [ ] If any of the above cannot be satisfied, I gave reasons below.

### Additional detail section:
- insert any additional info here

Signed: `FILL_IN_GITHUB_USERNAME`
"""
AROUND = "# Review\n\n<div>\n\nuse the form\n\n</div>\n\n## Template\n{}\n## Example\n\nx\n"
FILES = {
    "alone": FORM,
    "plain among other text": AROUND.format(FORM),
    "fenced": AROUND.format(f"```\n{FORM}```\n"),
    "fenced with a language": AROUND.format(f"~~~markdown\n{FORM}~~~\n"),
    "second fence": AROUND.format(f"```\n- [ ] other\n```\n\n```\n{FORM}```\n"),
    "mentioned before": f"Use the line `{PHRASE}` as below.\n\n{FORM}",
    "windows line ends": AROUND.format(f"```\n{FORM}```\n").replace("\n", "\r\n"),
    "followed by a filled example": f"{FORM}\n{FORM.replace('[ ]', '[x]')}",
}


@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
def test_the_form_is_found_wherever_it_stands_in_the_file(text):
    template = read_template(text, PHRASE)
    assert template is not None
    assert template.form == FORM
    assert [(item.line, item.level, item.text) for item in template.items] == [
        (2, 0, "Verified the guide"),
        (3, 1, "and its example, see https://e.example/example"),
        (5, 0, "If any of the above cannot be satisfied, I gave reasons below."),
    ]
    assert template.links == {"https://e.example/guide", "https://e.example/example"}
    assert template.details == ("Additional detail section:", "insert any additional info here")


def test_a_form_without_signature_reaches_to_the_end():
    template = read_template(f"# Form\n\n{PHRASE}\n- [ ] Verified\n\nthanks\n\n", PHRASE)
    assert template is not None
    assert template.form == f"{PHRASE}\n- [ ] Verified\n\nthanks\n"


NO_FORMS = {
    "empty": "",
    "no phrase": "- [ ] Verified\n",
    "phrase in prose only": f"write {PHRASE}\n\n- [ ] Verified\n",
    "no items": f"{PHRASE}\n\nSigned: me\n",
    "items above only": f"- [ ] Verified\n\n{PHRASE}\n",
    "hidden": f"<!--\n{FORM}-->\n",
    "quoted": "".join(f"> {line}\n" for line in FORM.splitlines()),
    "too long": FORM + "a" * 300_000,
}


@pytest.mark.parametrize("text", NO_FORMS.values(), ids=NO_FORMS)
def test_a_file_without_a_usable_form_gives_none(text):
    assert read_template(text, PHRASE) is None


def test_a_copied_form_becomes_a_sign_off_once_it_is_filled_in():
    template = read_template(AROUND.format(f"```\n{FORM}```\n"), PHRASE)
    assert template is not None
    assert read_form(template.form, PHRASE).shape == "attempt"
    filled = template.form.replace("[ ]", "[x]").replace("FILL_IN_GITHUB_USERNAME", "bram-ito")
    form = read_form(filled, PHRASE)
    assert (form.shape, form.signed) == ("complete", "bram-ito")
    assert [item.text for item in form.items] == [item.text for item in template.items]
