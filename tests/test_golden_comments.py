"""The comments on typical pull requests, word for word."""

import importlib.util
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "golden"


def comments():
    spec = importlib.util.spec_from_file_location("build_golden", FOLDER / "build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.comments()


@pytest.fixture(scope="module")
def built():
    return comments()


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.glob("*.md")))
def test_the_comment_is_the_golden_one(built, name):
    golden = (FOLDER / name).read_text(encoding="utf-8")
    assert built[name] == golden, f"if meant, run python tests/golden/build.py ({name})"


def test_every_comment_has_its_golden_file(built):
    assert {path.name for path in FOLDER.glob("*.md")} == set(built)
