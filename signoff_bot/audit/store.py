"""What audits remember, in one SQLite file: rows, what they rest on, bundles, totals.

Each pull request has one row, the newest. Each row is committed as it is done, so that an audit
that was cut off can be resumed. A store is input like any other: what it holds is checked.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Self

from pydantic import TypeAdapter

from signoff_bot.audit.basis import Basis
from signoff_bot.audit.report import Class, PullRow, TrendPoint
from signoff_bot.audit.store_file import explained, open_database
from signoff_bot.evidence.base import Timestamp
from signoff_bot.evidence.bundle import MAX_BYTES, read_bundle
from signoff_bot.evidence.model import Evidence

EARLIER = 0
"""Stands for an audit of another store: SQLite counts ids from 1."""
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

    def __init__(self, path: str | None, *, existing: bool = False) -> None:
        """Opens the file, or makes it unless it must be `existing`; None is a store in memory.

        Raises:
            InvalidInput: it is no store, is damaged, from a newer version, or in use.
        """
        self.path = path
        self._db = open_database(path, existing=existing)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def begin(self, scope: str, as_of: Timestamp, *, resume: bool) -> Run:
        """Begins an audit, or goes on with the last one of the same scope if that was cut off.

        Or if it was as of the same time: it may have been killed before it could report.
        """
        with explained(self.path):
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
        with explained(self.path):
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
        with explained(self.path):
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
        with explained(self.path):
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
        with explained(self.path):
            found = self._db.execute(
                "SELECT content FROM bundle WHERE digest = ?", (stored.bundle,)
            ).fetchone()
            if found is None:
                return None
            content = zlib.decompressobj().decompress(found[0], MAX_BYTES)
            return read_bundle(content, f"{self.path}: bundle {stored.bundle}").evidence

    def finish(self, run: Run, counts: dict[Class, int], *, keep_days: int) -> None:
        """Marks the audit as done, and drops bundles that no audit used for so many days."""
        with explained(self.path):
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
        with explained(self.path):
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
        with explained(self.path):
            (found,) = self._db.execute("SELECT max(as_of) FROM audit WHERE finished").fetchone()
            as_of: Timestamp | None = found
            return as_of

    def find(self, scope: str, as_of: Timestamp) -> tuple[Run, bool] | None:
        """The newest audit of a scope as of a time, and whether it was completed."""
        with explained(self.path):
            found = self._db.execute(
                "SELECT id, finished FROM audit WHERE scope = ? AND as_of = ? ORDER BY id DESC",
                (scope, as_of),
            ).fetchone()
            return None if found is None else (Run(found[0], as_of, resumed=False), bool(found[1]))

    def take_over(
        self, run: Run, other: Store, its: Run, holds: Callable[[int, int], bool]
    ) -> None:
        """Copies from another store the rows, with their bundles, of the pull requests it holds.

        Those of `its` audit become those of `run`; the others stay those of an earlier one.
        `holds` is told a repository's id and a number.
        """
        with explained(other.path):
            rows = other._db.execute(
                "SELECT repository, number, audit, row, basis, bundle FROM verdict"
            ).fetchall()
            bundles = {
                digest: (as_of, content)
                for digest, as_of, content in other._db.execute("SELECT * FROM bundle")
            }
            for _, _, _, row, basis, _ in rows:
                PullRow.model_validate_json(row)
                if basis is not None:
                    Basis.model_validate_json(basis)
        with explained(self.path):
            self._db.execute("BEGIN")
            for repository, number, audit, row, basis, digest in rows:
                if not holds(repository, number):
                    continue
                owner = run.id if audit == its.id else EARLIER
                if digest in bundles:
                    self._db.execute(
                        "INSERT OR REPLACE INTO bundle VALUES (?, ?, ?)", (digest, *bundles[digest])
                    )
                self._db.execute(
                    "INSERT INTO verdict VALUES (?, ?, ?, ?, ?, ?)",
                    (repository, number, owner, row, basis, digest),
                )
            self._db.execute("COMMIT")

    def remember(self, scope: str, trend: Iterable[TrendPoint]) -> None:
        """Adds the totals of earlier audits."""
        with explained(self.path):
            self._db.executemany(
                "INSERT INTO audit (scope, as_of, finished, counts) VALUES (?, ?, 1, ?)",
                [(scope, point.as_of, json.dumps(point.counts)) for point in trend],
            )
