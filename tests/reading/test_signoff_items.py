"""Which lines are checklist items, which are ticked, and what the rest of the form says."""

import pytest

from signoff_bot.reading.signoff import read_form

PHRASE = "I approve this change and have"


def items(markdown: str) -> list[tuple[str, bool]]:
    return [(item.text, item.ticked) for item in read_form(f"{PHRASE}:\n{markdown}", PHRASE).items]


TICKED = {
    "lower case": "- [x] a",
    "upper case": "- [X] a",
    "star": "* [x] a",
    "plus": "+ [x] a",
    "number": "1. [x] a",
    "tab after the box": "- [x]\ta",
    "several spaces": "-   [x]   a",
    "indented": "  - [x] a",
    "blank line before": "\n- [x] a",
    "bold text": "- [x] **a**",
}


@pytest.mark.parametrize("line", TICKED.values(), ids=TICKED)
def test_every_box_that_github_shows_ticked_is_ticked(line):
    assert items(line) == [("a", True)]


def test_an_empty_box_is_unticked_whatever_follows_it():
    assert items("- [ ] a\n- [ ] b [x] c") == [("a", False), ("b [x] c", False)]


BROKEN = {
    "space before": ("- [ x] a", "[ x] a"),
    "space after": ("- [x ] a", "[x ] a"),
    "nothing inside": ("- [] a", "[] a"),
    "opening lost": ("- x ] a", "x ] a"),
    "closing lost": ("- [x a", "[x a"),
    "no space after": ("- [x]a", "[x]a"),
    "no space after the marker": ("-[x] a", "-[x] a"),
    "no marker": ("\n[x] a", "[x] a"),
    "bullet character": ("\n• [x] a", "• [x] a"),
    "escaped": ("- \\[x] a", "\\\\[x] a"),
    "Cyrillic x": ("- [\u0445] a", "CYRILLIC SMALL LETTER HA"),
    "check mark": ("- [\u2713] a", "CHECK MARK"),
    "number that cannot begin a list here": ("2. [x] a", "2. [x] a"),
    "box on the line after the marker": ("\n-\n  [x] a", "[x] a"),
    "second marker": ("- - [x] a", "[x] a"),
    "second paragraph": ("- b\n\n  [x] a", "[x] a"),
}


@pytest.mark.parametrize(("line", "says"), BROKEN.values(), ids=BROKEN)
def test_a_broken_box_is_not_ticked_and_the_remark_says_what_to_write(line, says):
    form = read_form(f"{PHRASE}\n- [x] good\n\n{line}", PHRASE)
    alone = read_form(f"{PHRASE}\n{line}", PHRASE)
    assert [item.ticked for item in alone.items] == [False]
    assert alone.items[0].text == "a"
    assert alone.shape == "attempt"
    remark = next(p for p in alone.problems if "no tick box" in p.message)
    assert says in remark.message
    assert "`- [x] `" in remark.message
    assert not remark.voids
    assert form.shape == "complete"


NO_BOXES = {
    "link": "- [x](https://e.example/) a",
    "reference": "- [1] a",
    "reference link": "- [x][y] a",
    "label": "- [x]: a",
    "word": "- x marks the spot",
    "plain bullet": "- a",
    "brackets in prose": "so [x] is how a tick looks",
    "quoted": "> - [x] a",
    "fenced": "```\n- [x] a\n```",
    "folded": "\n<details>\n\n- [x] a\n\n</details>",
    "table": "| a |\n|---|\n| [x] b |",
    "heading": "## [x] a",
}


@pytest.mark.parametrize("markdown", NO_BOXES.values(), ids=NO_BOXES)
def test_what_is_no_box_makes_no_item(markdown):
    assert items(markdown) == []


