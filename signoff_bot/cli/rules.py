"""The command `rules`."""

import click


@click.command("rules")
def command() -> None:
    """To be built."""
