"""How a verdict differs from what a case expects."""

import json

import pytest

from signoff_bot.packs.expectation import Expectation, differences

VERDICT = {
    "verdict": "fail",
    "signoff": {"author": "bram-ito", "problems": ["line 7: no box is ticked"]},
    "checks": [
        {"id": "a", "status": "pass", "summary": "all is well", "details": [], "fix": None},
        {"id": "b", "status": "fail", "summary": "run 7", "details": ["lane x"], "fix": "rerun"},
    ],
}
RIGHT = {"verdict": "fail", "checks": {"a": "pass", "b": "fail"}}


@pytest.mark.parametrize(
    ("more", "lines"),
    [
        ({}, []),
        ({"says": {"a": "all", "b": ["run 7", "lane", "rerun"]}}, []),
        ({"problems": "no box", "signer": "bram-ito"}, []),
        ({"verdict": "pass"}, ["verdict: expected pass, got fail"]),
        (
            {"checks": {"a": "na", "b": "blocked"}},
            ["a: expected na, got pass: all is well", "b: expected blocked, got fail: run 7"],
        ),
        (
            {"says": {"b": ["run 8", "lane y"]}},
            [
                "b: expected to say 'run 8', says run 7 / lane x / rerun",
                "b: expected to say 'lane y', says run 7 / lane x / rerun",
            ],
        ),
        ({"signer": "kiri-lund"}, ["signer: expected kiri-lund, got bram-ito"]),
        (
            {"problems": ["phrase"]},
            ["problems: expected to say 'phrase', says line 7: no box is ticked"],
        ),
    ],
)
def test_each_difference_is_a_line(more: dict, lines: list[str]) -> None:
    expected = Expectation.model_validate_json(json.dumps(RIGHT | more))
    assert differences(expected, VERDICT) == lines


def test_without_a_sign_off_nobody_signed_and_nothing_is_wrong_with_it() -> None:
    expected = Expectation(
        verdict="fail", checks={"a": "pass", "b": "fail"}, signer="bram-ito", problems="x"
    )
    assert differences(expected, {**VERDICT, "signoff": None}) == [
        "signer: expected bram-ito, got nobody",
        "problems: expected to say 'x', says nothing",
    ]
