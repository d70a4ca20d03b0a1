"""Finds simulated acceptance of speculative decoding in launch scripts and recipes.

A benchmark pins how many draft tokens are accepted, in whatever way its engine spells it: an
environment variable exported by a script or set in YAML, a flag, a field of inline JSON, each with
a number or with a shell variable that holds one. Three units are in use: the acceptance *length*
(with the token that the target model adds itself), the number of *accepted* draft tokens (one
less), and the *rate* of draft tokens that are accepted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from pydantic import Field

from signoff_bot.reading.branches import CodeLine, shell_lines, yaml_lines
from signoff_bot.reading.config_recipes import DECODE, PREFILL
from signoff_bot.reading.settings import Settings

Unit = Literal["length", "accepted", "rate"]

_VALUE = r"(?P<value>[0-9]+(?:\.[0-9]+)?(?![\w.])|\$(?:\w+|\{\w+(?::?-[^}]*)?\}))"
_VARIABLE = re.compile(r"\$\{?(\w+)(?::?-([0-9.]+))?")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")


class Spelling(Settings):
    """One way in which acceptance is pinned."""

    name: str = Field(description="Name of the variable, field or flag (with its hyphens).")
    unit: Unit = Field(description="What its value counts.")


class DraftLength(Settings):
    """One way in which the number of draft tokens is set."""

    name: str = Field(description="Name of the variable, field or flag (with its hyphens).")
    offset: int = Field(default=0, description="What to add to its value to get draft tokens.")


class AcceptanceRules(Settings):
    """How engines spell speculative decoding."""

    pins: tuple[Spelling, ...] = Field(description="The spellings of pinned acceptance.")
    draft_lengths: tuple[DraftLength, ...] = Field(
        description="The spellings of the draft length; the first one in use counts."
    )
    method_settings: tuple[str, ...] = Field(
        description="Names whose values name the method of speculative decoding."
    )
    methods: dict[str, tuple[str, ...]] = Field(
        description="For each method, its names in those values, in lower case."
    )
    switches: tuple[str, ...] = Field(
        description="Names that turn speculative decoding on where they stand."
    )
    thinking_off: tuple[str, ...] = Field(
        description="Texts, without quotes and blanks, that turn thinking off."
    )
    eval_variable: str = Field(description="The variable that is `true` in evaluations only.")
    libraries: tuple[str, ...] = Field(
        default=(), description="Names of sourced files that start no server."
    )


@dataclass(frozen=True, slots=True)
class Pin:
    """Acceptance pinned at one place, to one value."""

    line: int
    name: str
    unit: Unit
    value: float | None
    """None where it cannot be told from the file."""
    written: str
    draft_lengths: tuple[int, ...]
    """How many draft tokens there may be with it; empty where the file does not say."""

    def __str__(self) -> str:
        known = "" if self.value is None or self.written[0] != "$" else f" ({self.value:g})"
        return f"{self.name} = {self.written}{known}"


class Launch:
    """A launch script or recipe, read for what it says about speculative decoding."""

    def __init__(self, text: str, path: str, rules: AcceptanceRules) -> None:
        self._rules = rules
        shell = path.endswith(".sh")
        lines = (
            shell_lines(text, rules.eval_variable) if shell else yaml_lines(text, (PREFILL, DECODE))
        )
        self._lines = [line for line in lines if not line.eval_only]
        self._is_shell = shell

    @cached_property
    def code(self) -> str:
        """Its code, without comments and without what evaluations alone run."""
        return "\n".join(line.code for line in self._lines)

    @cached_property
    def pins(self) -> tuple[Pin, ...]:
        """Every pinned acceptance; only that of decode workers where prefill has its own."""
        found = [
            (line, pin)
            for spelling in self._rules.pins
            for line, written in self._settings(spelling.name)
            for pin in self._read_pin(spelling, line, written)
        ]
        if any(line.branch == DECODE for line, _ in found if not self._is_shell):
            found = [(line, pin) for line, pin in found if line.branch != PREFILL]
        return tuple(dict.fromkeys(pin for _, pin in sorted(found, key=lambda f: f[1].line)))

    @cached_property
    def switch(self) -> int | None:
        """The line that turns speculative decoding on, or None."""
        names = [_name(name) for name in self._rules.switches]
        pattern = re.compile("|".join(rf"{name}(?![\w-])" for name in names))
        return next((line.number for line in self._lines if pattern.search(line.code)), None)

    @cached_property
    def methods(self) -> frozenset[str]:
        """The methods of speculative decoding that it names."""
        found: set[str] = set()
        for setting in self._rules.method_settings:
            pattern = rf"{_name(setting)}\\?[\"']?\s*[=:\s]\s*\\?[\"']?(?P<value>[\w-]+)"
            values = {match["value"].lower() for match in re.finditer(pattern, self.code)}
            found |= {m for m, names in self._rules.methods.items() if values.intersection(names)}
        return frozenset(found)

    @cached_property
    def thinks(self) -> bool:
        """Whether the model thinks: unless the file says that it does not."""
        bare = re.sub(r"[\s\"'\\]", "", self.code).lower()
        signs = "|".join(re.escape(sign.lower()) for sign in self._rules.thinking_off)
        return not signs or re.search(rf"(?<![a-z0-9_])(?:{signs})", bare) is None

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """Other files that it runs, where acceptance may be pinned as well."""
        sourced = re.findall(r"(?m)^(?:source|\.|bash|exec)\s+(\S.*)$", self.code)
        return tuple(s for s in sourced if not any(name in s for name in self._rules.libraries))

    def _settings(self, name: str) -> Iterator[tuple[CodeLine, str]]:
        """Every value that a name is given, with its line."""
        blank = r"|\s" if name.startswith("--") else ""
        pattern = re.compile(rf"{_name(name)}\\?[\"']?(?:\s*[=:]\s*{blank})\s*\\?[\"']?{_VALUE}")
        for line in self._lines:
            for match in pattern.finditer(line.code):
                yield line, match["value"]

    def _read_pin(self, spelling: Spelling, line: CodeLine, written: str) -> Iterator[Pin]:
        values = list(self._values(written, line))
        if not values:
            yield Pin(line.number, spelling.name, spelling.unit, None, written, ())
        for at, value in values:
            lengths = self._draft_lengths_at(at)
            yield Pin(at.number, spelling.name, spelling.unit, value, written, lengths)

    def _values(self, written: str, line: CodeLine) -> Iterator[tuple[CodeLine, float]]:
        """The numbers that a written value may stand for, and where they are written."""
        if _NUMBER.fullmatch(written):
            yield line, float(written)
            return
        variable = _VARIABLE.match(written)
        if variable is None:
            return
        if variable[2]:
            yield line, float(variable[2])
        for at, value in self._assigned(variable[1]):
            yield at, float(value)

    def _assigned(self, variable: str) -> Iterator[tuple[CodeLine, str]]:
        pattern = re.compile(
            rf"(?<![\w$-]){variable}=[\"']?(?:\$\{{{variable}:?-)?(?:\$\{{\w+:?-)?"
            r"(?P<value>[0-9]+(?:\.[0-9]+)?)(?![\w.])"
        )
        for line in self._lines:
            for match in pattern.finditer(line.code):
                yield line, match["value"]

    @cached_property
    def _lengths(self) -> tuple[tuple[CodeLine, int], ...]:
        """The draft lengths that it sets, by the first spelling in use."""
        for spelling in self._rules.draft_lengths:
            found = {
                (at, int(value) + spelling.offset)
                for line, written in self._settings(spelling.name)
                for at, value in self._values(written, line)
                if value.is_integer()
            }
            if found:
                return tuple(sorted(found, key=lambda item: (item[0].number, item[1])))
        return ()

    @cached_property
    def _length_variables(self) -> frozenset[str]:
        written = (
            value
            for spelling in self._rules.draft_lengths
            for _, value in self._settings(spelling.name)
        )
        return frozenset(found[1] for value in written if (found := _VARIABLE.match(value)))

    @property
    def draft_lengths(self) -> tuple[int, ...]:
        """Every draft length that it sets."""
        return tuple(dict.fromkeys(length for _, length in self._lengths))

    def _draft_lengths_at(self, line: CodeLine) -> tuple[int, ...]:
        """The draft lengths that go with a value: by its `case` arm, its branch, or the file."""
        if line.label is not None and line.subject in self._length_variables:
            arms = [arm.strip(" \"'") for arm in line.label.split("|")]
            if all(arm.isdigit() for arm in arms):
                return tuple(int(arm) for arm in arms)
        beside = [length for at, length in self._lengths if at.branch == line.branch]
        return tuple(dict.fromkeys(beside)) or self.draft_lengths


def setting_pins(settings: Mapping[str, str], rules: AcceptanceRules) -> tuple[Pin, ...]:
    """The acceptance that a configuration's settings (`NAME=VALUE`) pin; lines are 0."""
    lengths = [
        int(settings[spelling.name]) + spelling.offset
        for spelling in rules.draft_lengths
        if settings.get(spelling.name, "").isdecimal()
    ]
    return tuple(
        Pin(
            0,
            spelling.name,
            spelling.unit,
            float(written) if _NUMBER.fullmatch(written) else None,
            written,
            tuple(lengths[:1]),
        )
        for spelling in rules.pins
        if (written := settings.get(spelling.name)) is not None
    )


def _name(name: str) -> str:
    return rf"(?<![\w-]){re.escape(name)}"
