"""JSON that two readers could read differently, or that is made to cost time."""

import pytest

from signoff_bot.evidence.strict_json import parse_json


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "Infinity"])
def test_no_number_is_infinite_however_it_is_written(number):
    with pytest.raises(ValueError, match="JSON number"):
        parse_json(f'{{"a": {number}}}')


def test_a_key_that_stands_twice_among_very_many_is_found_at_once():
    """Counting every key anew would take hours here."""
    keys = ",".join(f'"k{i}":1' for i in range(300_000))
    with pytest.raises(ValueError, match="'k299999' stands twice"):
        parse_json(f'{{{keys},"k299999":2}}')
