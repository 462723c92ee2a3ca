"""Numbers are read with their units, and compared by value."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainkit.text.numbers import find_quantities, same_quantity

from .strategies import texts


def found(text):
    return [(str(q.value), q.unit, q.text) for q in find_quantities(text)]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("1,234.5", "1234.5", None),
        ("1 234.5", "1234.5", None),
        ("1\u202f234", "1234", None),
        ("1'234.50", "1234.50", None),
        ("1.234,50", "1234.50", None),
        ("12,5 %", "12.5", "percent"),
        ("60%", "60", "percent"),
        ("$1,234.00", "1234.00", "usd"),
        ("USD 500", "500", "usd"),
        ("500 USD", "500", "usd"),
        ("\u20ac42.25", "42.25", "eur"),
        ("42.25 euros", "42.25", "eur"),
        ("\u00a35", "5", "gbp"),
        ("40-minute", "40", "minute"),
        ("40 min", "40", "minute"),
        ("2h", "2", "hour"),
        ("20MB", "20", "megabyte"),
        ("1 234 km", "1234", "kilometre"),
        ("-5", "-5", None),
        ("\u22125.5 \u00b0C", "-5.5", "celsius"),
        ("-$5.20", "-5.20", "usd"),
        ("+3", "3", None),
        (".5", "0.5", None),
        ("0", "0", None),
        ("\u0661\u0662", "12", None),
    ],
)
def test_one_quantity_is_read_whole(text, value, unit):
    assert found(text) == [(value, unit, text)]
    assert found(f"It is {text}, they say.") == [(value, unit, text)]


@pytest.mark.parametrize(
    "text",
    ["A4", "HAT069", "2025-12-03", "12.03.2025", "10:30", "3.11.7", "v2.0", "192.168.0.1", "#123",
     "INV-2024-001", "007", "3rd", "0x1F", "a_1", "https://x.org/12", "me@1.org", "2025-12",
     "555-123-4567"],
)  # fmt: skip
def test_digits_of_ids_dates_and_versions_are_no_quantities(text):
    assert found(text) == []
    assert found(f"see {text} for it") == []


def test_lists_are_not_joined_to_one_number():
    assert [q[0] for q in found("100 200 300")] == ["100", "200", "300"]
    assert [q[0] for q in found("1,2,3")] == ["1", "2", "3"]
    assert [q[0] for q in found("10-20 km")] == ["10", "20"]


def test_value_and_unit_decide_whether_two_are_the_same():
    a, b, c, d = find_quantities("1,234.5 km; 1234.50 and 1234.5 miles, then 1235 km")
    assert same_quantity(a, b)
    assert not same_quantity(a, c)
    assert not same_quantity(a, d)


@given(texts())
def test_offsets_hold_the_text(text):
    last = 0
    for quantity in find_quantities(text):
        assert last <= quantity.start < quantity.end <= len(text)
        assert text[quantity.start : quantity.end] == quantity.text
        assert quantity.significant >= 1
        last = quantity.end


@given(st.decimals(0, 10**12, places=2))
def test_every_spelling_has_the_value(value):
    plain = f"{value:f}"
    for spelling in (plain, f"{value:,}", f"{value:,}".replace(",", "\u00a0"), f"EUR {value:,}"):
        assert [q.value for q in find_quantities(f"x {spelling} y")] == [Decimal(plain)]
