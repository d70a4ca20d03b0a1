"""What other programs read is described, and the descriptions are true."""

import copy
import json
import re
from pathlib import Path

import jsonschema_rs
import pytest
from support.build import changed, comment, evidence, job, run
from support.verdicts import rejected, verdict

from signoff_bot.evidence.base import Fact, Unread
from signoff_bot.evidence.bundle import Bundle, write_bundle
from signoff_bot.evidence.conversation import SignoffRef
from signoff_bot.evidence.model import Evidence
from signoff_bot.reading.codeowners import CodeownersFile, parse_codeowners
from signoff_bot.reading.codeowners.lint import lint_file
from signoff_bot.reading.codeowners.report import OwnersReport, report_owners
from signoff_bot.render.owners import owners_json
from signoff_bot.schemas import SCHEMAS, evidence_schema, owners_schema, verdict_schema, write

DOCS = Path(__file__).parent.parent / "docs"
RENEW = "run: python -m signoff_bot.schemas docs/schemas"


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_published_schemas_are_those_of_the_models(name, tmp_path):
    write(tmp_path)
    assert (DOCS / "schemas" / name).read_text() == (tmp_path / name).read_text(), RENEW


@pytest.mark.parametrize("schema", [make() for make in SCHEMAS.values()], ids=SCHEMAS)
def test_the_schemas_are_schemas(schema):
    jsonschema_rs.meta.validate(schema)


@pytest.mark.parametrize(
    "judged",
    [verdict("pass"), rejected(), verdict("pending", signoff=None, checks=())],
    ids=["pass", "fail", "pending"],
)
def test_a_verdict_fits_its_schema(judged):
    jsonschema_rs.validator_for(verdict_schema()).validate(json.loads(judged.to_json()))


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {
            "signoff": SignoffRef(kind="review", id=1),
            "comments": (comment("x"), comment("y", None, kind="review", id=2)),
            "files": (changed("a", previous_path="b"),),
            "runs": (run(1, job("a"), job("b", None)),),
        },
        {"comments": Unread(unread="no"), "files": Unread(unread="no")},
    ],
    ids=["plain", "full", "unread"],
)
def test_a_bundle_fits_its_schema(facts):
    saved = json.loads(write_bundle(Bundle(evidence(**facts), {"name": "x"})))
    jsonschema_rs.validator_for(evidence_schema()).validate(saved)


@pytest.mark.parametrize("explain", [False, True])
def test_an_answer_about_owners_fits_its_schema(explain):
    codeowners = parse_codeowners("* @a @b\n!x @c\n/docs/\n/docs/a.md @d\nx @e\n")
    paths = ("src/a.py", "docs/b.md", "docs/a.md", "x")
    report = report_owners("CODEOWNERS", codeowners, paths, explain=explain)
    valid = jsonschema_rs.validator_for(owners_schema())
    answer = json.loads(owners_json(report))
    valid.validate(answer)
    keys = {key for path in answer["paths"] for key in path}
    assert keys <= set(owners_schema()["properties"]["paths"]["items"]["properties"])
    lint = lint_file(CodeownersFile("CODEOWNERS", b""))
    valid.validate(json.loads(owners_json(OwnersReport("CODEOWNERS", lint, ()))))
    for spoil in (
        lambda d: d.pop("problems"),
        lambda d: d.update(schema="signoff-bot/owners/v2"),
        lambda d: d["problems"][0].update(line=0),
        lambda d: d["problems"][0].update(severity="fatal"),
        lambda d: d["paths"][0].update(owners="@a"),
        lambda d: d["paths"][0].pop("line"),
    ):
        spoilt = copy.deepcopy(answer)
        spoil(spoilt)
        assert not valid.is_valid(spoilt)


def test_the_schemas_refuse_what_the_models_do():
    good = json.loads(rejected().to_json())
    bundle = json.loads(write_bundle(Bundle(evidence(), {})))
    for data, schema, spoil in (
        (good, verdict_schema(), lambda d: d.update(verdict="ok")),
        (good, verdict_schema(), lambda d: d.pop("head_sha")),
        (good, verdict_schema(), lambda d: d["checks"][0].update(number="0")),
        (bundle, evidence_schema(), lambda d: d.update(schema="signoff-bot/evidence/v2")),
        (bundle, evidence_schema(), lambda d: d["evidence"]["pull"].update(head_sha="main")),
        (bundle, evidence_schema(), lambda d: d["evidence"].update(secret=1)),
    ):
        spoilt = copy.deepcopy(data)
        spoil(spoilt)
        assert not jsonschema_rs.validator_for(schema).is_valid(spoilt)


def test_a_verdict_may_gain_keys():
    grown = json.loads(rejected().to_json()) | {"new": 1}
    jsonschema_rs.validator_for(verdict_schema()).validate(grown)


def test_the_documents_name_every_key():
    words = set(re.findall(r"[A-Za-z_]+", (DOCS / "evidence.md").read_text()))
    parts = [Evidence, *Fact.__subclasses__()]
    while parts:
        part = parts.pop()
        parts += part.__subclasses__()
        missing = set(part.model_fields) - words
        assert part.__module__.startswith("signoff_bot"), part
        assert not missing, f"docs/evidence.md says nothing of {part.__name__}: {missing}"
    said = (DOCS / "verdict.md").read_text()
    schema = verdict_schema()
    for properties in (schema["properties"], *(d["properties"] for d in schema["$defs"].values())):
        for key in properties:
            assert re.search(rf"`{key}`", said), f"docs/verdict.md says nothing of {key}"
