"""Where the phrase counts, where it is only mentioned, and where it is not there at all."""

import pytest

from signoff_bot.reading.signoff import Form, Problem, read_form

PHRASE = "As a PR reviewer and CODEOWNER, I have reviewed this and have"
ITEMS = "- [x] Verified the first thing\n- [ ] Verified the second thing\n"
FORM = f"{PHRASE}:\n{ITEMS}"


def quoted(text: str) -> str:
    return "".join(f"> {line}\n" for line in text.splitlines())


COMPLETE = {
    "with a colon": FORM,
    "without a colon": f"{PHRASE}\n{ITEMS}",
    "blank line after it": f"{PHRASE}:\n\n{ITEMS}",
    "indented by three spaces": f"   {PHRASE}:\n{ITEMS}",
    "trailing spaces": f"{PHRASE}:   \n{ITEMS}",
    "no-break space after it": f"{PHRASE}\u00a0\n{ITEMS}",
    "after a greeting": f"Thanks, looks right to me!\n\n{FORM}",
    "after a greeting in the same paragraph": f"LGTM\n{FORM}",
    "bold": f"**{PHRASE}:**\n{ITEMS}",
    "italic": f"_{PHRASE}_\n{ITEMS}",
    "windows line ends": FORM.replace("\n", "\r\n"),
    "beside a quote": quoted("please sign") + "\n" + FORM,
    "with its quoted twin above": quoted(FORM) + "\n" + FORM,
    "every line indented by two spaces": "".join(f"  {line}\n" for line in FORM.splitlines()),
    "an HTML comment above": f"<!-- the form, version 3 -->\n{FORM}",
    "an image and a line break": f"{FORM}\n<img src='https://e.example/a.png'>\n\nfine<br>so\n",
    "a table": f"{FORM}\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    "a link definition at the end": f"{FORM}\n[r]: https://e.example/",
    "link definitions apart": f"[r]: https://e.example/\n[s]: https://e.example/\n\n{FORM}",
    "folded logs above": f"<details><summary>log</summary>\n\n```\nok\n```\n\n</details>\n\n{FORM}",
    "folded logs below": f"{FORM}\n<details>\n<summary>log</summary>\n<pre>ok</pre>\n</details>\n",
}


@pytest.mark.parametrize("body", COMPLETE.values(), ids=COMPLETE)
def test_a_visible_line_of_its_own_with_a_ticked_item_is_a_sign_off(body):
    form = read_form(body, PHRASE)
    assert (form.shape, form.problems) == ("complete", ())
    assert [item.ticked for item in form.items] == [True, False]


def test_the_colon_of_the_phrase_may_stand_in_the_rule_pack_too():
    assert read_form(FORM, f"{PHRASE}: ").shape == "complete"


NOT_THERE = {
    "block quote": quoted(FORM),
    "line after a definition in a quote": f"> [r]: u\n{FORM}",
    "title over lines": f"[r]: u\n'\n{PHRASE}\n'\n\n{ITEMS}",
    "nested block quote": quoted(quoted(FORM)),
    "lazy line of a block quote": f"> see\n{PHRASE}\n",
    "fence": f"```\n{FORM}```\n",
    "tilde fence": f"~~~ md\n{FORM}~~~\n",
    "fence without an end": f"```\n{FORM}",
    "indented code": "".join(f"    {line}\n" for line in FORM.splitlines()),
    "HTML comment": f"<!--\n{FORM}-->\n",
    "HTML comment without an end": f"<!--\n{FORM}",
    "details": f"<details>\n\n{FORM}\n</details>\n",
    "details with a summary": f"<details><summary>form</summary>\n\n{FORM}\n</details>",
    "open details": f"<details open>\n\n{FORM}\n</details>",
    "details without an end": f"<details>\n\n{FORM}",
    "details in details": f"<details>\n\n<details>\n\n</details>\n\n{FORM}\n</details>\n",
    "HTML block": f"<div>\n{FORM}</div>\n",
    "link text": f"[{PHRASE}](https://e.example/)\n",
    "link text over lines": f"[so\n{PHRASE}\nit is](https://e.example/)\n\n{ITEMS}",
    "link title": f'[form](https://e.example/ "{PHRASE}")\n',
    "image alt": f"![{PHRASE}](https://e.example/a.png)\n",
    "link definition": f'[form]: https://e.example/ "{PHRASE}"\n',
    "struck": f"~~{PHRASE}~~\n{ITEMS}",
    "struck by single tildes": f"~{PHRASE}~\n{ITEMS}",
    "struck among other lines": f"~~I will not\n{PHRASE}\nas said~~\n",
    "table": f"| {PHRASE} |\n|---|\n| x |\n",
    "footnote": f"see[^1]\n\n[^1]:\n{PHRASE}\n",
    "footnote like a link definition": f"[^1]: see\n{FORM}",
    "footnote within a paragraph": f"see\n[^1]: so\n{FORM}",
    "raw HTML that holds the line": f"<kbd>\n{FORM}</kbd>\n",
    "over two paragraphs": f"use {PHRASE[:40]}\n\n{PHRASE[40:]}\n",
    "other words": "Thanks, I have reviewed this PR and this looks right to me\n",
    "an ordinary list": "- [x] ran the tests\n- [ ] write docs\n- [ ] rebase\n",
    "nothing": "",
}


