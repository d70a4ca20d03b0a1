"""Shares of an audit, and the one report that they are merged into."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.wire_audit import ALL, REPO, audit_world, only
from support.world import World
from wire.audits import audit, classes, report
from wire.command import InProcess, Result, environment
from wire.loopback.server import Loopback

Serve = Callable[[World], Loopback]
Change = Callable[[dict[str, Any]], object]


def shares(
    command: InProcess, github: Loopback, folder: Path, of: int, *more: str, stores: bool = False
) -> list[Path]:
    """Runs every share; the files of their reports. Their stores lie beside them."""
    found = []
    for index in range(1, of + 1):
        file = folder / f"share-{index}.json"
        store = ["--store", str(file.with_suffix(".sqlite"))] if stores else []
        result = audit(command, github, "--shard", f"{index}/{of}", "--output", file, *store, *more)
        assert result.status in (0, 1, 3), result.err
        found.append(file)
    return found


def merge(command: InProcess, *argv: str | Path) -> Result:
    return command("audit", "merge", *argv, "--format", "json", env=environment(None, None))


@pytest.mark.parametrize("of", [1, 3, 8])
def test_merged_shares_are_one_run_to_the_byte(
    serve: Serve, command: InProcess, tmp_path: Path, of: int
) -> None:
    world = audit_world(ALL)
    only(world).pulls[104].draft = True
    github = serve(world)
    whole = audit(command, github, "--repo", "octo-works/gone")
    files = shares(command, github, tmp_path, of, "--repo", "octo-works/gone")
    merged = merge(command, *reversed(files))
    assert merged.out == whole.out, merged.err
    assert merged.status == whole.status
    assert sum(len(json.loads(file.read_text())["pulls"]) for file in files) == len(ALL) - 1
    if of > 1:
        assert all(len(json.loads(file.read_text())["pulls"]) < len(ALL) - 1 for file in files)


def test_merged_stores_serve_the_next_audit(
    serve: Serve, command: InProcess, tmp_path: Path
) -> None:
    github = serve(audit_world(ALL[:7]))
    files = shares(command, github, tmp_path, 3, stores=True)
    store = tmp_path / "merged.sqlite"
    given = [part for file in files for part in ("--from-store", file.with_suffix(".sqlite"))]
    merged = merge(command, *files, *given, "--store", store)
    assert merged.status == 1, merged.err
    github.forget()
    second = audit(command, github, "--store", store, as_of="2026-06-26T12:00:00Z")
    assert classes(second) == classes(merged)
    assert not any("/pulls/101" in seen.path for seen in github.seen)
    assert report(second)["trend"] == [
        {"as_of": "2026-06-25T12:00:00Z", "counts": report(merged)["counts"]}
    ]
    again = merge(command, *files, *given, "--store", store)
    assert (again.status, "exists already" in again.err) == (2, True)


@pytest.fixture
def three(serve: Serve, command: InProcess, tmp_path: Path) -> list[Path]:
    return shares(command, serve(audit_world(ALL)), tmp_path, 3)


def test_missing_and_double_shares_are_refused(
    command: InProcess, three: list[Path], tmp_path: Path
) -> None:
    without = merge(command, three[0], three[2])
    assert without.status == 2
    assert "of 3 shares these are missing: 2" in without.err
    copy = tmp_path / "copy.json"
    copy.write_bytes(three[0].read_bytes())
    double = merge(command, *three, copy)
    assert double.status == 2
    assert "are both share 1/3" in double.err
    assert merge(command, *three, three[0]).status == 2


def foreign_row(data: dict[str, Any]) -> None:
    data["pulls"][0]["pr"] = next(
        number for number in range(1000, 2000) if not _holds(data, number)
    )


def _holds(data: dict[str, Any], number: int) -> bool:
    from signoff_bot.audit.scope import Shard

    share = Shard(data["shard"]["index"], data["shard"]["of"])
    return share.holds(data["repos"][0]["id"], number)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda data: data.update(as_of="2026-06-26T12:00:00Z"), "as_of differs"),
        (lambda data: data.update(scope="sha256:other"), "scope differs"),
        (lambda data: data.update(tool_version="99"), "tool_version differs"),
        (lambda data: data["shard"].update(of=4), "is not one of 4 shares"),
        (lambda data: data.update(shard=None), "covers everything"),
        (lambda data: data.update(schema="other/v1"), "no report of an audit: schema"),
        (lambda data: data["pulls"][0].update({"class": "fine"}), "no report of an audit: pulls"),
        (foreign_row, "which is of another share"),
    ],
)
def test_what_does_not_belong_together_is_refused(
    command: InProcess, three: list[Path], change: Change, problem: str
) -> None:
    data = json.loads(three[1].read_text())
    change(data)
    three[1].write_text(json.dumps(data))
    result = merge(command, *three)
    assert result.status == 2, result.out
    assert problem in result.err


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff\xfe", b'{"pulls": ['])
def test_what_is_no_report_is_refused(command: InProcess, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "odd.json"
    file.write_bytes(content)
    result = merge(command, file)
    assert result.status == 2
    assert str(file) in result.err


def test_a_share_that_was_cut_off_makes_the_whole_incomplete(
    serve: Serve, command: InProcess, tmp_path: Path
) -> None:
    github = serve(audit_world(ALL[:4]))
    files = shares(command, github, tmp_path, 2)
    audit(
        *(command, github, "--shard", "2/2", "--output", files[1], "--max-requests", "3"),
    )
    merged = merge(command, *files, "--fail-on", "none")
    assert merged.status == 3
    assert report(merged)["complete"] is False
    assert REPO in {repo["repo"] for repo in report(merged)["repos"]}