def test_a_long_line_with_a_broken_box_is_shown_by_its_beginning():
    form = read_form(f"{PHRASE}\n- [ x] {'a' * 25}\n- [ x] {'a' * 26}\n", PHRASE)
    shown = [p.message.split("'")[1] for p in form.problems if not p.voids]
    assert shown == [f"[ x] {'a' * 25}", f"[ x] {'a' * 24}\u2026"]
    assert not any("it holds" in problem.message for problem in form.problems)


def test_levels_count_from_each_list_anew():
    form = read_form(
        f"{PHRASE}\n- [x] a\n  - [x] b\n    - [x] c\n\nand\n\n1. [x] d\n   - [X] e\n", PHRASE
    )
    assert [(i.text, i.level, i.ticked) for i in form.items] == [
        ("a", 0, True),
        ("b", 1, True),
        ("c", 2, True),
        ("d", 0, True),
        ("e", 1, True),
    ]


def test_a_forced_line_break_parts_the_words():
    assert items("- [x] a<br>b") == [("a b", True)]


def test_items_carry_their_line_level_and_own_words():
    form = read_form(
        f"Hello\n\n{PHRASE}:\n"
        "- [x] Verified the [run](https://e.example/1)\n"
        "  and its `logs`\n"
        "  - [ ] or the nested thing\n"
        "  - a nested line without a box\n"
        "- [X] Verified ~~nothing~~ **all**\n\n"
        "  for good\n",
        PHRASE,
    )
    assert [(i.line, i.level, i.text, i.ticked) for i in form.items] == [
        (4, 0, "Verified the run and its logs", True),
        (6, 1, "or the nested thing", False),
        (8, 0, "Verified  all for good", True),
    ]


def test_boxes_above_the_phrase_belong_to_something_else():
    form = read_form(f"- [x] rebased\n\n{PHRASE}\n- [x] Verified a\n", PHRASE)
    assert [item.text for item in form.items] == ["Verified a"]


def test_a_second_list_under_the_phrase_counts_too():
    assert items("- [x] a\n\nand\n\n* [ ] b") == [("a", True), ("b", False)]


def test_details_are_the_visible_lines_below_that_are_neither_item_nor_signature():
    form = read_form(
        f"before\n\n{PHRASE}\n\nbetween\n\n"
        "- [x] a\n"
        "  - nested words\n"
        "\n### Additional detail section:\n"
        "- no evals, docs only\n"
        "- [x] late item\n\n"
        "> quoted\n\n"
        "```\ncode\n```\n\n"
        "last [words](https://e.example/)\n\n"
        "Signed: octavia-chen\n",
        PHRASE,
    )
    assert form.details == (
        (10, "Additional detail section:"),
        (11, "no evals, docs only"),
        (20, "last [words](https://e.example/)"),
    )


def test_without_any_item_the_details_begin_after_the_phrase():
    form = read_form(f"{PHRASE}\nwords\n\n#\n\nmore\n", PHRASE)
    assert form.details == ((2, "words"), (6, "more"))


def test_a_broken_box_is_no_detail():
    form = read_form(f"{PHRASE}\n- [x] a\n\n[x] b\nwhy\n", PHRASE)
    assert form.details == ((5, "why"),)


SIGNED = {
    "plain": "Signed: octavia-chen",
    "mention": "Signed: @octavia-chen",
    "code": "Signed: `octavia-chen`",
    "mention in code": "Signed: `@octavia-chen`",
    "bold word": "**Signed:** octavia-chen",
    "bold": "**Signed: octavia-chen**",
    "link": "Signed: [octavia-chen](https://github.com/octavia-chen)",
    "lower case": "signed:octavia-chen",
    "space before the colon": "Signed : octavia-chen",
    "list item": "- Signed: octavia-chen",
    "indented": "  Signed: octavia-chen",
    "after a blank line": "\nSigned: octavia-chen",
}


@pytest.mark.parametrize("line", SIGNED.values(), ids=SIGNED)
def test_the_name_is_read_from_every_way_to_write_the_signature(line):
    form = read_form(f"{PHRASE}\n- [x] a\n{line}\n", PHRASE)
    assert form.signed == "octavia-chen"
    assert [item.text for item in form.items] == ["a"]
    assert form.details == ()


