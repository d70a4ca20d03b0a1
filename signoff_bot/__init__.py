"""Verifies pull-request sign-offs from evidence and posts one structured verdict."""

__version__ = "0.1.0"
