"""Ids, dates, addresses and quotes are found as units with canonical keys."""

from itertools import pairwise

import pytest
from hypothesis import given

from explainkit.text.names import find_names, find_quotes
from explainkit.text.sentence_bounds import sentences
from explainkit.text.units import find_units

from .strategies import texts


def keys(text):
    return [(unit.kind, unit.key) for unit in find_units(text)]


@pytest.mark.parametrize(
    "text",
    ["2025-12-03", "2025/12/3", "3 December 2025", "Dec 3, 2025", "3rd of dec 2025", "03.12.2025"],
)
def test_dates_have_one_key(text):
    assert keys(f"on {text}.") == [("date", "2025-12-03")]


def test_an_ambiguous_date_keeps_its_spelling():
    assert keys("03/04/2025") == [("date", "03/04/2025")]
    assert keys("13/04/2025") == [("date", "2025-04-13")]


def test_units_of_every_kind():
    text = 'Mail a.b@x.org, see https://x.org/a?b=1. "Half of  it" for HAT069, 1,234.50 EUR'
    assert keys(text) == [
        ("email", "a.b@x.org"),
        ("url", "https://x.org/a?b=1"),
        ("quote", "half of it"),
        ("id", "hat069"),
        ("number", "1234.5 eur"),
    ]


@given(texts())
def test_unit_offsets_are_valid(text):
    units = find_units(text)
    assert all(0 <= unit.start < unit.end <= len(text) for unit in units)
    plain = [unit for unit in units if unit.kind != "quote"]
    assert all(a.end <= b.start for a, b in pairwise(plain))


def test_names_and_quotes():
    text = 'Yesterday Mia Li met Dr Who. The report said "half of it". Mia agreed with Li.'
    assert [name for _, _, name in find_names(text)] == ["Mia Li", "Dr Who", "Li"]
    assert [words for _, _, words in find_quotes(text)] == ["half of it"]


def cut(text):
    return [text[a:b] for a, b in sentences(text)]


def test_abbreviations_decimals_and_initials_end_no_sentence():
    assert cut("Dr. J. Li paid 3.50 EUR, e.g. by card. Was it late? Yes!") == [
        "Dr. J. Li paid 3.50 EUR, e.g. by card.", "Was it late?", "Yes!",
    ]  # fmt: skip


def test_bullets_rows_and_list_numbers_are_sentences():
    text = "Terms:\n1. First point\n- second\n| a | b |\n\n2) third. End."
    assert cut(text) == ["Terms:", "1. First point", "- second", "| a | b |", "2) third.", "End."]


def test_other_scripts_have_their_own_stops():
    assert cut("\u6f22\u5b57\u3002\u6f22\u3002") == ["\u6f22\u5b57\u3002", "\u6f22\u3002"]


@given(texts())
def test_sentences_hold_every_visible_character(text):
    ranges = sentences(text)
    covered = "".join(text[a:b] for a, b in ranges)
    assert "".join(covered.split()) == "".join(text.split())
    assert all(a[1] <= b[0] for a, b in pairwise(ranges))