UNSIGNED = {
    "none": "",
    "other word": "Signed-off-by: octavia-chen <o@e.example>",
    "prose": "I Signed: octavia-chen",
    "quoted": "\n> Signed: octavia-chen",
    "code": "\n```\nSigned: octavia-chen\n```",
    "hidden": "\n<!-- Signed: octavia-chen -->",
    "above the phrase": "",
}


@pytest.mark.parametrize("line", UNSIGNED.values(), ids=UNSIGNED)
def test_other_lines_are_no_signature(line):
    form = read_form(f"Signed: bram-ito\n\n{PHRASE}\n- [x] a\n\n{line}\n", PHRASE)
    assert (form.signed, form.signed_line) == (None, None)


def test_the_last_signature_counts_but_two_names_void_the_form():
    same = read_form(f"{PHRASE}\n- [x] a\n\nSigned: Bram-Ito\n\nSigned: bram-ito\n", PHRASE)
    assert (same.shape, same.signed, same.signed_line) == ("complete", "bram-ito", 6)
    two = read_form(f"{PHRASE}\n- [x] a\n\nSigned: YOUR_NAME\n\nSigned: bram-ito\n", PHRASE)
    assert (two.shape, two.signed) == ("attempt", "bram-ito")
    assert "'YOUR_NAME', 'bram-ito'" in two.problems[0].message
    assert two.problems[0].line == 6


URL = "https://e.example/1"
LINKS = {
    "link": (f"[Link]({URL})", "Link", URL),
    "empty text": (f"[]({URL})", "", URL),
    "text over lines": (f"[so\nit `is`]({URL})", "so it is", URL),
    "title": (f'[a]({URL} "t")', "a", URL),
    "spaces in brackets": (f"[a](<{URL} 2>)", "a", f"{URL} 2"),
    "userinfo": ("[a](https://github.com@e.example/)", "a", "https://github.com@e.example/"),
    "percent": ("[a](https://e.example/%2e%2e/b)", "a", "https://e.example/%2e%2e/b"),
    "international": ("[a](https://\u0435.example/)", "a", "https://\u0435.example/"),
    "backslash": ("[a](https://e.example\\b)", "a", "https://e.example\\b"),
    "script": ("[a](javascript:alert(1))", "a", "javascript:alert(1)"),
    "reference": (f"[a][r]\n\n[r]: {URL}", "a", URL),
    "picture that links": (f"[![b](https://e.example/p)]({URL})", "", URL),
    "heading": (f"\n# [a]({URL})", "a", URL),
}


@pytest.mark.parametrize(("markdown", "text", "url"), LINKS.values(), ids=LINKS)
def test_links_keep_their_text_and_their_address_as_written(markdown, text, url):
    form = read_form(f"{PHRASE}\n- [x] a\n\n{markdown}\n", PHRASE)
    assert [(link.text, link.url) for link in form.links] == [(text, url)]


BARE = {
    "alone": (URL, URL),
    "label": (f"Link: {URL}", URL),
    "angle brackets": (f"<{URL}>", URL),
    "underscores": (f"{URL}_a_b", f"{URL}_a_b"),
    "query": (f"{URL}?a=1&b=2", f"{URL}?a=1&b=2"),
    "trailing slash": (f"{URL}/", f"{URL}/"),
    "upper case": ("HTTPS://E.EXAMPLE/A", "HTTPS://E.EXAMPLE/A"),
    "insecure": ("http://e.example/1", "http://e.example/1"),
    "end of a sentence": (f"(see {URL}).", URL),
    "several marks at the end": (f"{URL}...", URL),
    "several parentheses": (f"(so (see {URL}))", URL),
    "entities at the end": (f"{URL}&amp;&quot;", URL),
    "after inline code that holds it too": (f"`{URL}x` {URL}", URL),
    "balanced parentheses": (f"{URL}_(b)", f"{URL}_(b)"),
    "bold": (f"**{URL}**", URL),
    "entity at the end": (f"{URL}&quot;", URL),
    "semicolon at the end": (f"{URL};", f"{URL};"),
    "entity within": (f"{URL}&#46;evil", f"{URL}&#46;evil"),
    "address within an address": (f"{URL}?u=http://b.example", f"{URL}?u=http://b.example"),
    "table": (f"\n| a |\n|---|\n| {URL} |", URL),
}


