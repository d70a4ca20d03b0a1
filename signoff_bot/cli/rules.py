"""The command `rules`: what packs there are, what they say, whether they are right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from signoff_bot.errors import InvalidInput

if TYPE_CHECKING:
    from pathlib import Path

    from signoff_bot.packs.model import Rules


@click.group("rules")
def command() -> None:
    """List, explain, check and test rule packs."""


@command.command("list")
def list_() -> None:
    """Name the packs that come with the tool."""
    from signoff_bot.packs.load import load_named
    from signoff_bot.packs.shipped import shipped_names

    packs = [load_named(name) for name in shipped_names()]
    width = max((len(pack.name) for pack in packs), default=0)
    for pack in packs:
        _say(f"{pack.name:{width}}  {' '.join(pack.description.split())}")


@command.command()
@click.argument("pack", metavar="NAME|FILE")
@click.option(
    "--format",
    "face",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="How to lay the explanation out.",
)
def show(pack: str, face: str) -> None:
    """Explain a pack: each check, why it exists, what it reads, how to fix a failure."""
    from signoff_bot.cli.files import write_result
    from signoff_bot.packs.load import load
    from signoff_bot.render import rules

    explanation = rules.explain(load(pack))
    faces = {"text": rules.to_text, "json": rules.to_json, "markdown": rules.to_markdown}
    write_result(faces[face](explanation), None)


@command.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
def check(files: tuple[str, ...]) -> None:
    """Check pack files: `OK` for each, or every mistake with its line (exit 2)."""
    from signoff_bot.packs.load import load_file
    from signoff_bot.reading.wording import count

    refusals = []
    for file in files:
        try:
            rules = load_file(file)
        except InvalidInput as error:
            refusals.append(str(error))
        else:
            _say(f"{file}: OK ({rules.name}, {count(len(rules.checks), 'check')}, {rules.digest})")
    if refusals:
        raise InvalidInput("\n".join(refusals))


@command.command("test")
@click.argument("packs", metavar="[NAME|FILE]...", nargs=-1)
def test_(packs: tuple[str, ...]) -> int:
    """Judge the cases beside packs, by default the shipped ones; exit 1 where a verdict differs."""
    from signoff_bot.packs.load import load, pack_file
    from signoff_bot.packs.shipped import shipped_names

    failed = [pack for pack in packs or shipped_names() if not _test(load(pack), pack_file(pack))]
    return 1 if failed else 0


def _test(rules: Rules, file: Path) -> bool:
    from signoff_bot.evaluate import evaluate
    from signoff_bot.packs.cases import cases_folder, load_cases
    from signoff_bot.packs.expectation import differences

    cases = load_cases(cases_folder(file, rules.name), rules)
    found = [
        (case, differences(case.expected, evaluate(case.evidence, rules).model_dump(mode="json")))
        for case in cases
    ]
    failed = [(case, lines) for case, lines in found if lines]
    _say(f"{rules.name}: {len(cases) - len(failed)} of {len(cases)} cases as expected")
    for case, lines in failed:
        _say(f"  {case.name}" + (f": {case.about}" if case.about else ""))
        for line in lines:
            _say(f"    {line}")
    return not failed


@command.command()
def schema() -> None:
    """Print the JSON Schema of pack files, for editors and other tools."""
    import json

    from signoff_bot.packs.schema import pack_schema

    _say(json.dumps(pack_schema(), indent=2, ensure_ascii=False))


def _say(line: str) -> None:
    from signoff_bot.cli.files import write_result

    write_result(f"{line}\n", None)
