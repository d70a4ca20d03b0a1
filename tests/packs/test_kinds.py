"""What every registered check kind owes to the packs that use it."""

from collections.abc import Iterator
from typing import Any, get_args

import pytest

from signoff_bot.checks import KINDS
from signoff_bot.reading.settings import Settings


def settings_in(annotation: Any) -> Iterator[type[Settings]]:
    if isinstance(annotation, type) and issubclass(annotation, Settings):
        yield annotation
        for info in annotation.model_fields.values():
            yield from settings_in(info.annotation)
    for part in get_args(annotation):
        yield from settings_in(part)


def types_in(annotation: Any) -> Iterator[Any]:
    yield annotation
    for part in get_args(annotation):
        yield from types_in(part)


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_goes_by_the_name_that_packs_use(name: str) -> None:
    assert KINDS[name].name == name


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_says_what_it_checks_why_and_how_to_fix_a_failure(name: str) -> None:
    doc = KINDS[name].doc
    for part in ("What it checks", "Why it exists", "What it reads", "How to fix a failure"):
        assert f"**{part}.**" in doc
    assert doc.splitlines()[0].endswith(".")


@pytest.mark.parametrize("name", KINDS)
def test_every_parameter_is_described(name: str) -> None:
    for model in settings_in(KINDS[name].parameters):
        for key, info in model.model_fields.items():
            assert info.description, f"{model.__name__}.{key}"
            assert info.description.endswith("."), f"{model.__name__}.{key}"


@pytest.mark.parametrize("name", KINDS)
def test_no_parameter_is_a_set_whose_order_would_change_the_digest(name: str) -> None:
    for model in settings_in(KINDS[name].parameters):
        for info in model.model_fields.values():
            assert not {set, frozenset} & {
                getattr(part, "__origin__", part) for part in types_in(info.annotation)
            }
