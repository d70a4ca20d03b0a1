"""Reads a waiver: a Markdown page that explains why a patch is needed, in named sections.

A section is a heading with what follows it, or a list item that begins with its bold name
(`- **Removal plan:** ...`). Which section is which is told by words in its name.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from pydantic import Field

from signoff_bot.reading.settings import Settings

MAX_LENGTH = 200_000
"""Characters of a waiver; of a longer one only the beginning is read."""

MAX_ADDRESS = 2048
MAX_SECTIONS = 20
"""Sections of one kind that are read."""
FIELD_LEVEL = 7
"""The level of a named list item, below all headings."""

_RAW_HOST = "raw.githubusercontent.com"
_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_FIELD = re.compile(r"\s*[-*+]\s+\*\*(.+?):?\*\*:?\s*(.*)$")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_PLACEHOLDER = re.compile(
    r"<[^<>]*>|\b(?:todo|tbd|tba|n/?a|none|fill ?(?:me )?in|xxx+)\b[.!]?", re.IGNORECASE
)
_WORD = re.compile(r"[^\W_]{2,}")
_ADDRESS = re.compile(r"https://[^\s<>()\[\]\"'`]+")


class WaiverSection(Settings):
    """A section that a waiver must hold."""

    name: str = Field(description="What the section is called in findings.")
    titles: tuple[str, ...] = Field(
        min_length=1,
        description="Words of its name, in lower case; a name that holds all words of one of "
        "these is the section's.",
    )
    link: bool = Field(default=False, description="Whether it must hold an https link.")


class WaiverRules(Settings):
    """Where waivers are, and what they must say."""

    path: str = Field(
        pattern=r"\{pr\}", description="Path of a pull request's waiver; `{pr}` is its number."
    )
    sections: tuple[WaiverSection, ...] = Field(
        min_length=1, description="The sections that must be filled in."
    )
    least_words: int = Field(default=5, ge=1, description="Words that fill a section at least.")


@dataclass(slots=True)
class _Part:
    """A heading, or the bold name of a list item (one level below every heading)."""

    title: str
    level: int
    lines: list[str]


def missing_parts(text: str, rules: WaiverRules) -> list[str]:
    """What a waiver lacks, in words that complete "it ..."; empty for a filled-in one."""
    parts = _parts(text)
    return [what for section in rules.sections if (what := _missing(section, parts, rules))]


def _missing(section: WaiverSection, parts: Sequence[_Part], rules: WaiverRules) -> str | None:
    found = [i for i, part in enumerate(parts) if _is_titled(part.title, section.titles)]
    if not found:
        return f"has no section on {section.name}"
    text = "\n".join(line for i in found[:MAX_SECTIONS] for line in _lines_of(parts, i))
    if len(_WORD.findall(_PLACEHOLDER.sub(" ", text))) < rules.least_words:
        return f"leaves the section on {section.name} empty"
    if section.link and not _ADDRESS.search(text):
        return f"links nothing in the section on {section.name}"
    return None


def _lines_of(parts: Sequence[_Part], index: int) -> Iterator[str]:
    """What a section says, with the sections below it."""
    yield from parts[index].lines
    for part in parts[index + 1 :]:
        if part.level <= parts[index].level:
            return
        yield part.title
        yield from part.lines


def _is_titled(title: str, titles: Iterable[str]) -> bool:
    words = set(re.findall(r"\w+", title.lower()))
    return any(words.issuperset(re.findall(r"\w+", wanted)) for wanted in titles)


def _parts(text: str) -> list[_Part]:
    parts: list[_Part] = []
    fence = ""
    for line in _COMMENT.sub(" ", text[:MAX_LENGTH]).split("\n"):
        fenced = _FENCE.match(line)
        if fenced and (not fence or fenced[1].startswith(fence)):
            fence = "" if fence else fenced[1]
        heading = None if fence else _HEADING.match(line)
        named = None if fence or heading else _FIELD.match(line)
        if heading:
            parts.append(_Part(heading[2], len(heading[1]), []))
        elif named:
            parts.append(_Part(named[1], FIELD_LEVEL, [named[2]]))
        elif parts:
            parts[-1].lines.append(line)
    return parts


def leads_to(url: str, path: str, *, server: str, repos: Iterable[str], pr: int) -> bool:
    """Whether a link leads to a file as a pull request has it.

    `repos` are those that hold it: the pull request's own and its head's. Pages of the file at any
    branch or commit count, raw ones too, and its place in the pull request's own diff.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    if parts.scheme != "https" or len(url) > MAX_ADDRESS:
        return False
    host = urlsplit(server).netloc.lower()
    place = unquote(parts.path)
    for repo in repos:
        page, wanted = f"/{repo}/", f"/{path}"
        if parts.netloc.lower() == host and place.lower().startswith(page.lower()):
            rest = place[len(page) :]
            form, _, ref = rest.partition("/")
            if form in ("blob", "raw", "blame") and f"/{ref}".endswith(wanted):
                return ref.count("/") > path.count("/")
            anchor = f"diff-{hashlib.sha256(path.encode()).hexdigest()}"
            if re.fullmatch(rf"pull/{pr}/(?:files|changes)(?:/[^/]+)?/?", rest):
                return parts.fragment.startswith(anchor)
        raw = parts.netloc.lower() == _RAW_HOST and host == "github.com"
        if raw and place.lower().startswith(page.lower()) and place.endswith(wanted):
            return place.count("/") > page.count("/") + path.count("/")
    return False
