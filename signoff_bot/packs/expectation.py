"""What a case expects of a verdict, and how a verdict differs from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import Field

from signoff_bot.checks.base import Status
from signoff_bot.reading.settings import Settings

Texts = str | tuple[str, ...]


class Expectation(Settings):
    """What a case expects; one that has a base states only what differs from the base."""

    verdict: Literal["pass", "fail", "pending", "error"] | None = Field(
        default=None, description="The verdict; default: the base's."
    )
    checks: dict[str, Status] = Field(
        default_factory=dict,
        description="The status of each check; those left out are as in the base.",
    )
    says: dict[str, Texts] = Field(
        default_factory=dict,
        description="Per check, a text or several that its summary, details or fix must contain.",
    )
    problems: Texts = Field(
        default=(), description="A text or several that the sign-off's problems must contain."
    )
    signer: str | None = Field(
        default=None, description="Whose sign-off the verdict must speak of."
    )

    def over(self, base: Expectation) -> Expectation:
        """This, with verdict and statuses of the base where it states none."""
        verdict, checks = self.verdict or base.verdict, {**base.checks, **self.checks}
        return self.model_copy(update={"verdict": verdict, "checks": checks})


def differences(expected: Expectation, verdict: Mapping[str, Any]) -> list[str]:
    """How a verdict, in its JSON form `signoff-bot/verdict/v1`, differs: one line a difference."""
    return list(_differences(expected, verdict))


def _differences(expected: Expectation, verdict: Mapping[str, Any]) -> Iterator[str]:
    if verdict["verdict"] != expected.verdict:
        yield f"verdict: expected {expected.verdict}, got {verdict['verdict']}"
    signoff = verdict["signoff"] or {"author": "nobody", "problems": []}
    if expected.signer not in (None, signoff["author"]):
        yield f"signer: expected {expected.signer}, got {signoff['author']}"
    yield from _missing("problems", expected.problems, signoff["problems"])
    for check in verdict["checks"]:
        wanted = expected.checks.get(check["id"], "pass")
        said = [check["summary"], *check["details"], *([check["fix"]] if check["fix"] else [])]
        if check["status"] != wanted:
            yield f"{check['id']}: expected {wanted}, got {check['status']}: {check['summary']}"
        yield from _missing(check["id"], expected.says.get(check["id"], ()), said)


def _missing(where: str, texts: Texts, said: list[str]) -> Iterator[str]:
    for text in (texts,) if isinstance(texts, str) else texts:
        if not any(text in line for line in said):
            yield f"{where}: expected to say {text!r}, says {' / '.join(said) or 'nothing'}"
