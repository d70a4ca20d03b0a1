"""The command `rules`, as people run it."""

import io
import json
import sys
from pathlib import Path

import jsonschema_rs
import pytest
from support import probe

from signoff_bot.cli import run

GOLDEN = Path(__file__).parent / "golden"

CASES = """\
both:
  about: The title says it all.
  set: {pull.title: hello world}
  expect: {verdict: pending, checks: {hello: pass, world: pass}}
one:
  about: The title says half of it.
  base: both
  set: {pull.title: hello}
  expect: {checks: {world: fail}, says: {world: change the title}}
"""


@pytest.fixture(autouse=True)
def rules(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder of the shipped packs: `basic` with two cases."""
    probe.install(monkeypatch, tmp_path, basic=probe.BASIC)
    cases = tmp_path / "rules" / "cases" / "basic"
    cases.mkdir(parents=True)
    (cases / "titles.yaml").write_text(CASES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "rules"


def test_a_pack_is_explained_in_any_locale(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, rules: Path
) -> None:
    pack = tmp_path / "snow.yaml"
    pack.write_text(probe.BASIC.replace("says hello", "says ☃"), encoding="utf-8")
    stdout = io.TextIOWrapper(io.BytesIO(), "latin-1")
    monkeypatch.setattr(sys, "stdout", stdout)
    assert run(["rules", "show", str(pack)]) == 0
    assert "says ☃" in stdout.buffer.getvalue().decode("utf-8")


def test_list_names_the_shipped_packs(capsys: pytest.CaptureFixture[str], rules: Path) -> None:
    other = probe.BASIC.replace("basic", "other-one").replace("hello.", "hello,\n  again.")
    (rules / "other-one.yaml").write_text(other, encoding="utf-8")
    assert run(["rules", "list"]) == 0
    assert capsys.readouterr().out == (
        "basic      The title says hello.\nother-one  The title says hello, again.\n"
    )


@pytest.mark.parametrize(("face", "suffix"), [("text", "txt"), ("markdown", "md")])
def test_show_explains_a_pack(capsys: pytest.CaptureFixture[str], face: str, suffix: str) -> None:
    Path("mine.yaml").write_text(
        "name: mine\nextends: basic\ntime_zone: Asia/Tokyo\n"
        "applies_when: {paths: [configs/, '!*.md']}\n"
        "signoff: {run_pages: [{host: results.example.com, parameter: run}]}\n"
        "checks:\n"
        "  hello: {severity: advisory, title: The greeting, applies_when: {labels: [hi]}}\n"
        "  world: {depends_on: hello, review: shown, with: {places: ["
        "{host: a.example.com, depth: 2}, {host: b.example.com}, {host: c.example.com}]}}\n",
        encoding="utf-8",
    )
    assert run(["rules", "show", "mine.yaml", "--format", face]) == 0
    shown = capsys.readouterr().out
    assert shown == (GOLDEN / f"rules_show.{suffix}").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("face", "before", "after"),
    [("text", 8 * " ", "    own_edits"), ("markdown", "  ", "  ```\n- `own_edits`")],
)
def test_show_gives_a_form_as_it_is_to_be_copied(
    capsys: pytest.CaptureFixture[str], face: str, before: str, after: str
) -> None:
    form = ["I have reviewed this change and have:", "- [ ] Read it.", "- [ ] Run it."]
    Path("mine.yaml").write_text(
        "name: mine\nextends: basic\nsignoff:\n  template: |\n"
        + "".join(f"    {line}\n" for line in form),
        encoding="utf-8",
    )
    assert run(["rules", "show", "mine.yaml", "--format", face]) == 0
    block = "".join(f"{before}{line}\n" for line in form)
    assert f"\n{block}{after}" in capsys.readouterr().out


def test_show_says_which_configs_a_pack_is_for(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.yaml").write_text(
        "name: mine\nextends: basic\n"
        "applies_when: {config_keys: {files: [configs/*.yaml], keys: ['dsv4-*', kimi]}}\n",
        encoding="utf-8",
    )
    assert run(["rules", "show", "mine.yaml", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["terms"][0] == (
        "The pack applies only to changes of configs `dsv4-*` or `kimi` in `configs/*.yaml`."
    )


def test_show_as_json_holds_the_texts_and_the_values(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "show", "basic", "--format", "json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["name"], shown["digest"][:7]) == ("basic", "sha256:")
    first = shown["checks"][0]
    assert (first["id"], first["number"], first["kind"]) == ("hello", 0, "title")
    assert first["parameters"][0] == {
        "name": "word",
        "value": "hello",
        "description": "What the title must hold.",
    }


def test_check_says_ok_with_the_digest(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "check", "rules/basic.yaml"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("rules/basic.yaml: OK (basic, 2 checks, sha256:")


def test_check_lists_every_mistake_of_every_file(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.yaml").write_text("name: A\nextends: basic\ntime_zone: x\n", encoding="utf-8")
    Path("b.yaml").write_text("name: b\nextends: basic\ncheck: {}\n", encoding="utf-8")
    assert run(["rules", "check", "a.yaml", "rules/basic.yaml", "b.yaml"]) == 2
    out, err = capsys.readouterr()
    assert out.startswith("rules/basic.yaml: OK")
    assert [line.split(" ")[0] for line in err.splitlines()] == [
        "signoff-bot:",
        "a.yaml:1:",
        "a.yaml:3:",
        "b.yaml",
        "b.yaml:3:",
    ]


def test_test_judges_the_cases_of_all_shipped_packs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "test"]) == 0
    assert capsys.readouterr().out == "basic: 2 of 2 cases as expected\n"


def test_test_shows_how_a_verdict_differs(capsys: pytest.CaptureFixture[str], rules: Path) -> None:
    titles = rules / "cases" / "basic" / "titles.yaml"
    titles.write_text(
        CASES.replace("world: fail", "world: na").replace("change", "alter"), encoding="utf-8"
    )
    assert run(["rules", "test", "basic"]) == 1
    assert capsys.readouterr().out == (
        "basic: 1 of 2 cases as expected\n"
        "  titles/one: The title says half of it.\n"
        "    world: expected na, got fail: the title does not say 'world'\n"
        "    world: expected to say 'alter the title', says the title does not say 'world' / hello "
        "/ change the title\n"
    )


def test_test_finds_the_cases_beside_a_pack_file(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.yaml").write_text("name: mine\nextends: basic\n", encoding="utf-8")
    Path("cases/mine").mkdir(parents=True)
    Path("cases/mine/all.yaml").write_text(
        "same: {base: 'basic:titles/one', expect: {}}\n", encoding="utf-8"
    )
    assert run(["rules", "test", "mine.yaml", "basic"]) == 0
    assert capsys.readouterr().out == (
        "mine: 1 of 1 cases as expected\nbasic: 2 of 2 cases as expected\n"
    )


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["show", "basik"], "there is no rule pack 'basik'; allowed: basic; did you mean 'basic'?"),
        (["show", "no/such"], "cannot read no/such: No such file or directory"),
        (["check", "gone.yaml"], "cannot read gone.yaml: No such file or directory"),
        (["test", "basik"], "there is no rule pack 'basik'; allowed: basic; did you mean 'basic'?"),
    ],
)
def test_a_pack_that_is_not_there_is_a_usage_error(
    capsys: pytest.CaptureFixture[str], argv: list[str], message: str
) -> None:
    assert run(["rules", *argv]) == 2
    assert capsys.readouterr().err == f"signoff-bot: {message}\n"


def test_schema_prints_a_json_schema_that_the_pack_meets(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["rules", "schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    jsonschema_rs.meta.validate(schema)
    valid = {"name": "mine", "extends": "basic", "checks": {"hello": None}}
    assert jsonschema_rs.is_valid(schema, valid)
    assert not jsonschema_rs.is_valid(schema, {**valid, "check": {}})
