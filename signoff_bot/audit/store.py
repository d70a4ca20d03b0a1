"""What audits remember, in one SQLite file: rows, what they rest on, bundles, totals.

Each pull request has one row, the newest. Each row is committed as it is done, so that an audit
that was cut off can be resumed. One process writes at a time. A store is input like any other:
what it holds is checked, and a file that is no store is never written to.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from pydantic import TypeAdapter, ValidationError

from signoff_bot.audit.basis import Basis
from signoff_bot.audit.report import Class, PullRow, TrendPoint
from signoff_bot.errors import InvalidInput
from signoff_bot.evidence.base import Timestamp
from signoff_bot.evidence.bundle import MAX_BYTES, read_bundle
from signoff_bot.evidence.model import Evidence

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
_COUNTS = TypeAdapter(dict[Class, int])


@dataclass(frozen=True, slots=True)
class Run:
    """One audit in the store."""

    id: int
    as_of: Timestamp
    resumed: bool


@dataclass(frozen=True, slots=True)
class StoredRow:
    """A row of the store, and the audit that wrote it."""

    row: PullRow
    basis: Basis | None
    audit: int
    bundle: str | None


class Store:
    """An open store; for one thread."""

    def __init__(self, path: str | None) -> None:
        """Opens or creates the file; None keeps everything in memory.

        Raises:
            InvalidInput: it is no store, is damaged, from a newer version, or in use.
        """
        self.path = path
        with _explained(path):
            _check_header(path)
            self._db = sqlite3.connect(path or ":memory:", timeout=0, isolation_level=None)
            try:
                self._prepare()
            except BaseException:
                self._db.close()
                raise

    def _prepare(self) -> None:
        db = self._db
        # Held until the store is closed, so that no second audit writes into it.
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute("BEGIN EXCLUSIVE")
        (application,) = db.execute("PRAGMA application_id").fetchone()
        (version,) = db.execute("PRAGMA user_version").fetchone()
        (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if not tables:
            db.execute(f"PRAGMA application_id = {APPLICATION}")
            db.execute(f"PRAGMA user_version = {VERSION}")
            for statement in filter(str.strip, _TABLES.split(";")):
                db.execute(statement)
        elif application != APPLICATION:
            raise InvalidInput(
                f"--store: {self.path} is a database of another program; name another file"
            )
        elif version != VERSION:
            raise InvalidInput(
                f"--store: {self.path} has version {version}, and this version of signoff-bot "
                f"reads {VERSION}; use the version that wrote it, or begin a new store"
            )
        db.execute("COMMIT")
        if tables and db.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise sqlite3.DatabaseError
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA journal_mode = WAL")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def begin(self, scope: str, as_of: Timestamp, *, resume: bool) -> Run:
        """Begins an audit, or goes on with the last one of the same scope if that was cut off.

        Or if it was as of the same time: it may have been killed before it could report.
        """
        with _explained(self.path):
            found = self._db.execute(
                "SELECT id, as_of, finished FROM audit WHERE scope = ? ORDER BY id DESC", (scope,)
            ).fetchone()
            if resume and found is not None and (not found[2] or found[1] == as_of):
                return Run(found[0], found[1], resumed=True)
            cursor = self._db.execute(
                "INSERT INTO audit (scope, as_of, finished, counts) VALUES (?, ?, 0, '{}')",
                (scope, as_of),
            )
            return Run(cursor.lastrowid or 0, as_of, resumed=False)

    def get(self, repository: int, number: int) -> StoredRow | None:
        """The newest row of a pull request."""
        with _explained(self.path):
            found = self._db.execute(
                "SELECT row, basis, audit, bundle FROM verdict WHERE repository = ? AND number = ?",
                (repository, number),
            ).fetchone()
            if found is None:
                return None
            row, basis, audit, bundle = found
            return StoredRow(
                PullRow.model_validate_json(row),
                None if basis is None else Basis.model_validate_json(basis),
                audit,
                bundle,
            )

    def put(
        self, run: Run, repository: int, row: PullRow, basis: Basis | None, bundle: bytes | None
    ) -> None:
        """Commits the row of a pull request, and the bundle it rests on."""
        digest = row.evidence_digest if bundle is not None and self.path is not None else None
        with _explained(self.path):
            self._db.execute("BEGIN")
            if bundle is not None and digest is not None:
                self._db.execute(
                    "INSERT OR REPLACE INTO bundle VALUES (?, ?, ?)",
                    (digest, run.as_of, zlib.compress(bundle)),
                )
            self._put(run, repository, row, basis, digest)
            self._db.execute("COMMIT")

    def keep(
        self, run: Run, repository: int, row: PullRow, stored: StoredRow, basis: Basis
    ) -> None:
        """Commits that a row still holds: nothing it rests on has changed."""
        with _explained(self.path):
            self._db.execute("BEGIN")
            self._db.execute(
                "UPDATE bundle SET as_of = ? WHERE digest = ?", (run.as_of, stored.bundle)
            )
            self._put(run, repository, row, basis, stored.bundle)
            self._db.execute("COMMIT")

    def _put(
        self, run: Run, repository: int, row: PullRow, basis: Basis | None, bundle: str | None
    ) -> None:
        self._db.execute(
            "INSERT OR REPLACE INTO verdict VALUES (?, ?, ?, ?, ?, ?)",
            (
                repository,
                row.pr,
                run.id,
                row.model_dump_json(by_alias=True),
                None if basis is None else basis.model_dump_json(),
                bundle,
            ),
        )

    def evidence(self, stored: StoredRow | None) -> Evidence | None:
        """The evidence that a row rests on, while its bundle is kept."""
        if stored is None or stored.bundle is None:
            return None
        with _explained(self.path):
            found = self._db.execute(
                "SELECT content FROM bundle WHERE digest = ?", (stored.bundle,)
            ).fetchone()
            if found is None:
                return None
            content = zlib.decompressobj().decompress(found[0], MAX_BYTES)
            return read_bundle(content, f"{self.path}: bundle {stored.bundle}").evidence

    def finish(self, run: Run, counts: dict[Class, int], *, keep_days: int) -> None:
        """Marks the audit as done, and drops bundles that no audit used for so many days."""
        with _explained(self.path):
            self._db.execute("BEGIN")
            self._db.execute(
                "UPDATE audit SET finished = 1, counts = ? WHERE id = ?",
                (json.dumps(counts), run.id),
            )
            self._db.execute(
                "DELETE FROM bundle WHERE as_of < strftime('%Y-%m-%dT%H:%M:%SZ', ?, ?)",
                (run.as_of, f"-{keep_days} days"),
            )
            self._db.execute("COMMIT")

    def trend(self, run: Run, scope: str) -> tuple[TrendPoint, ...]:
        """The totals of earlier audits of the same scope, oldest first."""
        with _explained(self.path):
            found = self._db.execute(
                "SELECT as_of, counts FROM audit WHERE scope = ? AND finished AND id <> ? "
                "ORDER BY as_of, id",
                (scope, run.id),
            ).fetchall()
            return tuple(
                TrendPoint(as_of=as_of, counts=_COUNTS.validate_json(counts))
                for as_of, counts in found
            )

    def last(self) -> Timestamp | None:
        """The time of the newest audit that was completed."""
        with _explained(self.path):
            (found,) = self._db.execute("SELECT max(as_of) FROM audit WHERE finished").fetchone()
            as_of: Timestamp | None = found
            return as_of

    def take_over(self, run: Run, other: Store, holds: Callable[[int, int], bool]) -> None:
        """Copies from another store the rows, with their bundles, of the pull requests it holds.

        `holds` is told a repository's id and a number.
        """
        with _explained(other.path):
            rows = other._db.execute(
                "SELECT repository, number, row, basis, bundle FROM verdict"
            ).fetchall()
            bundles = {
                digest: (as_of, content)
                for digest, as_of, content in other._db.execute("SELECT * FROM bundle")
            }
            for _, _, row, basis, _ in rows:
                PullRow.model_validate_json(row)
                if basis is not None:
                    Basis.model_validate_json(basis)
        with _explained(self.path):
            self._db.execute("BEGIN")
            for repository, number, row, basis, digest in rows:
                if not holds(repository, number):
                    continue
                if digest in bundles:
                    self._db.execute(
                        "INSERT OR REPLACE INTO bundle VALUES (?, ?, ?)", (digest, *bundles[digest])
                    )
                self._db.execute(
                    "INSERT INTO verdict VALUES (?, ?, ?, ?, ?, ?)",
                    (repository, number, run.id, row, basis, digest),
                )
            self._db.execute("COMMIT")

    def remember(self, scope: str, trend: Iterable[TrendPoint]) -> None:
        """Adds the totals of earlier audits."""
        with _explained(self.path):
            self._db.executemany(
                "INSERT INTO audit (scope, as_of, finished, counts) VALUES (?, ?, 1, ?)",
                [(scope, point.as_of, json.dumps(point.counts)) for point in trend],
            )


def _check_header(path: str | None) -> None:
    """Refuses what is no database before SQLite gets to write to it."""
    if path is None or not Path(path).exists():
        return
    with Path(path).open("rb") as file:
        if file.read(16) not in (b"", b"SQLite format 3\x00"):
            raise InvalidInput(f"--store: {path} is no store of signoff-bot; name another file")


@contextmanager
def _explained(path: str | None) -> Iterator[None]:
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
