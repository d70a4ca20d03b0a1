"""Looks for a server's arguments in a published recipe, whatever form it writes them in.

Recipes hold shell commands, lists of arguments in YAML or JSON, and keys with values. Only the
diffs of a pull request are at hand: of a file that it adds they are the whole text, of a file that
it changes a part.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

from signoff_bot.evidence.pull import ChangedFile
from signoff_bot.reading.globs import matching
from signoff_bot.reading.server_arguments import MajorArgument, canonical
from signoff_bot.reading.unified_diff import read_diff

_BETWEEN = re.compile(r"[\s\"'`,;()\[\]{}\\=|]+")
_PLACEHOLDERS = ("$", "<")

Match = Literal["found", "other", "absent"]


@dataclass(frozen=True)
class RecipeText:
    """What linked pull requests say."""

    texts: tuple[str, ...]
    whole: bool
    """Whether nothing of the recipes is left out."""

    @cached_property
    def _words(self) -> tuple[str, ...]:
        words = (word for text in self.texts for word in _BETWEEN.split(text))
        return tuple(word for word in words if word and word not in ("-", "+", "--"))

    @cached_property
    def _values(self) -> dict[str, set[str]]:
        """The values that each argument is given, by its name; `` for a plain switch."""
        found: dict[str, set[str]] = {}
        words = (*self._words, "--")
        for word, following in pairwise(words):
            name = canonical(word.rstrip(":"))
            if word.startswith("-") or word.endswith(":") or "-" in name:
                switch = following.startswith("-") and not re.fullmatch(r"-[0-9.]+", following)
                found.setdefault(name, set()).add("" if switch else following.lower())
        return found

    @cached_property
    def _endings(self) -> frozenset[str]:
        return frozenset(word.strip(":/.").rsplit("/", 1)[-1].lower() for word in self._words)

    def names_model(self, model: str) -> bool:
        """Whether a model is spoken of, by its name without its maker."""
        return model.rstrip("/").rsplit("/", 1)[-1].lower() in self._endings

    def match(self, argument: MajorArgument, value: str | None) -> tuple[Match, tuple[str, ...]]:
        """Whether an argument is there with this value, and the values that are.

        None stands for a value that is not known, so that any will do; a switch has an empty one.
        """
        if any(text in whole for text in argument.implied_by for whole in self.texts):
            return "found", ()
        given = [self._values.get(canonical(name)) for name in argument.names]
        values = {text for found in given if found is not None for text in found}
        if not values:
            return "absent", ()
        if value == "" and values != {"false"}:  # what follows a switch need not be its value
            return "found", ()
        free = value is None or any(text.startswith(_PLACEHOLDERS) for text in values)
        if free or _alike(value or "", argument) & {v for t in values for v in _alike(t, argument)}:
            return "found", ()
        return "other", tuple(sorted(values))


def _alike(value: str, argument: MajorArgument) -> set[str]:
    """A value, and all that mean the same."""
    value = value.lower()
    groups = ({item.lower() for item in group} for group in argument.same)
    return {value}.union(*(group for group in groups if value in group))


def read_recipes(files: Iterable[ChangedFile], globs: Sequence[str]) -> RecipeText:
    """What the recipes among these files say; the globs tell them from other files."""
    texts: list[str] = []
    whole = True
    for file in files:
        if file.status == "removed" or not matching([file.path], globs):
            continue
        diff = None if file.patch is None else read_diff(file.patch)
        if diff is not None:
            lines = dict(diff.context) | dict(diff.added)
            texts.append("\n".join(lines[number] for number in sorted(lines)))
        whole = whole and diff is not None and file.status == "added"
    return RecipeText(tuple(texts), whole and bool(texts))
