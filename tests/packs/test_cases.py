"""Cases of a pack: how they build on each other, and how their mistakes are told."""

from pathlib import Path

import pytest
from support import build as facts
from support import probe

from signoff_bot.errors import InvalidInput
from signoff_bot.evidence.bundle import Bundle, write_bundle
from signoff_bot.packs.cases import RuleCase, cases_folder, load_cases
from signoff_bot.packs.load import load_named, load_text

BOTH = "expect: {verdict: pending, checks: {hello: pass, world: pass}}"
GOOD = f"""\
good:
  about: The title says it all.
  set: {{pull.title: hello world}}
  {BOTH}
"""


@pytest.fixture
def folder(shipped: Path) -> Path:
    folder = cases_folder(shipped / "basic.yaml", "basic")
    folder.mkdir(parents=True)
    return folder


def load(folder: Path, **files: str) -> dict[str, RuleCase]:
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return {case.name: case for case in load_cases(folder, load_named("basic"))}


def mistakes(folder: Path, **files: str) -> list[str]:
    with pytest.raises(InvalidInput) as caught:
        load(folder, **files)
    return str(caught.value).split("\n")[1:]


def test_cases_come_by_file_and_then_in_the_order_of_the_file(folder: Path) -> None:
    cases = load(folder, b=GOOD + GOOD.replace("good", "again"), a=GOOD)
    assert list(cases) == ["a/good", "b/good", "b/again"]
    assert cases["a/good"].about == "The title says it all."


def test_a_case_builds_on_one_of_its_file_of_another_file_and_of_a_shipped_pack(
    folder: Path, shipped: Path
) -> None:
    other = shipped / "cases" / "other"
    other.mkdir()
    (shipped / "other.yaml").write_text(probe.BASIC.replace("basic", "other"), encoding="utf-8")
    (other / "z.yaml").write_text(GOOD.replace("hello world", "from afar"), encoding="utf-8")
    derived = "{}: {{base: '{}', set: {{pull.draft: true}}, expect: {{}}}}\n"
    cases = load(
        folder,
        a=GOOD + derived.format("near", "good") + derived.format("twice", "near"),
        b=derived.format("across", "a/near") + derived.format("far", "other:z/good"),
    )
    titles = {name: case.evidence.pull.title for name, case in cases.items()}
    assert titles == {
        "a/good": "hello world",
        "a/near": "hello world",
        "a/twice": "hello world",
        "b/across": "hello world",
        "b/far": "from afar",
    }
    assert [case.evidence.pull.draft for case in cases.values()] == [False, True, True, True, True]


def test_a_case_inherits_verdict_and_statuses_but_not_what_is_said(folder: Path) -> None:
    base = f"{GOOD[:-1]}\n".replace("pass}}", "pass}, says: {hello: x}, signer: bram-ito}")
    derived = "bad: {base: good, expect: {verdict: fail, checks: {world: fail}}}\n"
    expected = load(folder, a=base + derived)["a/bad"].expected
    assert (expected.verdict, expected.checks) == ("fail", {"hello": "pass", "world": "fail"})
    assert (expected.says, expected.signer) == ({}, None)


def test_a_case_builds_on_a_saved_bundle(folder: Path) -> None:
    evidence = facts.evidence(pull=facts.pull(title="saved"))
    saved = write_bundle(Bundle(evidence, load_named("basic").data))
    (folder / "real.json").write_bytes(saved)
    cases = load(
        folder,
        a=f"as-saved: {{base: real.json, {BOTH}}}\n"
        f"changed: {{base: real.json, set: {{pull.draft: true}}, {BOTH}}}\n",
    )
    assert cases["a/as-saved"].evidence == evidence
    assert cases["a/changed"].evidence.pull.draft


