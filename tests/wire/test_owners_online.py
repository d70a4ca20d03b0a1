"""`owners` asked of GitHub: `--repo`, `--pr`, and the lint with GitHub's own opinion."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from support.wire_small import REPO, small_world
from support.world import World
from wire.command import InProcess, Result, environment
from wire.loopback.server import Loopback

Serve = Callable[[World], Loopback]


def asked(
    serve: Serve, command: InProcess, *argv: str, world: World | None = None, token: str = "good"
) -> Result:
    github = serve(world or small_world())
    env = environment(github, token=token)
    env.pop("GITHUB_REPOSITORY")
    return command("owners", *argv, env=env)


def found(result: Result) -> list[tuple[str, list[str] | None]]:
    assert result.status == 0, result.err
    return [(path["path"], path["owners"]) for path in json.loads(result.out)["paths"]]


def test_paths_are_looked_up_in_the_default_branch_of_a_repository(
    serve: Serve, command: InProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = asked(serve, command, "--repo", REPO, "src\\x.py", "a/../b", "--format", "json")
    assert found(result) == [("src/x.py", ["@octavia-chen"]), ("b", ["@octavia-chen"])]


def test_paths_for_a_repository_may_come_from_stdin(
    serve: Serve, command: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a\0b\0")))
    result = asked(serve, command, "--repo", REPO, "-", "-z", "--format", "json")
    assert [path for path, _ in found(result)] == ["a", "b"]


def test_a_pull_request_gives_both_names_of_a_renamed_file_and_its_base_decides(
    serve: Serve, command: InProcess
) -> None:
    world = small_world()
    world.repositories[REPO].put("CODEOWNERS", "* @bram-ito\n")
    result = asked(serve, command, "--pr", f"{REPO}#7", "--format", "json", world=world)
    assert found(result) == [
        ("logo.png", ["@octavia-chen"]),
        ("src/hammer.py", ["@octavia-chen"]),
        ("src/mallet.py", ["@octavia-chen"]),
    ]


def test_the_lint_compares_its_view_with_githubs(serve: Serve, command: InProcess) -> None:
    world = small_world()
    world.repositories[REPO].put(".github/CODEOWNERS", "* @octavia-chen\n!x @bram-ito\n")
    result = asked(serve, command, "--repo", REPO, "--check", "--format", "json", world=world)
    assert result.status == 1
    codes = [(p["line"], p["code"]) for p in json.loads(result.out)["problems"]]
    # The loopback GitHub never complains.
    assert codes == [(2, "negated-pattern"), (2, "github-accepts")]


@pytest.mark.parametrize(
    ("argv", "token", "status", "words"),
    [
        (["--repo", "octo-works/none", "a"], "good", 3, "octo-works/none"),
        (["--repo", "nothing", "a"], "good", 2, "OWNER/REPO"),
        (["--pr", f"{REPO}#999"], "good", 3, "pulls/999"),
        (["--pr", "x"], "good", 2, "no pull request"),
        (["--repo", REPO, "a"], "old", 3, "token"),
        (["--repo", REPO, "/a"], "good", 2, "outside"),
    ],
)
def test_what_cannot_be_answered_is_a_sentence(
    serve: Serve, command: InProcess, argv: list[str], token: str, status: int, words: str
) -> None:
    result = asked(serve, command, *argv, token=token)
    assert (result.status, result.out) == (status, "")
    assert words in result.err
    assert "Traceback" not in result.err


@pytest.mark.parametrize(
    ("content", "words"), [(None, "no CODEOWNERS"), (b"\xff", "UTF-8"), (b"#" * 3_000_000, "3 MB")]
)
def test_a_repository_without_a_usable_file_decides_nothing(
    serve: Serve, command: InProcess, content: bytes | None, words: str
) -> None:
    world = small_world()
    for tree in world.repositories[REPO].trees.values():
        tree.pop(".github/CODEOWNERS", None)
        if content is not None:
            tree[".github/CODEOWNERS"] = content
    result = asked(serve, command, "--repo", REPO, "a", world=world)
    assert (result.status, result.out) == (3, "")
    assert words in result.err
