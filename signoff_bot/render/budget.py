"""Room for text where a reader sets a limit: what fits is shown, and what does not is counted.

Bytes are counted, the strictest way to keep any limit on characters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable


def fit(
    blocks: Iterable[str], budget: int, more: Callable[[int], str], between: str = "\n"
) -> tuple[str, int]:
    """As many of the first blocks as the budget of bytes allows, and what is left of it.

    Where some are left out, the line that `more` makes of their number follows, beyond the budget.
    """
    shown: list[str] = []
    left_out = 0
    for block in blocks:
        taken = size(block, between)
        if left_out or taken > budget:
            left_out += 1
        else:
            shown.append(block)
            budget -= taken
    if left_out:
        shown.append(more(left_out))
    return between.join(shown), budget


def size(*parts: str) -> int:
    """The bytes of the texts in UTF-8."""
    return sum(len(part.encode("utf-8", "surrogatepass")) for part in parts)
