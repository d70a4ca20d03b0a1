"""Reads the committed curves of acceptance, and tells which of them a launch is held to.

A curve file maps a model to thinking modes, and a mode to the mean acceptance length of every
draft length: `MODEL: {thinking_on: {1: 1.79, 2: 2.27}}`. Its name and key are no model prefix, and
a model may have several, so rules say which holds for which model, method, draft and sampling.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from pydantic import Field

from signoff_bot.errors import InvalidInput
from signoff_bot.evidence.base import MissingEvidence
from signoff_bot.reading.settings import Settings
from signoff_bot.reading.strict_yaml import read_yaml

_SCRIPT = re.compile(r"([\w.-]+?)_(?:bf|fp|int|mxfp|nvfp)\d+_")
_MODEL_PREFIX = re.compile(r"\bMODEL_PREFIX\s*[=:]\s*[\"']?([\w.-]+)")
THINKING_ON, THINKING_OFF = "thinking_on", "thinking_off"


class CurveRule(Settings):
    """What a curve file holds for."""

    file: str = Field(description="Name of the file.")
    key: str = Field(description="The model's key in it.")
    model: str = Field(description="The model prefix.")
    aliases: tuple[str, ...] = Field(
        default=(), description="Other names of the model in the paths of recipes."
    )
    methods: tuple[str, ...] = Field(
        default=(), description="Methods of speculative decoding; none for every method."
    )
    only_with: tuple[str, ...] = Field(
        default=(), description="Texts that a launch must hold for the curve to apply."
    )
    not_with: tuple[str, ...] = Field(default=(), description="Texts that it must not hold.")


@dataclass(frozen=True, slots=True)
class Launched:
    """What is known of a launch. Sets are empty, and `code` None, where nothing is known."""

    model: str | None
    methods: frozenset[str]
    code: str | None


@dataclass(frozen=True, slots=True)
class Curve:
    """The lengths of one model in one file, by thinking mode and draft length."""

    file: str
    modes: Mapping[str, Mapping[int, float]]
    ruled: bool
    """Whether a rule says what it holds for, rather than its name alone."""

    def length(self, draft_length: int, thinks: bool) -> float | None:
        """The acceptance length to be pinned, or None where the curve has none."""
        return self.modes.get(THINKING_ON if thinks else THINKING_OFF, {}).get(draft_length)

    def draft_lengths(self, thinks: bool) -> tuple[int, ...]:
        """The draft lengths that it has."""
        return tuple(self.modes.get(THINKING_ON if thinks else THINKING_OFF, {}))


def model_of(path: str, code: str, rules: Sequence[CurveRule]) -> str | None:
    """The prefix of the model that a script or recipe launches, or None.

    A script is named `PREFIX_PRECISION_...`; a recipe says it as `MODEL_PREFIX`, or stands in a
    folder of its model.
    """
    file = PurePosixPath(path)
    said = _SCRIPT.match(file.name) or _MODEL_PREFIX.search(code)
    if said:
        return said[1]
    folders = {_plain(part) for part in file.parts[:-1]}
    found = {r.model for r in rules if folders & {_plain(n) for n in (r.model, *r.aliases)}}
    return found.pop() if len(found) == 1 else None


def select(
    launched: Launched, rules: Sequence[CurveRule], texts: Mapping[str, str]
) -> tuple[Curve, ...]:
    """The curves that may hold for a launch, of the files at hand (text by path).

    Where the launch does not say what tells two curves apart, both may hold.

    Raises:
        MissingEvidence: a curve file cannot be read.
    """
    by_name = {PurePosixPath(path).name: path for path in texts}
    chosen = [
        Curve(rule.file, _modes(texts[by_name[rule.file]], by_name[rule.file], rule.key), True)
        for rule in rules
        if rule.file in by_name and _applies(rule, launched)
    ]
    ruled = {rule.file for rule in rules}
    model = _plain(launched.model or "")
    others = [
        Curve(name, _modes(texts[path], path, None), False)
        for name, path in sorted(by_name.items())
        if model and name not in ruled and _plain(name.split("_")[0]) == model
    ]
    return (*chosen, *others)


def _applies(rule: CurveRule, launched: Launched) -> bool:
    if launched.model != rule.model:
        return False
    if launched.methods and rule.methods and not launched.methods.intersection(rule.methods):
        return False
    code = launched.code
    if code is None:
        return True
    return all(t in code for t in rule.only_with) and not any(t in code for t in rule.not_with)


def _modes(text: str, path: str, key: str | None) -> dict[str, dict[int, float]]:
    try:
        data = read_yaml(text, path).data
    except InvalidInput as error:
        raise MissingEvidence(" ".join(str(error).split())) from None
    if isinstance(data, dict) and key is None and len(data) == 1:
        key = next(iter(data))
    modes = data.get(key) if isinstance(data, dict) else None
    if not isinstance(modes, dict):
        raise MissingEvidence(f"{path} has no curve under {key}")
    return {mode: _lengths(curve, f"{path}: {key}.{mode}") for mode, curve in modes.items()}


def _lengths(curve: object, where: str) -> dict[int, float]:
    lengths: dict[int, float] = {}
    for draft_length, value in curve.items() if isinstance(curve, dict) else ():
        if draft_length.isdecimal() and isinstance(value, int | float):
            lengths[int(draft_length)] = float(value)
    if not lengths:
        raise MissingEvidence(f"{where} holds no acceptance lengths by draft length")
    return lengths


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9.]", "", name.lower())
