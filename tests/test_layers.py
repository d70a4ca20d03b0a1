"""Keeps the house's one rule of imports: a room may import only the rooms before it in the flow."""

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "signoff_bot"
ROOMS = [
    {"errors", "event", "__init__"},
    {"evidence"},
    {"reading"},
    {"checks"},
    {"packs"},
    {"verdict", "audit.report"},  # what is decided, as data
    {"evaluate", "draft"},
    {"target"},
    {"github"},
    {"render"},
    {"service", "speaking", "posting", "schemas"},
    {"audit"},
    {"action"},
    {"cli"},
    {"__main__"},
]
RANK = {room: rank for rank, rooms in enumerate(ROOMS) for room in rooms}
FILES = sorted(PACKAGE.rglob("*.py"))


def room_of(path: Path) -> str:
    return room(path.relative_to(PACKAGE).with_suffix("").parts)


def room(parts: Sequence[str]) -> str:
    """The room of a module: its first name, unless the module has a place of its own."""
    module = ".".join(parts[:2])
    return module if module in RANK else parts[0]


def imports(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.lineno, node.module


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_a_room_imports_only_the_rooms_before_it(path: Path) -> None:
    own = RANK[room_of(path)]
    for line, module in imports(path):
        if module.split(".")[0] == "signoff_bot":
            other = [*module.split("."), "__init__"][1:]
            assert RANK[room(other)] <= own, f"{path}:{line} imports {module}"


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_only_the_github_room_imports_pygithub(path: Path) -> None:
    modules = {module.split(".")[0] for _, module in imports(path)}
    assert room_of(path) == "github" or not modules & {"github", "requests", "urllib3"}


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_the_pure_rooms_have_no_clock_network_environment_or_chance(path: Path) -> None:
    pure = {"evidence", "reading", "checks", "verdict", "evaluate", "draft", "target", "render"}
    forbidden = {"time", "random", "os", "socket", "subprocess", "urllib.request", "secrets"}
    modules = {module for _, module in imports(path)}
    assert room_of(path) not in pure or not modules & forbidden


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_a_file_says_what_lives_there_and_stays_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text))
    assert text.count("\n") <= 350
