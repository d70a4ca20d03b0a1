"""Conditions under which a pack or a check applies, and what becomes of one that does not."""

import pytest
from support.build import changed, comment, evidence, pull
from support.judging import case

from signoff_bot.errors import InvalidInput
from signoff_bot.evaluate import evaluate
from signoff_bot.evidence.base import MissingEvidence, Unread
from signoff_bot.evidence.repository import RepositoryFile
from signoff_bot.packs.applies import AppliesWhen
from signoff_bot.packs.load import load_text
from signoff_bot.verdict import Verdict

pytestmark = pytest.mark.usefixtures("shipped")

UNREAD = Unread(unread="the files: answered 502")


@pytest.mark.parametrize(
    ("conditions", "reason"),
    [
        ({}, None),
        ({"paths": ("docs/",)}, None),
        ({"paths": ("old/",)}, None),
        ({"paths": ("src/", "docs/")}, None),
        ({"paths": ("src/", "*.py")}, "applies to changes of src/ or *.py only"),
        ({"paths": ("docs/", "!*.md")}, "applies to changes of docs/ or !*.md only"),
        ({"labels": ("Sweep",)}, None),
        ({"labels": ("sweep", "full")}, None),
        ({"labels": ("full",)}, "applies with the label full only"),
        ({"labels": ("sweep",), "paths": ("src/",)}, "applies to changes of src/ only"),
        ({"labels": ("full",), "paths": ("docs/",)}, "applies with the label full only"),
    ],
)
def test_all_conditions_must_hold_and_one_word_of_each_is_enough(
    conditions: dict, reason: str | None
) -> None:
    facts = case(
        pull=pull(labels=("sweep",)), files=(changed("docs/a.md", previous_path="old/a.md"),)
    )
    assert AppliesWhen(**conditions).unmet(facts) == reason


@pytest.mark.parametrize("paths", ["['!docs/']", "['!docs/', 'src/']"])
def test_globs_that_take_out_of_nothing_are_refused_lest_the_pack_never_apply(paths: str) -> None:
    for line in (
        f"applies_when: {{paths: {paths}}}",
        f"checks: {{hello: {{applies_when: {{paths: {paths}}}}}}}",
    ):
        with pytest.raises(InvalidInput, match="write `\\*\\*` first for all paths"):
            load(line)


def test_all_paths_but_some() -> None:
    but_docs = AppliesWhen(paths=("**", "!docs/"))
    assert but_docs.unmet(case(files=(changed("docs/a.md"),))) is not None
    assert but_docs.unmet(case(files=(changed("docs/a.md"), changed("b.py")))) is None


ENTRY = "{{image: {image}, model-prefix: dsv4, runner: b200, framework: vllm, multinode: false}}"
BEFORE = "dsv4-b200: " + ENTRY.format(image="a") + "\nkimi-h200: " + ENTRY.format(image="a") + "\n"
OTHER_IMAGE = BEFORE.replace("image: a", "image: b", 1)
WITHOUT_KIMI = BEFORE.split("kimi")[0]
CONFIG = "configs/a-master.yaml"


def config(after: str | Unread | None):
    status = "removed" if after is None else "modified"
    versions = [("merge base", BEFORE), ("head", after)][: 1 if after is None else 2]
    return {
        "files": (changed(CONFIG, status=status),),
        "contents": tuple(
            RepositoryFile(path=CONFIG, at=at, ref=at, text=text) for at, text in versions
        ),
    }


@pytest.mark.parametrize(
    ("after", "keys", "applies"),
    [
        (OTHER_IMAGE, ["dsv4-*"], True),
        (OTHER_IMAGE, ["dsv4-b200"], True),
        (OTHER_IMAGE, ["kimi-*"], False),
        (OTHER_IMAGE, ["kimi-*", "*b200"], True),
        (OTHER_IMAGE, ["dsv4"], False),
        (WITHOUT_KIMI, ["kimi-*"], True),
        (WITHOUT_KIMI, ["dsv4-*"], False),
        (None, ["kimi-*"], True),
        (f"# said anew\n{BEFORE}", ["*"], False),
    ],
)
def test_a_condition_on_config_keys_looks_at_the_entries_that_differ(
    after: str | None, keys: list[str], applies: bool
) -> None:
    conditions = AppliesWhen(config_keys={"files": ("configs/*-master.yaml",), "keys": tuple(keys)})
    reason = f"applies to changes of configs {' or '.join(keys)} only"
    assert conditions.unmet(case(**config(after))) == (None if applies else reason)
    assert conditions.unmet(case(files=(changed("a.py"),))) == reason


