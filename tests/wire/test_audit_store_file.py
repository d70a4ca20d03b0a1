"""Files that an audit must not use as its store: in use, foreign, newer, damaged."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.wire_audit import audit_world
from support.world import World
from wire.audits import audit
from wire.command import InProcess
from wire.loopback.server import Loopback

Serve = Callable[[World], Loopback]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "audits.sqlite"


def test_a_second_process_is_refused_while_the_first_one_writes(
    serve: Serve, command: InProcess, store: Path
) -> None:
    hold = (
        "import sys; from signoff_bot.audit.store import Store\n"
        "with Store(sys.argv[1]): print('held', flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", hold, store], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        github = serve(audit_world(("ready",)))
        refused = audit(command, github, "--store", store)
        holder.communicate()
    assert refused.status == 2
    assert "is in use by another audit" in refused.err
    assert audit(command, github, "--store", store).status == 0


def foreign_database(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE notes (text)")
    database.close()


def newer_store(path: Path) -> None:
    database = sqlite3.connect(path)
    database.execute(f"PRAGMA application_id = {0x53424F54}")
    database.execute("PRAGMA user_version = 99")
    database.execute("CREATE TABLE audit (x)")
    database.close()


def cut_off(path: Path) -> None:
    full = path.read_bytes()
    path.write_bytes(full[: len(full) // 2])


def scribbled(path: Path) -> None:
    full = bytearray(path.read_bytes())
    full[4096:8192] = b"\xff" * 4096
    path.write_bytes(bytes(full))


def odd_row(path: Path) -> None:
    database = sqlite3.connect(path)
    with database:
        database.execute('UPDATE verdict SET row = \'{"class": "ready"}\'')
    database.close()


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda path: path.write_text("# Notes\n" * 100), "is no store of signoff-bot"),
        (foreign_database, "is a database of another program"),
        (newer_store, "has version 99"),
        (cut_off, "is damaged"),
        (scribbled, "is damaged"),
        (odd_row, "is damaged"),
    ],
    ids=["text", "foreign", "newer", "cut off", "scribbled", "odd row"],
)
def test_a_file_that_is_no_sound_store_is_refused_and_left_alone(
    serve: Serve,
    command: InProcess,
    store: Path,
    spoil: Callable[[Path], object],
    problem: str,
) -> None:
    github = serve(audit_world(("ready", "pending")))
    if spoil in (cut_off, scribbled, odd_row):
        audit(command, github, "--store", store)
    spoil(store)
    before = store.read_bytes()
    result = audit(command, github, "--store", store)
    assert result.status == 2, result.everything
    assert problem in result.err
    assert str(store) in result.err
    assert "Traceback" not in result.everything
    if spoil is not odd_row:
        assert store.read_bytes() == before


def test_a_folder_and_a_place_that_is_not_there_are_refused(
    serve: Serve, command: InProcess, tmp_path: Path
) -> None:
    github = serve(audit_world(("ready",)))
    for path in (tmp_path, tmp_path / "missing" / "audits.sqlite"):
        result = audit(command, github, "--store", path)
        assert result.status == 2
        assert f"cannot use {path}" in result.err
