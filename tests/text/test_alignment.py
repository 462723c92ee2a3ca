"""Two versions of a text align completely, in order, and in linear time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainkit.text.alignment import Piece, align, map_range

from .strategies import texts, word_lists


def check(before, after, pieces):
    a = b = 0
    for piece in pieces:
        assert (piece.before_start, piece.after_start) == (a, b)
        a, b = piece.before_end, piece.after_end
        left, right = before[piece.before_start : a], after[piece.after_start : b]
        assert left or right
        assert not piece.equal or left == right
    assert (a, b) == (len(before), len(after))


def test_a_replaced_name_maps_whole():
    before, after = "Dear Mia Li, you get half.", "Dear the passenger, you get half."
    pieces = align(before, after)
    assert map_range(pieces, 5, 8, backward=False) == (5, 18)
    assert map_range(pieces, 9, 12, backward=True) == (5, 11)
    low = before.index("half")
    start, end = map_range(pieces, low, low + 4, backward=False)
    assert after[start:end] == "half"


def test_a_deleted_range_maps_to_an_empty_one():
    pieces = align("one two three four", "one four")
    start, end = map_range(pieces, 4, 7, backward=False)
    assert start == end == 4


def test_an_insertion_belongs_to_a_range_only_from_within():
    before, after = "alpha gamma", "alpha beta gamma"
    pieces = align(before, after)
    assert after[slice(*map_range(pieces, 0, 5, backward=False))].strip() == "alpha"
    assert after[slice(*map_range(pieces, 0, 11, backward=False))] == after


def test_empty_texts():
    assert align("", "") == []
    assert align("", "ab") == [Piece(0, 0, 0, 2, equal=False)]
    assert align("ab", "") == [Piece(0, 2, 0, 0, equal=False)]
    assert map_range([], 0, 0, backward=False) == (0, 0)


def test_a_range_outside_the_text_is_an_error():
    with pytest.raises(ValueError, match="outside the text of 2 characters"):
        map_range(align("ab", "abc"), 1, 3, backward=False)


@given(texts())
def test_equal_texts_align_to_one_equal_piece(text):
    assert align(text, text) == ([Piece(0, len(text), 0, len(text), equal=True)] if text else [])


@given(texts(), texts())
def test_pieces_cover_both_texts_in_order(before, after):
    check(before, after, align(before, after))


@given(word_lists(120), st.data())
def test_edits_of_words_that_repeat_are_covered(words, data):
    other = list(words)
    for _ in range(data.draw(st.integers(0, 4))):
        at = data.draw(st.integers(0, len(other)))
        other[at : at + data.draw(st.integers(0, 3))] = data.draw(word_lists(3))
    before, after = " ".join(words), " ".join(other)
    check(before, after, align(before, after))


@given(texts(), texts(), st.data())
def test_ranges_of_equal_characters_go_there_and_back(before, after, data):
    pieces = align(before, after)
    equal = [piece for piece in pieces if piece.equal]
    if not equal:
        return
    piece = data.draw(st.sampled_from(equal))
    start = data.draw(st.integers(piece.before_start, piece.before_end - 1))
    end = data.draw(st.integers(start + 1, piece.before_end))
    there = map_range(pieces, start, end, backward=False)
    assert after[slice(*there)] == before[start:end]
    assert map_range(pieces, *there, backward=True) == (start, end)


@given(texts(), texts(), st.data())
def test_a_mapped_range_is_valid_and_holds_what_its_parts_map_to(before, after, data):
    pieces = align(before, after)
    start = data.draw(st.integers(0, len(before)))
    end = data.draw(st.integers(start, len(before)))
    low, high = map_range(pieces, start, end, backward=False)
    assert 0 <= low <= high <= len(after)
    if end - start > 1:
        inner_low, inner_high = map_range(pieces, start, end - 1, backward=False)
        assert low <= inner_low <= inner_high <= high


def test_a_change_in_text_without_unique_words_stays_local():
    words = [f"w{i * i % 97}" for i in range(30_000)]
    changed = list(words)
    changed[15_000] = "new"
    pieces = align(" ".join(words), " ".join(changed))
    assert [piece.equal for piece in pieces] == [True, False, True]


def test_many_changes_in_repetitive_text_are_aligned():
    words = [f"w{(i * 7919) % 499 * (i % 83)}" for i in range(40_000)]
    changed = ["new" if i % 500 == 7 else word for i, word in enumerate(words)]
    before = " ".join(words)
    pieces = align(before, " ".join(changed))
    kept = sum(piece.before_end - piece.before_start for piece in pieces if piece.equal)
    assert kept > 0.95 * len(before)