def test_a_case_of_a_pack_with_fewer_checks_inherits_only_their_statuses(folder: Path) -> None:
    (folder / "a.yaml").write_text(GOOD, encoding="utf-8")
    mine = load_text("name: mine\nextends: basic\nchecks: {world: null}\n", "p")
    own = folder.parent / "mine"
    own.mkdir()
    (own / "b.yaml").write_text("derived: {base: 'basic:a/good', expect: {}}\n", encoding="utf-8")
    (case,) = load_cases(own, mine)
    assert case.expected.checks["hello"] == "pass"


CASE_KEYS = "about, base, set, add, remove, expect"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[]", ["1: must be a mapping of names to cases, not a list"]),
        ("a: 3", ["1: a: must be a mapping, not 3"]),
        ("a: {}", ["1: a.expect: required, and missing"]),
        (
            "a:\n  expects: {}",
            [
                "1: a.expect: required, and missing",
                f"2: a.expects: unknown key; allowed: {CASE_KEYS}; did you mean 'expect'?",
            ],
        ),
        (
            "a:\n  expect: {verdict: ok}",
            [
                '2: a.expect.verdict: "ok" is not allowed; allowed: pass, fail, pending, error',
            ],
        ),
        (
            "a:\n  expect:\n    checks: {hello: pass}",
            [
                "2: a.expect.verdict: required, since no base states it",
                "3: a.expect.checks: no status for world",
            ],
        ),
        (
            f"{GOOD}b:\n  base: good\n  expect:\n    checks: {{helo: pass}}\n    says: {{x: y}}",
            [
                "8: b.expect.checks.helo: the pack has no such check; allowed: hello, world; "
                "did you mean 'hello'?",
                "9: b.expect.says.x: the pack has no such check; allowed: hello, world",
            ],
        ),
        (
            f"{GOOD}b:\n  base: goood\n  expect: {{}}",
            ["6: b.base: no case 'goood' in f.yaml; allowed: good, b; did you mean 'good'?"],
        ),
        (
            "a:\n  base: nope/x\n  expect: {}",
            ["2: a.base: no case file 'nope'; allowed: f"],
        ),
        (
            "a:\n  base: basik:f/x\n  expect: {}",
            ["2: a.base: no shipped pack 'basik'; allowed: basic; did you mean 'basic'?"],
        ),
        (
            "a:\n  base: b\n  expect: {}\nb:\n  base: a\n  expect: {}",
            [
                "2: a.base: goes in a circle, or over more than 20 cases",
                "5: b.base: goes in a circle, or over more than 20 cases",
            ],
        ),
        (
            f"a:\n  set: {{pull.: 1}}\n  {BOTH}\nb:\n  base: a\n  expect: {{}}",
            [
                "1: a: pull.: not a path such as `pull.draft` or `comments[0].body`",
                "5: b.base: f/a has mistakes of its own",
            ],
        ),
        (
            f"a:\n  set: {{comments: [{{body: x}}], pull.draft: maybe}}\n  {BOTH}",
            [
                "1: a: in the evidence, comments[0].author: required, and missing",
                '1: a: in the evidence, pull.draft: must be true or false, not "maybe"',
            ],
        ),
        ("a: &x 1", ["1: a: anchor &x; write the value out"]),
    ],
)
def test_every_mistake_of_a_case_file_is_named_with_its_place(
    folder: Path, text: str, expected: list[str]
) -> None:
    source = "rules/cases/basic/f.yaml"
    assert mistakes(folder, f=text) == [f"{source}:{line}" for line in expected]


def test_a_bundle_that_is_not_there_is_named(folder: Path) -> None:
    (mistake,) = mistakes(folder, f=f"a:\n  base: gone.json\n  {BOTH}")
    assert mistake.endswith("gone.json: No such file or directory")


def test_a_broken_bundle_is_refused(folder: Path) -> None:
    (folder / "cut.json").write_text("{", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"cut\.json"):
        load(folder, f=f"a:\n  base: cut.json\n  {BOTH}")


def test_a_pack_without_cases_is_told_where_they_belong(folder: Path) -> None:
    with pytest.raises(InvalidInput, match=r"'basic' has no cases; write some in .*basic/NAME"):
        load(folder)
