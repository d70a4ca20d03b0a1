"""GitHub's own description of its API, to build answers by and to hold both sides to."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema_rs import Draft202012Validator

FACTS = Path(__file__).parents[2] / "facts" / "github"

# GitHub answers these on any operation, described or not; all carry the basic error.
_ANYWHERE = {"304", "401", "403", "404", "422", "429", "500", "502", "503"}
_FILLERS = {
    "date-time": "2026-06-01T00:00:00Z",
    "uri": "https://github.invalid/",
    "email": "nobody@github.invalid",
}


@cache
def _description() -> dict[str, Any]:
    described: dict[str, Any] = json.loads((FACTS / "openapi.json").read_text("utf-8"))
    return described


@cache
def _validator(where: tuple[str, ...]) -> Draft202012Validator | None:
    schema: Any = _description()
    for step in where:
        schema = schema[step] if isinstance(schema, dict) else None
        if schema is None:
            return None
    return Draft202012Validator({**schema, "$defs": _description()["$defs"]}, validate_formats=True)


@cache
def _blank(name: str) -> dict[str, Any]:
    blank = _fill(_description()["$defs"][name])
    assert isinstance(blank, dict)
    return blank


def _fill(schema: dict[str, Any]) -> Any:
    """The emptiest value that fits a schema: required fields only, null where allowed."""
    if "$ref" in schema:
        return _fill(_description()["$defs"][schema["$ref"].rsplit("/", 1)[1]])
    for union in ("anyOf", "allOf"):
        if union in schema:
            return _fill(schema[union][0])
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            return {name: _fill(schema["properties"][name]) for name in schema.get("required", ())}
        case "array":
            return []
        case "integer" | "number":
            return schema.get("minimum", 0)
        case "boolean":
            return False
        case "string":
            return _FILLERS.get(schema.get("format", ""), "")
        case _:
            return None


def make(schema: str, /, **given: Any) -> dict[str, Any]:
    """An object of one of GitHub's schemas: the fields given, and fillers for what it requires.

    Raises:
        KeyError: GitHub's schema has no such field.
    """
    unknown = given.keys() - _description()["$defs"][schema]["properties"].keys()
    if unknown:
        raise KeyError(f"GitHub's {schema} has no {sorted(unknown)}")
    return _blank(schema) | given


@cache
def _templates() -> list[tuple[re.Pattern[str], str]]:
    # `{path}` and `{branch}` hold slashes; every other part ends at one.
    greedy = re.compile(r"\\\{(path|branch|ref|basehead)\\\}")
    return [
        (re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", greedy.sub(".+", re.escape(path))) + "$"), path)
        for path in _description()["paths"]
    ]


def operation(method: str, path: str) -> str | None:
    """The path template that GitHub describes this request under."""
    fitting = [
        template
        for pattern, template in _templates()
        if pattern.match(path) and method.lower() in _description()["paths"][template]
    ]
    # A name wins over a parameter: `/pulls/comments` is no pull request.
    return min(fitting, key=lambda template: (template.count("{"), -len(template)), default=None)


def request_violations(method: str, template: str, query: dict[str, str], body: Any) -> list[str]:
    """What is wrong with a request: unknown or ill-typed parameters, a body GitHub refuses."""
    described = _description()["paths"][template][method.lower()]
    schemas = {p["name"]: p["schema"] for p in described["parameters"] if p["in"] == "query"}
    wrong = []
    for name, given in query.items():
        if name not in schemas:
            wrong.append(f"{method} {template}: GitHub knows no query parameter {name!r}")
            continue
        value = _typed(given, schemas[name])
        problem = _problem(Draft202012Validator(schemas[name]), value)
        if problem or (name == "per_page" and not 1 <= value <= 100):
            wrong.append(f"{method} {template}: {name}={given!r}: {problem or 'over 100'}")
    if described["body"] is None:
        if body is not None:
            wrong.append(f"{method} {template}: a body where GitHub takes none")
        return wrong
    unknown = (body or {}).keys() - described["body"].get("properties", {}).keys()
    if unknown:
        wrong.append(f"{method} {template}: GitHub knows no {sorted(unknown)} in the body")
    validator = _validator(("paths", template, method.lower(), "body"))
    problem = _problem(validator, body)
    if problem:
        wrong.append(f"{method} {template}: body: {problem}")
    return wrong


def answer_violations(method: str, template: str, status: int, body: Any) -> list[str]:
    """What is wrong with an answer of the loopback server itself."""
    responses = _description()["paths"][template][method.lower()]["responses"]
    known = str(status) in responses
    if not known and str(status) not in _ANYWHERE:
        return [f"{method} {template}: GitHub never answers {status} here"]
    where = ("paths", template, method.lower(), "responses", str(status))
    validator = _validator(where if known else ("$defs", "basic-error"))
    problem = None if validator is None or body is None else _problem(validator, body)
    return [f"{method} {template}: answer {status}: {problem}"] if problem else []


def _typed(value: str, schema: dict[str, Any]) -> Any:
    if schema.get("type") == "integer":
        return int(value) if value.isdigit() else value
    if schema.get("type") == "boolean":
        return {"true": True, "false": False}.get(value.lower(), value)
    return value


def _problem(validator: Draft202012Validator | None, value: Any) -> str | None:
    if validator is None:
        return None
    error = next(iter(validator.iter_errors(value)), None)
    if error is None:
        return None
    where = "/".join(str(part) for part in error.instance_path)
    return f"{where}: {error.message[:300]}"
