"""What costs time is done once, however many checks and sign-offs ask for it."""

import json
from collections import Counter

import pytest

from signoff_bot.evaluate import evaluate
from signoff_bot.evidence import bundle
from signoff_bot.packs.cases import cases_folder, load_cases
from signoff_bot.packs.load import load_named
from signoff_bot.packs.shipped import shipped_folder
from signoff_bot.reading import inline, markdown, run_search
from signoff_bot.reading.embedded_scripts import read_script
from signoff_bot.reading.shell.lexer import Lexer
from signoff_bot.reading.signoff import read_form

NAME = "inferencex"
PHRASE = "As a PR reviewer and CODEOWNER, I have reviewed this and have"


@pytest.fixture(scope="module")
def rules():
    return load_named(NAME)


@pytest.fixture(scope="module")
def cases(rules):
    loaded = load_cases(cases_folder(shipped_folder() / f"{NAME}.yaml", NAME), rules)
    return {case.name: case.evidence for case in loaded}


def counted(monkeypatch, owner, name, key):
    """Lets a function count its calls by what `key` makes of its arguments."""
    calls, original = Counter(), getattr(owner, name)

    def count(*args, **kwargs):
        calls[key(*args)] += 1
        return original(*args, **kwargs)

    monkeypatch.setattr(owner, name, count)
    return calls


def marked(evidence, mark):
    """The evidence with texts of its own, of which nothing is remembered yet."""
    contents = tuple(
        content.model_copy(update={"text": f"{content.text}# {mark}\n"})
        if isinstance(content.text, str)
        else content
        for content in evidence.contents
    )
    return evidence.model_copy(update={"contents": contents})


def test_each_comment_is_parsed_once_and_one_without_signs_of_a_form_never(
    cases, rules, monkeypatch
):
    evidence = cases["signoffs-signers/several"]
    signed = evidence.comments[0]
    talk = signed.model_copy(update={"id": 1, "body": "- [x] done\n\nThanks, **merged** it."})
    forms = [comment.body for comment in evidence.comments]
    calls = counted(monkeypatch, markdown, "read_document", lambda text: text)
    evaluate(evidence.model_copy(update={"comments": (talk, *evidence.comments)}), rules)
    assert talk.body not in calls
    parsed = [calls[form] for form in forms if form in calls]
    assert len(parsed) > 1
    assert set(parsed) == {1}


def test_each_script_is_split_into_words_once(cases, rules, monkeypatch):
    evidence = marked(cases["pull/passing"], "test_each_script_is_split_into_words_once")
    scripts = {c.text for c in evidence.contents if c.path.endswith(".sh") and c.at == "head"}
    calls = counted(monkeypatch, Lexer, "__init__", lambda _, source: source.text)
    evaluate(evidence, rules)
    assert {calls[script] for script in scripts} == {1}


def test_a_script_is_followed_once_for_each_setting():
    text = "vllm serve test_a_script_is_followed_once_for_each_setting --tp $TP\n"
    assert read_script(text) is read_script(text, ())
    assert read_script(text, (("TP", "8"),)) is read_script(text, (("TP", "8"),))
    assert read_script(text) != read_script(text, (("TP", "8"),))


@pytest.mark.parametrize("case", ["pull/passing", "sweep/one-cancelled", "sweep/red-canary"])
def test_the_lanes_of_each_run_are_read_once(cases, rules, monkeypatch, case):
    calls = counted(monkeypatch, run_search, "read_lanes", lambda jobs, _: jobs)
    evaluate(cases[case], rules)
    assert set(calls.values()) == {1}


def test_an_address_that_holds_addresses_is_read_once(monkeypatch):
    class Pattern:
        calls = 0

        def match(self, *args):
            self.calls += 1
            return original.match(*args)

    original, pattern = inline._URL, Pattern()
    monkeypatch.setattr(inline, "_URL", pattern)
    form = read_form(f"{PHRASE}:\n- [x] {'https://a.b/' * 100}\n", PHRASE)
    assert [link.url for link in form.links] == ["https://a.b/" * 100]
    assert pattern.calls == 1


def test_a_bundle_is_written_out_once_to_be_checked_and_read(cases, rules, monkeypatch):
    content = bundle.write_bundle(bundle.Bundle(cases["pull/passing"], rules.data))
    calls = counted(monkeypatch, json, "dumps", lambda _: None)
    assert bundle.read_bundle(content, "bundle").evidence == cases["pull/passing"]
    assert calls.total() == 1
