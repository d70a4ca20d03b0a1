"""The CODEOWNERS file as GitHub takes it up: where it lies, and its bytes as text."""

from __future__ import annotations

from dataclasses import dataclass

LOCATIONS = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
"""Where GitHub looks for the file, in this order; the first one there is used alone."""

MAX_BYTES = 3_000_000
"""GitHub loads a file only if it is "under 3 MB"; the stricter reading of MB is the safe one."""


@dataclass(frozen=True, slots=True)
class CodeownersFile:
    """A CODEOWNERS file as it was found; `ignored` are others that GitHub passes over for it."""

    path: str
    content: bytes
    ignored: tuple[str, ...] = ()


class UnusableCodeowners(ValueError):
    """The file as a whole cannot be used; the message says why and what to do.

    `code` is the lint's code for it: `file-too-large` or `file-not-utf8`.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def decode_codeowners(content: bytes) -> str:
    """The text of a CODEOWNERS file.

    Raises:
        UnusableCodeowners: it is 3 MB or larger (GitHub then loads none of it), or is not UTF-8.
    """
    if len(content) >= MAX_BYTES:
        raise UnusableCodeowners(
            "file-too-large",
            "CODEOWNERS is 3 MB or larger, and GitHub loads none of such a file, so nobody owns "
            "anything; shorten it, for example by naming directories in place of files",
        )
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UnusableCodeowners(
            "file-not-utf8",
            f"CODEOWNERS is not UTF-8 text: line {line} holds the byte "
            f"0x{content[error.start]:02x}; save it as UTF-8",
        ) from None
