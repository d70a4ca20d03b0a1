"""Files that the user names: read whole, written whole or not at all."""

from __future__ import annotations

import sys
from itertools import combinations
from pathlib import Path
from secrets import token_hex

from signoff_bot.errors import InvalidInput


def read_file(path: str, most: int) -> bytes:
    """The content of a file, at most one byte more than `most`.

    Raises:
        InvalidInput: it cannot be read.
    """
    try:
        with _path(path).open("rb") as file:
            return file.read(most + 1)
    except (OSError, ValueError) as error:
        raise InvalidInput(f"cannot read {path or 'a file'}: {_why(error)}") from None


def write_file(path: str, content: bytes) -> None:
    """Writes a file so that nobody ever sees half of it; it keeps its place behind a link.

    Raises:
        InvalidInput: it cannot be written.
    """
    try:
        target = _path(path).resolve()
        if target.exists() and not target.is_file():
            target.write_bytes(content)  # a device or a pipe, such as /dev/null
            return
        draft = target.with_name(f".{target.name}.{token_hex(4)}")
        try:
            with draft.open("xb") as file:
                file.write(content)
            draft.replace(target)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
    except (OSError, ValueError) as error:
        raise InvalidInput(f"cannot write {path or 'a file'}: {_why(error)}") from None


def refuse_same(*files: tuple[str, str | None]) -> None:
    """Makes sure that no two options, each with its file, mean the same one: one would be lost.

    Links are followed. Devices and pipes, such as /dev/null, may be meant twice.

    Raises:
        InvalidInput: two of them do.
    """
    named = [(option, Path(name)) for option, name in files if name]
    for (one, path), (other, also) in combinations(named, 2):
        if _same(path, also):
            raise InvalidInput(
                f"{one} and {other} name the same file, {also}; give each a file of its own"
            )


def _same(path: Path, other: Path) -> bool:
    try:
        if path.exists() and other.exists():
            return path.is_file() and path.samefile(other)
        return path.resolve() == other.resolve()
    except (OSError, ValueError):
        return False  # whoever reads or writes it will say why it cannot be


def write_result(text: str, output: str | None) -> None:
    """Writes a result, as UTF-8 whatever the locale, to a file or to stdout.

    Raises:
        InvalidInput: it cannot be written.
        BrokenPipeError: whoever read stdout went away.
    """
    content = text.encode("utf-8", "backslashreplace")
    if output is not None:
        write_file(output, content)
        return
    if sys.stdout is None:  # closed before we began
        raise InvalidInput("cannot write to stdout: it is closed")
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InvalidInput(f"cannot write to stdout: {_why(error)}") from None


def read_stdin() -> bytes:
    """All of stdin.

    Raises:
        InvalidInput: it cannot be read.
    """
    if sys.stdin is None:  # closed before we began
        raise InvalidInput("cannot read stdin: it is closed")
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise InvalidInput(f"cannot read stdin: {_why(error)}") from None


def _path(name: str) -> Path:
    if not name:
        raise ValueError("its name is empty")
    return Path(name)


def _why(error: OSError | ValueError) -> str:
    found = error.strerror if isinstance(error, OSError) else None
    return found or str(error)
