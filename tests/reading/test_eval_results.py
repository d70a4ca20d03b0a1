import json

import pytest

from signoff_bot.reading.eval_results import EvalRow, read_eval_results


def row(**fields):
    return {"model_prefix": "minimaxm3", "task": "gsm8k", "score": 0.95} | fields


def test_rows_are_read_and_other_keys_left_alone():
    text = json.dumps([row(hw="MI355X", em_strict=0.1), row(score=1), row(score=0)])
    results = read_eval_results(text)
    assert results.rows == (
        EvalRow("minimaxm3", "gsm8k", 0.95),
        EvalRow("minimaxm3", "gsm8k", 1.0),
        EvalRow("minimaxm3", "gsm8k", 0.0),
    )
    assert results.problems == ()


def test_an_empty_list_has_no_rows():
    assert read_eval_results("[]").rows == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not valid JSON"),
        ('[{"score": 0.9}', "not valid JSON"),
        ('[{"score": NaN}]', "NaN is no JSON number"),
        ('[{"score": 1e400}]', "1e400 is too large for a JSON number"),
        ('[{"score": 0.1, "score": 0.99}]', "'score' stands twice"),
        ("[" * 100_000, "not valid JSON"),
        ('{"score": 0.9}', "not a list"),
        ("[" + ",".join(["1"] * 20_001) + "]", "over 20000 rows"),
        (" " * (8 * 1024 * 1024 + 1), "over 8388608 characters"),
    ],
)
def test_an_unusable_file_says_why(text, words):
    with pytest.raises(ValueError, match=words):
        read_eval_results(text)


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (3, "row 1 is not an object"),
        (row(model_prefix=None), "row 1 names no model_prefix"),
        (row(task=""), "row 1 names no task"),
        (row(score=None), "row 1 (minimaxm3, gsm8k) has no score"),
        (row(score="0.99"), "has no score"),
        (row(score=True), "has no score"),
        (row(score=95.2), "has the score 95.2, which is no fraction"),
        (row(score=-0.1), "no fraction"),
        (row(score=10**400), "has the score 100000000000000000000000000000000000000…, which"),
        (row(infrastructure_success=False), "did not run properly"),
        (row(infrastructure_success="false"), "did not run properly"),
        (row(infrastructure_success=None), "did not run properly"),
        (row(score_name="acceptance_length", score=2.4), "acceptance length is out of bounds"),
    ],
)
def test_a_malformed_row_is_named_and_hides_no_other(bad, words):
    text = json.dumps([bad, row()])
    results = read_eval_results(text)
    assert results.rows == (EvalRow("minimaxm3", "gsm8k", 0.95),)
    assert len(results.problems) == 1
    assert words in results.problems[0]


def test_an_acceptance_length_that_passed_is_no_accuracy():
    rows = [row(score_name="acceptance_length", score=2.4, speedbench_passed=True)]
    results = read_eval_results(json.dumps(rows))
    assert (results.rows, results.problems) == ((), ())
