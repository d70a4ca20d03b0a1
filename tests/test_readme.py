"""Runs what README shows: every `console` block is a command and exactly what it prints.

`SIGNOFF_BOT_UPDATE_README=1 pytest tests/test_readme.py` writes the current output into README.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
BLOCK = re.compile(r"```console\n\$ (?P<command>[^\n]+)\n(?P<output>.*?)```", re.DOTALL)
BLOCKS = list(BLOCK.finditer(README.read_text(encoding="utf-8")))


def output_of(command: str) -> str:
    env = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "COLUMNS": "100"}
    done = subprocess.run(command.split(), cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block["command"])
def test_readme_shows_what_the_command_prints(block: re.Match[str]) -> None:
    printed = output_of(block["command"])
    if os.environ.get("SIGNOFF_BOT_UPDATE_README"):
        text = README.read_text(encoding="utf-8")
        new = f"```console\n$ {block['command']}\n{printed}```"
        README.write_text(text.replace(block[0], new), encoding="utf-8")
    else:
        assert block["output"] == printed


def test_readme_names_only_files_that_exist() -> None:
    text = README.read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        assert (ROOT / target).exists(), target


def test_the_make_targets_that_readme_names_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"(?m)^make ([a-z]+)", README.read_text(encoding="utf-8")):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
