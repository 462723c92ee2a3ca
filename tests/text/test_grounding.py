"""What a text says beyond others: names and numbers, with what comes nearest to each."""

import pytest
from hypothesis import given

from explainkit.text.grounding import Grounds

from .strategies import texts


def missing(text, *others):
    return [said for said, _ in Grounds(others).missing(text)]


@pytest.mark.parametrize(
    ("text", "other", "expected"),
    [
        ("1,234.50 EUR", "1234.5", []),
        ("1234.5 EUR", "1234.5 USD", ["1234.5 EUR"]),
        ("on 3 December 2025", "2025-12-03", []),
        ("see https://a.example/x", "https://a.example/y", ["https://a.example/x"]),
        ("says mia LI", "Mia Li", []),
        ("says Zoe\u0301 O\u2019Hara", "Zo\u00e9 O'Hara", []),
        ("He met Anna and paid 7 EUR.", "", ["Anna", "7 EUR"]),
        ("Order A7 is late.", "It is A7.", []),
    ],
)
def test_what_only_one_text_holds(text, other, expected):
    assert missing(text, other) == expected


def test_the_nearest_are_of_the_same_kind_and_nearest_first():
    grounds = Grounds(["Mia Li pays 540 EUR, 450 USD or 90 EUR for HAT069."])
    found = dict(grounds.missing("So Mia Lo pays 455 EUR for HAT096."))
    assert found == {
        "Mia Lo": ("Mia Li",),
        "455 EUR": ("540 EUR", "90 EUR", "450 USD"),
        "HAT096": ("HAT069",),
    }


@given(texts())
def test_a_text_says_nothing_beyond_itself(text):
    assert missing(text, text) == []
