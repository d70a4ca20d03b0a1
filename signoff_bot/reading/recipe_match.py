"""Compares the launch of a server with a recipe, argument by argument."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from signoff_bot.reading.recipe_text import RecipeText
from signoff_bot.reading.server_arguments import (
    Argument,
    Launch,
    MajorArgument,
    ServerRules,
    majors,
)
from signoff_bot.reading.wording import shorten, some


@dataclass(frozen=True, slots=True)
class Issue:
    """What is wrong with a launch, or (where it is not certain) open."""

    line: int
    says: str
    certain: bool
    names: tuple[str, ...] = ()
    """What an explanation may call it by."""


def issues(launch: Launch, recipe: RecipeText | None, rules: ServerRules) -> Iterator[Issue]:
    """What is wrong or open with a launch, argument by argument."""
    found = list(majors(launch, rules))
    if recipe is None:
        model = [_shown(launch.model)] if launch.model else []
        listed = ", ".join([*model, *(_shown(argument) for _, argument in found)])
        says = f"only a published page is linked, which is not fetched; compare {listed}"
        yield Issue(launch.line, says, False)
        return
    yield from _model_issue(launch, recipe)
    for major, argument in found:
        yield from _argument_issue(major, argument, recipe)
    for text in launch.open_ended:
        yield Issue(launch.line, f"{shorten(text.text)} may stand for any arguments", False)


def _model_issue(launch: Launch, recipe: RecipeText) -> Iterator[Issue]:
    if launch.model is None or launch.model.value is None or not launch.model.value.known:
        yield Issue(launch.line, "which model is launched cannot be told from the script", False)
        return
    name = launch.model.value.text
    if not recipe.names_model(name):
        says = f"the recipe does not speak of {name}{_part(recipe)}"
        yield Issue(launch.line, says, recipe.whole, (name,))


def _argument_issue(
    major: MajorArgument, argument: Argument, recipe: RecipeText
) -> Iterator[Issue]:
    value = argument.value
    open_value = value is not None and not value.known
    match, others = recipe.match(major, None if open_value else value.text if value else "")
    if match == "found":
        if open_value:
            yield Issue(argument.line, f"{_shown(argument)} cannot be told from the script", False)
        return
    said = f"has it as {some(others)}" if match == "other" else "does not have it"
    certain = recipe.whole and argument.always
    says = f"{_shown(argument)}: the recipe {said}{_part(recipe)}"
    yield Issue(argument.line, says, certain, (argument.name, f"--{argument.name}"))


def _shown(argument: Argument) -> str:
    return (
        f"--{argument.name} {shorten(argument.value.text)}"
        if argument.value
        else (f"--{argument.name}")
    )


def _part(recipe: RecipeText) -> str:
    return "" if recipe.whole else " in what its pull request shows"
