"""The command `verify`."""

import click


@click.command("verify")
def command() -> None:
    """To be built."""