@pytest.mark.parametrize("body", NOT_THERE.values(), ids=NOT_THERE)
def test_what_is_quoted_hidden_or_absent_is_no_sign_off(body):
    assert read_form(body, PHRASE).shape == "none"


def test_two_ticked_boxes_and_a_signature_are_still_no_checklist():
    assert read_form("- [x] Verified a\n- [x] Verified b\n\nSigned: me\n", PHRASE).shape == "none"


def test_a_checklist_without_the_phrase_is_read_all_the_same():
    form = read_form("- [x] one\n- [ ] two\n- [x] three\n\nwhy\n\nSigned: kiri-lund\n", PHRASE)
    assert [item.ticked for item in form.items] == [True, False, True]
    assert (form.signed, form.details) == ("kiri-lund", ((5, "why"),))


ONLY_MENTIONED = (
    "the phrase is only mentioned here, so this is no sign-off; to sign, write the phrase on a "
    "line of its own with the ticked checklist under it"
)
MENTIONS = {
    "in a request": f"please include the phrase {PHRASE} in your comment\n",
    "in backticks": f"include `{PHRASE}` in your comment\n",
    "alone in backticks": f"write this:\n\n`{PHRASE}`\n",
    "in another case": f"use {PHRASE.lower()} please\n",
    "across two lines": f"use {PHRASE.replace('CODEOWNER, ', 'CODEOWNER,{}')}\n".format("\n"),
    "in a list item": f"- the comment holds {PHRASE}, then the list\n",
    "in a heading": f"## How to use {PHRASE}\n",
    "with an unticked list": f"begin with {PHRASE}, then\n- [ ] a\n- [ ] b\n- [ ] c\n",
}


@pytest.mark.parametrize("body", MENTIONS.values(), ids=MENTIONS)
def test_the_phrase_in_prose_is_a_mention_and_says_so(body):
    form = read_form(body, PHRASE)
    assert form.shape == "mention"
    line = 1 + body[: body.lower().index("as a pr")].count("\n")
    assert form.problems == (Problem(line, ONLY_MENTIONED),)
    assert len(form.items) == body.count("[ ]")


