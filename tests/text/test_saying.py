"""Whether a text still says some words: by value and in the same sense, never by likeness."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainkit.text.saying import still_says

WORDS = st.lists(
    st.sampled_from(["your", "claim", "is", "approved", "paid", "half", "of", "the", "fare"]),
    min_size=1,
    max_size=6,
).map(" ".join)
PLAIN = st.text(alphabet="abcdefgh ÄÖßéñ", min_size=1, max_size=40)


def says(text, words, *, within=None):
    within = words if within is None else within
    return still_says(text, words, within=within, start=within.index(words))


@given(WORDS)
def test_a_text_says_itself(words):
    assert says(words, words)


@given(WORDS, WORDS, WORDS)
def test_words_are_found_between_others(before, words, after):
    text = f"{before}. {words}. {after}."
    assert says(text, words)


@given(WORDS)
def test_case_spacing_and_punctuation_do_not_matter(words):
    spaced = "  ".join(words.upper().split(" "))
    assert says(f"“{spaced}”!", words)


@given(WORDS, st.sampled_from(["not", "never", "no", "cannot", "nicht", "without"]))
def test_a_negation_in_the_clause_turns_the_meaning_around(words, negation):
    plain, negated = f"It is {words}", f"It is {negation} {words}"
    assert not says(negated, words, within=plain)
    assert not says(plain, words, within=negated)
    assert says(negated, words, within=negated)
    assert says(plain, words, within=plain)


@given(WORDS, st.sampled_from([". ", "; ", ", but ", "\n", "! "]))
def test_a_negation_in_another_clause_does_not(words, border):
    assert says(f"We do not know{border}{words}", words)


@given(st.integers(min_value=1_000, max_value=9_999_999), st.integers(min_value=1, max_value=9))
def test_numbers_are_compared_by_value(number, more):
    words = f"{number} euros"
    assert says(f"You get {number:,} euros.", words)
    assert says(f"You get {number}.00 euros.", words)
    assert not says(f"You get {number + more:,} euros.", words)


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        ("approved", "approved", True),
        ("not approved", "approved", False),
        ("It isn't approved.", "approved", False),
        ("It isn’t approved.", "approved", False),
        ("disapproved", "approved", False),
        ("Halfway there", "Half", False),
        ("the claim was rejected, not approved", "approved", False),
        ("5 km away", "5 km", True),
        ("5 kg", "5 km", False),
        ("5 miles", "5", True),
        ("15 km", "5 km", False),
        ("5.5 km", "5 km", False),
        ("-5 km", "5 km", False),
        ("nothing", "nothing", True),
        ("", "approved", False),
        ("approved of", "approved by", False),
    ],
)
def test_cases(text, words, found):
    assert says(text, words) is found


@given(PLAIN, PLAIN)
def test_it_answers_for_any_text(text, words):
    assert isinstance(says(text, words), bool)


@pytest.mark.parametrize("words", ["!", "…", "  ", "—"])
def test_marks_alone_are_looked_for_as_they_stand(words):
    assert says(f"a{words}b", words)


def test_only_the_selected_place_of_a_word_decides_its_sense():
    within = "It is not approved. It is approved."
    second = within.rindex("approved")
    assert still_says("It is approved.", "approved", within=within, start=second)
    assert not still_says("It is approved.", "approved", within=within, start=10)
