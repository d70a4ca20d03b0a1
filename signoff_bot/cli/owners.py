"""The command `owners`: who owns which paths, by which line, and what is wrong with the file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from signoff_bot.errors import InvalidInput

if TYPE_CHECKING:
    from signoff_bot.cli.owners_input import Asked
    from signoff_bot.reading.codeowners.report import Selection

Face = Literal["text", "json"]


@click.command("owners")
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option("--codeowners", "file", metavar="FILE", help="Default: where GitHub looks for it.")
@click.option("--pr", "pull", metavar="PR", help="The files that a pull request changes.")
@click.option("--repo", metavar="OWNER/REPO", help="Read CODEOWNERS there, not in this work tree.")
@click.option("--unowned", is_flag=True, help="Show only paths that nobody owns.")
@click.option(
    "--owned-by", metavar="OWNER", multiple=True, help="Show only those of @user, @org/team, mail."
)
@click.option("--explain", is_flag=True, help="Show every line that matches, not only the last.")
@click.option("--check", is_flag=True, help="Look for mistakes in the file; exit 1 on errors.")
@click.option("-z", "nul", is_flag=True, help="Paths on stdin end with NUL, as from `git diff -z`.")
@click.option(
    "--format",
    "face",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How to show the result.",
)
@click.option("--output", metavar="FILE", help="Write the result there instead of to stdout.")
def command(
    paths: tuple[str, ...],
    file: str | None,
    pull: str | None,
    repo: str | None,
    unowned: bool,
    owned_by: tuple[str, ...],
    explain: bool,
    check: bool,
    nul: bool,
    face: Face,
    output: str | None,
) -> int:
    """Say who owns PATHs by CODEOWNERS, and which line decides it.

    PATH is a file or a directory, or `-` for paths on stdin as `git diff --name-only` prints them.
    Without any PATH, all files that git tracks here are looked up.
    """
    if nul and "-" not in paths:
        raise InvalidInput("-z says how paths stand on stdin; give the path `-` to read them")
    if check and (paths or pull or unowned or owned_by or explain):
        raise InvalidInput("--check looks at the whole file; leave out paths and what selects them")
    if unowned and owned_by:
        raise InvalidInput("a path without owner is owned by nobody; give --unowned or --owned-by")
    if (pull or repo) and file:
        raise InvalidInput("--codeowners names a file here; leave out --pr and --repo")
    from signoff_bot.cli.files import refuse_same
    from signoff_bot.cli.owners_input import ask_github, ask_here

    refuse_same(("--codeowners", file), ("--output", output))
    asked = (
        ask_github(paths, pull, repo, nul=nul, check=check)
        if pull or repo
        else ask_here(paths, file, nul=nul, check=check)
    )
    if check:
        return _check(asked, face, output)
    _show(asked, _selection(unowned, owned_by), face, output, explain=explain)
    return 0


def _check(asked: Asked, face: Face, output: str | None) -> int:
    from signoff_bot.cli.files import write_result
    from signoff_bot.reading.codeowners.report import OwnersReport
    from signoff_bot.render.owners import owners_json, problems_text

    name, problems = asked.file.path, asked.problems
    if face == "json":
        write_result(owners_json(OwnersReport(name, problems, ())), output)
    else:
        write_result(problems_text(name, problems), output)
    return int(any(problem.severity == "error" for problem in problems))


def _show(
    asked: Asked, wanted: Selection, face: Face, output: str | None, *, explain: bool
) -> None:
    from signoff_bot.cli.files import write_result
    from signoff_bot.cli.progress import say
    from signoff_bot.reading.codeowners.report import report_owners
    from signoff_bot.reading.wording import count
    from signoff_bot.render.owners import owners_explained, owners_json, owners_table

    report = report_owners(asked.file.path, asked.codeowners, asked.paths, explain=explain)
    report = report.only(wanted)
    if face == "json":
        write_result(owners_json(report), output)
        return
    write_result(owners_explained(report) if explain else owners_table(report), output)
    if report.problems:
        skipped = count(len(report.problems), "line")
        say(f"warning: GitHub skips {skipped} of {report.file} as invalid; see `owners --check`")


def _selection(unowned: bool, owned_by: tuple[str, ...]) -> Selection:
    names = {(owner if "@" in owner else f"@{owner}").lower() for owner in owned_by}

    def wanted(owners: tuple[str, ...] | None) -> bool:
        if unowned:
            return not owners
        return not names or any(owner.lower() in names for owner in owners or ())

    return wanted
