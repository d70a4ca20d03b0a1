"""A rule pack explained in prose: what it demands, why, and what each parameter is set to.

The explanation is made of the pack's data and the documentation of its check kinds; the faces only
lay it out.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Iterator
from typing import Any

import yaml

from signoff_bot.packs.applies import AppliesWhen
from signoff_bot.packs.model import Check, Rules
from signoff_bot.reading.settings import Settings
from signoff_bot.render.inert import code

WIDTH = 100
_ONE_LINE = 72

Explanation = dict[str, Any]


def explain(rules: Rules) -> Explanation:
    """The pack as plain data: its texts, its settings, and its checks in the verdict's order."""
    return {
        "name": rules.name,
        "digest": rules.digest,
        "description": " ".join(rules.description.split()),
        "terms": [
            *_conditions(rules.applies_when, "The pack"),
            f"Deadlines are meant in the time zone {rules.time_zone}.",
        ],
        "signoff": _settings(rules.signoff),
        "publish": _settings(rules.publish),
        "checks": [_explain_check(c, rules) for c in sorted(rules.checks, key=lambda c: c.number)],
    }


def _explain_check(check: Check, rules: Rules) -> Explanation:
    return {
        "id": check.id,
        "number": check.number,
        "title": check.title,
        "kind": check.kind.name,
        "terms": list(_terms(check, rules)),
        "doc": check.kind.doc.strip(),
        "parameters": _settings(check.parameters),
    }


def _terms(check: Check, rules: Rules) -> Iterator[str]:
    if check.blocking:
        yield "Blocking: it must pass."
    else:
        yield "Advisory: a failure is shown as a warning and never blocks."
    if check.blocking and check.review_blocks:
        yield "What only a person can decide blocks, too."
    elif check.blocking:
        yield "What only a person can decide is shown and does not block."
    if check.kind.needs_signoff:
        yield "Needs a sign-off."
    if check.depends_on is not None:
        needed = next(c for c in rules.checks if c.id == check.depends_on)
        yield f"Judged only where check {needed.number} ({needed.title}) passes."
    yield from _conditions(check.applies_when, "The check")


def _conditions(applies_when: AppliesWhen, what: str) -> Iterator[str]:
    if applies_when.paths:
        yield f"{what} applies only to changes of {' or '.join(map(code, applies_when.paths))}."
    if applies_when.labels:
        yield f"{what} applies only with the label {' or '.join(map(code, applies_when.labels))}."
    if applies_when.config_keys:
        keys = " or ".join(map(code, applies_when.config_keys.keys))
        files = " or ".join(map(code, applies_when.config_keys.files))
        yield f"{what} applies only to changes of configs {keys} in {files}."


def _settings(settings: Settings) -> list[Explanation]:
    values = settings.model_dump(mode="json", by_alias=True)
    return [
        {
            "name": info.alias or name,
            "value": values[info.alias or name],
            "description": info.description or "",
        }
        for name, info in type(settings).model_fields.items()
    ]


def to_json(explanation: Explanation) -> str:
    """The explanation as JSON, for programs."""
    return json.dumps(explanation, indent=2, ensure_ascii=False) + "\n"


def to_markdown(explanation: Explanation) -> str:
    """The explanation as a Markdown page."""
    return "\n".join(_markdown(explanation))


def _markdown(explanation: Explanation) -> Iterator[str]:
    yield f"# {explanation['name']}\n"
    yield f"{explanation['description']}\n"
    yield f"{' '.join(explanation['terms'])} Digest: `{explanation['digest']}`.\n"
    for title, key in (("The sign-off", "signoff"), ("Publication", "publish")):
        yield f"## {title}\n"
        yield from _markdown_settings(explanation[key])
    for check in explanation["checks"]:
        yield f"## {_heading(check)}\n"
        yield f"{' '.join(check['terms'])}\n"
        yield f"{check['doc']}\n"
        if check["parameters"]:
            yield "**Parameters.**\n"
            yield from _markdown_settings(check["parameters"])


def _markdown_settings(settings: Iterable[Explanation]) -> Iterator[str]:
    for setting in settings:
        name, lines = code(setting["name"]), _value(setting["value"])
        if len(lines) == 1:
            yield f"- {name}: {code(lines[0], WIDTH)}. {setting['description']}"
        else:
            block = textwrap.indent("\n".join(lines), "  ")
            language = "markdown" if isinstance(setting["value"], str) else "yaml"
            yield f"- {name}: {setting['description']}\n\n  ```{language}\n{block}\n  ```"
    yield ""


def to_text(explanation: Explanation) -> str:
    """The explanation as plain text for a terminal."""
    return "\n".join(_text(explanation))


def _text(explanation: Explanation) -> Iterator[str]:
    yield f"{explanation['name']}  ({explanation['digest']})\n"
    yield _wrapped(explanation["description"]) + "\n"
    yield _wrapped(" ".join(explanation["terms"])) + "\n"
    for title, key in (("The sign-off", "signoff"), ("Publication", "publish")):
        yield f"{title}\n"
        yield from _text_settings(explanation[key])
    for check in explanation["checks"]:
        yield f"{_heading(check)}\n"
        yield _wrapped(" ".join(check["terms"]), 2) + "\n"
        for paragraph in check["doc"].split("\n\n"):
            yield _wrapped(paragraph, 2) + "\n"
        if check["parameters"]:
            yield "  Parameters\n"
            yield from _text_settings(check["parameters"])


def _text_settings(settings: Iterable[Explanation]) -> Iterator[str]:
    for setting in settings:
        first, *more = _value(setting["value"])
        yield f"    {setting['name']}:" if more else f"    {setting['name']}: {first}"
        yield _wrapped(setting["description"], 8)
        if more:
            yield textwrap.indent("\n".join([first, *more]), "        ")
    yield ""


def _heading(check: Explanation) -> str:
    kind = "" if check["kind"] == check["title"] else f", of the kind {check['kind']}"
    return f"Check {check['number']} ({check['title']}){kind}"


def _value(value: Any) -> list[str]:
    """A value as YAML, a text as it is: one line where it fits, else several."""
    if value in (None, [], {}):
        return ["none"]
    if isinstance(value, str):
        return value.rstrip("\n").split("\n")
    line = _yaml(value, flow=True)
    return [line] if len(line) <= _ONE_LINE else _yaml(value, flow=False).split("\n")


def _yaml(value: Any, *, flow: bool) -> str:
    dumped: str = yaml.safe_dump(
        value, sort_keys=False, allow_unicode=True, width=10 * WIDTH, default_flow_style=flow
    )
    return dumped.removesuffix("...\n").rstrip("\n")


def _wrapped(text: str, indent: int = 0) -> str:
    plain = re.sub(r"\*\*(.+?)\*\*", r"\1", text)
    space = " " * indent
    return textwrap.fill(
        plain,
        WIDTH,
        initial_indent=space,
        subsequent_indent=space,
        break_long_words=False,
        break_on_hyphens=False,
    )
