"""A verdict depends on the evidence and the rules alone: not on order, machine or chance."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from signoff_bot.evaluate import evaluate
from signoff_bot.evidence.bundle import Bundle, write_bundle
from signoff_bot.evidence.model import Evidence
from signoff_bot.packs.cases import cases_folder, load_cases
from signoff_bot.packs.load import from_data, load_named
from signoff_bot.packs.shipped import shipped_folder

PACK = "inferencex"
CASES = (
    "pull/agentic",
    "codeowner/both-vendors",
    "sweep/more-than-a-hundred-jobs",
    "recipe/other-backend",
    "reuse/pinned",
    "engine-patch/waiver-without-a-plan",
    "append-only/mixed-entries",
    "signoffs-signers/several",
)
JUDGE = """
import locale, sys
locale.setlocale(locale.LC_ALL, "")
from signoff_bot.service import replay
for path in sys.argv[1:]:
    content = open(path, "rb").read()
    sys.stdout.write(replay(content, "bundle", None, None).verdict.to_json())
"""


@pytest.fixture(scope="module")
def rules():
    return load_named(PACK)


@pytest.fixture(scope="module")
def cases(rules):
    loaded = load_cases(cases_folder(shipped_folder() / f"{PACK}.yaml", PACK), rules)
    return {case.name: case.evidence for case in loaded if case.name in CASES}


def shuffled(data, chance):
    """The same data with every list and every mapping in another order."""
    if isinstance(data, dict):
        items = list(data.items())
        chance.shuffle(items)
        return {key: shuffled(value, chance) for key, value in items}
    if isinstance(data, list):
        items = [shuffled(item, chance) for item in data]
        if items and isinstance(items[0], dict):
            chance.shuffle(items)
        return items
    return data


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_the_evidence_changes_nothing(cases, rules, name, seed):
    data = shuffled(cases[name].model_dump(mode="json"), random.Random(seed))
    again = Evidence.model_validate_json(json.dumps(data))
    assert evaluate(again, rules).to_json() == evaluate(cases[name], rules).to_json()


def turned_round(data):
    """The same data with the keys of every mapping in the reverse order."""
    if isinstance(data, dict):
        return {key: turned_round(value) for key, value in reversed(data.items())}
    return [turned_round(item) for item in data] if isinstance(data, list) else data


def test_the_order_of_keys_in_a_pack_changes_nothing(cases, rules):
    other = from_data(turned_round(rules.data), "pack")
    assert list(other.data) == list(reversed(rules.data))
    for name in CASES:
        assert evaluate(cases[name], other).to_json() == evaluate(cases[name], rules).to_json()


@pytest.mark.parametrize("name", CASES)
def test_judging_twice_gives_the_same_bytes(cases, rules, name):
    assert evaluate(cases[name], rules).to_json() == evaluate(cases[name], rules).to_json()


@pytest.fixture(scope="module")
def bundles(cases, rules, tmp_path_factory):
    folder = tmp_path_factory.mktemp("bundles")
    paths = []
    for name in CASES:
        path = folder / f"{name.replace('/', '-')}.json"
        path.write_bytes(write_bundle(Bundle(cases[name], rules.data)))
        paths.append(path)
    return paths


def judged_elsewhere(bundles, **environment):
    settings = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "PYTHONHASHSEED": "0",
        **environment,
    }
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", JUDGE, *map(str, bundles)],
        env=settings,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


@pytest.fixture(scope="module")
def plainly_judged(bundles):
    return judged_elsewhere(bundles)


@pytest.mark.parametrize(
    "environment",
    [
        pytest.param({"PYTHONHASHSEED": "1"}, id="hash seed 1"),
        pytest.param({"PYTHONHASHSEED": "4294967295"}, id="hash seed 4294967295"),
        pytest.param({"TZ": "Pacific/Kiritimati"}, id="a day ahead"),
        pytest.param({"TZ": "Etc/GMT+12"}, id="a day behind"),
        pytest.param({"LC_ALL": "C"}, id="the C locale"),
        pytest.param({"LC_ALL": "C.UTF-8", "LANG": "tr_TR.UTF-8"}, id="another language"),
        pytest.param({"PYTHONUTF8": "0", "LC_ALL": "POSIX"}, id="no UTF-8"),
    ],
)
def test_the_machine_changes_nothing(bundles, plainly_judged, environment):
    assert judged_elsewhere(bundles, **environment) == plainly_judged


def test_what_is_judged_elsewhere_is_what_is_judged_here(cases, rules, plainly_judged):
    here = "".join(evaluate(cases[name], rules).to_json() for name in CASES)
    assert plainly_judged.decode() == here
