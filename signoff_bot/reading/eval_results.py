"""Reads an artifact of aggregated eval results: one row for each model, task and setting.

The format is that of the benchmark's collector (`utils/collect_eval_results.py` of InferenceX): a
JSON list of objects with `model_prefix`, `task` and the accuracy as `score`, a fraction between 0
and 1. Rows whose `score_name` is `acceptance_length` measure speculative decoding, not accuracy;
they say themselves whether they passed. Other keys are left alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from signoff_bot.evidence.strict_json import parse_json
from signoff_bot.reading.wording import shorten

MAX_BYTES = 8 * 1024 * 1024
MAX_ROWS = 20_000


@dataclass(frozen=True, slots=True)
class EvalRow:
    """One result: the accuracy of a model in a task."""

    model: str
    task: str
    score: float


@dataclass(frozen=True, slots=True)
class EvalResults:
    """The accuracies, and what is wrong with the other rows."""

    rows: tuple[EvalRow, ...]
    problems: tuple[str, ...]


def read_eval_results(text: str) -> EvalResults:
    """The rows of a results file; one malformed row does not hide the others.

    Raises:
        ValueError: the file as a whole is unusable; the message completes "FILE ...".
    """
    if len(text) > MAX_BYTES:
        raise ValueError(f"is over {MAX_BYTES} characters long")
    try:
        data = parse_json(text)
    except ValueError as error:
        raise ValueError(f"is not valid JSON: {error}") from None
    if not isinstance(data, list):
        raise ValueError("is not a list of results")
    if len(data) > MAX_ROWS:
        raise ValueError(f"has over {MAX_ROWS} rows")
    rows: list[EvalRow] = []
    problems: list[str] = []
    for number, value in enumerate(data, 1):
        row = _read_row(value)
        if isinstance(row, str):
            problems.append(f"row {number} {row}")
        elif row is not None:
            rows.append(row)
    return EvalResults(tuple(rows), tuple(problems))


def _read_row(value: Any) -> EvalRow | str | None:
    """The accuracy, or what is wrong in words that complete "row N ...", or None for neither."""
    if not isinstance(value, dict):
        return "is not an object"
    for key in ("model_prefix", "task"):
        if not isinstance(value.get(key), str) or not value[key]:
            return f"names no {key}"
    model, task, score = value["model_prefix"], value["task"], value.get("score")
    name = f"({model}, {task})"
    if value.get("infrastructure_success", True) is not True:
        return f"{name} says that its eval did not run properly"
    if value.get("score_name") == "acceptance_length":
        passed = value.get("speedbench_passed") is True
        return None if passed else f"{name} says that its acceptance length is out of bounds"
    if isinstance(score, bool) or not isinstance(score, int | float):
        return f"{name} has no score"
    if not 0 <= score <= 1:
        shown = shorten(str(score), 40)
        return f"{name} has the score {shown}, which is no fraction between 0 and 1"
    return EvalRow(model, task, float(score))