@pytest.mark.parametrize(("markdown", "url"), BARE.values(), ids=BARE)
def test_bare_addresses_end_where_github_ends_them(markdown, url):
    form = read_form(f"{PHRASE}\n- [x] a\n\n{markdown}\n", PHRASE)
    assert [(link.text, link.url) for link in form.links] == [(url, url)]


NO_LINKS = {
    "inline code": "`https://e.example/1` and `[a](https://e.example/1)`",
    "fence": "```\nhttps://e.example/1\n```",
    "quote": "> https://e.example/1",
    "comment": "<!-- https://e.example/1 -->",
    "details": "<details>\n\nhttps://e.example/1\n\n</details>",
    "image": "![https://e.example/1](https://e.example/1)",
    "struck": "~~https://e.example/1 [a](https://e.example/1)~~",
    "no scheme": "www.e.example e.example/1 xhttps://e.example/1",
    "nothing after the scheme": "https:// and http://",
    "unused definition": "[r]: https://e.example/1",
    "footnote": "[^1]: see\nhttps://e.example/1",
}


@pytest.mark.parametrize("markdown", NO_LINKS.values(), ids=NO_LINKS)
def test_what_is_not_the_authors_visible_text_holds_no_links(markdown):
    assert read_form(f"{PHRASE}\n- [x] a\n\n{markdown}\n", PHRASE).links == ()


def test_links_carry_their_line_in_the_comment():
    form = read_form(
        f"https://e.example/0\n\n{PHRASE}\n- [x] a\n  [b](https://e.example/1)\n- [x] `c\n"
        "  d` https://e.example/2\n\nx\n\ny https://e.example/3\n",
        PHRASE,
    )
    assert [(link.line, link.url[-1]) for link in form.links] == [
        (1, "0"),
        (5, "1"),
        (6, "2"),
        (11, "3"),
    ]


def test_a_mention_keeps_its_links_so_that_checks_can_speak_of_them():
    form = read_form(f"write `{PHRASE}`, see https://e.example/1\n", PHRASE)
    assert [link.url for link in form.links] == ["https://e.example/1"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("- [\u0445] a", "'[\u0445] a' (it holds U+0445 CYRILLIC SMALL LETTER HA)"),
        ("- [ x] a", "'[ x] a'"),
    ],
)
def test_the_odd_character_of_a_broken_box_is_named(line, told):
    problems = read_form(f"{PHRASE}\n\n{line}\n", PHRASE).problems
    message = f"GitHub shows no tick box for {told}; write `- [x] ` and the text"
    assert message in [problem.message for problem in problems]


@pytest.mark.parametrize(
    ("line", "name"),
    [("Signed: @Xena-X", "Xena-X"), ("Signed: \u00a0kiri-lund", "\u00a0kiri-lund")],
)
def test_a_signature_is_the_name_and_nothing_is_taken_off_it(line, name):
    assert read_form(f"{PHRASE}\n- [x] a\n\n{line}\n", PHRASE).signed == name


def test_the_last_of_several_names_is_where_the_problem_is_told():
    names = "Signed: kiri-lund\n\nSigned: bram-ito\n\nSigned: octavia-chen\n"
    (problem,) = read_form(f"{PHRASE}\n- [x] a\n\n{names}", PHRASE).problems
    assert (problem.line, problem.message) == (
        8,
        "several `Signed:` lines name 'kiri-lund', 'bram-ito', 'octavia-chen'; keep the one that "
        "names you",
    )
