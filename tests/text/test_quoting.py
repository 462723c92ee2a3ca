"""Quotations are found whatever marks are typed, and stand in their source word for word or not."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainkit.text.quoting import LONGEST, Quoted, quotations, unclosed

from .strategies import texts


def words(text):
    return [each for _, _, each in quotations(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('He said "half" and "all".', ["half", "all"]),
        (
            "“half”, „all“, «none», »some«, ‘few’, 「半」",
            ["half", "all", "none", "some", "few", "半"],
        ),
        ("«\u00a0la moitié\u00a0»", ["\u00a0la moitié\u00a0"]),
        ("It’s ‘what it’s worth’ to us, isn’t it?", ["what it’s worth"]),
        ("a “quotation over\na line” of it", ["quotation over\na line"]),
        ("a “quotation\n\nover” a paragraph", []),
        ('“he said "never" to me”', ['he said "never" to me']),
        ('a 12" disk and a 5" one', []),
        ("the code `x = 1`, don't", []),
        ("", []),
    ],
)
def test_what_is_quoted(text, expected):
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("“half of the fare", 1),
        ('He said "half of the fare.', 1),
        ("„a“ and »b« and “c”", 0),
        ("“" + "x" * LONGEST + "”", 0),
        ("“" + "x" * (LONGEST + 1) + "”", 1),
        ('a 12" disk', 0),
    ],
)
def test_what_opens_and_does_not_close(text, count):
    assert len(unclosed(text)) == count


SOURCE = "You get half of\u00a0the fare back - the claim-form isn't needed. Über den Café."


@pytest.mark.parametrize(
    ("quoted", "holds"),
    [
        ("half of the fare", True),
        ("half \n of\u202fthe  fare", True),
        ("Half of the fare", False),
        ("half the fare", False),
        ("alf of the fare", False),
        ("half of the far", False),
        ("isn’t needed", True),
        ("claim\u2011form", True),
        ("half of the fa\u00adre", True),
        ("U\u0308ber den Cafe\u0301", True),
        ("half of the fare,", True),
        ("half of the fare!", False),
        ("half of … fare", False),
        (",", False),
        (" ", False),
    ],
)
def test_words_stand_in_a_source_however_they_were_typed(quoted, holds):
    assert Quoted(["Nothing here.", SOURCE]).holds(quoted) is holds


def test_two_sources_do_not_make_one_quotation():
    assert not Quoted(["half of", "the fare"]).holds("half of the fare")


def test_a_script_without_spaces_is_quoted_from_its_middle():
    assert Quoted(["普通对象可以实现节点合同。"]).holds("对象可以实现")


@given(texts())
def test_offsets_are_those_of_the_words_between_marks(text):
    for start, end, found in quotations(text):
        assert text[start:end] == found
        assert 0 < end - start <= LONGEST


@given(st.text(st.sampled_from('"“”„«»‘’ \n\tab.'), max_size=60))
def test_quotations_do_not_overlap_and_no_mark_is_both_quoted_and_unclosed(text):
    ranges = [(start, end) for start, end, _ in quotations(text)]
    assert ranges == sorted(ranges)
    for (_, end), (start, _) in pairwise(ranges):
        assert end < start
    for mark in unclosed(text):
        assert not any(start <= mark < end for start, end in ranges)


@pytest.mark.parametrize("piece", ['"', "“", "‘", "’a", '"a', "\n", "« ", "\n \n", "“\n"])
def test_hostile_repetition_is_read_to_its_end(piece):
    text = piece * 20_000
    assert isinstance(quotations(text), list)
    assert isinstance(unclosed(text), list)
