"""Cutting a text shows or counts each of its characters."""

from hypothesis import given
from hypothesis import strategies as st

from explainkit.view.passages import passage, plain

ranges = st.lists(
    st.tuples(st.integers(-5, 2_000), st.integers(-5, 2_000), st.just("span")), max_size=6
)


@given(st.text(max_size=2_000), ranges, st.integers(30, 400))
def test_every_code_point_is_shown_or_counted(text, marks, limit):
    shown = passage(text, marks, limit=limit)
    at = 0
    for piece in shown.pieces:
        at += piece.skipped
        assert piece.text
        assert text[at : at + len(piece.text)] == piece.text
        at += len(piece.text)
    assert at + shown.skipped == len(text)


@given(st.text(max_size=2_000), ranges, st.integers(30, 400))
def test_a_passage_never_exceeds_its_limit(text, marks, limit):
    assert len(passage(text, marks, limit=limit).text) <= limit


def test_a_mark_in_the_middle_of_a_long_text_is_what_is_kept():
    text = "a" * 5_000 + "half of the fare" + "b" * 5_000
    shown = passage(text, [(5_000, 5_016, "span")], limit=600)
    assert [piece.text for piece in shown.pieces if piece.mark] == ["half of the fare"]
    assert shown.pieces[0].skipped > 4_000
    assert shown.skipped > 4_000


def test_overlapping_marks_keep_the_earlier_one():
    shown = passage("abcdef", [(0, 4, "span"), (2, 6, "missing")])
    assert [(piece.text, piece.mark) for piece in shown.pieces] == [
        ("abcd", "span"),
        ("ef", "missing"),
    ]


def test_a_window_begins_and_ends_with_words():
    text = "opening hours of the museum " * 40
    (first,) = plain(text, limit=100).pieces
    assert text.startswith(first.text)
    assert text[len(first.text)].isspace()
    middle = passage(text, [(560, 567, "removed")], limit=120)
    at = middle.pieces[0].skipped
    assert text[at - 1].isspace()
    end = at + len(middle.text)
    assert text[end].isspace()
    assert middle.skipped == len(text) - end
    assert "".join(piece.text for piece in middle.pieces if piece.mark) == text[560:567]


def test_a_word_longer_than_what_a_window_gives_up_is_cut():
    assert plain("x" * 900, limit=100).text == "x" * 100
    marked = passage("y" * 900, [(500, 600, "removed")], limit=90)
    assert len(marked.text) == 90
