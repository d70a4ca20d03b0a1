"""The guide says of the files what they are."""

from __future__ import annotations

import re

from action.rules import TRUSTED, WAKING
from action.yaml_files import GUIDE, ROOT, guide

PAGE = ROOT / "docs/action.md"
TEXT = PAGE.read_text(encoding="utf-8")


def table(heading: str) -> list[list[str]]:
    """The rows of the table whose first column is called so."""
    (rows,) = re.findall(rf"^\| {heading} \|.*\n\|[-|]+\n((?:\|.*\n)+)", TEXT, re.MULTILINE)
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows.splitlines()]


def test_every_trigger_is_explained_and_what_it_may_write() -> None:
    used = {trigger for file in GUIDE for trigger in file.triggers}
    told = {
        name: cells[-1] for cells in table("trigger") for name in re.findall(r"`(\w+)`", cells[0])
    }
    assert set(told) == used
    assert {name for name, writes in told.items() if writes == "yes"} == used & TRUSTED
    assert {name for name, writes in told.items() if writes.startswith("nothing")} == WAKING
    assert told["merge_group"] == "the status of the group's commit only"


def test_every_permission_is_explained() -> None:
    granted = guide("signoff-bot.yml").jobs["verify"]["permissions"]
    told = [cells[0] for cells in table("permission")]
    assert told == [f"`{scope}: {level}`" for scope, level in granted.items()]


def test_its_links_lead_somewhere() -> None:
    headings = re.findall(r"^#+ (.+)$", TEXT, re.MULTILINE)
    anchors = {re.sub(r"[^a-z0-9 -]", "", h.lower()).replace(" ", "-") for h in headings}
    targets = re.findall(r"\]\(([^)]+)\)", TEXT)
    assert targets
    for target in targets:
        if target.startswith("#"):
            assert target[1:] in anchors, target
        elif not target.startswith("https://"):
            assert (PAGE.parent / target).exists(), target


def test_its_contents_are_its_sections() -> None:
    sections = re.findall(r"^## (.+)$", TEXT, re.MULTILINE)
    assert re.findall(r"^- \[(.+)\]\(#", TEXT, re.MULTILINE) == sections
