"""Paths as people and git write them, made into paths from the top of a repository."""

from __future__ import annotations

import posixpath
import re

from signoff_bot.errors import InvalidInput

_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_ESCAPE = re.compile(rb"\\([0-3][0-7]{2}|.)", re.DOTALL)
_ESCAPED = dict(zip(b'abfnrtv"\\', b'\a\b\f\n\r\t\v"\\', strict=True))
_DRIVE = re.compile(r"[A-Za-z]:/")


def name_of(path: bytes) -> str:
    """A path's bytes as text; those that are not UTF-8 are kept as lone surrogates."""
    return path.decode("utf-8", "surrogateescape")


def split_paths(content: bytes, *, nul: bool) -> list[str]:
    """The paths of a list: typed ones, one a line, or bare ones that each end with NUL."""
    if nul:
        return [name_of(path) for path in content.split(b"\0") if path]
    lines = (line.removesuffix(b"\r") for line in content.split(b"\n"))
    return [typed(name_of(line)) for line in lines if line]


def typed(given: str) -> str:
    r"""The path that somebody typed or git printed.

    Quotes are read as git writes them: `"caf\303\251"` is `café`. Without quotes a `\` separates
    directories, as on Windows.

    Raises:
        InvalidInput: it begins with a quote, but is not quoted as git does it.
    """
    if not given.startswith('"'):
        return given.replace("\\", "/")
    quoted = _QUOTED.fullmatch(given)
    if quoted is None:
        raise InvalidInput(f"{given}: begins with a quote, but does not end as git's quotes do")

    def plain(found: re.Match[bytes]) -> bytes:
        code = found[1]
        if len(code) == 3:
            return bytes([int(code, 8)])
        if code[0] not in _ESCAPED:
            raise InvalidInput(f"{given}: `\\{name_of(code)}` is no escape of git")
        return bytes([_ESCAPED[code[0]]])

    return name_of(_ESCAPE.sub(plain, quoted[1].encode("utf-8", "surrogateescape")))


def from_top(path: str) -> str:
    """A relative path without `.` and `..`; empty for the top itself.

    Raises:
        InvalidInput: it is absolute, leads outside, or is empty.
    """
    plain = posixpath.normpath(path) if path else ""
    if not plain or "\0" in plain:
        raise InvalidInput(f"{path!r} names no file")
    if plain.startswith(("/", "../")) or plain == ".." or _DRIVE.match(path):
        raise InvalidInput(
            f"{path}: outside of the repository; name paths from its top, as `git diff "
            "--name-only` and `git ls-files --full-name` do"
        )
    return "" if plain == "." else plain
