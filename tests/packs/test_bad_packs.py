# ruff: noqa: E501 - a message stands here as its reader sees it, on one line
"""What a pack's author reads when something is wrong: the place, what it is, what would be right."""

from pathlib import Path
from textwrap import dedent

import pytest

from signoff_bot.errors import InvalidInput
from signoff_bot.packs.load import load_file, load_named, load_text

pytestmark = pytest.mark.usefixtures("shipped")

ROOT = """\
schema: signoff-bot/rules/v1
name: mine
description: Mine.
signoff: {phrase: I have reviewed this change}
publish: {context: signoff}
"""
CHECKS = "checks:\n  a: {kind: title, number: 0, with: {word: x}}\n"


def mistakes(text: str) -> list[str]:
    with pytest.raises(InvalidInput) as caught:
        load_text(text, "p")
    head, *lines = str(caught.value).split("\n")
    assert head.startswith("p cannot be used; ")
    return lines


def check(line: str) -> str:
    return (
        f"{ROOT}checks:\n  a:\n    kind: title\n    number: 0\n    with: {{word: x}}\n    {line}\n"
    )


def parameter(line: str) -> str:
    return f"{ROOT}checks:\n  a:\n    kind: title\n    number: 0\n    with:\n      word: x\n      {line}\n"


CHECK_KEYS = "kind, number, title, severity, review, depends_on, applies_when, with"
PARAMETERS = "word, case, globs, places, either, limits"

