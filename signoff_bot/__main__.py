"""Runs the command line as `python -m signoff_bot`."""

from signoff_bot.cli import main

main()
