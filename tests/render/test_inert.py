"""Untrusted text in Markdown: whatever it says, nothing of it comes alive."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.alive import alive, code_texts, html, kinds, links, tokens
from support.hostile import HOSTILE

from signoff_bot.render.inert import cell, code, is_plain_address, link, mention, prose, visible

NASTY = st.text(alphabet="`|\\[]()<>!@#:_*~$&-+=.1aA f0/w\"'\n\t\u202e\u200b\u00e9", max_size=40)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("escape", [code, prose])
def test_nothing_comes_alive(escape, text):
    for before, after in (("", ""), ("- ✅ **x** — ", " end"), ("| ", " |\n|---|\n| b |\n")):
        shown = cell(escape(text)) if before == "| " else escape(text)
        markdown = f"{before}{shown}{after}"
        empty = kinds(f"{before}x{after}")
        assert kinds(markdown) - empty <= {"code_inline", "text"}, markdown
        assert not alive(markdown), markdown
        assert not html(markdown)
        assert not links(markdown)


@given(NASTY)
def test_no_text_breaks_out_of_a_code_span(text):
    for markdown in (code(text), f"a {code(text)} b"):
        assert kinds(markdown) <= {
            *("paragraph_open", "paragraph_close", "inline", "text", "code_inline")
        }
        assert not alive(markdown)


@given(NASTY)
def test_no_text_ends_a_cell_of_a_table(text):
    for shown in (code(text), prose(text)):
        rows = f"| a | b |\n|---|---|\n| {cell(shown)} | last |"
        cells = [token.content for token in tokens(rows) if token.type == "inline"]
        assert len(cells) == 4, rows
        assert cells[-1] == "last", rows


def test_the_name_of_a_job_stays_readable_outside_of_tables():
    name = "eval / / p1 | dsv4 fp4 b200"
    assert prose(name) == f"`{name}`"


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        (
            "1 lane not green: multi-node 8k1k / / p1 | minimaxm3 fp4 mi355x-disagg vllm-disagg "
            "TP4 c512 (cancelled), eval / p1 | dsv4 fp4 (failed)",
            [
                "multi-node 8k1k / / p1 | minimaxm3 fp4 mi355x-disagg vllm-disagg TP4 c512",
                "eval / p1 | dsv4 fp4",
            ],
        ),
        ("docs/a.md, docs/b.md and docs/c.md", ["docs/a.md", "docs/b.md", "docs/c.md"]),
        ("a.sh:11: run_it (by kiri-lund) b.sh", ["a.sh:11", "run_it", "b.sh"]),
        ("owned by @octavia-chen @bram-ito", ["@octavia-chen @bram-ito"]),
        ("single-node lane of dsv4", ["dsv4"]),
        ("kiri-lund signed a.md", ["a.md"]),
        ("kiri-lund a.md, b.md", ["a.md", "b.md"]),
        ("- * a", ["- *"]),
    ],
)
def test_a_name_of_many_words_is_one_code_span(text, spans):
    assert code_texts(prose(text)) == spans
    assert prose(text).replace("`", "") == text


@given(NASTY)
def test_a_code_span_shows_the_text_itself(text):
    if visible(text).strip():
        assert code_texts(code(text)) == [visible(text)]


@given(NASTY | st.text(max_size=60))
def test_prose_has_nothing_but_words_and_code(text):
    for markdown in (prose(text), f"a {prose(text)} b", f"- {prose(text)}", f"x\n{prose(text)}"):
        allowed = kinds("- a") | {"text", "code_inline", "softbreak"}
        assert kinds(markdown) <= allowed, markdown
        assert not alive(markdown), markdown


@given(st.text(max_size=40), st.text(max_size=40), NASTY)
def test_a_links_target_is_ours_or_none(label, tail, nasty):
    for text in (label, nasty):
        for url in (text, f"https://github.com/{tail}", f"https://github.com/{nasty}"):
            markdown = f"- {link(text, url)}"
            assert links(markdown) in ([], [url])
            assert not html(markdown)


def test_prose_reads_as_it_was_written():
    text = "octavia-chen owns docs/a.md (line 4), and 3 of 4 don't: 97.5% in-PR, at last."
    assert prose(text).replace("`", "") == text
    assert code_texts(prose(text)) == ["docs/a.md"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb", r"a\u{A}b"),
        ("\u202e", r"\u{202E}"),
        ("\x1b[31m", r"\u{1B}[31m"),
        ("\ud800", r"\u{D800}"),
        ("\U000e0041", r"\u{E0041}"),
        ("日本語 é 🚀", "日本語 é 🚀"),
    ],
)
def test_hidden_characters_are_spelt_out_and_others_are_not(text, shown):
    assert visible(text) == shown


def test_a_cut_says_how_much_is_missing():
    assert visible("a" * 12, 10) == "a" * 10 + "… (2 more characters)"
    assert visible("a" * 10, 10) == "a" * 10


@pytest.mark.parametrize("login", ["octavia-chen", "o", "octavia_corp", "0x"])
def test_only_a_login_is_mentioned(login):
    assert mention(login) == f"@{login}"


@pytest.mark.parametrize("login", ["", "-a", "a/b", "a b", "a`b", "a\n", "é", "a]", "x" * 64])
def test_what_is_no_login_is_never_mentioned(login):
    assert "mention" not in " ".join(alive(mention(login)))


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/o/r/actions/runs/1",
        "http://127.0.0.1:8080/o/r/pull/1#issuecomment-2",
        "https://results.example.com/x?unofficialRun=1&a=b",
    ],
)
def test_plain_addresses_become_links(url):
    assert is_plain_address(url)
    assert links(link("run 1", url)) == [url]


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "//evil.example",
        "https://github.com@evil.example/",
        "https://user:pass@evil.example/",
        "https://evil.example/a b",
        "https://evil.example/)[x](y",
        "https://evil.example/\n",
        "https://evil.example/<script>",
        'https://evil.example/"onclick="x',
        "https://evil.example\\@github.com/",
        "https://\u0435vil.example/",
        "https://x/" + "a" * 2000,
        "",
    ],
)
def test_any_other_address_is_only_shown(url):
    assert not is_plain_address(url)
    assert not links(link("run 1", url))
    assert not alive(link("run 1", url))