TABLE = {
    "no mapping": ("- a\n", ["p:1: a rule pack is a mapping; this is a list"]),
    "empty": ("", ["p:1: a rule pack is a mapping; this is empty"]),
    "nothing but checks": (
        CHECKS,
        [
            "p:1: schema: required, and missing",
            "p:1: name: required, and missing",
            "p:1: description: required, and missing",
            "p:1: signoff: required, and missing",
            "p:1: publish: required, and missing",
        ],
    ),
    "an unknown key": (
        f"{ROOT}{CHECKS}timezone: UTC\n",
        [
            "p:8: timezone: unknown key; allowed: schema, name, description, signoff, publish, "
            "time_zone, applies_when, checks; did you mean 'time_zone'?"
        ],
    ),
    "an unknown key deep within": (
        ROOT.replace("phrase", "frase") + CHECKS,
        [
            "p:4: signoff.phrase: required, and missing",
            "p:4: signoff.frase: unknown key; allowed: phrase, template_file, template, own_edits, "
            "combine, run_pages; did you mean 'phrase'?",
        ],
    ),
    "another version": (
        ROOT.replace("v1", "v2") + CHECKS,
        [
            'p:1: schema: "signoff-bot/rules/v2" is not allowed; allowed: signoff-bot/rules/v1; '
            "did you mean 'signoff-bot/rules/v1'?"
        ],
    ),
    "a name with a space": (
        ROOT.replace("mine", "my pack") + CHECKS,
        ['p:2: name: "my pack" does not match ^[a-z0-9][a-z0-9.-]{0,63}$'],
    ),
    "a phrase that no comment can show": (
        ROOT.replace("I have reviewed this change", "'# I have *reviewed* this'") + CHECKS,
        [
            'p:4: signoff.phrase: "# I have *reviewed* this": no comment could show this as a line '
            "of plain text; leave out markup"
        ],
    ),
    "a phrase too short": (
        ROOT.replace("I have reviewed this change", "LGTM") + CHECKS,
        ['p:4: signoff.phrase: "LGTM": must have at least 10 characters'],
    ),
    "no checks": (
        f"{ROOT}checks: {{}}\n",
        ["p:6: checks: must have at least 1 item, not 0"],
    ),
    "checks in a list": (f"{ROOT}checks: [a]\n", ["p:6: checks: must be a mapping, not a list"]),
    "a check that is no mapping": (
        f"{ROOT}checks:\n  a: title\n",
        ['p:7: checks.a: must be a mapping, not "title"'],
    ),
    "a removed check with nothing to extend": (
        f"{ROOT}{CHECKS}  b: null\n",
        ["p:8: checks.b: must be a mapping, not null"],
    ),
    "an id in capitals": (
        f"{ROOT}{CHECKS}  B: {{kind: title, number: 1, with: {{word: x}}}}\n",
        ['p:8: checks.B: "B" does not match ^[a-z][a-z0-9-]{0,39}$'],
    ),
    "an id that is a number": (
        f"{ROOT}{CHECKS}  5: {{kind: title, number: 1, with: {{word: x}}}}\n",
        ['p:8: checks.5: "5" does not match ^[a-z][a-z0-9-]{0,39}$'],
    ),
    "an unknown kind": (
        check("severity: blocking").replace("kind: title", "kind: titel"),
        ["p:8: checks.a.kind: unknown kind 'titel'; allowed: title; did you mean 'title'?"],
    ),
    "no kind": (
        f"{ROOT}checks:\n  a: {{number: 0}}\n",
        ["p:7: checks.a.kind: required, and missing"],
    ),
    "an unknown key of a check": (
        check("depend_on: b"),
        [
            f"p:11: checks.a.depend_on: unknown key; allowed: {CHECK_KEYS}; did you mean 'depends_on'?"
        ],
    ),
    "an unknown severity": (
        check("severity: advisery"),
        [
            'p:11: checks.a.severity: "advisery" is not allowed; allowed: blocking, advisory; '
            "did you mean 'advisory'?"
        ],
    ),
    "a number as text": (
        check("title: x").replace("number: 0", "number: '0'"),
        ['p:9: checks.a.number: must be a whole number, not "0"'],
    ),
    "a number with a point": (
        check("title: x").replace("number: 0", "number: 0.5"),
        ["p:9: checks.a.number: must be a whole number, not 0.5"],
    ),
    "a negative number": (
        check("title: x").replace("number: 0", "number: -1"),
        ["p:9: checks.a.number: -1: must be greater than or equal to 0"],
    ),
    "a number twice": (
        f"{ROOT}{CHECKS}  b: {{kind: title, number: 0, with: {{word: x}}}}\n",
        ["p:8: checks.b.number: 0 is already the number of 'a'; give each its own"],
    ),
    "a truth value by YAML 1.1": (
        ROOT.replace("context: signoff", "context: signoff, comment: yes") + CHECKS,
        ['p:5: publish.comment: must be true or false, not "yes"'],
    ),
    "a dependency that is not there": (
        check("depends_on: aa"),
        ["p:11: checks.a.depends_on: no such check: 'aa'"],
    ),
    "a dependency on itself": (
        check("depends_on: a"),
        ["p:11: checks.a.depends_on: goes in a circle: a -> a"],
    ),
    "dependencies in a circle": (
        f"{ROOT}checks:\n"
        "  a: {kind: title, number: 0, depends_on: b, with: {word: x}}\n"
        "  b: {kind: title, number: 1, depends_on: c, with: {word: x}}\n"
        "  c: {kind: title, number: 2, depends_on: b, with: {word: x}}\n",
        [
            "p:8: checks.b.depends_on: goes in a circle: b -> c -> b",
            "p:9: checks.c.depends_on: goes in a circle: c -> b -> c",
        ],
    ),
    "a time zone that does not exist": (
        f"{ROOT}{CHECKS}time_zone: America/Los_Angles\n",
        [
            'p:8: time_zone: "America/Los_Angles": no IANA time zone; write one such as `UTC` or '
            "`America/Los_Angeles`"
        ],
    ),
    "the machine's time zone": (
        f"{ROOT}{CHECKS}time_zone: localtime\n",
        ['p:8: time_zone: "localtime" does not match ^[A-Z][A-Za-z0-9_+/-]*$'],
    ),
    "a file for a time zone": (
        f"{ROOT}{CHECKS}time_zone: America\n",
        [
            'p:8: time_zone: "America": no IANA time zone; write one such as `UTC` or `America/Los_Angeles`'
        ],
    ),
    "a parameter missing": (
        f"{ROOT}checks:\n  a: {{kind: title, number: 0}}\n",
        ["p:7: checks.a.with.word: required, and missing"],
    ),
    "an unknown parameter": (
        parameter("glob: [a]"),
        [f"p:12: checks.a.with.glob: unknown key; allowed: {PARAMETERS}; did you mean 'globs'?"],
    ),
    "parameters in a list": (
        check("title: x").replace("{word: x}", "[word]"),
        ["p:10: checks.a.with: must be a mapping, not a list"],
    ),
    "a parameter out of its choice": (
        parameter("case: ignore"),
        [
            "p:12: checks.a.with.case: \"ignore\" is not allowed; allowed: matters, ignored; did you mean 'ignored'?"
        ],
    ),
    "a parameter of the wrong type": (
        parameter("globs: docs/"),
        ['p:12: checks.a.with.globs: must be a list, not "docs/"'],
    ),
    "a parameter of neither type": (
        parameter("either: 3"),
        ["p:12: checks.a.with.either: must be text or a list, not 3"],
    ),
    "a wrong element of one of two types": (
        parameter("either: [a, 3]"),
        ["p:12: checks.a.with.either[1]: must be text, not 3"],
    ),
    "a wrong value in a mapping": (
        parameter("limits: {low: '1'}"),
        ['p:12: checks.a.with.limits.low: must be a number, not "1"'],
    ),
    "a wrong key in a list": (
        parameter("places: [{host: x}, {host: y, dept: 1}]"),
        [
            "p:12: checks.a.with.places[1].dept: unknown key; allowed: host, depth; did you mean 'depth'?"
        ],
    ),
    "a wrong value in a list": (
        parameter("places:\n        - host: x\n          depth: 0\n"),
        ["p:14: checks.a.with.places[0].depth: 0: must be greater than or equal to 1"],
    ),
    "a glob for nothing": (
        parameter("globs: ['/', 'a/***', '#a', ' b', '[z-a]', 'a\\']"),
        [
            'p:12: checks.a.with.globs[0]: "/": a glob that matches nothing; write `**` for every path',
            'p:12: checks.a.with.globs[1]: "a/***": `***` means nothing in a glob; write `**`',
            'p:12: checks.a.with.globs[2]: "#a": `#` starts a comment in a glob; write `\\#`',
            'p:12: checks.a.with.globs[3]: " b": white space at the end of a glob; remove it',
            'p:12: checks.a.with.globs[4]: "[z-a]": not a gitignore pattern; see `git help gitignore`',
            'p:12: checks.a.with.globs[5]: "a\\\\": not a gitignore pattern; see `git help gitignore`',
        ],
    ),
    "globs that backtrack": (
        parameter("globs: ['*a*/*b*c*d', '**/a/**/b/**/c']"),
        [
            'p:12: checks.a.with.globs[0]: "*a*/*b*c*d": more than 2 `*` in one name; write several simpler globs',
            'p:12: checks.a.with.globs[1]: "**/a/**/b/**/c": more than 2 `**` in a glob; write several simpler ones',
        ],
    ),
    "a condition on nothing known": (
        check("applies_when: {path: [a]}"),
        [
            "p:11: checks.a.applies_when.path: unknown key; allowed: paths, labels, config_keys; did you mean 'paths'?"
        ],
    ),
    "several mistakes, by line": (
        dedent("""\
            schema: signoff-bot/rules/v1
            name: Mine
            description: 3
            signoff: {}
            publish: {context: signoff}
            checks:
              a: {kind: nope, number: 0}
              b: {kind: title, number: 0, depends_on: c}
        """),
        [
            'p:2: name: "Mine" does not match ^[a-z0-9][a-z0-9.-]{0,63}$',
            "p:3: description: must be text, not 3",
            "p:4: signoff.phrase: required, and missing",
            "p:7: checks.a.kind: unknown kind 'nope'; allowed: title",
            "p:8: checks.b.with.word: required, and missing",
            "p:8: checks.b.number: 0 is already the number of 'a'; give each its own",
            "p:8: checks.b.depends_on: no such check: 'c'; allowed: a",
        ],
    ),
    "no strict YAML": ("name: a\nname: b\n", ["p:2: name: written twice; the first is on line 1"]),
    "extending what is not there": (
        "extends: basik\n",
        ["p:1: extends: unknown pack 'basik'; allowed: basic; did you mean 'basic'?"],
    ),
    "extending no name": (
        "extends: [basic]\n",
        ["p:1: extends: must be the name or the path of a pack, not a list"],
    ),
    "extending a file of the repository": (
        "name: a\nextends: ./other.yaml\n",
        ["p:2: extends: a repository's own pack can extend shipped packs only; allowed: basic"],
    ),
    "extending without a name": (
        "# mine\nextends: basic\n",
        ["p:2: name: required, and missing"],
    ),
    "removing what is not there": (
        "name: a\nextends: basic\nchecks:\n  helo: null\n",
        ["p:4: checks.helo: no such check to remove; allowed: hello, world; did you mean 'hello'?"],
    ),
    "removing what another depends on": (
        "name: a\nextends: basic\nchecks:\n  hello: null\n  world: {depends_on: hello}\n",
        ["p:5: checks.world.depends_on: no such check: 'hello'"],
    ),
}


