"""The comment that greets a pull request: complete, inert, and within GitHub's limit."""

from __future__ import annotations

import pytest
from support.alive import alive, html, links
from support.build import comment
from support.hostile import HOSTILE

from signoff_bot.draft import Draft, Found, Owned
from signoff_bot.packs.model import Publication, Welcome
from signoff_bot.reading.candidates import own_form
from signoff_bot.reading.marker import Marker, read_marker
from signoff_bot.render.comment import MAX_BYTES
from signoff_bot.render.welcome import render_not_needed, render_welcome
from signoff_bot.verdict import LinkReport

PHRASE = "As a reviewer I have reviewed this and have"
FORM = f"{PHRASE}:\n- [ ] Run it.\n\nSigned: `YOUR_NAME`\n"
RUN = LinkReport(label="run 1", url="https://github.com/o/r/actions/runs/1")


def draft(**fields: object) -> Draft:
    given = {
        "form": FORM,
        "no_form": None,
        "found": (Found("1 (sweep)", RUN),),
        "owned": (
            Owned(("src/a.py", "src/b.py"), ("@octavia-chen", "@octo-org/core"), anybody=False),
            Owned(("README.md",), ("@octavia-chen",), anybody=True),
        ),
        "together": False,
    }
    return Draft(**{**given, **fields})


def welcome(found: Draft | None = None, **settings: object) -> str:
    publication = Publication(context="mine", welcome=Welcome(**settings))
    return render_welcome(found or draft(), publication)


def test_what_it_says() -> None:
    assert (
        welcome(text="Please sign.\n")
        == f"""\
<!-- mine welcome -->
### ✍️ This pull request needs a sign-off

Please sign.

Who can sign; one person has to be an owner everywhere:

- `src/a.py`, `src/b.py`: `@octavia-chen` or `@octo-org/core`
- `README.md`: any listed owner: `@octavia-chen`

Evidence found so far:

- check 1 (sweep): [run 1](https://github.com/o/r/actions/runs/1)

The form to copy:

```markdown
{FORM.rstrip()}
```
"""
    )


def test_it_is_known_again_and_signs_nothing() -> None:
    body = welcome()
    assert read_marker(body, "mine") == Marker(None, None)
    assert own_form(comment(body), PHRASE) is None


def test_it_mentions_nobody_and_links_only_what_was_found() -> None:
    body = welcome()
    assert not alive(body)
    assert links(body) == [RUN.url]


def test_other_languages_are_folded_away_under_their_names() -> None:
    body = welcome(languages={"中文": "请签名。", "<b>": "x"})
    assert "<details>\n<summary>中文</summary>\n\n请签名。\n\n</details>" in body
    assert "<summary>&lt;b&gt;</summary>" in body


def test_several_signers_are_invited_where_they_count_together() -> None:
    assert "several people may cover the paths together" in welcome(draft(together=True))
    assert "Who can sign:\n" in welcome(draft(owned=draft().owned[:1], together=True))


def test_what_is_not_known_is_left_out() -> None:
    bare = welcome(draft(form=None, found=(), owned=()), text="Sign.")
    assert bare == "<!-- mine welcome -->\n### ✍️ This pull request needs a sign-off\n\nSign.\n\n"
    lost = welcome(draft(form=None, no_form="the form could not be read"))
    assert lost.endswith("the form could not be read.\n")


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_paths_owners_and_labels_are_shown_inertly(text: str) -> None:
    hostile = draft(
        owned=(Owned((text,), (text,), anybody=False),),
        found=(Found(text, LinkReport(label=text, url=text)),),
        no_form=text,
        form=None,
    )
    body = welcome(hostile)
    assert not alive(body)
    assert html(body) == ["<!-- mine welcome -->\n"]
    assert links(body) == []


def test_a_form_cannot_end_its_block_of_code() -> None:
    body = welcome(draft(form=f"{FORM}\n````\n</details>\n@everybody\n"))
    assert not alive(body)
    assert "`````markdown\n" in body


def test_it_keeps_within_githubs_limit() -> None:
    many = tuple(Owned((f"{'x' * 150}{n}",), (f"@owner-{n}",), anybody=False) for n in range(900))
    body = welcome(draft(owned=many), languages={f"l{n}": "y" * 1000 for n in range(20)})
    assert len(body.encode()) <= MAX_BYTES
    assert "more\n" in body
    assert FORM.rstrip() in body
    assert "too long to be shown" in welcome(draft(form=FORM + "x" * MAX_BYTES))


def test_no_signoff_may_be_needed_any_more() -> None:
    publication = Publication(context="mine")
    body = render_not_needed(publication, "No sign-off needed: applies to @team only")
    assert body == (
        "<!-- mine welcome -->\n### ✍️ This pull request needs no sign-off\n\n"
        "No sign-off needed: applies to `@team` only.\n"
    )
