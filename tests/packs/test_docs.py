"""The page on rule packs is true: its reference is the models', and its examples work."""

import re
from pathlib import Path

import pytest
import yaml
from support import pack_reference
from support.pack_reference import PAGE

from signoff_bot.cli import run
from signoff_bot.evidence.model import Evidence
from signoff_bot.packs.changes import apply_changes
from signoff_bot.packs.load import load_text
from signoff_bot.packs.mistakes import validate
from signoff_bot.packs.shorthand import complete, unfold

TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
RENEW = f"renew it: python {pack_reference.__file__}"


def example(beginning: str) -> str:
    (found,) = (text for text in EXAMPLES if text.startswith(beginning))
    return found


@pytest.mark.parametrize("name", ["pack", "kinds", "case", "short"])
def test_the_reference_is_that_of_the_models(name: str) -> None:
    (written,) = re.findall(rf"<!-- {name}: made by .*? -->\n(.*?)\n<!-- end -->", TEXT, re.DOTALL)
    assert written == pack_reference.block(name), RENEW


def test_the_way_from_nothing_to_a_pack_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (".github/signoff.yml", ".github/cases/acme/basics.yaml"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(example(f"# {name}\n"), encoding="utf-8")
    assert run(["rules", "check", ".github/signoff.yml"]) == 0
    assert run(["rules", "test", ".github/signoff.yml"]) == 0
    out = capsys.readouterr().out
    for line in out.splitlines():
        assert re.sub(r"sha256:\w+", "sha256:...", line) in TEXT


def test_the_form_of_the_guide_is_the_one_of_its_pack() -> None:
    form = re.search(r"```markdown\n(.*?)```", TEXT, re.DOTALL)[1]
    phrase = yaml.safe_load(example("# .github/signoff.yml"))["signoff"]["phrase"]
    assert form.startswith(f"{phrase}:\n")


def test_the_example_of_an_extension_loads() -> None:
    rules = load_text(example("name: acme-inferencex"), "p")
    assert [check.id for check in rules.checks] == ["codeowner", "sweep", "eval"]


def test_the_example_of_changes_changes_evidence() -> None:
    base = {
        "comments": [{"author": "octavia-chen", "body": "x"}, {"author": "kiri-lund", "body": "y"}],
        "runs": [{"workflow_path": "ci.yml", "jobs": ["build / linux"]}],
        "files": ["a.md"],
    }
    change = yaml.safe_load(example("set:"))
    data = apply_changes(unfold(base), change["set"], change["add"], change["remove"])
    evidence, wrongs = validate(Evidence, complete(unfold(data)))
    assert not wrongs
    assert evidence.pull.draft
    assert evidence.comments[0].history.editors[0].login == "bram-ito"
    assert evidence.runs[0].jobs[0].conclusion == "failure"
    assert evidence.codeowners.unread.startswith("GitHub answered 502")
    assert [file.path for file in evidence.files] == ["a.md", "docs/new.md"]
    assert len(evidence.comments) == 1
