"""Cutting a text shows or counts each of its characters."""

from hypothesis import given
from hypothesis import strategies as st

from explainkit.view.passages import passage

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
