"""What the HTML pages share: the template engine, and style sheets and scripts with their hashes.

By these hashes a content security policy admits what is ours and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from signoff_bot.render.inert import is_plain_address, visible
from signoff_bot.render.words import MARKS, STATUS_LABELS


def template(name: str) -> Template:
    """A template of the package; whatever it is given, it escapes."""
    return _environment().get_template(name)


@cache
def source(*names: str) -> Markup:
    """Style sheets or scripts of the package, one after the other, to stand in a page."""
    environment = _environment()
    assert environment.loader is not None  # noqa: S101 - for the type checker
    texts = [environment.loader.get_source(environment, name)[0].strip() for name in names]
    return Markup("\n".join(texts))  # noqa: S704 - our own files


def source_hash(text: str) -> str:
    """The hash of an inline style sheet or script, as a content security policy names it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@cache
def _environment() -> Environment:
    environment = Environment(
        autoescape=True,
        loader=PackageLoader("signoff_bot.render"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["visible"] = visible
    environment.tests["plain_address"] = is_plain_address
    environment.globals.update(marks=MARKS, labels=STATUS_LABELS)
    return environment
