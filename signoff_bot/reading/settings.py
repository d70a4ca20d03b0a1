"""What a rule pack says about reading a pull request: how sign-offs look and what links mean."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints


class Settings(BaseModel):
    """A part of a rule pack: immutable, strictly typed, with no unknown keys."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


Beginning = Annotated[str, StringConstraints(pattern=r"^\S")]
"""How a name begins; without a letter of it, everything would begin so."""

Host = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$")]
"""The name of a host, without scheme, port or path."""

RepositoryName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]+/[A-Za-z0-9._-]+$")]
"""A repository as `OWNER/REPO`."""

WorkflowPath = Annotated[str, StringConstraints(pattern=r"^\.github/workflows/[^/]+\.ya?ml$")]
"""Path of a workflow file, from the root of its repository."""


class RunPage(Settings):
    """A page outside GitHub whose query names an Actions run: `https://HOST/...?PARAMETER=ID`."""

    host: Host = Field(description="Host name of the page, such as `results.example.com`.")
    parameter: str = Field(description="Query parameter that holds the run's id.")


def _check_phrase(phrase: str) -> str:
    from signoff_bot.reading.signoff import read_form  # takes the Markdown parser, 35 ms

    if read_form(f"{phrase}\n- [x] done\n", phrase).shape != "complete":
        raise ValueError("no comment could show this as a line of plain text; leave out markup")
    return phrase


class SignoffRules(Settings):
    """How a sign-off looks, and which ones count together."""

    phrase: Annotated[str, AfterValidator(_check_phrase)] = Field(
        min_length=10,
        pattern=r"\w\w",
        description="The line that makes a comment a sign-off: alone, a colon may follow.",
    )
    template_file: str | None = Field(
        default=None,
        description="Path of the form at the base branch. Its items are what a sign-off must tick.",
    )
    template: str | None = Field(
        default=None,
        description="The form itself, for repositories that have no `template_file`.",
    )
    own_edits: Literal["count", "void"] = Field(
        default="count",
        description="Whether a sign-off that its author edited counts (dated at the edit) or is "
        "void. An edit by anybody else always voids it.",
    )
    combine: bool = Field(
        default=False,
        description="Whether several people's sign-offs may cover the changed paths together.",
    )
    run_pages: tuple[RunPage, ...] = Field(
        default=(), description="Pages outside GitHub that stand for an Actions run when linked."
    )