ATTEMPTS = {
    "nothing ticked": (f"{PHRASE}:\n- [ ] Verified a\n- [ ] Verified b\n", 1, "no item under"),
    "no list": (f"hello\n\n{PHRASE}\n", 3, "no checklist follows"),
    "list only above": (f"- [x] Verified a\n\n{PHRASE}\n", 3, "no checklist follows"),
    "ticked in a quote": (f"{PHRASE}\n\n" + quoted("- [x] a"), 1, "no checklist follows"),
    "ticked in code": (f"{PHRASE}\n\n    - [x] a\n", 1, "no checklist follows"),
    "heading": (f"## {PHRASE}:\n{ITEMS}", 1, "stands in a heading"),
    "heading that looks like a table": (f"{PHRASE}\n| a |\n---\n{ITEMS}", 1, "stands in a heading"),
    "underlined heading": (f"{PHRASE}\n---\n{ITEMS}", 1, "stands in a heading"),
    "list item": (f"- {PHRASE}:\n  - [x] Verified a\n", 1, "stands in a list item"),
    "another case": (f"{PHRASE.lower()}:\n{ITEMS}", 1, "not quite the phrase"),
    "comma lost": (f"{PHRASE.replace(',', '')}:\n{ITEMS}", 1, "not quite the phrase"),
    "full stop": (f"{PHRASE}.\n{ITEMS}", 1, "not quite the phrase"),
    "entity": (f"{PHRASE.replace('PR', '&#80;R')}\n{ITEMS}", 1, "an HTML entity"),
    "backslash": (f"{PHRASE.replace(',', chr(92) + ',')}\n{ITEMS}", 1, "an HTML entity"),
    "hidden words inside": (f"{PHRASE.replace('PR', '<!-- -->PR')}\n{ITEMS}", 1, "raw HTML"),
    "HTML emphasis": (f"<b>{PHRASE}</b>\n{ITEMS}", 1, "raw HTML"),
    "HTML emphasis over lines": (f"so <kbd>\n{PHRASE}\n</kbd>\n\n{ITEMS}", 2, "raw HTML"),
    "formula": (f"$$\n{PHRASE}\n$$\n\n{ITEMS}", 2, "formula"),
    "single tildes over lines": (f"~so\n{PHRASE}\nit is~\n\n{ITEMS}", 2, "strike"),
    "division": (f"<div>\n\n{FORM}\n</div>\n", 1, "`<div>`"),
    "table cell": (f"<table><td>\n\n{FORM}\n</td></table>\n", 1, "`<table>`"),
    "comment left open": (f"{FORM}\n<!-- the end\n", 5, "`<!--`"),
    "comment that browsers end early": (f"<!-- --!><details> -->\n\n{FORM}", 1, "`<!--`"),
    "tag left open": (f'<br>\n<img alt="\n\n{FORM}\n">\n', 1, "`<img`"),
    "comment inside a block": (f"<hr><!--\n\n{FORM}\n-->\n", 1, "`<!--`"),
    "details left open below": (f"{FORM}\n<details>\n\nlog\n", 5, "`<details>`"),
    "details that a table swallows": (
        f"<details>\n<table>\n</details>\n\n{FORM}",
        1,
        "`<table>`",
    ),
    "details closed elsewhere": (f"- a\n  <details>\n\n</details>\n\n{FORM}", 4, "`</details>`"),
    "raw box": (f'{FORM}\n<input type="checkbox" checked> c\n', 5, "`<input"),
    "style": (f"<style>p {{display: none}}</style>\n\n{FORM}", 1, "`<style>`"),
    "footnote": (f"{FORM}\n[^1]: see\n", 5, "`[^1]:`"),
    "tag alone in a list item": (f"{FORM}\n- a\n<br>\n", 6, "`<br>`"),
    "tag that ends a table": (f"| a |\n|---|\n<kbd>\n\n{FORM}", 3, "`<kbd>`"),
    "list glued to a definition": (f"[r]: u\n{FORM}", 1, "`[...]:`"),
    "tag within a line": (f"see <span hidden>this\n\n{FORM}", 1, "`<span hidden>`"),
    "tag within a quote": (f"> <table><td>\n\n{FORM}", 1, "`<table>`"),
    "checklist without the phrase": (
        "I looked at this.\n- [x] Verified a\n- [x] Verified b\n- [ ] Verified c\n",
        2,
        "lacks its first line",
    ),
    "signed list without the phrase": (
        "- [x] one\n- [x] two\n- [ ] three\n\nSigned: octavia-chen\n",
        1,
        "lacks its first line",
    ),
    "phrase run into a sentence": (
        f"Hello, {PHRASE} as follows\n- [x] a\n- [x] b\n- [x] c\n",
        2,
        "lacks its first line",
    ),
}


@pytest.mark.parametrize(("body", "line", "says"), ATTEMPTS.values(), ids=ATTEMPTS)
def test_a_near_miss_names_its_line_and_what_is_wrong(body, line, says):
    form = read_form(body, PHRASE)
    assert form.shape == "attempt"
    assert [problem.line for problem in form.problems if says in problem.message] == [line]


