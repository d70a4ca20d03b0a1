"""Makes untrusted text inert: whatever somebody wrote on a pull request is shown, never obeyed.

`visible` is for every face: one line, every hidden or direction-changing character spelt out by
its code point, cut at a length. `code` and `prose` are for GitHub's Markdown. Escaping single
characters would not do there: GitHub looks for mentions, issue numbers, commit SHAs, e-mail
addresses and emoji short codes in the *rendered* text, where an escaped `@` is an `@` again. It
does not look into code spans, so that is where everything goes that is not a plain word or a short
number.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
# Spaces, letters and marks that have no ink of their own: they hide differences.
_BLANK = frozenset("\u00a0\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_ADDRESS = re.compile(
    r"https?://[A-Za-z0-9.-]+(?::[0-9]{1,5})?(?:[/?#][A-Za-z0-9._~/?#=&%+,:;-]*)?"
)
_LOGIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,62}")
_OPENING, _CLOSING = r"""[("']*""", r"""[)"']*[.,;:?!…]?[)"']*"""
_PLAIN = re.compile(
    rf"{_OPENING}(?:"
    r"[^\W\d_]+(?:[-'][^\W\d_]+)*"  # in-PR, signer's
    r"|[0-9]{1,6}(?:[.,][0-9]{1,6})?%?"  # 34, 0.95
    rf"|[-—=+]){_CLOSING}"
)
_HYPHENATED = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
_PUNCTUATED = re.compile(rf"({_OPENING})(.*?)({_CLOSING})", re.DOTALL)
# GitHub links what may be a commit's SHA: seven hexadecimal digits or more.
_SHA = re.compile(r"(?<!\w)[0-9a-fA-F]{7,64}(?!\w)")
# At the beginning of a block these make a list, a heading, a quotation, ...
_BLOCK = re.compile(r"[-+=—]|[0-9]+[.)].*")


def visible(text: str, limit: int = 300) -> str:
    """The text on one line, hidden characters spelt out, cut after `limit` characters."""
    shown = "".join(_spell(char) for char in text[:limit])
    more = len(text) - limit
    return shown if more <= 0 else f"{shown}… ({more} more characters)"


def code(text: str, limit: int = 200) -> str:
    """The text as a Markdown code span; in a table it needs `cell` besides."""
    shown = visible(text, limit)
    if not shown.strip():
        return "(blank)"
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    # Markdown drops one space on both sides; it keeps backticks of the text apart from the fence.
    pad = " " if shown[0] in "` " or shown[-1] in "` " else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def prose(text: str, limit: int = 300) -> str:
    """The text as Markdown in which plain words stay words and everything else is a code span.

    Neighbours share a span, so that the name of a job (`multi-node 8k1k / / p1`) is one.
    """
    words = visible(text, limit).split()
    pieces = [_Piece("", word) if _BLOCK.fullmatch(word) else _piece(word) for word in words[:1]]
    pieces += [_piece(word) for word in words[1:]]
    for index, piece in enumerate(pieces):
        if _is_part(piece, pieces[:index][-2:], pieces[index + 1 :][:2]):
            pieces[index] = _Piece("", piece.before)
    joined: list[_Piece] = []
    for piece in pieces:
        if joined and _span([joined[-1], piece]):
            last = joined.pop()
            piece = _Piece(last.before, f"{last.held} {piece.held}", piece.after)
        joined.append(piece)
    return " ".join(str(piece) for piece in joined)


def cell(markdown: str) -> str:
    """What `code`, `prose` or `link` made, as part of a table's cell, which a `|` would end."""
    return markdown.replace("|", r"\u{7C}")


def link(label: str, url: str) -> str:
    """A Markdown link to a harmless address; any other address as a code span."""
    if not is_plain_address(url):
        return f"{prose(label, 80)} {code(url)}"
    return f"[{prose(label, 80) or 'link'}]({url})"


def mention(login: str) -> str:
    """A live mention: the one exception, for the person whom the comment answers."""
    return f"@{login}" if _LOGIN.fullmatch(login) else code(login)


def is_plain_address(url: str) -> bool:
    """Whether an http(s) address is one that every reader takes for the same, with nothing odd."""
    return len(url) <= 2000 and _ADDRESS.fullmatch(url) is not None


def _spell(char: str) -> str:
    if char in _BLANK or unicodedata.category(char) in _HIDDEN:
        return f"\\u{{{ord(char):X}}}"
    return char


@dataclass(frozen=True, slots=True)
class _Piece:
    """What stands before a code span, in it, and after it; a plain word has none."""

    before: str
    held: str = ""
    after: str = ""

    def __str__(self) -> str:
        held = code(self.held, len(self.held)) if self.held else ""
        return f"{self.before}{held}{self.after}"


def _piece(word: str) -> _Piece:
    if _PLAIN.fullmatch(word) and not _SHA.search(word):
        return _Piece(word)
    punctuated = _PUNCTUATED.fullmatch(word)
    if punctuated is None or not punctuated[2]:
        return _Piece("", word)
    return _Piece(punctuated[1], punctuated[2], punctuated[3])


def _span(pieces: Sequence[_Piece]) -> bool:
    """Whether two neighbours belong into one code span: nothing but a space is between them."""
    if len(pieces) < 2:
        return False
    left, right = pieces
    return bool(left.held and right.held and not left.after and not right.before)


def _is_part(piece: _Piece, before: Sequence[_Piece], after: Sequence[_Piece]) -> bool:
    """Whether a plain word is part of a name, as `eval` and `vllm-disagg` are of those of jobs."""
    if piece.held:
        return False
    if [right.held for right in after[:1]] == ["/"]:
        return piece.before.isalpha()
    return _HYPHENATED.fullmatch(piece.before) is not None and (_span(before) or _span(after))
