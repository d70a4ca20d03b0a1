"""The command `owners` in a work tree."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from signoff_bot.cli import run

CODEOWNERS = """\
* @octo-org/all
*.md @octo-org/docs
/src/ @kiri-lund @octo-org/core
/src/gen/
"""
FILES = (
    "README.md",
    "src/a.py",
    "src/gen/b.py",
    "docs/logo.svg",
    "src/café.py",
    ".github/CODEOWNERS",
)


@dataclass(frozen=True)
class Result:
    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        return dict(json.loads(self.out))

    @property
    def paths(self) -> list[str]:
        return [path["path"] for path in self.json["paths"]]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    top = (tmp_path / "work tree").resolve()
    top.mkdir()
    monkeypatch.chdir(top)
    for name in [name for name in os.environ if name.startswith(("GIT_", "GITHUB_", "GH_"))]:
        monkeypatch.delenv(name)
    for name in FILES:
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).touch()
    (top / ".github/CODEOWNERS").write_text(CODEOWNERS)
    subprocess.run(["git", "init", "-q"], check=True)
    subprocess.run(["git", "add", "-A"], check=True)
    return top


@pytest.fixture
def owners(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Result]:
    def call(*argv: str, stdin: bytes = b"") -> Result:
        capsys.readouterr()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = run(["owners", *argv])
        caught = capsys.readouterr()
        return Result(status, caught.out, caught.err)

    return call


@pytest.mark.usefixtures("tree")
class TestLookingUp:
    def test_the_table_says_path_owners_and_line(self, owners: Callable[..., Result]) -> None:
        result = owners("README.md", "src/gen/new.py", "src/a.py")
        assert result == Result(
            0,
            "PATH            OWNERS                     LINE\n"
            "README.md       @octo-org/docs             2  *.md\n"
            "src/gen/new.py  (nobody)                   4  /src/gen/\n"
            "src/a.py        @kiri-lund @octo-org/core  3  /src/\n",
            "",
        )

    def test_json_follows_the_contract_in_the_order_given(
        self, owners: Callable[..., Result]
    ) -> None:
        result = owners("src/gen/b.py", "src/a.py", "--format", "json")
        assert result.json == {
            "schema": "signoff-bot/owners/v1",
            "codeowners": ".github/CODEOWNERS",
            "problems": [],
            "paths": [
                {"path": "src/gen/b.py", "owners": [], "line": 4, "pattern": "/src/gen/"},
                {
                    "path": "src/a.py",
                    "owners": ["@kiri-lund", "@octo-org/core"],
                    "line": 3,
                    "pattern": "/src/",
                },
            ],
        }

    def test_without_paths_all_tracked_files_are_looked_up(
        self, owners: Callable[..., Result], tree: Path
    ) -> None:
        (tree / "untracked").touch()
        assert sorted(owners("--format", "json").paths) == sorted(FILES)

    def test_a_path_that_no_line_matches_is_told_from_one_that_nobody_owns(
        self, owners: Callable[..., Result], tree: Path
    ) -> None:
        (tree / ".github/CODEOWNERS").write_text("/src/\n")
        shown = owners("src/a.py", "x").out
        assert "src/a.py  (nobody)           1  /src/\n" in shown
        assert "x         (no line matches)  -\n" in shown
        found = owners("x", "--format", "json").json["paths"]
        assert found == [{"path": "x", "owners": None, "line": None, "pattern": None}]

    @pytest.mark.parametrize(
        ("given", "paths"),
        [
            ("a.py", ["src/a.py"]),
            ("./a.py", ["src/a.py"]),
            ("../README.md", ["README.md"]),
            ("gen\\b.py", ["src/gen/b.py"]),
            ("gen", ["src/gen/b.py"]),
            ("gen/", ["src/gen/b.py"]),
            ('"caf\\303\\251.py"', ["src/café.py"]),
            ("new.py", ["src/new.py"]),
        ],
    )
    def test_arguments_begin_at_the_current_directory(
        self,
        owners: Callable[..., Result],
        monkeypatch: pytest.MonkeyPatch,
        given: str,
        paths: list[str],
    ) -> None:
        monkeypatch.chdir("src")
        assert owners(given, "--format", "json").paths == paths

    def test_an_absolute_path_in_the_work_tree_is_understood(
        self, owners: Callable[..., Result], tree: Path
    ) -> None:
        assert owners(str(tree / "src/a.py"), "--format", "json").paths == ["src/a.py"]

    def test_a_way_through_a_link_leads_to_the_same_path(
        self, owners: Callable[..., Result], tree: Path
    ) -> None:
        (tree.parent / "link").symlink_to(tree)
        given = str(tree.parent / "link/src/a.py")
        assert owners(given, "--format", "json").paths == ["src/a.py"]

    def test_paths_on_stdin_begin_at_the_top(
        self, owners: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir("src")
        listed = b'README.md\n"src/caf\\303\\251.py"\n'
        result = owners("-", "--format", "json", stdin=listed)
        assert result.paths == ["README.md", "src/café.py"]
        result = owners("-", "-z", "--format", "json", stdin=b"a\nb\0README.md\0")
        assert result.paths == ["a\nb", "README.md"]

    @pytest.mark.parametrize(
        ("selection", "paths"),
        [
            (["--unowned"], ["src/gen/b.py"]),
            (["--owned-by", "@Octo-Org/DOCS"], ["README.md"]),
            (
                ["--owned-by", "kiri-lund", "--owned-by", "@octo-org/docs"],
                ["README.md", "src/a.py"],
            ),
            (["--owned-by", "@nobody-here"], []),
        ],
    )
    def test_a_selection_shows_only_its_paths(
        self, owners: Callable[..., Result], selection: list[str], paths: list[str]
    ) -> None:
        files = ["README.md", "src/a.py", "src/gen/b.py", "docs/logo.svg"]
        assert owners(*files, *selection, "--format", "json").paths == paths

    def test_an_empty_selection_is_said(self, owners: Callable[..., Result]) -> None:
        assert owners("--owned-by", "@nobody-here").out == "No paths.\n"

    def test_an_explanation_names_all_lines_that_match(
        self, owners: Callable[..., Result], tree: Path
    ) -> None:
        with (tree / ".github/CODEOWNERS").open("a") as file:
            file.write("!src/a.py @bram-ito\n")
        result = owners("src/a.py", "--explain")
        assert result.out.splitlines()[:3] == [
            "src/a.py: @kiri-lund @octo-org/core",
            "  line 3  /src/  decides, being the last that matches",
            "  line 1  *  matches too: @octo-org/all",
        ]
        assert "line 5  is skipped by GitHub" in result.out
        (found,) = owners("src/a.py", "--explain", "--format", "json").json["paths"]
        assert [line["line"] for line in found["beaten"]] == [1]
        assert [problem["line"] for problem in found["skipped"]] == [5]

    def test_skipped_lines_are_warned_of(self, owners: Callable[..., Result], tree: Path) -> None:
        (tree / ".github/CODEOWNERS").write_text("!x @a\n")
        result = owners("x")
        assert "skips 1 line of .github/CODEOWNERS" in result.err
        assert [p["code"] for p in owners("x", "--format", "json").json["problems"]] == [
            "negated-pattern"
        ]

    def test_control_characters_of_a_path_do_not_reach_the_terminal(
        self, owners: Callable[..., Result]
    ) -> None:
        assert "\x1b" not in owners("-", "-z", stdin=b"a\x1b[31m\0").out

    def test_the_result_can_go_to_a_file(self, owners: Callable[..., Result], tree: Path) -> None:
        assert owners("README.md", "--output", "out.txt").out == ""
        assert "@octo-org/docs" in (tree / "out.txt").read_text()

    def test_another_file_can_be_named(self, owners: Callable[..., Result], tree: Path) -> None:
        (tree / "other").write_text("* @bram-ito\n")
        found = owners("x", "--codeowners", "other", "--format", "json").json
        assert (found["codeowners"], found["paths"][0]["owners"]) == ("other", ["@bram-ito"])

    def test_the_first_of_githubs_places_is_used_alone(
        self, owners: Callable[..., Result], tree: Path
    ) -> None:
        (tree / "CODEOWNERS").write_text("* @bram-ito\n")
        (tree / "docs/CODEOWNERS").write_text("* @bram-ito\n")
        used = []
        for _ in range(3):
            used.append(owners("x", "--format", "json").json["codeowners"])
            (tree / used[-1]).unlink()
        assert used == [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"]
        result = owners("x")
        assert result.status == 2
        assert "no CODEOWNERS" in result.err


@pytest.mark.usefixtures("tree")
class TestRefusing:
    @pytest.mark.parametrize(
        ("argv", "words"),
        [
            ([""], "'' names no file"),
            (["/etc/hosts"], "outside"),
            (["../../x"], "outside"),
            (["C:\\x"], "outside"),
            (["nowhere/"], "no such directory"),
            (['"a'], "quote"),
            (["empty"], "tracks no file"),
            (["-z"], "`-`"),
            (["--check", "a"], "whole file"),
            (["--check", "--unowned"], "whole file"),
            (["--unowned", "--owned-by", "a"], "--owned-by"),
            (["--codeowners", "x", "--repo", "o/r", "a"], "--codeowners"),
            (["--codeowners", "missing", "a"], "cannot read missing"),
            (["--codeowners", "x", "--output", "./x", "a"], "name the same file"),
            (["--repo", "o/r"], "name the paths"),
            (["--pr", "1", "--repo", "o/r", "a"], "leave the paths out"),
        ],
    )
    def test_a_wrong_call_is_a_sentence(
        self, owners: Callable[..., Result], tree: Path, argv: list[str], words: str
    ) -> None:
        (tree / "empty").mkdir()
        result = owners(*argv)
        assert (result.status, result.out) == (2, "")
        assert result.err.startswith("signoff-bot: ")
        assert words in result.err
        assert result.err.count("\n") == 1

    @pytest.mark.parametrize("content", [b"\xff", b"#" * 3_000_000])
    def test_a_file_that_cannot_be_used_is_refused(
        self, owners: Callable[..., Result], tree: Path, content: bytes
    ) -> None:
        (tree / ".github/CODEOWNERS").write_bytes(content)
        result = owners("x")
        assert (result.status, result.out) == (2, "")
        assert "CODEOWNERS" in result.err


def test_without_git_paths_are_looked_up_and_directories_refused(
    owners: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    (tmp_path / "CODEOWNERS").write_text("* @bram-ito\n")
    (tmp_path / "docs").mkdir()
    assert owners("x/y", "--format", "json").paths == ["x/y"]
    assert "git work tree" in owners("docs").err
    assert owners().status == 2


@pytest.mark.usefixtures("tree")
class TestChecking:
    def test_a_sound_file_passes(self, owners: Callable[..., Result]) -> None:
        assert owners("--check") == Result(0, ".github/CODEOWNERS: 0 errors, 0 warnings\n", "")

    def test_errors_fail_and_stand_with_their_lines(
        self, owners: Callable[..., Result], tree: Path
    ) -> None:
        (tree / ".github/CODEOWNERS").write_text("* @a\n!x @b\n/gone/ @c\n")
        result = owners("--check")
        assert result.status == 1
        lines = result.out.splitlines()
        assert lines[0].startswith(".github/CODEOWNERS:2: error: ")
        assert lines[0].endswith("[negated-pattern]")
        assert lines[1].startswith(".github/CODEOWNERS:3: warning: ")
        assert lines[2:] == [".github/CODEOWNERS: 1 error, 1 warning"]

    def test_warnings_alone_pass(self, owners: Callable[..., Result], tree: Path) -> None:
        (tree / ".github/CODEOWNERS").write_text("* @a\n/gone/ @c\n")
        (tree / "CODEOWNERS").touch()
        result = owners("--check", "--format", "json")
        assert result.status == 0
        assert [(p["line"], p["code"], p["severity"]) for p in result.json["problems"]] == [
            (None, "ignored-file", "warning"),
            (2, "matches-nothing", "warning"),
        ]

    def test_a_file_that_cannot_be_used_is_an_error_of_the_lint(
        self, owners: Callable[..., Result], tree: Path
    ) -> None:
        (tree / ".github/CODEOWNERS").write_bytes(b"\xff")
        result = owners("--check")
        assert result.status == 1
        assert result.out.startswith(".github/CODEOWNERS: error: ")


def test_looking_up_paths_here_loads_nothing_that_asks_github() -> None:
    loaded = (
        "import sys, signoff_bot.cli.owners_input, signoff_bot.render.owners; print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", loaded], capture_output=True, text=True, check=True
    )
    assert not {"github", "requests", "pydantic"} & set(done.stdout.split())
