"""Shares of an audit, and the one report that they are merged into."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.wire_audit import ALL, AS_OF, REPO, add_pull, audit_world, only
from support.wire_default import FORK
from support.world import Commit, World, sha
from wire.audits import audit, classes, report
from wire.command import InProcess, Result, environment
from wire.loopback.server import Loopback

Serve = Callable[[World], Loopback]
Change = Callable[[dict[str, Any]], object]
NIGHTS = (AS_OF, "2026-06-26T12:00:00Z", "2026-06-27T12:00:00Z")
LENIENT = (
    "schema: signoff-bot/rules/v1\nname: lenient\nextends: default\n"
    "checks:\n  checks: {severity: advisory}\n"
)


def shares(
    command: InProcess,
    github: Loopback,
    folder: Path,
    of: int,
    *more: str,
    stores: bool = False,
    as_of: str = AS_OF,
) -> list[Path]:
    """Runs every share; the files of their reports. Their stores lie beside them."""
    found = []
    for index in range(1, of + 1):
        file = folder / f"share-{index}.json"
        store = ["--store", str(file.with_suffix(".sqlite"))] if stores else []
        result = audit(
            command,
            github,
            "--shard",
            f"{index}/{of}",
            "--output",
            file,
            *store,
            *more,
            as_of=as_of,
        )
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
    given = with_stores(files)
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


def with_stores(files: list[Path]) -> list[str | Path]:
    """The options that name the stores beside the reports."""
    return [part for file in files for part in ("--from-store", file.with_suffix(".sqlite"))]


def night(
    command: InProcess, github: Loopback, folder: Path, before: Path | None, as_of: str
) -> tuple[Result, Path]:
    """Eight shares, each with a copy of the store of the night before; the report and the store."""
    folder.mkdir()
    for index in range(1, 9):
        if before is not None:
            shutil.copy(before, folder / f"share-{index}.sqlite")
    files = shares(command, github, folder, 8, stores=True, as_of=as_of)
    store = folder / "merged.sqlite"
    return merge(command, *files, *with_stores(files), "--store", store), store


def change_much(world: World) -> None:
    """A push, a withdrawn sign-off, a merge, and a new pull request."""
    repo = only(world)
    pushed, withdrawn, merged = (repo.pulls[number] for number in (101, 103, 109))
    pushed.head_sha = sha("101 moved")
    pushed.commits.append(Commit(pushed.head_sha, (sha("101 head"),), pushed.author))
    del withdrawn.comments[1]
    merged.state, merged.merged_at = "closed", "2026-06-26T08:00:00Z"
    add_pull(repo, world.repositories[FORK], 120, "ready")
    world.now = NIGHTS[1]


def test_with_stores_shares_are_one_run_to_the_byte_also_after_changes(
    serve: Serve, command: InProcess, tmp_path: Path
) -> None:
    world = audit_world((*ALL[:8], "ready", "ready", "pending"))
    github = serve(world)
    alone, merged = tmp_path / "alone.sqlite", None
    told = []
    for number, as_of in enumerate(NIGHTS):
        whole = audit(command, github, "--store", alone, as_of=as_of)
        joined, merged = night(command, github, tmp_path / str(number), merged, as_of)
        assert joined.out == whole.out, joined.err
        told.append({row["pr"]: row["changed"] for row in report(joined)["pulls"]})
        if number == 0:
            change_much(world)
    assert set(told[0].values()) == {None}
    assert {number: code for number, code in told[1].items() if code} == {
        101: "head-moved",
        103: "signoff-edited",
        109: "other",
        120: "new",
    }
    assert set(told[2].values()) == {None}


@pytest.fixture
def cut(serve: Serve, command: InProcess, tmp_path: Path) -> tuple[Loopback, list[Path]]:
    """Two shares of a second night, one of which was cut off after its first pull requests."""
    github = serve(audit_world(ALL[:7] * 2))
    _, before = night(command, github, tmp_path / "before", None, NIGHTS[0])
    only(github.world).put(".github/signoff.yml", LENIENT)
    files = [tmp_path / "1.json", tmp_path / "2.json"]
    for index, most in ((1, 1000), (2, 70)):
        store = tmp_path / f"{index}.sqlite"
        shutil.copy(before, store)
        options = ("--shard", f"{index}/2", "--store", store, "--max-requests", str(most))
        audit(command, github, *options, "--output", files[index - 1], as_of=NIGHTS[1])
    done = report_of(files[1])["pulls"]
    assert 0 < len(done) < len(ALL[:7] * 2) - len(report_of(files[0])["pulls"])
    return github, files


def report_of(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text())
    return found


def test_stores_of_which_one_was_cut_off_are_in_no_trend_and_can_be_resumed(
    cut: tuple[Loopback, list[Path]], command: InProcess, tmp_path: Path
) -> None:
    github, files = cut
    store = tmp_path / "merged.sqlite"
    merged = merge(command, *files, *with_stores(files), "--store", store)
    assert report(merged)["complete"] is False
    (tmp_path / "copy.sqlite").write_bytes(store.read_bytes())
    third = audit(command, github, "--store", tmp_path / "copy.sqlite", as_of=NIGHTS[2])
    assert [point["as_of"] for point in report(third)["trend"]] == [NIGHTS[0]]
    resumed = audit(command, github, "--store", store, "--resume", as_of=NIGHTS[2])
    assert report(resumed)["as_of"] == NIGHTS[1]
    assert classes(resumed) == classes(third)
    assert {classes(resumed)[number] for number in (104, 111)} == {"ready"}, "by the new rules"
    assert {row["changed"] for row in report(resumed)["pulls"]} == {None, "rules-changed"}


def test_stores_that_are_not_those_of_the_shares_are_refused_and_nothing_is_written(
    cut: tuple[Loopback, list[Path]], command: InProcess, tmp_path: Path
) -> None:
    _, files = cut
    store = tmp_path / "merged.sqlite"
    first, second = (file.with_suffix(".sqlite") for file in files)
    empty, missing = tmp_path / "empty.sqlite", tmp_path / "missing.sqlite"
    text = tmp_path / "text.sqlite"
    empty.touch()
    text.write_text("# Notes\n" * 100)
    for given, problem in (
        ((second, first), f"{second} holds no audit of share 1/2 as of {NIGHTS[1]}"),
        ((first, empty), f"{empty} is empty"),
        ((first, missing), f"{missing} does not exist"),
        ((first, text), f"{text} is no store"),
    ):
        options = [part for one in given for part in ("--from-store", one)]
        refused = merge(command, *files, *options, "--store", store)
        assert (refused.status, problem in refused.err) == (2, True), refused.everything
        assert not store.exists()
    assert empty.stat().st_size == 0
    assert not missing.exists()
    assert merge(command, *files, "--from-store", first, "--store", store).status == 2
