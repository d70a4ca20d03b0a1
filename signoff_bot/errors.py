"""The failures a user can meet; each is a sentence and knows its exit status.

The command line turns any of them into one line on stderr. Whatever else is raised is a defect.
"""


class SignoffBotError(Exception):
    """A failure with a message for people: what went wrong, where, and what to do next."""

    exit_status = 3


class InvalidInput(SignoffBotError):
    """What the user handed over cannot be used: an option, a rule pack, a bundle (exit 2)."""

    exit_status = 2


class Unavailable(SignoffBotError):
    """The evidence could not be obtained, so nothing was decided (exit 3)."""

    exit_status = 3
