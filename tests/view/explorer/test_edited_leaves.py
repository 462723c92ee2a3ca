"""An edit in a box is the smallest stretch of whole words of the stored text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainkit.errors import InterventionError
from explainkit.view.explorer.causes.leaves import edit_of, shown_for_editing

TEXT = "we pay back half of the fare."


@pytest.mark.parametrize(
    ("edited", "old", "new"),
    [
        ("we pay back none of the fare.", "half", "none"),
        ("we pay back halves of the fare.", "half", "halves"),
        ("we pay back of the fare.", "half ", None),
        ("we do not pay back half of the fare.", "we ", "we do not "),
        ("Now we pay back half of the fare.", "we", "Now we"),
        ("we pay back half of the fare. Really", ".", ". Really"),
        ("", TEXT, None),
    ],
)
def test_an_edit_names_whole_words(edited, old, new):
    where, said = edit_of(7, "/a", TEXT, edited)
    assert (where.seq, where.path, where.text, said) == (7, "/a", old, new)
    assert TEXT[where.start : where.end] == old


@pytest.mark.parametrize(("edited", "number"), [("45", 45), (" 4.5 ", 4.5), ("1_000", 1000)])
def test_a_number_stays_a_number(edited, number):
    _, new = edit_of(7, "/a", 40, edited)
    assert (type(new), new) == (type(number), number)


@pytest.mark.parametrize(("leaf", "edited"), [(TEXT, TEXT), (40, "forty"), (40, "40"), ("", "a")])
def test_what_is_no_edit_is_refused(leaf, edited):
    with pytest.raises(InterventionError):
        edit_of(7, "", leaf, edited)


@given(st.text(min_size=1), st.text())
def test_what_was_edited_is_what_the_re_run_gets(leaf, edited):
    shown = shown_for_editing(leaf)
    if shown == edited:
        return
    where, new = edit_of(7, "", leaf, edited)
    result = leaf[: where.start] + (new or "") + leaf[where.end :]
    assert where.start < where.end
    if shown == leaf:
        assert result == edited


@given(st.lists(st.sampled_from("a\u200b\r\u202e b"), min_size=3), st.data())
def test_invisible_characters_that_were_not_touched_stay(letters, data):
    leaf = "".join(letters)
    at = data.draw(st.integers(0, len(leaf)))
    shown = shown_for_editing(leaf)
    where, new = edit_of(7, "", leaf, f"{shown[:at]}X{shown[at:]}")
    result = leaf[: where.start] + str(new) + leaf[where.end :]
    assert result.count("X") == 1
    assert sorted(result.replace("X", "")) == sorted(leaf)
