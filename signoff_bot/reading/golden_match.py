"""Compares a pinned acceptance with committed curves, in the unit that it is written in."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from signoff_bot.reading.acceptance import Unit
from signoff_bot.reading.golden_curves import Curve
from signoff_bot.reading.settings import Settings

_ROUNDING = 1e-9  # of floating point, far below any tolerance


class Tolerance(Settings):
    """How far a pinned value may be from the committed one."""

    length: float = Field(default=0.01, ge=0, description="Of a length or a number of tokens.")
    rate: float = Field(default=0.005, ge=0, description="Of a rate of accepted draft tokens.")


def compare(
    unit: Unit,
    value: float,
    draft_lengths: Sequence[int],
    curves: Sequence[Curve],
    thinks: bool,
    tolerance: Tolerance,
) -> tuple[list[str], list[str]]:
    """The committed values that a pinned one equals, and the others that it may be held to.

    Without `draft_lengths`, every draft length of a curve may be meant.
    """
    fits: list[str] = []
    others: list[str] = []
    allowed = tolerance.rate if unit == "rate" else tolerance.length
    for curve in curves:
        for draft_length in draft_lengths or curve.draft_lengths(thinks):
            length = curve.length(draft_length, thinks)
            expected = None if length is None else in_unit(unit, length, draft_length)
            right = expected is not None and abs(value - expected) <= allowed + _ROUNDING
            (fits if right else others).append(_said(expected, curve, draft_length, thinks))
    return fits, others


def in_unit(unit: Unit, length: float, draft_length: int) -> float:
    """An acceptance length as its unit writes it."""
    if unit == "accepted":
        return length - 1
    return (length - 1) / draft_length if unit == "rate" else length


def _said(expected: float | None, curve: Curve, draft_length: int, thinks: bool) -> str:
    number = "none" if expected is None else f"{expected:.4f}".rstrip("0").rstrip(".")
    mode = "on" if thinks else "off"
    return f"{number} ({curve.file}, thinking {mode}, {draft_length} draft tokens)"
