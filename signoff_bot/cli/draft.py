"""The command `draft`: a sign-off form with the evidence found so far filled in."""

from __future__ import annotations

import click


@click.command("draft")
@click.argument("pull", metavar="PR")
@click.option("--repo", metavar="OWNER/REPO", help="Default: $GITHUB_REPOSITORY, then git remotes.")
@click.option(
    "--rules",
    metavar="NAME|PATH",
    help="Rule pack. Default: .github/signoff.yml on the base branch, then the pack `default`.",
)
@click.option("--output", metavar="FILE", help="Write the form there instead of to stdout.")
def command(pull: str, repo: str | None, rules: str | None, output: str | None) -> int:
    """Print the form to sign a pull request with, evidence links filled in, boxes left unticked.

    PR is a number, OWNER/REPO#NUMBER, or the address of a pull request.
    """
    from signoff_bot.cli.environment import server_url
    from signoff_bot.cli.files import write_result
    from signoff_bot.cli.progress import progress
    from signoff_bot.cli.verify import source_of
    from signoff_bot.service import form_of, judge
    from signoff_bot.target import parse_target

    target = parse_target(pull, server_url())
    source = source_of(target, repo, rules)
    with source.client, progress(f"Reading {source.repo}#{target.number} from GitHub"):
        judgement = judge(source, target.number)
    write_result(form_of(judgement), output)
    return 0