@pytest.mark.parametrize(("text", "expected"), TABLE.values(), ids=TABLE)
def test_every_mistake_is_named_with_its_place(text: str, expected: list[str]) -> None:
    assert mistakes(text) == expected


def test_a_mistake_of_the_extended_pack_is_named_in_its_file(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(f"{ROOT}{CHECKS}time_zone: Nowhere\n", encoding="utf-8")
    child = tmp_path / "child.yaml"
    child.write_text(
        "name: child\nextends: ./base.yaml\nchecks:\n  a:\n    with: {wort: y}\n", encoding="utf-8"
    )
    with pytest.raises(InvalidInput) as caught:
        load_file(child)
    assert str(caught.value).split("\n") == [
        f"{child} cannot be used; 2 mistakes to correct:",
        f"{child}:5: checks.a.with.wort: unknown key; allowed: {PARAMETERS}; did you mean 'word'?",
        f'{tmp_path}/base.yaml:8: time_zone: "Nowhere": no IANA time zone; write one such as '
        "`UTC` or `America/Los_Angeles`",
    ]


def test_packs_that_extend_each_other_are_refused(tmp_path: Path) -> None:
    for name, other in (("a", "b"), ("b", "a")):
        text = f"name: {name}\nextends: ./{other}.yaml\n"
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"b\.yaml:2: extends: .* break the circle"):
        load_file(tmp_path / "a.yaml")