LOOK_ALIKES = {
    "Cyrillic a": (PHRASE.replace("a PR", "\u0430 PR"), "U+0430 CYRILLIC SMALL LETTER A"),
    "fullwidth P": (PHRASE.replace("PR", "\uff30R"), "U+FF30 FULLWIDTH LATIN CAPITAL LETTER P"),
    "zero-width space": (PHRASE.replace("PR", "P\u200bR"), "U+200B ZERO WIDTH SPACE"),
    "zero-width joiner": (PHRASE.replace("PR", "P\u200dR"), "U+200D ZERO WIDTH JOINER"),
    "right-to-left override": (f"\u202e{PHRASE}", "U+202E RIGHT-TO-LEFT OVERRIDE"),
    "soft hyphen": (PHRASE.replace("reviewer", "re\u00adviewer"), "U+00AD SOFT HYPHEN"),
    "no-break space": (PHRASE.replace("a PR", "a\u00a0PR"), "U+00A0 NO-BREAK SPACE"),
    "entity of a no-break space": (PHRASE.replace("a PR", "a&nbsp;PR"), "U+00A0 NO-BREAK SPACE"),
    "fullwidth colon": (f"{PHRASE}\uff1a", "U+FF1A FULLWIDTH COLON"),
    "unit separator": (PHRASE.replace("a PR", "a\x1f PR"), "U+001F unnamed"),
}


@pytest.mark.parametrize(("line", "name"), LOOK_ALIKES.values(), ids=LOOK_ALIKES)
def test_look_alike_characters_are_named_and_do_not_count(line, name):
    form = read_form(f"{line}\n{ITEMS}", PHRASE)
    assert form.shape == "attempt"
    assert name in form.problems[0].message


def test_several_look_alike_characters_are_all_named():
    line = (
        PHRASE.replace("PR", "P\u200bR").replace("a PR", "\u0430 PR").replace("have", "h\u0430ve")
    )
    (problem,) = read_form(f"{line}\n{ITEMS}", PHRASE).problems
    assert "U+200B ZERO WIDTH SPACE, U+0430 CYRILLIC SMALL LETTER A; type it" in problem.message


def test_a_phrase_with_nothing_ticked_under_it_says_what_to_tick():
    tick = "; tick what you verified: `- [x] Verified ...`"
    (problem,) = read_form(f"{PHRASE}:\n- [ ] Verified a\n", PHRASE).problems
    assert problem.message == f"no item under the phrase is ticked{tick}"
    (problem,) = read_form(f"{PHRASE}:\n", PHRASE).problems
    assert problem.message == f"no checklist follows{tick}"


def test_foreign_text_that_only_has_the_length_of_the_phrase_is_not_taken_for_it():
    foreign = "\u6211" * sum(c.isalnum() for c in PHRASE)
    form = read_form(f"{foreign}\n\nwrite {PHRASE} first\n", PHRASE)
    assert form.shape == "mention"


def test_the_phrases_own_characters_are_not_called_odd():
    phrase = "J'ai relu cette pull request et je r\u00e9ponds d'elle"
    assert read_form(f"{phrase}:\n{ITEMS}", phrase).shape == "complete"
    near = read_form(f"{phrase}\u200b:\n{ITEMS}", phrase)
    assert "it holds U+200B ZERO WIDTH SPACE;" in near.problems[0].message


def test_of_many_doubtful_tags_the_first_three_are_told():
    form = read_form("<div>\n\n" * 5 + FORM, PHRASE)
    assert [problem.line for problem in form.problems] == [1, 3, 5]


def test_a_phrase_line_that_is_right_outweighs_an_earlier_one_that_is_not():
    form = read_form(f"# {PHRASE}\n\n{FORM}", PHRASE)
    assert (form.shape, form.problems) == ("complete", ())


def test_the_longest_comment_github_takes_is_read_and_a_longer_one_is_not():
    longest = (FORM + "\n" + "a" * 65_536)[:65_536]
    assert read_form(longest, PHRASE).shape == "complete"
    too_long = read_form(longest + "a", PHRASE)
    assert too_long.shape == "attempt"
    (problem,) = too_long.problems
    assert str(problem).startswith("line 1: 65,537 characters")
    assert too_long == Form("attempt", (), None, None, (), (), (problem,))
    assert read_form("I have reviewed this. " * 5_000, PHRASE).shape == "none"


HOSTILE = {
    "quotes": ">" * 60_000,
    "lists": "- " * 30_000,
    "brackets": "[" * 60_000,
    "images": "![" * 30_000,
    "emphasis": "*a_ " * 15_000,
    "comments": "<!-- " * 12_000,
    "tags": "<a " * 20_000,
    "details": "<details>\n\n" * 5_000,
    "table": "|".join("a" * 500) + "\n" + "|".join("-" * 500) + "\na\n" * 500,
}


@pytest.mark.parametrize("attack", HOSTILE.values(), ids=HOSTILE)
def test_hostile_markdown_is_read_to_its_end(attack):
    assert read_form(f"{FORM}\n\n{attack}", PHRASE).items[0].ticked
