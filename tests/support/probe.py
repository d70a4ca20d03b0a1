"""A check kind for tests of what packs do with kinds: it looks at the pull request's title.

**What it checks.** The title holds a word.

**How to fix a failure.** Write the word into the title.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from pydantic import Field

from signoff_bot.checks import Kinds
from signoff_bot.checks.base import Case, CheckKind, Finding, Parameters
from signoff_bot.checks.needs import Needs
from signoff_bot.reading.globs import Glob
from signoff_bot.reading.settings import Settings


class Place(Settings):
    host: str = Field(description="Host name.")
    depth: int = Field(default=1, ge=1, description="How deep.")


class TitleParameters(Parameters):
    word: str = Field(description="What the title must hold.")
    case: Literal["matters", "ignored"] = Field(
        default="matters", description="Whether upper and lower case differ."
    )
    globs: tuple[Glob, ...] = Field(default=(), description="Globs.")
    places: tuple[Place, ...] = Field(default=(), description="Places.")
    either: str | tuple[str, ...] = Field(default=(), description="A text or several.")
    limits: dict[str, float] = Field(default_factory=dict, description="Numbers by name.")


def judge(case: Case, parameters: TitleParameters) -> Finding:
    title, word = case.evidence.pull.title, parameters.word
    if parameters.case == "ignored":
        title, word = title.lower(), word.lower()
    if word in title:
        return Finding("pass", f"the title says {word!r}")
    return Finding("fail", f"the title does not say {word!r}", (title,), "change the title")


BASIC = """\
schema: signoff-bot/rules/v1
name: basic
description: The title says hello.
signoff:
  phrase: I have reviewed this change
publish:
  context: signoff
checks:
  hello:
    kind: title
    number: 0
    with:
      word: hello
  world:
    kind: title
    number: 1
    with: {word: world, limits: {low: 1, high: 2}}
"""

KIND = CheckKind(
    name="title",
    doc=__doc__ or "",
    parameters=TitleParameters,
    needs=lambda _: Needs(),
    judge=judge,
    needs_signoff=False,
)


def install(monkeypatch: pytest.MonkeyPatch, shipped: Path, **packs: str) -> None:
    """Makes this the only kind, and the given packs the shipped ones, below the given folder."""
    rules = shipped / "rules"
    rules.mkdir()
    for name, text in packs.items():
        (rules / f"{name}.yaml").write_text(text, encoding="utf-8")
    monkeypatch.setattr("signoff_bot.checks.KINDS", Kinds({"title": __name__}))
    monkeypatch.setattr("signoff_bot.packs.shipped._PACKAGE", shipped)
