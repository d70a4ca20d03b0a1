"""The workflows and actions that we run or hand out: those in the tree, and those in the docs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from textwrap import indent
from typing import Any

import yaml

import signoff_bot

ROOT = Path(__file__).parents[2]
RELEASE = f"signoff-bot/signoff-bot@v{signoff_bot.__version__}"
REUSABLE = f"signoff-bot/signoff-bot/.github/workflows/verify.yml@v{signoff_bot.__version__}"
_FRAGMENT = re.compile(r"^```yaml\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(
    r"^```yaml title=\"(?P<name>[^\"]+)\"\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True)
class YamlFile:
    """A file by the name under which it stands in a repository."""

    name: str
    text: str
    where: str

    @cached_property
    def data(self) -> dict[str, Any]:
        """What it says, with every scalar as it is written (so that `on` stays `on`)."""
        return yaml.load(self.text, yaml.BaseLoader)

    @property
    def triggers(self) -> set[str]:
        """The events that start it."""
        return set(self.data["on"])

    @property
    def jobs(self) -> dict[str, dict[str, Any]]:
        """Its jobs by their ids."""
        return self.data["jobs"]

    def __str__(self) -> str:
        return self.where


def _tree(path: Path) -> YamlFile:
    where = str(path.relative_to(ROOT))
    return YamlFile(where, path.read_text(encoding="utf-8"), where)


def documented(page: str) -> list[YamlFile]:
    """The files that a page of the documentation tells people to copy."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [
        YamlFile(block["name"], block["text"], f"{page}: {block['name']}")
        for block in _BLOCK.finditer(text)
    ]


def fragments(page: str, base: YamlFile) -> list[YamlFile]:
    """The pieces of a job that a page shows, each in the place of the steps of `base`."""
    text = (ROOT / page).read_text(encoding="utf-8")
    job, marker, _ = base.text.partition("    steps:\n")
    assert marker
    return [
        YamlFile(base.name, job + indent(block["text"], "    "), f"{page}: a piece of {base.name}")
        for block in _FRAGMENT.finditer(text)
    ]


ACTION = _tree(ROOT / "action.yml")
OWN = [_tree(path) for path in sorted((ROOT / ".github/workflows").glob("*.yml"))]
GUIDE = documented("docs/action.md")
README = documented("README.md")
WORKFLOWS = [*OWN, *GUIDE, *README, *fragments("docs/action.md", GUIDE[0])]


def own(name: str) -> YamlFile:
    """A workflow of this repository by its file name."""
    return next(file for file in OWN if Path(file.name).name == name)


def guide(name: str) -> YamlFile:
    """The first file of that name in the guide."""
    return next(file for file in GUIDE if Path(file.name).name == name)
