"""What must hold of reading sign-offs whatever the comment says."""

from hypothesis import given, settings
from hypothesis import strategies as st

from signoff_bot.reading.signoff import read_form

PHRASE = "As a PR reviewer and CODEOWNER, I have reviewed this and have"
FRAGMENTS = (
    PHRASE,
    f"{PHRASE}:",
    "- [x] Verified one",
    "- [ ] Verified two",
    "  - [X] nested",
    "1. [x] three",
    "- [ x] four",
    "Signed: octavia-chen",
    "https://e.example/1",
    "[](https://e.example/2)",
    "> ",
    "```",
    "    ",
    "<details>",
    "</details>",
    "<!--",
    "-->",
    "<div>",
    "<br>",
    "| a |",
    "|---|",
    "# ",
    "---",
    "~~",
    "**",
    "`",
    "[^1]: ",
    "[r]: u",
    "&nbsp;",
    "\u0430",
    "",
    "",
)
line = st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=3).map("".join)
markdown = st.lists(line | st.text(max_size=20), max_size=14).map("\n".join)
word = st.text("abcdefghij", min_size=1, max_size=8)
ticks = st.lists(st.booleans(), min_size=1, max_size=8).filter(any)
untimed = settings(deadline=None)
bullets = st.sampled_from(("-", "*", "+"))


def form_of(
    state: list[bool], bullet: str = "-", end: str = "\n", trail: str = "", gap: bool = False
) -> str:
    lines = [f"{PHRASE}:", *([""] if gap else [])]
    lines += [f"{bullet} [{'x' if tick else ' '}] item {i}" for i, tick in enumerate(state)]
    lines += ["", "Signed: octavia-chen"]
    return "".join(line + trail + end for line in lines)


@untimed
@given(markdown | st.text())
def test_any_text_is_read_and_always_in_the_same_way(body):
    form = read_form(body, PHRASE)
    assert read_form(body, PHRASE) == form
    assert (form.shape == "complete") <= any(item.ticked for item in form.items)
    assert (form.shape in ("attempt", "mention")) == any(p.voids for p in form.problems)
    lines = body.count("\n") + body.count("\r") + 1
    assert all(1 <= part.line <= lines for part in (*form.items, *form.links, *form.problems))


@untimed
@given(markdown)
def test_quoting_a_whole_comment_leaves_no_sign_off(body):
    quoted = "\n".join(f"> {line}" for line in body.replace("\r", "\n").split("\n"))
    assert read_form(quoted, PHRASE).shape == "none"


@untimed
@given(markdown)
def test_fencing_a_whole_comment_leaves_no_sign_off(body):
    fence = "`" * (body.count("`") + 3)
    assert read_form(f"{fence}\n{body}\n{fence}\n", PHRASE).shape == "none"


@untimed
@given(markdown)
def test_folding_a_whole_comment_completes_no_sign_off(body):
    assert read_form(f"<details>\n\n{body}\n\n</details>\n", PHRASE).shape != "complete" or (
        "</details>" in body
    )


@untimed
@given(
    ticks, bullets, st.sampled_from(("\n", "\r\n", "\r")), st.sampled_from(("", " ", "  ", "\t"))
)
def test_bullets_line_ends_and_trailing_space_change_nothing(state, bullet, end, trail):
    for gap in (False, True):
        form = read_form(form_of(state, bullet, end, trail, gap), PHRASE)
        assert (form.shape, form.signed) == ("complete", "octavia-chen")
        assert [item.ticked for item in form.items] == state
        assert [item.text for item in form.items] == [f"item {i}" for i in range(len(state))]


@untimed
@given(ticks, st.lists(word, min_size=1, max_size=5).map(" ".join))
def test_words_around_a_form_change_nothing(state, words):
    form = read_form(f"{words}\n\n{form_of(state)}\n{words}\n", PHRASE)
    assert form.shape == "complete"
    assert [item.ticked for item in form.items] == state


@untimed
@given(ticks, st.integers(0, len(PHRASE) - 1), st.characters(min_codepoint=0x80))
def test_a_foreign_character_in_the_phrase_never_counts(state, at, character):
    altered = PHRASE[:at] + character + PHRASE[at + 1 :]
    assert read_form(form_of(state).replace(PHRASE, altered), PHRASE).shape != "complete"
    inserted = PHRASE[: at + 1] + character + PHRASE[at + 1 :]
    form = read_form(form_of(state).replace(PHRASE, inserted), PHRASE)
    assert form.shape != "complete" or at == len(PHRASE) - 1


@untimed
@given(ticks)
def test_a_form_without_a_tick_completes_nothing(state):
    form = read_form(form_of([False for _ in state]), PHRASE)
    assert form.shape == "attempt"