@pytest.mark.parametrize("base", ["./gone.yaml", "./folder.yaml"])
def test_a_pack_whose_base_is_no_file_is_named_with_it(tmp_path: Path, base: str) -> None:
    (tmp_path / "folder.yaml").mkdir()
    own = tmp_path / "own.yaml"
    own.write_text(f"name: own\nextends: {base}\n", encoding="utf-8")
    with pytest.raises(InvalidInput) as caught:
        load_file(own)
    assert f"{own}:2: extends: there is no file {tmp_path / base}; " in str(caught.value)


def test_a_repositorys_own_pack_is_checked_as_it_will_be_read(tmp_path: Path) -> None:
    own = tmp_path / ".github" / "signoff.yml"
    own.parent.mkdir()
    own.write_text("name: own\nextends: ./other.yaml\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match="can extend shipped packs only"):
        load_file(own)


@pytest.mark.parametrize(
    ("load", "message"),
    [
        (
            lambda: load_named("bacic"),
            "there is no rule pack 'bacic'; allowed: basic; did you mean 'basic'?",
        ),
        (
            lambda: load_file("/no/such/pack.yaml"),
            "cannot read /no/such/pack.yaml: No such file or directory",
        ),
        (lambda: load_file("/"), "cannot read /: Is a directory"),
    ],
)
def test_a_pack_that_is_not_there_is_named(load, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        load()
    assert str(caught.value) == message
