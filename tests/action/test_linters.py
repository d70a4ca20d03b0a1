"""What the usual linters say of our workflows, of the action, and of the files in the docs."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from action.yaml_files import (
    ACTION,
    GUIDE,
    OWN,
    RELEASE,
    REUSABLE,
    ROOT,
    YamlFile,
    documented,
    fragments,
    own,
)

BIN = Path(sys.executable).parent
# Where no wheel of shellcheck exists, requirements/dev.txt names none.
SHELLCHECK = sys.platform == "darwin" or platform.machine() == "x86_64"
COMMIT = "@0123456789abcdef0123456789abcdef01234567 # "


def run(*argv: str | Path, cwd: Path = ROOT, stdin: str | None = None) -> str:
    """What a tool prints that must find nothing."""
    tool = BIN / argv[0]
    done = subprocess.run(
        [tool, *argv[1:]], cwd=cwd, input=stdin, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, f"{argv[0]}:\n{done.stdout}{done.stderr}"
    return done.stdout


def actionlint(*argv: str | Path, cwd: Path = ROOT) -> str:
    return run(
        "actionlint", "-shellcheck", str(BIN / "shellcheck") if SHELLCHECK else "", *argv, cwd=cwd
    )


def repository(folder: Path, files: Sequence[YamlFile]) -> Path:
    """A repository that holds files as somebody who copies and pins them would have them."""
    (folder / ".github/workflows").mkdir(parents=True)
    (folder / ".git").mkdir()
    shutil.copy(ROOT / ".github/zizmor.yml", folder / ".github")
    for file in files:
        pinned = file.text
        for named in (RELEASE, REUSABLE):
            origin, _, version = named.partition("@")
            pinned = pinned.replace(f"uses: {named}\n", f"uses: {origin}{COMMIT}{version}\n")
        (folder / file.name).write_text(pinned, encoding="utf-8")
    return folder


COPIES = {
    "the files": GUIDE[:-1],
    "a call of the workflow": GUIDE[-1:],
    "an App's token": fragments("docs/action.md", GUIDE[0]),
    "the audit in shares": documented("docs/audit-shares.md"),
}


def test_zizmor_finds_nothing_but_what_is_ignored_for_a_reason() -> None:
    run("zizmor", "--quiet", "--offline", "--persona=auditor", "--strict-collection", ".")


def test_actionlint_finds_nothing() -> None:
    actionlint()


@pytest.mark.parametrize("about", COPIES)
def test_the_linters_find_nothing_in_what_the_guide_shows(about: str, tmp_path: Path) -> None:
    copy = repository(tmp_path, COPIES[about])
    actionlint(cwd=copy)
    run("zizmor", "--quiet", "--offline", "--persona=auditor", "--strict-collection", ".", cwd=copy)
    schema("vendor.github-workflows", sorted((copy / ".github/workflows").iterdir()))


def test_the_schemas_of_workflows_and_actions_hold() -> None:
    schema("vendor.github-workflows", [ROOT / file.name for file in OWN])
    schema("vendor.github-actions", [ROOT / ACTION.name])


def schema(name: str, files: list[Path]) -> None:
    assert files
    run("check-jsonschema", "--builtin-schema", name, *files)


@pytest.mark.skipif(not SHELLCHECK, reason="shellcheck has no wheel for this kind of machine")
def test_shellcheck_finds_nothing_in_the_scripts_of_the_action() -> None:
    for step in ACTION.data["runs"]["steps"]:
        assert step["shell"] == "bash"
        run(
            "shellcheck",
            "--shell=bash",
            "-",
            stdin=f"set -eo pipefail\n{step['run']}",
        )


def test_a_linter_that_finds_something_fails(tmp_path: Path) -> None:
    file = own("signoff-bot.yml")
    bad = file.text.replace("- uses: ./\n", '- run: echo "${{ github.event.comment.body }}"\n')
    copy = repository(tmp_path, [YamlFile(file.name, bad, "bad")])
    with pytest.raises(AssertionError, match="template-injection"):
        run("zizmor", "--quiet", "--offline", "--persona=auditor", ".", cwd=copy)
    with pytest.raises(AssertionError, match="untrusted"):
        actionlint(cwd=copy)