@pytest.mark.parametrize("after", [UNREAD, "a: [", None])
def test_configurations_that_cannot_be_read_never_lift_a_demand(after: str | Unread | None) -> None:
    facts = config(after) if after is not None else config("") | {"contents": ()}
    line = "{files: [configs/*-master.yaml], keys: [kimi-*]}"
    verdict = judged(f"applies_when: {{config_keys: {line}}}", **facts)
    assert verdict.verdict != "pass"
    assert set(statuses(verdict).values()) == {"error"}


def test_a_condition_on_config_keys_needs_both_versions_of_the_files() -> None:
    rules = load("applies_when: {config_keys: {files: [configs/*.yaml], keys: [a]}}")
    assert rules.needs.files
    wanted = {(need.pattern, need.at) for need in rules.needs.contents}
    assert wanted == {("configs/*.yaml", "merge base"), ("configs/*.yaml", "head")}


def test_unread_files_leave_a_condition_on_paths_open_and_no_other() -> None:
    facts = case(files=UNREAD)
    with pytest.raises(MissingEvidence):
        AppliesWhen(paths=("a",)).unmet(facts)
    assert AppliesWhen(labels=("x",)).unmet(facts) is not None


def test_only_a_condition_on_paths_needs_the_changed_files() -> None:
    assert AppliesWhen(paths=("a",)).needs.files
    assert not AppliesWhen(labels=("a",)).needs.files
    assert load("applies_when: {paths: [a]}").needs.files
    assert load("checks: {hello: {applies_when: {paths: [a]}}}").needs.files


def load(line: str):
    return load_text(f"name: mine\nextends: basic\n{line}\n", "p")


def judged(line: str, **facts) -> Verdict:
    return evaluate(evidence(pull=pull(title="hello", labels=()), **facts), load(line))


def statuses(verdict: Verdict) -> dict[str, str]:
    return {check.id: check.status for check in verdict.checks}


def test_a_check_that_does_not_apply_is_na_with_the_reason() -> None:
    verdict = judged("checks: {world: {applies_when: {paths: [nowhere]}}}")
    assert statuses(verdict) == {"hello": "pass", "world": "na"}
    assert verdict.checks[1].summary == "applies to changes of nowhere only"


def test_a_check_that_applies_is_judged() -> None:
    verdict = judged("checks: {world: {applies_when: {paths: [configs/]}}}")
    assert statuses(verdict) == {"hello": "pass", "world": "fail"}


@pytest.mark.parametrize(
    "facts",
    [{}, {"comments": (comment("Not mine."),)}, {"comments": UNREAD}, {"files": UNREAD}],
    ids=["nobody wrote", "somebody wrote", "unread", "files unread"],
)
def test_a_pull_request_that_the_pack_does_not_cover_passes_unsigned(facts: dict) -> None:
    verdict = judged("applies_when: {labels: [x]}", **facts)
    assert (verdict.verdict, verdict.signoff) == ("pass", None)
    assert statuses(verdict) == {"hello": "na", "world": "na"}
    assert {c.summary for c in verdict.checks} == {"applies with the label x only"}


def test_whether_the_pack_covers_it_must_be_known_to_pass() -> None:
    verdict = judged("applies_when: {paths: [a]}", files=UNREAD)
    assert verdict.verdict == "pending"
    assert set(statuses(verdict).values()) == {"error"}


def test_without_the_changed_files_a_check_with_a_condition_on_them_is_an_error() -> None:
    verdict = judged("checks: {world: {applies_when: {paths: [nowhere]}}}", files=UNREAD)
    assert statuses(verdict) == {"hello": "pass", "world": "error"}
    assert verdict.checks[1].summary == "the files: answered 502"


def test_a_check_that_depends_on_one_that_does_not_apply_does_not_apply() -> None:
    line = "checks: {hello: {applies_when: {labels: [x]}}, world: {depends_on: hello}}"
    assert statuses(judged(line)) == {"hello": "na", "world": "na"}
