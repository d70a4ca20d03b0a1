import json

import pytest
from support.build import comment, evidence, job, run

from signoff_bot.errors import InvalidInput
from signoff_bot.evidence.base import Unread
from signoff_bot.evidence.bundle import Bundle, digest_of, read_bundle, write_bundle
from signoff_bot.evidence.strict_json import canonical_json, digest

RULES = {"name": "x", "number": 1}


def bundle_bytes(**fields):
    return write_bundle(Bundle(evidence(**fields), RULES))


def altered(change, *, keep_digest: bool) -> bytes:
    data = json.loads(bundle_bytes(comments=(comment("hello"),), runs=(run(1, job("a / b")),)))
    change(data)
    if keep_digest:
        data["digest"] = digest({"evidence": data["evidence"], "rules": data["rules"]})
    return canonical_json(data)


def test_a_bundle_read_back_is_what_was_written():
    content = bundle_bytes(
        comments=(comment("schöne Grüße ☕ \u2028"),),
        runs=(run(1, job("eval / / x", None)),),
        files=Unread(unread="GitHub answered 500"),
    )
    bundle = read_bundle(content, "b.json")
    assert write_bundle(bundle) == content
    assert bundle.rules == RULES


def test_an_altered_fact_is_noticed():
    content = altered(lambda d: d["evidence"]["pull"].update(title="else"), keep_digest=False)
    with pytest.raises(InvalidInput, match=r"b\.json: the content does not fit its digest"):
        read_bundle(content, "b.json")


def test_altered_rules_are_noticed():
    content = altered(lambda d: d["rules"].update(number=2), keep_digest=False)
    with pytest.raises(InvalidInput, match="does not fit its digest"):
        read_bundle(content, "b.json")


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda e: e["pull"].update(head_sha="123"), r"evidence\.pull\.head_sha"),
        (lambda e: e["pull"].update(number="7"), r"evidence\.pull\.number"),
        (lambda e: e["pull"].pop("base_ref"), r"evidence\.pull\.base_ref"),
        (lambda e: e.update(surprise=1), r"evidence\.surprise"),
        (lambda e: e["comments"][0].update(body=None), r"evidence\.comments\.0\.body"),
        (lambda e: e["runs"][0]["jobs"][0].update(id=True), r"evidence\.runs\.0\.jobs\.0\.id"),
        (lambda e: e.update(collected_at="yesterday"), r"evidence\.collected_at"),
    ],
)
def test_an_odd_field_is_named(change, where):
    content = altered(lambda d: change(d["evidence"]), keep_digest=True)
    with pytest.raises(InvalidInput, match=where):
        read_bundle(content, "b.json")


@pytest.mark.parametrize("cut", [0, 1, 100, -2])
def test_a_truncated_file_is_refused(cut):
    with pytest.raises(InvalidInput, match="may have been cut off"):
        read_bundle(bundle_bytes()[:cut], "b.json")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"[]", "JSON object"),
        (b"{}", "not an evidence bundle, which says its `schema`; write one with"),
        (b'{"schema": null}', "schema is None"),
        (b'{"schema": "signoff-bot/evidence/v2"}', "or a newer one"),
        (b'{"schema": "signoff-bot/evidence/v1"}', "has no 'digest'"),
        (b"\xff\xfe", "cut off"),
        (b"[" * 100_000, "cut off"),
        (b'{"schema": "signoff-bot/evidence/v1", "schema": "signoff-bot/evidence/v1"}', "twice"),
    ],
)
def test_what_is_no_bundle_is_refused(content, message):
    with pytest.raises(InvalidInput, match=message):
        read_bundle(content, "b.json")


def test_a_number_json_does_not_know_is_refused():
    content = bundle_bytes().replace(b'"number":7', b'"number":NaN')
    with pytest.raises(InvalidInput, match="NaN is no JSON number"):
        read_bundle(content, "b.json")


def test_the_digest_depends_on_content_alone():
    assert digest({"a": 1, "b": [2]}) == digest({"b": [2], "a": 1})
    assert digest({"a": 1}) != digest({"a": 2})


def test_the_order_in_which_facts_were_read_changes_nothing():
    comments = [comment("one", id=1), comment("two", id=2)]
    jobs = [job("a / b"), job("c / d")]
    forward = bundle_bytes(comments=tuple(comments), runs=(run(1, *jobs),))
    backward = bundle_bytes(comments=tuple(comments[::-1]), runs=(run(1, *jobs[::-1]),))
    assert forward == backward


def test_a_verdicts_digest_is_of_the_facts_and_not_of_the_hour():
    then, later = evidence(), evidence(collected_at="2027-01-01T00:00:00Z")
    assert digest_of(then) == digest_of(later)
    assert digest_of(then) != digest_of(evidence(comments=(comment("new"),)))


def test_the_hour_of_collection_cannot_be_altered():
    content = bundle_bytes().replace(b"2026-06-25T12:00:00Z", b"2026-06-25T12:00:01Z")
    with pytest.raises(InvalidInput, match="does not fit its digest"):
        read_bundle(content, "b.json")
