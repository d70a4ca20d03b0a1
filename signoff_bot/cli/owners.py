"""The command `owners`."""

import click


@click.command("owners")
def command() -> None:
    """To be built."""
