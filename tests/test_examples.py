"""The example bundles: what the script builds, and the verdicts of the founding threads."""

import importlib.util
from pathlib import Path

import pytest

from signoff_bot.service import replay

EXAMPLES = Path(__file__).parent.parent / "examples"
LEFT = "27996171132 on fa89765"


def script():
    spec = importlib.util.spec_from_file_location("build_examples", EXAMPLES / "build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def verdict(name):
    return replay((EXAMPLES / name).read_bytes(), name, None, None).verdict


def statuses(found):
    return {check.id: check.status for check in found.checks}


def summary(found, id):
    return next(check.summary for check in found.checks if check.id == id)


def test_the_bundles_are_what_the_script_builds():
    built = script().bundles()
    assert {path.name for path in EXAMPLES.glob("*.json")} == set(built)
    for name, content in built.items():
        assert (EXAMPLES / name).read_bytes() == content, f"run python examples/build.py ({name})"


def test_a_request_to_sign_by_a_stranger_fails():
    found = verdict("thread-1865-request.json")
    assert found.verdict == "fail"
    assert statuses(found) == {
        "codeowner": "fail",
        "sweep": "fail",
        "eval": "blocked",
        "recipe": "fail",
    }
    assert not found.signoff.completed
    assert "so this is no sign-off" in found.signoff.problems[0]
    assert "marlow-quist does not own .github/configs/amd-master.yaml" in summary(
        found, "codeowner"
    )
    assert "any of the pull request's 33 commits" in summary(found, "sweep")


def test_a_sign_off_whose_run_left_the_pull_request_fails():
    found = verdict("thread-1865-signoff.json")
    assert found.verdict == "fail"
    assert found.head_sha.startswith("a2e7439")
    assert statuses(found) == {
        "codeowner": "pass",
        "sweep": "fail",
        "eval": "blocked",
        "recipe": "fail",
    }
    assert found.signoff.completed
    assert found.signoff.problems == ()
    sweep = summary(found, "sweep")
    assert sweep.startswith("nothing executed on any of the pull request's 34 commits")
    assert LEFT in sweep
    assert sweep.endswith("its commit is no longer in this pull request")
    assert "/pull/1762 is a pull request of this repository itself" in summary(found, "recipe")


def test_a_pull_request_that_nobody_signed_is_pending():
    found = verdict("thread-1914.json")
    assert found.verdict == "pending"
    assert found.signoff is None
    assert statuses(found) == {
        "codeowner": "blocked",
        "sweep": "fail",
        "eval": "blocked",
        "recipe": "blocked",
    }
    assert "run 28149795726" in summary(found, "sweep")


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_an_example_is_small_enough_to_read(path):
    assert path.stat().st_size < 64 * 1024
