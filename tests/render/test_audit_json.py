"""The audit as JSON: the report itself, as its schema describes it."""

import copy
import json

import jsonschema_rs
import pytest
from support.audits import report, row, sample

from signoff_bot.audit.report import CLASSES, Report
from signoff_bot.render.audit_face import render_audit
from signoff_bot.schemas import audit_schema

SCHEMA = jsonschema_rs.validator_for(audit_schema())


def test_json_is_the_report_itself():
    printed = render_audit(sample(), "json")
    assert Report.model_validate_json(printed) == sample()
    assert printed.endswith("}\n")


def test_json_is_what_the_model_itself_writes_whatever_texts_say():
    hostile = [row(pr=number, title='",\n  "pulls": [') for number in (1, 2)]
    for found in (report(), sample(), report(*hostile)):
        whole = found.model_dump_json(indent=2, by_alias=True) + "\n"
        assert render_audit(found, "json") == whole


@pytest.mark.parametrize("found", [report(), sample()], ids=["empty", "full"])
def test_a_report_fits_its_schema(found):
    SCHEMA.validate(json.loads(render_audit(found, "json")))


def test_classes_without_a_pull_request_are_counted_too():
    counts = json.loads(render_audit(report(), "json"))["counts"]
    assert counts == dict.fromkeys(CLASSES, 0)


def test_an_audit_may_gain_keys_everywhere():
    grown = json.loads(render_audit(sample(), "json"))
    for part in (grown, grown["pulls"][0], grown["repos"][0], grown["trend"][0]):
        part["new"] = 1
    SCHEMA.validate(grown)
    assert Report.model_validate_json(json.dumps(grown)) == sample()


def test_the_schema_refuses_what_the_model_does():
    good = json.loads(render_audit(sample(), "json"))
    for spoil in (
        lambda d: d.update(schema="signoff-bot/audit/v2"),
        lambda d: d.pop("complete"),
        lambda d: d["counts"].update(fine=1),
        lambda d: d["pulls"][0].update({"class": "fine"}),
        lambda d: d["pulls"][0].update(pr="1"),
    ):
        spoilt = copy.deepcopy(good)
        spoil(spoilt)
        assert not SCHEMA.is_valid(spoilt)
