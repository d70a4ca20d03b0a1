"""A check that judges the run of another one needs a sweep that is judged before it."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from signoff_bot.packs.build import build
from signoff_bot.packs.load import load_named

PACK = load_named("inferencex-2026-06-24").data


def mistakes(check: str = "eval", **changes: Any) -> list[str]:
    """What is wrong with the pack after its checks were changed."""
    data: Any = deepcopy(PACK)
    with_ = changes.pop("with_", {})
    data["checks"][check] |= changes
    data["checks"][check]["with"] |= with_
    return [f"{'.'.join(map(str, path))}: {what}" for path, what in build(data)[1]]


def test_the_pack_as_it_is_has_no_mistake() -> None:
    assert mistakes() == []


@pytest.mark.parametrize("name", ["codeowner", "swep"])
def test_the_run_must_be_that_of_a_sweep(name: str) -> None:
    hint = "; did you mean 'sweep'?" if name == "swep" else ""
    assert mistakes(with_={"run_of": name}) == [
        f"checks.eval.with.run_of: run_of: no such check of kind sweep: {name!r}; "
        f"allowed: sweep{hint}"
    ]


def test_a_sweep_that_comes_later_is_a_mistake() -> None:
    words = "run_of: 'sweep' is judged after this check; say `depends_on: sweep`"
    assert mistakes(number=-1, depends_on=None)[-1] == f"checks.eval.with.run_of: {words}"
    assert mistakes("sweep", number=90) == []


def test_without_the_key_the_default_must_be_there() -> None:
    data: Any = deepcopy(PACK)
    data["checks"]["measured"] = data["checks"].pop("sweep")
    data["checks"]["eval"]["depends_on"] = "measured"
    del data["checks"]["eval"]["with"]["run_of"]
    (path, what), *_ = build(data)[1]
    assert path == ("checks", "eval", "with")
    assert what == "run_of: no such check of kind sweep: 'sweep'; allowed: measured"
