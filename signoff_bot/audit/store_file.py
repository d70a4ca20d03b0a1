"""The file of a store: made, opened for one process alone, and refused with a sentence.

A file that is no store is never written to.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from signoff_bot.errors import InvalidInput

APPLICATION = 0x53424F54
"""The number that marks the file as ours (SQLite's `application_id`): `SBOT`."""
VERSION = 1
_TABLES = """
CREATE TABLE audit (
    id INTEGER PRIMARY KEY, scope TEXT NOT NULL, as_of TEXT NOT NULL,
    finished INTEGER NOT NULL, counts TEXT NOT NULL
) STRICT;
CREATE TABLE bundle (digest TEXT PRIMARY KEY, as_of TEXT NOT NULL, content BLOB NOT NULL) STRICT;
CREATE TABLE verdict (
    repository INTEGER NOT NULL, number INTEGER NOT NULL, audit INTEGER NOT NULL,
    row TEXT NOT NULL, basis TEXT, bundle TEXT, PRIMARY KEY (repository, number)
) STRICT;
"""


def open_database(path: str | None, *, existing: bool) -> sqlite3.Connection:
    """Opens the file, or makes it unless it must be `existing`; None is a store in memory.

    Raises:
        InvalidInput: it is no store, is damaged, from a newer version, or in use.
    """
    with explained(path):
        if path is not None:
            _check_header(path, existing=existing)
        database = sqlite3.connect(path or ":memory:", timeout=0, isolation_level=None)
        try:
            _prepare(database, path, existing=existing)
        except BaseException:
            database.close()
            raise
        return database


def _prepare(database: sqlite3.Connection, path: str | None, *, existing: bool) -> None:
    # Held until the store is closed, so that no second audit writes into it.
    database.execute("PRAGMA locking_mode = EXCLUSIVE")
    database.execute("BEGIN EXCLUSIVE")
    (application,) = database.execute("PRAGMA application_id").fetchone()
    (version,) = database.execute("PRAGMA user_version").fetchone()
    (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if not (tables or application or existing):
        database.execute(f"PRAGMA application_id = {APPLICATION}")
        database.execute(f"PRAGMA user_version = {VERSION}")
        for statement in filter(str.strip, _TABLES.split(";")):
            database.execute(statement)
    elif application != APPLICATION:
        raise InvalidInput(f"--store: {path} is a database of another program; name another file")
    elif version != VERSION:
        raise InvalidInput(
            f"--store: {path} has version {version}, and this version of signoff-bot reads "
            f"{VERSION}; use the version that wrote it, or begin a new store"
        )
    database.execute("COMMIT")
    if tables and database.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise sqlite3.DatabaseError
    database.execute("PRAGMA synchronous = NORMAL")
    database.execute("PRAGMA journal_mode = WAL")


def _check_header(path: str, *, existing: bool) -> None:
    """Refuses what is no database before SQLite gets to write to it."""
    file = Path(path)
    if not file.exists():
        if existing:
            raise InvalidInput(f"--store: {path} does not exist; give the store of an audit")
        return
    with file.open("rb") as opened:
        begin = opened.read(16)
    if not begin and existing:
        raise InvalidInput(f"--store: {path} is empty; give the store of an audit")
    if begin not in (b"", b"SQLite format 3\x00"):
        raise InvalidInput(f"--store: {path} is no store of signoff-bot; name another file")


@contextmanager
def explained(path: str | None) -> Iterator[None]:
    """Turns what may go wrong with the file into a sentence."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise InvalidInput(
                f"--store: {path} is in use by another audit; wait until it is over"
            ) from None
        raise InvalidInput(f"--store: cannot use {path}: {error}") from None
    except (sqlite3.Error, zlib.error, ValidationError):
        raise InvalidInput(
            f"--store: {path} is damaged, so nothing in it is used; restore a copy, or name a new "
            "file (the next audit then collects everything anew)"
        ) from None
    except OSError as error:
        raise InvalidInput(f"--store: cannot use {path}: {error.strerror}") from None
