"""Reads text files out of a zip archive that nobody vouches for; nothing touches the disk."""

from __future__ import annotations

import io
import lzma
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Collection

from signoff_bot.evidence.actions import ArtifactFile

MOST_BYTES = 50_000_000
"""The largest archive that is read."""
MOST_ENTRIES = 1000
MOST_UNPACKED = 200_000_000
"""What all entries may claim to hold."""
MOST_TEXT = 20_000_000
"""The largest file that is read."""
MOST_RATIO = 200
"""How much smaller than its content an entry may be, once that is over 1 MB."""

_ENTRY = b"PK\x01\x02"
_BROKEN = (
    zipfile.BadZipFile,
    NotImplementedError,
    RuntimeError,
    OSError,
    EOFError,
    ValueError,
    zlib.error,
    lzma.LZMAError,
    struct.error,
)


class UnsafeArchive(Exception):
    """An archive that is broken, or built to harm; the message says how."""


def read_members(content: bytes, names: Collection[str]) -> tuple[ArtifactFile, ...]:
    """Those of the named files that the archive holds.

    Raises:
        UnsafeArchive: the archive is broken or suspicious, whatever its files, or one of those
            asked for is too large or no UTF-8 text.
    """
    # Counted before the archive is opened: opening builds an object for every entry.
    if content.count(_ENTRY) > MOST_ENTRIES:
        raise UnsafeArchive(f"it has over {MOST_ENTRIES} entries")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            _check(archive.infolist())
            return tuple(
                ArtifactFile(name=entry.filename, text=_text(archive, entry))
                for entry in archive.infolist()
                if entry.filename in names
            )
    except _BROKEN as error:
        raise UnsafeArchive(f"it is broken ({error})") from None


def _check(entries: list[zipfile.ZipInfo]) -> None:
    names = [entry.orig_filename for entry in entries]
    if len(set(names)) < len(names):
        raise UnsafeArchive("two of its entries have the same name")
    if sum(entry.file_size for entry in entries) > MOST_UNPACKED:
        raise UnsafeArchive(f"it unpacks to over {MOST_UNPACKED:,} bytes")
    for entry in entries:
        problem = _problem(entry)
        if problem:
            raise UnsafeArchive(f"its entry {entry.orig_filename!r} {problem}")


def _problem(entry: zipfile.ZipInfo) -> str | None:
    name = entry.orig_filename
    if ".." in name.split("/") or re.search(r"^/|^[A-Za-z]:|[\\\x00]", name):
        return "leads out of the archive"
    if stat.S_ISLNK(entry.external_attr >> 16):
        return "is a symbolic link"
    if entry.flag_bits & 0x1:
        return "is encrypted"
    if entry.file_size > max(1_000_000, MOST_RATIO * entry.compress_size):
        return "is packed more tightly than honest data"
    return None


def _text(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> str:
    if entry.file_size > MOST_TEXT:
        raise UnsafeArchive(f"its entry {entry.filename!r} is over {MOST_TEXT:,} bytes")
    try:
        return archive.read(entry).decode()
    except UnicodeDecodeError:
        raise UnsafeArchive(f"its entry {entry.filename!r} is not UTF-8 text") from None
