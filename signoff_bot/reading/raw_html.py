"""Tells raw HTML that cannot hide anything from raw HTML that might.

A reader of a sign-off must see what the bot reads. HTML comments hide only themselves, a closed
`<details>` hides only its content, and a few tags change nothing but looks. Any other tag, or
markup that a browser may read differently from a Markdown parser, is reported as *doubtful*.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from markdown_it.common.html_re import close_tag, open_tag

_TAG = re.compile(f"{open_tag}|{close_tag}")
_MARKUP = re.compile(r"<[A-Za-z/!?][^\s<>]{0,20}")
_STANDALONE = frozenset({"br", "hr", "img", "wbr"})
_LOOKS = frozenset({"b", "em", "i", "ins", "kbd", "strong", "sub", "sup", "var"})
_CLOSED_BY_FOLD = frozenset({"li", "ol", "p", "pre", "ul"})
"""What `</details>` closes too if it was left open, unlike tables and links."""


@dataclass(frozen=True, slots=True)
class Html:
    """What a piece of raw HTML does to the text after it."""

    folds: tuple[str, ...]
    """The tags that fold text away, in order: `details` opens, `/details` closes."""
    styles: bool
    """Whether it may change the looks of the text after it."""
    doubtful: str | None
    """The first markup that may hide something else."""


def read_html(content: str, *, inline: bool, folded: bool) -> Html:
    """Reads a raw HTML block, or one tag within a line (where nothing may fold)."""
    content, doubtful = _without_comments(content)
    folds: list[str] = []
    styles = False
    for tag in _TAG.finditer(content):
        name = tag[0].strip("</>").split()[0].lower()
        if name == "details" and not inline:
            folds.append("/details" if tag[0].startswith("</") else "details")
        elif not _is_harmless(name, inline=inline, folded=folded or bool(folds)):
            doubtful = doubtful or tag[0]
        styles = styles or name not in _STANDALONE
    rest = _MARKUP.search(_TAG.sub("", content))
    if rest is not None:
        doubtful = doubtful or rest[0]
    return Html(tuple(folds), styles, doubtful)


def _is_harmless(name: str, *, inline: bool, folded: bool) -> bool:
    return (
        name in _STANDALONE
        or (name in _LOOKS and (inline or folded))
        or (name == "summary" and folded)
        or (name in _CLOSED_BY_FOLD and folded)
    )


def _without_comments(content: str) -> tuple[str, str | None]:
    """The content without HTML comments, and the first that browsers end somewhere else."""
    kept: list[str] = []
    at = 0
    while (start := content.find("<!--", at)) >= 0:
        kept.append(content[at:start])
        end = content.find("-->", start + 4)
        body = content[start + 4 : end]
        if end < 0 or body.startswith((">", "->")) or "--!>" in body:
            return "".join(kept), "<!--"
        at = end + 3
    return "".join([*kept, content[at:]]), None
